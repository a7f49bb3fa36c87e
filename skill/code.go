package skill

import "strings"

// code returns the length of the code that begins at i: a span between as many
// backquotes on both sides, in one paragraph, or a block between fences, which may go
// on to the end. Backquotes that end nothing are a text.
func code(text string, i int) int {
	if c := text[i]; c != '`' && c != '~' {
		return 0
	}
	ticks := run(text[i:])
	if ticks >= 3 && lineStart(text[:i]) {
		return block(text[i:], text[i:i+ticks])
	}
	if text[i] == '~' {
		return ticks
	}
	return ticks + span(text[i+ticks:], ticks)
}

// run is how often a text's first byte stands there.
func run(text string) int { return len(text) - len(strings.TrimLeft(text, text[:1])) }

// span is the length up to the end of a span of code, 0 if it has no end.
func span(text string, ticks int) int {
	for at := 0; ; {
		j := strings.IndexByte(text[at:], '`')
		if j < 0 || strings.Contains(text[at:at+j], "\n\n") {
			return 0
		}
		n := run(text[at+j:])
		at += j + n
		if n == ticks {
			return at
		}
	}
}

// lineStart reports whether only blanks stand behind the last line end of a text.
func lineStart(before string) bool {
	before = strings.TrimRight(before, " \t")
	return before == "" || before[len(before)-1] == '\n'
}

// block is the length of a block of code that begins with a fence.
func block(text, fence string) int {
	n := 0
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		closes := n > 0 && strings.HasPrefix(bare, fence) && run(bare) == len(bare)
		n += len(line)
		if closes {
			break
		}
	}
	return n
}
