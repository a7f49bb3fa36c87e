package tokens

import (
	"unicode"

	"github.com/dlclark/regexp2/v2"
)

// pattern says where o200k divides a text before it looks words up. It is the
// vocabulary's definition, letter for letter as the library has it.
const pattern = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
	`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
	`\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`

// replaceSplitter makes the library divide texts with [wordEnd]. Its own engine
// for the pattern, which a program generated, ends a run of blank lines at the
// first of them, where the pattern says the last, and takes quadratic time for
// it.
func replaceSplitter() {
	regexp2.RegisterEngine(pattern, regexp2.RuntimeEngineData{
		CapSize:       1,
		FindFirstChar: func(r *regexp2.Runner) bool { return r.Runtextpos < len(r.Runtext) },
		Execute: func(r *regexp2.Runner) error {
			begin := r.Runtextpos
			r.Runtextpos = begin + wordEnd(r.Runtext[begin:])
			r.Capture(0, begin, r.Runtextpos)
			return nil
		},
	}, regexp2.None)
}

// wordEnd returns the length of the pattern's match at the start of text, which
// is not empty. The pattern matches everywhere.
func wordEnd(text []rune) int {
	first := text[0]
	if end := lettersEnd(text); end > 0 {
		return end + contraction(text[end:])
	}
	if unicode.IsNumber(first) {
		return run(text[:min(3, len(text))], unicode.IsNumber)
	}
	if end := signsEnd(text); end > 0 {
		return end
	}
	return spaceEnd(text)
}

// lettersEnd matches the first two alternatives without the contraction: a word
// in one case or with capitals before small letters, and one sign before it.
// It returns 0 when text begins with no word.
func lettersEnd(text []rune) int {
	lead := 0
	if first := text[0]; first != '\r' && first != '\n' && !unicode.IsLetter(first) && !unicode.IsNumber(first) {
		lead = 1
	}
	end, mixed := caseEnd(text[lead:])
	if lead == 1 && !mixed && unicode.IsMark(text[0]) {
		return 1 // the mark is a letter without case: it alone satisfies the first alternative
	}
	if end == 0 {
		return 0
	}
	return lead + end
}

// caseEnd returns where the word at the start of text ends, and whether it has
// a letter that can end a word of the first alternative.
func caseEnd(text []rune) (end int, mixed bool) {
	capitals := run(text, upper)
	if small := run(text[capitals:], lower); small > 0 {
		return capitals + small, true
	}
	for i := capitals; i > 0; i-- {
		if lower(text[i-1]) {
			return i, true
		}
	}
	return capitals, false
}

// upper and lower overlap in letters without case and in marks.
func upper(r rune) bool {
	if r < unicode.MaxASCII {
		return 'A' <= r && r <= 'Z'
	}
	return unicode.In(r, unicode.Lu, unicode.Lt, unicode.Lm, unicode.Lo, unicode.M)
}

func lower(r rune) bool {
	if r < unicode.MaxASCII {
		return 'a' <= r && r <= 'z'
	}
	return unicode.In(r, unicode.Ll, unicode.Lm, unicode.Lo, unicode.M)
}

// contraction returns the length of an English contraction at the start of text.
func contraction(text []rune) int {
	if len(text) < 2 || text[0] != '\'' {
		return 0
	}
	switch ascii(text[1]) {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(text) < 3 {
		return 0
	}
	switch string([]rune{ascii(text[1]), ascii(text[2])}) {
	case "re", "ve", "ll":
		return 3
	}
	return 0
}

func ascii(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

// signsEnd matches signs with one space before them and line ends after them.
func signsEnd(text []rune) int {
	lead := 0
	if text[0] == ' ' {
		lead = 1
	}
	signs := run(text[lead:], sign)
	if signs == 0 {
		return 0
	}
	end := lead + signs
	return end + run(text[end:], func(r rune) bool { return r == '\r' || r == '\n' || r == '/' })
}

func sign(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.IsLetter(r) && !unicode.IsNumber(r)
}

// spaceEnd matches white space: up to the last line end, or else without the
// character that belongs to what follows.
func spaceEnd(text []rune) int {
	end := run(text, unicode.IsSpace)
	for i := end; i > 0; i-- {
		if text[i-1] == '\n' || text[i-1] == '\r' {
			return i
		}
	}
	if end < len(text) && end > 1 {
		return end - 1
	}
	return end
}

// run returns how many runes at the start of text are in class.
func run(text []rune, class func(rune) bool) int {
	for i, r := range text {
		if !class(r) {
			return i
		}
	}
	return len(text)
}
