package ledger

import (
	"fmt"
	"strings"

	"github.com/longrein/longrein"
)

// intro says to a model what it reads.
const intro = "What is known for certain, kept by rules. #n is a record of this thread. All of it is in " + longrein.LedgerDocument + ".\n"

// Compact returns the ledger for the head of a window in at most most bytes: open
// plan items, unresolved errors, constraints, changed files, values, commands,
// files read and approvals, each the newest first. A section that does not fit
// says how many of its lines are not there; left is their size in bytes. An empty
// ledger gives no text.
func (l *Ledger) Compact(most int) (text string, left int) {
	var b strings.Builder
	room := most - len(intro)
	all := l.sections()
	for i, s := range all {
		given := s.write(&b, room-reserve(all[i+1:], most/len(all)))
		room -= given
		left += s.size() - given
	}
	left = max(left, 0)
	if b.Len() == 0 {
		return "", left
	}
	return intro + b.String(), left
}

// reserve is what sections ask for of the room before them: each as much as it
// has, up to a fair part.
func reserve(sections []section, fair int) (n int) {
	for _, s := range sections {
		n += min(s.size(), fair)
	}
	return n
}

func (s section) head() string { return "\n" + s.title + ":\n" }

// size returns the bytes of a whole section, 0 for an empty one.
func (s section) size() int {
	if len(s.lines) == 0 {
		return 0
	}
	n := len(s.head())
	for _, line := range s.lines {
		n += len(line) + 1
	}
	return n
}

func more(n int) string { return fmt.Sprintf("… and %d more in %s\n", n, longrein.LedgerDocument) }

// write writes as many lines as fit into room bytes, and returns the bytes
// written. When not even the sentence fits that tells of the lines, it writes
// nothing.
func (s section) write(b *strings.Builder, room int) int {
	if s.size() <= room {
		s.whole(b)
		return s.size()
	}
	head, n := s.head(), 0
	room -= len(head) + len(more(len(s.lines)))
	if room < 0 {
		return 0
	}
	before := b.Len()
	b.WriteString(head)
	for n < len(s.lines) && len(s.lines[n])+1 <= room {
		room -= len(s.lines[n]) + 1
		b.WriteString(s.lines[n] + "\n")
		n++
	}
	b.WriteString(more(len(s.lines) - n))
	return b.Len() - before
}

func (s section) whole(b *strings.Builder) {
	if len(s.lines) > 0 {
		b.WriteString(s.head() + strings.Join(s.lines, "\n") + "\n")
	}
}
