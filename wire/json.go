package wire

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// object writes a JSON object field by field, in the order of the calls. Names
// of fields are our own and need no escapes.
type object struct {
	b    []byte
	omit []string // fields to leave out
}

func begin(dst []byte) object { return object{b: append(dst, '{')} }

// field starts the field and reports whether it is wanted.
func (o *object) field(name string) bool {
	if slices.Contains(o.omit, name) {
		return false
	}
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	o.b = append(o.b, '"')
	o.b = append(o.b, name...)
	o.b = append(o.b, '"', ':')
	return true
}

func (o *object) str(name, value string) {
	if o.field(name) {
		o.b = quote(o.b, value)
	}
}

// raw writes a value that is JSON already.
func (o *object) raw(name, value string) {
	if o.field(name) {
		o.b = append(o.b, value...)
	}
}

func (o *object) num(name string, value int) { o.raw(name, strconv.Itoa(value)) }

func (o *object) end() []byte { return append(o.b, '}') }

// open starts the list that the entries go into; it is never left out.
func (o *object) open(name string) []byte {
	o.omit = nil
	o.field(name)
	return append(o.b, '[')
}

// list writes a JSON array of what each writes.
func list[T any](dst []byte, values []T, each func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = each(dst, v)
	}
	return append(dst, ']')
}

// quote appends s as a JSON string. Every byte that is not UTF-8 becomes U+FFFD.
func quote(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if plain[c] {
				i++
				continue
			}
			dst = append(dst, s[from:i]...)
			dst = escape(dst, c)
			i++
			from = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			dst = append(dst, s[from:i]...)
			dst = append(dst, "\uFFFD"...)
			from = i + 1
		}
		i += size
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// plain holds the ASCII characters that stand for themselves in a JSON string.
var plain = func() (t [utf8.RuneSelf]bool) {
	for c := range t {
		t[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return t
}()

func escape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// jsonObject returns args if they are a JSON object, and otherwise an object
// that holds them as text: some servers refuse a whole request over one call
// whose arguments the model garbled.
func jsonObject(args string) string {
	args = strings.ToValidUTF8(args, "\uFFFD")
	if isObject(args) {
		return args
	}
	o := begin(nil)
	if strings.TrimSpace(args) != "" {
		o.str("_raw", args)
	}
	return string(o.end())
}

func isObject(s string) bool {
	return strings.HasPrefix(strings.TrimLeft(s, " \t\r\n"), "{") && json.Valid([]byte(s))
}
