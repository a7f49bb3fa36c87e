package session

import (
	"io"

	"github.com/longrein/longrein/limit"
)

// ReadAs is ReadKeeping without the look at the content.
func ReadAs(format Format, r io.Reader, inLines bool, set limit.Set, keep func(Kept) error) (*Recording, error) {
	t := newTally(set)
	t.keeper = keep
	return readAs(format, t, r, inLines)
}
