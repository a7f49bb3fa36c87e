package redact

import "strings"

const (
	keyBegin = "-----BEGIN "
	keyEnd   = "-----END "
	keyDash  = "-----"
)

// appendPrivateKeys finds private keys in the PEM form, from their first mark to
// their last, or as far as they go when they are cut off.
func appendPrivateKeys(found []span, text string) []span {
	for at := 0; ; {
		i := strings.Index(text[at:], keyBegin)
		if i < 0 {
			return found
		}
		from := at + i
		at = from + len(keyBegin)
		n := strings.Index(text[at:min(len(text), at+longestName)], keyDash)
		if n < 0 || !strings.Contains(text[at:at+n], "PRIVATE KEY") {
			continue
		}
		at = keyStop(text, at+n+len(keyDash))
		found = append(found, span{from, at, "private-key"})
	}
}

// keyStop returns where a key ends whose first line ends at from.
func keyStop(text string, from int) int {
	end := from + len(text[from:]) - len(strings.TrimLeft(text[from:], keyCharacters))
	i := strings.Index(text[from:end], keyEnd)
	if i < 0 {
		return end
	}
	end = from + i + len(keyEnd)
	if n := strings.Index(text[end:min(len(text), end+longestName)], keyDash); n >= 0 {
		end += n + len(keyDash)
	}
	return end
}

// keyCharacters are those that stand in a key: base64, its headers, line ends, also
// written as \n, and marks.
const keyCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=:,-\\ \t\r\n"
