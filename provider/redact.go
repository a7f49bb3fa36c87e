package provider

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// secretLength is the length from which a text can be a secret. Shorter ones,
// such as the key "ollama" that a local server does not look at, are words that
// messages need.
const secretLength = 8 // fixed: see above

// Redact returns text with each of the keys, plain or as part of a URL, and
// whatever has the form of a well-known kind of key, replaced by "[key]". Keys
// of fewer than eight bytes are no secrets and stay.
func Redact(text string, keys ...string) string {
	keys = slices.Clone(keys)
	for _, k := range keys {
		if _, word, ok := strings.Cut(k, " "); ok { // a header's "Bearer …"
			keys = append(keys, word)
		}
		keys = append(keys, url.QueryEscape(k), url.PathEscape(k))
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, k := range keys {
		if len(k) >= secretLength {
			text = strings.ReplaceAll(text, k, "[key]")
		}
	}
	return keyForm().ReplaceAllString(text, "${1}[key]")
}

// keyForm matches keys that a server repeats though they are not ours, or are
// only a part of ours.
var keyForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(\bbearer\s+)[^\s"',]{8,}|\b(?:sk|pk|xai|gsk|hf)[-_][\w*.-]{8,}|\bAIza[\w-]{20,}`)
})
