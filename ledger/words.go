package ledger

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/longrein/longrein/limit"
)

// saying is what the user said, or a sentence of it, verbatim.
type saying struct {
	Text string `json:"text"`
	Seq  int64  `json:"seq"`
	Cut  int    `json:"cut,omitempty"` // bytes of it that are left out after Text
}

func (s saying) key() string { return strings.ToLower(squeeze(s.Text)) }

// request notes a message of the user, and the constraints in it.
func (n noting) request(text string) {
	for sentence := range sentences(text) {
		if binds(sentence) {
			n.constraint(sentence)
		}
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	most := n.set.Int(limit.LedgerRequests)
	said := clip(text, most/4)
	n.Requests = append(n.Requests, saying{Text: said, Seq: n.seq, Cut: len(text) - len(said)})
	size := 0
	for _, r := range n.Requests {
		size += len(r.Text)
	}
	for size > most && len(n.Requests) > 2 { // the first says what the thread is for
		size -= len(n.Requests[1].Text)
		n.Requests = append(n.Requests[:1], n.Requests[2:]...)
		n.Left.Requests++
	}
}

// constraint notes a sentence where it was said first.
func (n noting) constraint(sentence string) {
	text := strings.TrimSpace(clip(sentence, n.most()))
	s := saying{Text: text, Seq: n.seq, Cut: len(sentence) - len(text)}
	if old, known := n.Constraints.take(s.key()); known {
		s = old
	}
	n.Constraints.put(s)
	if n.Constraints.Len() > n.set.Int(limit.LedgerConstraints) {
		n.Left.Constraints++
		n.Constraints.take(n.Constraints.oldest().key())
	}
}

// Words that make a sentence a constraint: anywhere in it, or at its start, where
// they tell what to do.
var (
	binding = []string{
		"must", "never", "always", "only", "do not", "don't", "don’t", "cannot", "can't", "may not", "should not", "shouldn't",
		"at most", "at least", "no more than", "no less than", "exactly", "not allowed", "forbidden", "avoid", "without",
		"required", "make sure", "ensure", "mandatory",
	}
	telling = []string{"keep", "use", "leave", "stick to", "prefer", "stay", "limit", "please keep", "please use"}
)

// binds reports whether a sentence is a constraint by its words. A question is
// none.
func binds(sentence string) bool {
	if strings.HasSuffix(sentence, "?") {
		return false
	}
	words := " " + plain(sentence) + " "
	for _, w := range binding {
		if strings.Contains(words, " "+w+" ") {
			return true
		}
	}
	for _, w := range telling {
		if strings.HasPrefix(words, " "+w+" ") {
			return true
		}
	}
	return false
}

// plain is a sentence in small letters, with one space between its words and no
// signs but those inside words.
func plain(s string) string {
	s = strings.ToLower(s)
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’'
	}), " ")
}

// sentences yields the sentences of a text, each on one line. Lines that belong
// together are joined, the sign of a list item is left away, and so is what
// stands between code fences.
func sentences(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, p := range paragraphs(text) {
			for p != "" {
				end := sentenceEnd(p)
				if s := strings.TrimSpace(p[:end]); s != "" && !yield(s) {
					return
				}
				p = strings.TrimSpace(p[end:])
			}
		}
	}
}

// sentenceEnd returns the length of the first sentence of p: up to a full stop
// and the like with a space after it.
func sentenceEnd(p string) int {
	for i := 0; i+1 < len(p); i++ {
		if strings.IndexByte(".!?", p[i]) >= 0 && p[i+1] == ' ' && !abbreviated(p[:i]) {
			return i + 1
		}
	}
	return len(p)
}

// abbreviated reports whether a full stop after s is no end: s ends as "e.g" and
// "i.e" do.
func abbreviated(s string) bool { return len(s) >= 2 && s[len(s)-2] == '.' }

// paragraphs returns the paragraphs and list items of a text, each on one line.
func paragraphs(text string) (all []string) {
	fenced, open := false, false
	last := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			fenced, open = !fenced, false
			continue
		}
		if fenced || line == "" {
			open = false
			continue
		}
		item, isItem := listItem(line)
		if open && !isItem && continues(last, line) {
			all[len(all)-1] += " " + squeeze(line)
		} else {
			all = append(all, squeeze(item))
		}
		last, open = line, true
	}
	return all
}

// wrapped is the length from which on a line looks as if it was broken to fit a
// screen.
const wrapped = 60

// continues reports whether a line goes on with the sentence of the line before.
func continues(before, line string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	return len(before) >= wrapped || unicode.IsLower(first)
}

// listItem returns a line without the sign of a list item or heading, and whether
// it has one.
func listItem(line string) (string, bool) {
	rest := strings.TrimLeft(line, "0123456789")
	if rest != line && len(rest) > 1 && (rest[0] == '.' || rest[0] == ')') && rest[1] == ' ' {
		return rest[2:], true
	}
	sign, rest, _ := strings.Cut(line, " ")
	if sign != "" && strings.Trim(sign, "#") == "" || sign == "-" || sign == "*" || sign == "+" || sign == ">" {
		return rest, true
	}
	return line, false
}
