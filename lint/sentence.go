package lint

import (
	"iter"
	"slices"
	"strings"
	"unicode"
)

// sentence is one sentence of a text, or a line that is none.
type sentence struct {
	line int    // from 1
	at   int    // its line's first byte in the text
	text string // without marks of lists and headings
}

// sentences returns those of a text. What stands in a fenced block is code.
func sentences(text string) []sentence {
	var out []sentence
	for l := range prose(text) {
		body := strings.TrimLeft(strings.TrimSpace(l.text), "-*+#> \t0123456789.)")
		for body != "" {
			var one string
			one, body = cutSentence(body)
			if one != "" {
				out = append(out, sentence{l.line, l.at, one})
			}
		}
	}
	return out
}

// prose yields the lines of a text that are not in a fenced block.
func prose(text string) iter.Seq[sentence] {
	return func(yield func(sentence) bool) {
		n, at, fence := 0, 0, ""
		for line := range strings.Lines(text) {
			n++
			mark := fenceOf(line)
			switch {
			case fence == "" && mark != "":
				fence = mark
			case fence != "":
				if mark == fence {
					fence = ""
				}
			case !yield(sentence{n, at, line}):
				return
			}
			at += len(line)
		}
	}
}

func fenceOf(line string) string {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

// cutSentence cuts text behind its first sentence.
func cutSentence(text string) (first, rest string) {
	for i, r := range text {
		end := i + len(string(r))
		if strings.ContainsRune(".!?;", r) && end < len(text) && text[end] == ' ' {
			return strings.TrimSpace(text[:i]), strings.TrimSpace(text[end:])
		}
	}
	return strings.TrimRight(text, ".!?; "), ""
}

// wordsOf returns the words of a sentence in lower case; apostrophes are letters.
func wordsOf(text string) []string {
	text = strings.ReplaceAll(strings.ToLower(text), "’", "'")
	return strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("'_./-", r)
	})
}

// binds reports whether a sentence is a rule that is meant to hold for good.
func binds(text string) bool {
	return slices.ContainsFunc(wordsOf(text), func(w string) bool {
		return w == "always" || w == "never" || w == "must" || w == "mustn't"
	})
}

// refusing are the words that turn a rule into its opposite.
var refusing = strings.Fields("never not don't dont mustn't shouldn't can't cannot avoid")

// idle are words that say nothing of what a rule is about.
var idle = strings.Fields("always never not do don't dont must mustn't should shouldn't can can't cannot shall please ever you we the a an")

// stance splits a rule into what it is about and whether it forbids that. What it
// is about is empty when that is less than two words.
func stance(text string) (about string, forbids bool) {
	var kept []string
	for _, w := range wordsOf(text) {
		forbids = forbids || slices.Contains(refusing, w)
		switch {
		case w == "avoid", w == "using":
			w = "use"
		case slices.Contains(idle, w):
			continue
		}
		if len(kept) == 0 || kept[len(kept)-1] != w {
			kept = append(kept, w)
		}
	}
	if len(kept) < 2 {
		return "", forbids
	}
	return strings.Join(kept, " "), forbids
}

// short is a text as a finding quotes it.
func short(text string) string {
	const most = 80 // fixed: the place of the whole stands beside it
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}
