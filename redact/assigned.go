package redact

import "strings"

// assigned returns the value that is given, behind text[at], to a variable with a
// telling name, as in NAME=value, "name": "value" or name := 'value'.
func assigned(text string, at int) (span, bool) {
	name := nameBefore(text, at)
	if !SecretName(name) {
		return span{}, false
	}
	from, to, quoted := valueAfter(text, at)
	value := text[from:to]
	if quoted && !template(value) {
		value = unbracketed(value)
	}
	next, empty := strings.CutSuffix(value, "=") // A_TOKEN= B_TOKEN=
	return span{from, to, kindOf(name)}, looksSecret(value) && !(empty && SecretName(next))
}

// template reports whether a quoted text is one that something else is put into, or
// a list, or a placeholder.
func template(value string) bool {
	if value != "" && strings.IndexByte("([{<", value[0]) >= 0 {
		return true
	}
	for _, start := range []string{"${", "$(", "{{", "%(", "#{"} {
		if strings.Contains(value, start) {
			return true
		}
	}
	return false
}

// unbracketed is a text without the brackets that would make code of it.
func unbracketed(value string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("([{", r) {
			return '#'
		}
		return r
	}, value)
}

const (
	longestName  = 80      // fixed: what is longer is no name
	longestValue = 8 << 10 // fixed: what is longer is a text
)

// nameBefore returns the name that ends before text[at], behind blanks, a bracket
// and a quote, which may be escaped.
func nameBefore(text string, at int) string {
	end := at
	for end > 0 && (strings.IndexByte(` "'\\]`, text[end-1]) >= 0 || text[end-1] == ':' && text[at] == '=') {
		end--
	}
	from := end
	for from > 0 && end-from <= longestName && (inWord(text[from-1]) || text[from-1] == '-' || text[from-1] == '.') {
		from--
	}
	return text[from:end]
}

// valueAfter returns where the value behind text[at] stands. A quoted one ends at
// its quote, any other at a blank or a mark, and either where a line or, as programs
// list their environment, a field ends.
func valueAfter(text string, at int) (from, to int, quoted bool) {
	from = at + 1
	for from < len(text) && (text[from] == ' ' || text[from] == '=' && text[at] == ':' || text[from] == '\t') {
		from++
	}
	ends := " \t\r\n\x00\"'`,;&<>)]}\\"
	escaped := from
	for escaped < len(text) && text[escaped] == '\\' {
		escaped++
	}
	if escaped == len(text) {
		return from, from, false
	}
	if q := text[escaped]; q == '"' || q == '\'' || q == '`' {
		ends, quoted = string(q)+"\n\x00", true
		if escaped > from {
			ends += `\` // as the quote behind it is
		}
		from = escaped + 1
	}
	rest := text[from:min(len(text), from+longestValue)]
	n := strings.IndexAny(rest, ends)
	if n < 0 {
		n = len(rest)
	}
	return from, from + n, quoted
}
