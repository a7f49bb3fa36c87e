package compare

import (
	"iter"
	"strings"
)

// What the bytes of a text are. A token is a run of bytes that have a class.
const (
	digit uint8 = 1 << iota
	small
	large
	score // of identifiers
	dot
	dash
	slash
)

var classes = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case '0' <= c && c <= '9':
			t[c] = digit
		case 'a' <= c && c <= 'z' || c >= 0x80:
			t[c] = small
		case 'A' <= c && c <= 'Z':
			t[c] = large
		}
	}
	t['_'], t['.'], t['-'], t['/'] = score, dot, dash, slash
	return t
}()

// Bounds of a value in bytes: shorter ones recur by chance, longer ones are content.
const (
	shortest = 3
	longest  = 200 // fixed: all comparisons count the same
)

// token is a run of bytes of a text that may be a value or a word.
type token struct {
	text string // without the punctuation around it
	what uint8  // the classes of its bytes
	at   int    // where it begins
}

// tokens yields the tokens of a text. In escaped text, that of JSON, a backslash
// and what belongs to it part tokens.
func tokens(text string, escaped bool) iter.Seq[token] {
	return func(yield func(token) bool) {
		for i := 0; i < len(text); {
			if classes[text[i]] == 0 {
				if i++; escaped && text[i-1] == '\\' {
					i = min(i+1, len(text))
				}
				continue
			}
			t := token{at: i}
			for i < len(text) && classes[text[i]] != 0 {
				t.what |= classes[text[i]]
				i++
			}
			if i-t.at < shortest || i-t.at > longest {
				continue
			}
			if t.text = trim(text[t.at:i]); !yield(t) {
				return
			}
		}
	}
}

func trim(s string) string {
	return strings.TrimRight(strings.TrimLeft(strings.TrimPrefix(s, "./"), ".-"), ".-/")
}

// kind is the kind of value that the token is, none for a plain word.
func (t token) kind() Kind {
	letters := t.what & (small | large)
	switch {
	case len(t.text) < shortest:
	case t.what&slash != 0:
		if letters != 0 && len(t.text) > shortest {
			return Paths
		}
	case letters == 0:
		if isNumber(t.text) {
			return Numbers
		}
	case t.what&dot != 0 && isFile(t.text):
		return Paths
	case isIdentifier(t):
		return Identifiers
	}
	return none
}

// isNumber leaves out what recurs by chance: small numbers and hundreds.
func isNumber(s string) bool {
	digits := 0
	for i := range len(s) {
		if classes[s[i]] == digit {
			digits++
		}
	}
	return digits >= shortest && (digits > shortest || !strings.HasSuffix(s, "00"))
}

// endings are those of file names.
var endings = map[string]bool{}

func init() {
	for _, e := range strings.Fields("go mod sum c h cc cpp hpp rs py ipynb rb java kt swift js jsx ts tsx mjs cjs css scss html htm vue svelte " +
		"md txt rst json jsonl yaml yml toml ini cfg conf env xml csv tsv sql db sh bash zsh ps1 bat lock log proto tf php pl lua ex exs erl " +
		"hs ml scala dart zig nim r jl png jpg jpeg gif svg webp pdf zip gz tar tgz zst whl jar so dll exe wasm patch diff") {
		endings[e] = true
	}
}

func isFile(s string) bool {
	i := strings.LastIndexByte(s, '.')
	return i > 0 && endings[s[i+1:]]
}

// isIdentifier takes names of several words, and letters with digits.
func isIdentifier(t token) bool {
	switch {
	case len(t.text) < 5:
		return false
	case t.what&(score|digit) != 0:
		return true
	}
	return t.what&small != 0 && t.what&(dash|dot) == 0 &&
		strings.ContainsAny(t.text[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// trouble are the words by which a line tells of an error.
var trouble = []string{"error", "fail", "panic", "exception", "traceback", "denied", "not found", "undefined", "cannot", "no such"}

// tellsOfError reports whether the line of text around at does.
func tellsOfError(text string, at int) bool {
	const most = 400 // fixed: far enough around a value for the word that tells
	from := max(strings.LastIndexByte(text[:at], '\n')+1, at-most)
	line := text[from:min(at+most, len(text))]
	line, _, _ = strings.Cut(line, "\n")
	line = strings.ToLower(line)
	for _, word := range trouble {
		if strings.Contains(line, word) {
			return true
		}
	}
	return false
}
