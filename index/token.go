package index

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// token is a word of a text, or one character of a script that is written without
// spaces. Its place in the text is from start to end.
type token struct {
	word       string
	start, end int
}

// longestToken is how much of a word counts. A SHA-256 fits, and a picture in
// base64 makes no index grow.
const longestToken = 64 // fixed: what lies behind tells no words apart

// tokens are what a text is searched by: runs of letters and digits in lower case.
// Marks that are characters of their own are passed over.
func tokens(text string) iter.Seq[token] {
	return func(yield func(token) bool) {
		var t token
		var word []byte
		end := func() bool {
			ok := len(word) == 0 || yield(token{string(word), t.start, t.end})
			word = word[:0]
			return ok
		}
		for i, r := range text {
			next := i + utf8.RuneLen(r)
			switch {
			case r == utf8.RuneError || !inWord(r):
				if !unicode.Is(unicode.M, r) && !end() {
					return
				}
				continue
			case alone(r):
				if !end() || !yield(token{string(r), i, next}) {
					return
				}
				continue
			case len(word) == 0:
				t.start = i
			}
			if t.end = next; len(word)+utf8.UTFMax <= longestToken {
				word = utf8.AppendRune(word, unicode.ToLower(r))
			}
		}
		end()
	}
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// alone reports whether a character is a word by itself, so that any part of a text
// in a script without spaces is found.
func alone(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}
