package openai

import "strings"

const thinkOpen, thinkClose = "<think>", "</think>"

// thinkTags parts reasoning that a model writes between think tags at the start
// of its text from the text. Tags may come in pieces; tags further on are text.
type thinkTags struct {
	state thinkState
	held  string // may be the beginning of a tag
}

type thinkState int

const (
	beforeTag thinkState = iota
	inTag
	afterTag  // only blanks so far
	plainText // no tags any more
)

// split takes the next piece of text and returns what is certain by now.
func (t *thinkTags) split(piece string) (thought, text string) {
	if t.state == plainText {
		return "", piece
	}
	t.held += piece
	if t.state == beforeTag {
		start := strings.TrimLeft(t.held, " \t\r\n")
		switch {
		case strings.HasPrefix(start, thinkOpen):
			t.state, t.held = inTag, start[len(thinkOpen):]
		case !strings.HasPrefix(thinkOpen, start):
			t.state = plainText
			return "", t.take(len(t.held))
		}
	}
	if t.state == inTag {
		thought = t.thinking()
	}
	if t.state == afterTag {
		t.held = strings.TrimLeft(t.held, " \t\r\n")
		if t.held != "" {
			t.state = plainText
			text = t.take(len(t.held))
		}
	}
	return thought, text
}

// thinking takes what is reasoning for certain.
func (t *thinkTags) thinking() string {
	if before, after, closed := strings.Cut(t.held, thinkClose); closed {
		t.state, t.held = afterTag, after
		return before
	}
	n := len(t.held)
	for k := min(n, len(thinkClose)-1); k > 0; k-- {
		if strings.HasSuffix(t.held, thinkClose[:k]) {
			return t.take(n - k)
		}
	}
	return t.take(n)
}

func (t *thinkTags) take(n int) string {
	out := t.held[:n]
	t.held = t.held[n:]
	return out
}

// end returns what was held back when the text ends.
func (t *thinkTags) end() (thought, text string) {
	held := t.take(len(t.held))
	if t.state == inTag {
		return held, ""
	}
	return "", held
}
