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
	all := l.sections()
	for i, s := range all {
		room := most - len(intro) - b.Len()
		left += s.write(&b, room-reserve(all[i+1:], most/len(all)))
	}
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

// write writes as many lines as fit into room bytes, and returns the bytes of the
// others. When not even the sentence fits that tells of them, it writes nothing.
func (s section) write(b *strings.Builder, room int) (left int) {
	n := len(s.lines)
	if s.size() > room {
		n, room = 0, room-len(s.head())-len(more(len(s.lines)))
	}
	for ; room >= 0 && n < len(s.lines) && len(s.lines[n])+1 <= room; n++ {
		room -= len(s.lines[n]) + 1
	}
	for _, line := range s.lines[n:] {
		left += len(line) + 1
	}
	if len(s.lines) > 0 && room >= 0 {
		b.WriteString(s.head() + strings.Join(append(s.lines[:n:n], ""), "\n"))
	}
	if left > 0 && room >= 0 {
		b.WriteString(more(len(s.lines) - n))
	}
	return left
}
