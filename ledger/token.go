package ledger

import (
	"slices"
	"strings"
)

// What the bytes of a text are. A token is a run of bytes that have a class.
const (
	digit uint8 = 1 << iota
	hexa
	letter
	equals
	colon
	slash
	sign
)

var classes = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case '0' <= c && c <= '9':
			t[c] = digit
		case 'a' <= c && c <= 'f':
			t[c] = hexa
		case 'A' <= c && c <= 'Z', 'g' <= c && c <= 'z':
			t[c] = letter
		}
	}
	for _, c := range "_-.+%?&#~$" {
		t[c] = sign
	}
	t['='], t[':'], t['@'], t['/'] = equals, colon, colon, slash
	return t
}()

// tokens yields the values in a text: addresses, ids, versions, numbers, and
// NAME=value pairs. In escaped text, that of JSON, a backslash and what belongs to
// it part tokens.
func tokens(text string, escaped bool) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := 0; i < len(text); {
			if classes[text[i]] == 0 {
				i += gap(text[i:], escaped)
				continue
			}
			from, what := i, uint8(0)
			for i < len(text) && classes[text[i]] != 0 {
				what |= classes[text[i]]
				i++
			}
			if what&(digit|equals) != 0 || what&(colon|slash) == colon|slash {
				if !values(text[from:i], yield) {
					return
				}
			}
		}
	}
}

// gap returns how many bytes at the start of text belong to no token.
func gap(text string, escaped bool) int {
	switch {
	case !escaped || text[0] != '\\' || len(text) == 1:
		return 1
	case text[1] == 'u':
		return min(len(`\u0000`), len(text))
	}
	return 2
}

// Bounds of a value: shorter ones recur by chance, longer ones are content.
const (
	shortest = 3
	longest  = 200 // fixed: it tells values from content
)

// values yields the values in a token. Of what is a file's name, or a place in
// one, it yields none.
func values(token string, yield func(string) bool) bool {
	token = strings.Trim(token, ".:?&+-#%~$=@")
	if len(token) < shortest || len(token) > longest {
		return true
	}
	name, val, pair := strings.Cut(token, "=")
	if !pair || strings.Contains(name, "://") {
		return parts(token, yield)
	}
	val = strings.TrimLeft(val, "=")
	if !isName(name) || secret(name) || len(val) < shortest {
		return true
	}
	if isValue(val) || isAddress(val) || name == strings.ToUpper(name) {
		return yield(name + "=" + val)
	}
	return true
}

// parts yields a token that is a value, or those that stand between its colons.
func parts(token string, yield func(string) bool) bool {
	switch {
	case isAddress(token):
		return yield(token)
	case strings.Contains(token, "/"):
		return true
	}
	before, _, several := strings.Cut(token, ":")
	if several && strings.Contains(before, ".") && strings.ToLower(before) != strings.ToUpper(before) {
		return true // main.go:12
	}
	for part := range strings.FieldsFuncSeq(token, func(r rune) bool { return r == ':' || r == '@' }) {
		if isValue(part) && !yield(part) {
			return false
		}
	}
	return true
}

// match returns what a value is known again by: of a pair its value, if that says
// enough alone.
func match(text string) string {
	name, val, pair := strings.Cut(text, "=")
	if pair && isName(name) && (isValue(val) || isAddress(val)) {
		return val
	}
	return text
}

// secrets are parts of names whose values are not repeated anywhere.
var secrets = []string{"key", "token", "secret", "pass", "pwd", "credential", "auth", "dsn"}

func secret(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(secrets, func(s string) bool { return strings.Contains(name, s) })
}
