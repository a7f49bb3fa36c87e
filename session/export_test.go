package session

import (
	"io"

	"github.com/longrein/longrein/limit"
)

// ReadAs is Read without the look at the content.
func ReadAs(format Format, r io.Reader, inLines bool, set limit.Set) (*Recording, error) {
	t := newTally(set)
	return readAs(format, t, r, inLines)
}
