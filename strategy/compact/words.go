package compact

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/longrein/longrein"
)

// budget is what is left of it for the user's messages, taken newest first.
type budget struct {
	room int // tokens
	size func(longrein.Entry) int
	over bool // a message did not fit: older ones are left out
	cut  int  // tokens of what is left out
}

// take returns a message as far as the budget allows: whole, then once with its
// middle cut out, then not at all.
func (b *budget) take(e longrein.Entry) (longrein.Entry, bool) {
	n := b.size(e)
	if !b.over && n <= b.room {
		b.room -= n
		return e, true
	}
	short, ok := longrein.Entry{}, false
	if !b.over {
		short, ok = shorten(e, b.room, b.size)
		b.over = true
	}
	b.cut += n
	if ok {
		b.cut -= b.size(short)
	}
	return short, ok
}

// words returns the user's messages among entries, oldest first, and with rest also
// what else is there.
func (b *budget) words(entries []longrein.Entry, rest bool) []longrein.Entry {
	var kept []longrein.Entry
	for _, e := range slices.Backward(entries) {
		m, ok := e.Item.(longrein.Message)
		if !ok || m.Role != longrein.RoleUser {
			if rest {
				kept = append(kept, e)
			}
			continue
		}
		if e, ok := b.take(e); ok {
			kept = append(kept, e)
		}
	}
	slices.Reverse(kept)
	return kept
}

// shorten cuts the middle out of a message so that it fits into room tokens.
func shorten(e longrein.Entry, room int, size func(longrein.Entry) int) (longrein.Entry, bool) {
	const least = 64 // bytes that are worth showing
	m := e.Item.(longrein.Message)
	full := max(size(e), 1)
	bytes := func(tokens int) int { return int(int64(len(m.Text)) * int64(tokens) / int64(full)) }
	for keep := bytes(room); keep >= least; {
		short := longrein.Entry{Seq: e.Seq, Step: e.Step, Item: longrein.Message{Role: m.Role, Text: ends(m.Text, keep)}}
		over := size(short) - room
		if over <= 0 {
			return short, true
		}
		keep -= bytes(over) + 1
	}
	return longrein.Entry{}, false
}

// ends returns about n bytes of text, half from either end and whole characters,
// and says what is left out between them.
func ends(text string, n int) string {
	head, tail := n/2, len(text)-n/2
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[… %d bytes of this message are left out here …]\n%s", text[:head], tail-head, text[tail:])
}
