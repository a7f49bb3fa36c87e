package sim

import (
	"bytes"
	"encoding/json"
)

// The functions of this file walk over JSON without decoding what nobody asked
// for: a request of a megabyte is mostly old outputs that only need to be passed
// over. The JSON should be valid; of other bytes they make something, in time
// that is proportional to them.

// members calls f with each member of the object b. It does nothing when b is
// no object.
func members(b []byte, f func(key string, value []byte)) {
	spans(b, func(key, value, end int) {
		f(string(b[key+1:skip(b, key)-1]), b[value:end])
	})
}

// spans calls f with the places where each member of the object b has its key,
// its value, and its end.
func spans(b []byte, f func(key, value, end int)) {
	if kindOf(b) != '{' {
		return
	}
	for key := next(b, 1); key+1 < len(b) && b[key] == '"'; {
		value := next(b, skip(b, key))
		end := skip(b, value)
		f(key, value, end)
		key = next(b, end)
	}
}

// elements calls f with each element of the array b. It does nothing when b is
// no array.
func elements(b []byte, f func(value []byte)) {
	if kindOf(b) != '[' {
		return
	}
	for i := next(b, 1); i < len(b) && b[i] != ']'; {
		end := skip(b, i)
		f(b[i:end])
		i = next(b, end)
	}
}

// kindOf returns the first byte of a value: '{', '[', '"', or another.
func kindOf(b []byte) byte {
	if len(b) == 0 {
		return 0
	}
	return b[0]
}

// next returns the first place from i on that is neither space nor separator.
func next(b []byte, i int) int {
	for ; i < len(b); i++ {
		switch b[i] {
		case ' ', '\t', '\r', '\n', ',', ':':
		default:
			return i
		}
	}
	return i
}

// skip returns the end of the value that begins at i. It always moves on.
func skip(b []byte, i int) int {
	if i >= len(b) {
		return len(b)
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		return skipNest(b, i)
	}
	for i++; i < len(b); i++ {
		switch b[i] {
		case ',', '}', ']', ' ', '\t', '\r', '\n':
			return i
		}
	}
	return i
}

func skipString(b []byte, i int) int {
	for i++; i < len(b); i++ {
		q := bytes.IndexByte(b[i:], '"')
		if q < 0 {
			return len(b)
		}
		i += q
		if !escaped(b, i) {
			return i + 1
		}
	}
	return len(b)
}

// escaped reports whether an odd number of backslashes precedes place i.
func escaped(b []byte, i int) bool {
	n := 0
	for i--; i >= 0 && b[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

func skipNest(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = skipString(b, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		i++
		if depth == 0 {
			break
		}
	}
	return i
}

// str decodes a JSON string; any other value gives "".
func str(b []byte) string {
	if kindOf(b) != '"' || len(b) < 2 {
		return ""
	}
	if bytes.IndexByte(b, '\\') < 0 {
		return string(b[1 : len(b)-1])
	}
	var s string
	if json.Unmarshal(b, &s) != nil {
		return ""
	}
	return s
}

// quote encodes s as a JSON string, without HTML escapes.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return `""`
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte{'\n'}))
}
