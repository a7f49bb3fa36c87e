package redact

import "strings"

// assigned returns the value that is given, behind text[at], to a variable with a
// telling name, as in NAME=value, "name": "value" or name := 'value'.
func assigned(text string, at int) (span, bool) {
	name := nameBefore(text, at)
	if !SecretName(name) {
		return span{}, false
	}
	from, to := valueAfter(text, at)
	return span{from, to, kindOf(name)}, looksSecret(text[from:to])
}

const (
	longestName  = 80      // fixed: what is longer is no name
	longestValue = 8 << 10 // fixed: what is longer is a text
)

// nameBefore returns the name that ends before text[at], behind blanks and a quote.
func nameBefore(text string, at int) string {
	end := at
	for end > 0 && (text[end-1] == ' ' || text[end-1] == '"' || text[end-1] == '\'' || text[end-1] == ':' && text[at] == '=') {
		end--
	}
	from := end
	for from > 0 && end-from <= longestName && (inWord(text[from-1]) || text[from-1] == '-' || text[from-1] == '.') {
		from--
	}
	return text[from:end]
}

// valueAfter returns where the value behind text[at] stands. A quoted one ends at
// its quote, any other at a blank or a mark.
func valueAfter(text string, at int) (from, to int) {
	from = at + 1
	for from < len(text) && (text[from] == ' ' || text[from] == '=' && text[at] == ':' || text[from] == '\t') {
		from++
	}
	if from == len(text) {
		return from, from
	}
	ends := " \t\r\n\"'`,;&<>)]}\\"
	if q := text[from]; q == '"' || q == '\'' || q == '`' {
		from++
		ends = string(q) + "\n"
	}
	rest := text[from:min(len(text), from+longestValue)]
	n := strings.IndexAny(rest, ends)
	if n < 0 {
		n = len(rest)
	}
	return from, from + n
}
