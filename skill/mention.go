package skill

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mention is a place in a user's text that names a skill, or may do so.
type Mention struct {
	Sigil string // "@" or "$"
	Name  string
	Path  string // of the form [$name](path); empty otherwise
}

// String is the mention as it was written.
func (m Mention) String() string {
	if m.Path != "" {
		return "[" + m.Sigil + m.Name + "](" + m.Path + ")"
	}
	return m.Sigil + m.Name
}

var (
	link = regexp.MustCompile(`^\[([@$])([A-Za-z0-9_:-]+)\]\((?:<([^<>\n]+)>|([^()<>\n]+))\)`)
	name = regexp.MustCompile(`^[@$]([A-Za-z0-9_](?:[A-Za-z0-9_:-]*[A-Za-z0-9_])?)`)
)

// common are environment variables that people write of; $PATH is none of a skill.
var common = map[string]bool{
	"path": true, "home": true, "user": true, "shell": true, "pwd": true, "tmpdir": true, "temp": true, "tmp": true,
	"lang": true, "term": true, "xdg_config_home": true, "editor": true, "ps1": true, "hostname": true, "uid": true,
}

// Mentions returns what in a user's text may name a skill: @name, $name and
// [$name](path), each once. The sigil stands at the start of a word, so that an
// e-mail address is none. A name that goes on with a slash is a path or a package,
// and one after @ that goes on with a dot and a letter is a file or a host. Common
// environment variables and what stands in code, between backquotes, are none.
func Mentions(text string) []Mention {
	var out []Mention
	seen := map[Mention]bool{}
	for i := 0; i < len(text); {
		if n := code(text, i); n > 0 {
			i += n
			continue
		}
		m, n := mentionAt(text, i)
		if n == 0 {
			i++
			continue
		}
		if m.Name != "" && !seen[m] {
			seen[m] = true
			out = append(out, m)
		}
		i += n
	}
	return out
}

// mentionAt returns the mention that begins at i and its length. What only looks like
// one has a length and no name.
func mentionAt(text string, i int) (Mention, int) {
	if text[i] == '[' {
		return linkAt(text[i:])
	}
	if text[i] != '@' && text[i] != '$' || inWord(text[:i]) {
		return Mention{}, 0
	}
	m := name.FindStringSubmatch(text[i:])
	if m == nil || goesOn(text[i], text[i+len(m[0]):]) || text[i] == '$' && common[strings.ToLower(m[1])] {
		return Mention{}, 1
	}
	return Mention{Sigil: text[i : i+1], Name: m[1]}, len(m[0])
}

func linkAt(text string) (Mention, int) {
	m := link.FindStringSubmatch(text)
	switch {
	case m == nil:
		return Mention{}, 0
	case strings.Contains(m[0], "://"):
		return Mention{}, len(m[0])
	}
	return Mention{m[1], m[2], m[3] + m[4]}, len(m[0])
}

// inWord reports whether a sigil behind a text is in the middle of something.
func inWord(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return wordRune(r) || strings.ContainsRune("@$./\\+-=:{", r)
}

// wordRune reports whether a word goes on with r. Scripts that put no spaces between
// words do not count.
func wordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// goesOn reports whether what follows a name makes it something else.
func goesOn(sigil byte, rest string) bool {
	r, n := utf8.DecodeRuneInString(rest)
	if n == 0 {
		return false
	}
	if wordRune(r) || strings.ContainsRune("/\\@=([", r) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(rest[n:])
	return sigil == '@' && r == '.' && wordRune(next)
}
