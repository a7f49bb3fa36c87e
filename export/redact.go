package export

import (
	"bytes"
	"encoding/json"
)

// names are the fields that tie records together. They hold no secrets, and what
// looks like one would no longer fit.
var names = map[string]bool{"id": true, "call_id": true, "hash": true, "tree": true, "kind": true, "tag": true}

// redactJSON redacts the strings of a JSON text that are values.
func redactJSON(raw []byte, redact func(string) string) ([]byte, error) {
	out := make([]byte, 0, len(raw))
	key := ""
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '"')
		if i < 0 {
			break
		}
		out = append(out, raw[:i]...)
		end := i + 1
		for end < len(raw) && raw[end] != '"' {
			if raw[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(raw))
		literal := raw[i:end]
		raw = raw[end:]
		var text string
		if err := json.Unmarshal(literal, &text); err != nil {
			return nil, err
		}
		switch {
		case bytes.HasPrefix(bytes.TrimLeft(raw, " "), []byte(":")):
			key = text
		case !names[key]:
			if clean := redact(text); clean != text {
				literal = quote(clean)
			}
		}
		out = append(out, literal...)
	}
	return append(out, raw...), nil
}

// quote is a text as a JSON string, without escapes for HTML.
func quote(text string) []byte {
	out, _ := marshal(text) // a string can be encoded
	return out
}
