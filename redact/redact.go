package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
)

// Redactor replaces secrets. The zero value knows the well-known forms and variables
// with telling names; its placeholders are then the same for everyone. It is safe for
// concurrent use.
type Redactor struct {
	key    []byte
	values []Secret
}

// Secret is a value that is known to be one.
type Secret struct {
	Name  string // of its variable, which the placeholder shows
	Value string
}

// New returns a redactor whose placeholders are made with key, and which also
// replaces those values, wherever they stand.
func New(key []byte, values []Secret) *Redactor {
	return &Redactor{key: slices.Clone(key), values: slices.Clone(values)}
}

// Holds reports whether a text has a placeholder in it. What is written back from
// such a text would replace the secret.
func (r *Redactor) Holds(text string) bool {
	return strings.Contains(text, placeholderStart) && placeholder.MatchString(text)
}

// span is where a secret stands, or a placeholder, which has no kind.
type span struct {
	from, to int
	kind     string
}

// Text returns text without secrets. What Text returned comes back unchanged.
func (r *Redactor) Text(text string) string {
	out, _ := r.Replace(text)
	return out
}

// Replace is Text, and says how many secrets there were.
func (r *Redactor) Replace(text string) (string, int) {
	spans := r.find(text)
	if len(spans) == 0 {
		return text, 0
	}
	var b strings.Builder
	at, n := 0, 0
	for _, s := range spans {
		if s.kind == "" {
			continue
		}
		b.WriteString(text[at:s.from])
		b.WriteString(r.placeholder(s.kind, text[s.from:s.to]))
		at = s.to
		n++
	}
	b.WriteString(text[at:])
	return b.String(), n
}

const (
	placeholderStart = "[redacted:"
	placeholderEnd   = "]"
)

// placeholder stands for a secret: equal ones get equal placeholders.
func (r *Redactor) placeholder(kind, secret string) string {
	mac := hmac.New(sha256.New, r.key)
	mac.Write([]byte(secret))
	return placeholderStart + kind + ":" + hex.EncodeToString(mac.Sum(nil)[:4]) + placeholderEnd
}

// find returns where secrets are, in order and apart from each other. Where two
// overlap the one that begins first counts, and of those the longest.
func (r *Redactor) find(text string) []span {
	found := appendPlaceholders(nil, text)
	for _, v := range r.values {
		found = appendValue(found, text, v)
	}
	found = appendPrivateKeys(appendFormed(found, text), text)
	slices.SortFunc(found, func(a, b span) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return b.to - a.to
	})
	return apart(found)
}

// placeholder is one as it stands in a text, which is left as it is.
var placeholder = regexp.MustCompile(`\[redacted:[a-z0-9-]+:[0-9a-f]{8}\]`)

func appendPlaceholders(found []span, text string) []span {
	if !strings.Contains(text, placeholderStart) {
		return found
	}
	for _, m := range placeholder.FindAllStringIndex(text, -1) {
		found = append(found, span{m[0], m[1], ""})
	}
	return found
}

func apart(found []span) []span {
	out, end := found[:0], 0
	for _, s := range found {
		if s.from >= end {
			out, end = append(out, s), s.to
		}
	}
	return out
}

func appendValue(found []span, text string, v Secret) []span {
	if v.Value == "" {
		return found
	}
	for at := 0; ; {
		i := strings.Index(text[at:], v.Value)
		if i < 0 {
			return found
		}
		found = append(found, span{at + i, at + i + len(v.Value), kindOf(v.Name)})
		at += i + len(v.Value)
	}
}

// kindOf is a variable's name as a placeholder shows it.
func kindOf(name string) string {
	words := wordsOf(name)
	if len(words) == 0 {
		return "value"
	}
	const shown = 3 // fixed: the last words say what it is; what is glued to them may be a secret
	return strings.Join(words[max(0, len(words)-shown):], "-")
}
