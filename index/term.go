package index

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/longrein/longrein/limit"
)

// ErrWords says that a search has no words, or too many.
var ErrWords = errors.New("nothing can be searched for")

// term is a word, or words that follow each other.
type term struct {
	words  []string // tokens
	prefix bool     // of the last one the beginning is enough
	worth  float64  // more for rare ones
}

// parse reads what somebody searches for.
func parse(limits limit.Set, text string) ([]term, error) {
	var terms []term
	for i, part := range strings.Split(text, `"`) {
		if i%2 == 1 {
			terms = appendTerm(terms, part, false)
			continue
		}
		for _, word := range strings.Fields(part) {
			terms = appendTerm(terms, word, true)
		}
	}
	if len(terms) == 0 {
		return nil, fmt.Errorf("%w: a word needs a letter or a digit", ErrWords)
	}
	if most := limits.Int(limit.SearchWords); len(terms) > most {
		return nil, fmt.Errorf("%w: %d words are more than the limit %s = %d", ErrWords, len(terms), limit.SearchWords.Name, most)
	}
	return terms, nil
}

// shortPrefix is how many letters a word needs to stand for longer ones too: with
// fewer it would find nearly all.
const shortPrefix = 3

func appendTerm(terms []term, text string, prefix bool) []term {
	var t term
	for tok := range tokens(text) {
		t.words = append(t.words, tok.word)
	}
	if len(t.words) == 0 {
		return terms
	}
	t.prefix = prefix && utf8.RuneCountInString(t.words[len(t.words)-1]) >= shortPrefix
	return append(terms, t)
}

// match is the term in SQLite's language. Tokens have nothing in them that would
// mean something there.
func (t term) match() string {
	s := `"` + strings.Join(t.words, " ") + `"`
	if t.prefix {
		s += " *"
	}
	return s
}

// at reports whether the term stands at the beginning of toks.
func (t term) at(toks []token) bool {
	if len(toks) < len(t.words) {
		return false
	}
	last := len(t.words) - 1
	for i, w := range t.words {
		if got := toks[i].word; got != w && (i != last || !t.prefix || !strings.HasPrefix(got, w)) {
			return false
		}
	}
	return true
}

// find returns where in toks the term stands first, -1 for nowhere.
func (t term) find(toks []token) int {
	for i := range toks {
		if t.at(toks[i:]) {
			return i
		}
	}
	return -1
}
