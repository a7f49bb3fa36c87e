package provider

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/longrein/longrein/limit"
)

// clean returns text from outside as one line that may be shown: no secrets, no
// control characters, no more than the limit error-text.
func (e Endpoint) clean(text string) string {
	text = e.redact(strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	return shorten(text, e.Limits.Int(limit.ErrorText))
}

// shorten cuts text to at most n bytes and an ellipsis, never inside a rune.
func shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}
