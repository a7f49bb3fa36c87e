package output

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// sniff is how much of an output decides whether it is text.
const sniff = 8 << 10 // fixed: where text differs from other files

// Binary reports whether b does not look like text: it holds a NUL, or more
// than a tenth of its first bytes is not UTF-8.
func Binary(b []byte) bool {
	b = b[:min(len(b), sniff)]
	if bytes.IndexByte(b, 0) >= 0 {
		return true
	}
	bad := 0
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 && utf8.FullRune(b[i:]) {
			bad++
		}
		i += n
	}
	return bad*10 > len(b)
}

// Clean returns b as valid UTF-8 without NUL: each byte that has no place in
// such a text becomes U+FFFD.
func Clean(b []byte) string {
	if utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 {
		return string(b)
	}
	var out strings.Builder
	out.Grow(len(b) + len(b)/8)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == 0 {
			r = utf8.RuneError
		}
		out.WriteRune(r)
		b = b[n:]
	}
	return out.String()
}

// Escaped shows the first n bytes of b in printable ASCII.
func Escaped(b []byte, n int) string {
	q := fmt.Sprintf("%+q", b[:min(len(b), n)])
	return q[1 : len(q)-1]
}

// Prefix returns how many bytes from the start of b fit budget bytes once they
// are clean. It ends at a line's end where that costs less than half of them,
// else between two characters.
func Prefix(b []byte, budget int) int {
	end, line := 0, 0
	for end < len(b) {
		n, cost := next(b[end:])
		if budget -= cost; budget < 0 {
			break
		}
		end += n
		if b[end-1] == '\n' {
			line = end
		}
	}
	if end < len(b) && line*2 >= end && line > 0 {
		return line
	}
	return end
}

// Suffix returns where the longest end of b starts that fits budget bytes once
// it is clean, with the same care for lines and characters as [Prefix].
func Suffix(b []byte, budget int) int {
	start, line := len(b), len(b)
	for start > 0 {
		n, cost := last(b[:start])
		if budget -= cost; budget < 0 {
			break
		}
		start -= n
		if start > 0 && b[start-1] == '\n' {
			line = start
		}
	}
	if start > 0 && (len(b)-line)*2 >= len(b)-start && line < len(b) {
		return line
	}
	return start
}

func next(b []byte) (n, cost int) {
	r, n := utf8.DecodeRune(b)
	return n, shown(r, n)
}

func last(b []byte) (n, cost int) {
	r, n := utf8.DecodeLastRune(b)
	return n, shown(r, n)
}

// shown is how many bytes a decoded rune takes in a clean text.
func shown(r rune, n int) int {
	if r == 0 || r == utf8.RuneError && n == 1 {
		return utf8.RuneLen(utf8.RuneError)
	}
	return n
}

// Size names a number of bytes for people, such as "51.2 MB".
func Size(n int64) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
