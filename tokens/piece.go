package tokens

import (
	"strings"
	"unicode/utf8"
)

// pieceEnd returns where the first piece of text, of at most size bytes, ends. It
// is a seam where there is one near, so that the pieces have as many tokens as
// the whole. Text without seams, such as a megabyte of one letter, is cut
// between two characters, which can cost a token a piece.
func pieceEnd(text string, size int) int {
	if len(text) <= size {
		return len(text)
	}
	for i := size; i > size/2; i-- {
		if seam(text, i) {
			return i
		}
	}
	return characterStart(text, size)
}

// seam reports whether no token of any text with this surrounding reaches
// across i: a line begins there, or it is the single space between two words.
// Only ASCII is looked at, which is enough to find one.
func seam(text string, i int) bool {
	if text[i-1] == '\n' {
		return lineBegins(text[i:])
	}
	return text[i] == ' ' && letter(text[i-1]) && i+1 < len(text) && letter(text[i+1])
}

// lineBegins reports whether text is a line that the line end before it has no
// part in. A blank line is none, nor is one that begins with a slash: the
// vocabulary knows both together with the line before.
func lineBegins(text string) bool {
	line := strings.TrimLeft(text, " \t")
	if line == "" || line[0] <= ' ' || line[0] >= utf8.RuneSelf {
		return false
	}
	return line[0] != '/' || len(line) < len(text)
}

func letter(b byte) bool {
	return 'a' <= b|0x20 && b|0x20 <= 'z'
}

// characterStart returns the start of the character that i is in. In bytes that
// are no UTF-8 it is i.
func characterStart(text string, i int) int {
	for j := i; j > i-utf8.UTFMax; j-- {
		if utf8.RuneStart(text[j]) {
			return j
		}
	}
	return i
}
