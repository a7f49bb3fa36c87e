package ledger

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// encode is JSON without HTML escapes, which would make commands longer.
func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte{'\n'}), err
}

// squeeze makes every run of white space one space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// clip returns at most n bytes of the start of s, whole characters and valid.
func clip(s string, n int) string {
	if len(s) > n {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	return strings.ToValidUTF8(s, "?")
}

// tail returns the end of s, with a mark where that is not all of it.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	at := len(s) - n
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return "…" + s[at:]
}

// between parts the last lines of an output.
const between = " / "

// lastLines returns the last lines of s that hold anything, at most six and n
// bytes of them.
func lastLines(s string, n int) string {
	const lines = 6
	said := ""
	for range lines {
		s = strings.TrimRight(s, " \t\r\n")
		at := strings.LastIndexByte(s, '\n') + 1
		line := squeeze(clip(s[at:], n))
		switch {
		case line == "":
			return said
		case said == "":
			said = line
		case len(line)+len(between)+len(said) > n:
			return said
		default:
			said = line + between + said
		}
		s = s[:at]
	}
	return said
}
