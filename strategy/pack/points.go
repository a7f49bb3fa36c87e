package pack

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// between stands between two key points.
const between = " / "

// keyPoints returns what a request asks for, on one line of at most most
// characters: its first sentence, and the lines that look like requirements.
func keyPoints(text string, most int) string {
	first, rest := firstSentence(strings.TrimSpace(text))
	points, size := []string{squeeze(first)}, len(first)
	for line := range strings.Lines(rest) {
		if size > utf8.UTFMax*most {
			break
		}
		if line = squeeze(line); requires(line) {
			points = append(points, line)
			size += len(line)
		}
	}
	return clip(strings.Join(points, between), most)
}

// firstSentence parts a text after its first sentence or line.
func firstSentence(text string) (first, rest string) {
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\n':
			return text[:i], text[i+1:]
		case strings.IndexByte(".!?", c) >= 0 && i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\n'):
			return text[:i+1], text[i+1:]
		}
	}
	return text, ""
}

// obliging are words that make a line a requirement.
var obliging = []string{" must ", " never ", " always ", " only ", " not ", " don't ", " should ", " without ", " need ", " needs ", " at least ", " at most ", " exactly "}

// requires reports whether a line looks like a requirement: an item of a list, a
// word that obliges, a path or a number.
func requires(line string) bool {
	if line == "" {
		return false
	}
	if sign, _, ok := strings.Cut(line, " "); ok && (sign == "-" || sign == "*" || sign == "+") {
		return true
	}
	if strings.ContainsAny(line, "/\\0123456789") {
		return true
	}
	words := " " + strings.ToLower(strings.TrimRight(line, ".!")) + " "
	for _, w := range obliging {
		if strings.Contains(words, w) {
			return true
		}
	}
	return false
}

// conclusion returns a text's last paragraph on one line of at most most
// characters.
func conclusion(text string, most int) string {
	var last []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		if line = squeeze(line); line == "" {
			last = last[:0]
			continue
		}
		last = append(last, line)
	}
	return clip(strings.Join(last, " "), most)
}

// squeeze returns s as valid text on one line with single spaces.
func squeeze(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " ")
}

// clip returns at most n characters of s, with a mark for what is gone.
func clip(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return strings.TrimSpace(string(runes[:max(n-1, 0)])) + "…"
}

// clipFront is clip for what is told apart by its end.
func clipFront(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return "…" + string(runes[len(runes)-n+1:])
}

func andMore(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// escape keeps a text from ending the element that it stands in.
func escape(s string) string { return brackets.Replace(s) }

var brackets = strings.NewReplacer("<", "&lt;", ">", "&gt;")
