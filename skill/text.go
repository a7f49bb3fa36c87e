package skill

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// oneLine is a text in one line, without what a reader would not see: control
// characters, and those that hide or turn around what stands beside them.
func oneLine(text string) string {
	visible := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(visible), " ")
}

// visible is a path as it is, or quoted if it could pass for more than one line.
func visible(path string) string {
	if !utf8.ValidString(path) || strings.ContainsFunc(path, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(path)
	}
	return path
}

// characters returns the beginning of a text, of at most so many characters.
func characters(text string, most int) (string, bool) {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text, false
	}
	for i := range text {
		if most == 0 {
			return text[:i], true
		}
		most--
	}
	return text, false
}

// shortened is a text of at most so many characters, with a mark where it was cut.
func shortened(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	if most <= 1 {
		return ""
	}
	begin, _ := characters(text, most-1)
	return strings.TrimRight(begin, " ") + cutMark
}

// cutMark ends a description that was shortened.
const cutMark = "…"

// lineOf is the line, from 1, on which byte i of a text stands.
func lineOf(text []byte, i int) int { return 1 + bytes.Count(text[:i], []byte("\n")) }

// invalid is where a text is no UTF-8; -1 if nowhere.
func invalid(text []byte) int {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// slug is a valid name that is near to a text; empty if none is.
func slug(text string, most int) string {
	name := strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, text)
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' }), "-")
	return strings.TrimRight(name[:min(len(name), most)], "-")
}
