package output

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// Options bound a [Capture]. All are in bytes but ErrorLines, which counts.
type Options struct {
	Shown      int    // the largest view that will be asked for
	Kept       int64  // of the content; what comes after it is only counted
	Line       int    // of an error-looking line
	ErrorLines int    // that a view lists
	Dir        string // of the file that takes what memory should not; "" is the temporary folder
}

// Capture is a writer that takes any amount: it holds the start and the end in
// memory and the whole, up to Kept bytes, in a file once it is large. Writing
// never fails, so a program is not stopped by a full disk of ours. Not safe for
// concurrent use; Close removes the file.
type Capture struct {
	o      Options
	head   []byte // the first o.Shown bytes
	tail   []byte // at least the last o.Shown bytes of the rest
	total  int64
	lines  int64
	spill  *os.File
	kept   int64 // bytes in spill
	lost   error // why spill ends early, if it does
	errors scanner
}

// NewCapture returns an empty capture.
func NewCapture(o Options) *Capture {
	return &Capture{o: o, errors: scanner{width: o.Line, most: 4 * o.ErrorLines, from: int64(o.Shown / 4)}}
}

// Write takes p. The error is always nil.
func (c *Capture) Write(p []byte) (int, error) {
	n := len(p)
	c.total += int64(n)
	c.lines += int64(bytes.Count(p, []byte{'\n'}))
	c.errors.scan(p)
	if c.spill == nil && c.lost == nil && c.total > int64(2*c.o.Shown) {
		c.open()
	}
	c.store(p)
	room := min(n, c.o.Shown-len(c.head))
	c.head = append(c.head, p[:room]...)
	c.push(p[room:])
	return n, nil
}

// push appends to the tail and forgets what it no longer needs.
func (c *Capture) push(p []byte) {
	if len(p) > c.o.Shown {
		p = p[len(p)-c.o.Shown:]
	}
	c.tail = append(c.tail, p...)
	if len(c.tail) > 3*c.o.Shown {
		c.tail = append(c.tail[:0], c.tail[len(c.tail)-c.o.Shown:]...)
	}
}

// open starts the file with what was held in memory so far.
func (c *Capture) open() {
	c.spill, c.lost = os.CreateTemp(c.o.Dir, ".output-*")
	if c.lost != nil {
		return
	}
	unlink(c.spill)
	c.store(c.head)
	c.store(c.tail)
}

func (c *Capture) store(p []byte) {
	if c.spill == nil || c.lost != nil {
		return
	}
	p = p[:min(int64(len(p)), c.o.Kept-c.kept)]
	n, err := c.spill.Write(p)
	c.kept += int64(n)
	c.lost = err
}

// Total returns how many bytes were written.
func (c *Capture) Total() int64 { return c.total }

// Tail returns the last bytes that were written, at most n and at most Shown.
func (c *Capture) Tail(n int) []byte {
	end := c.tail
	if len(end) < n {
		end = append(bytes.Clone(c.head), c.tail...)
	}
	return end[max(0, len(end)-n):]
}

// Content returns what was kept of the output, from its start. The second
// result is how many bytes at its end were not kept, and err why when that is
// not the Kept option.
func (c *Capture) Content() (r io.Reader, missing int64, err error) {
	if c.spill == nil {
		whole := int64(len(c.head) + len(c.tail))
		return io.MultiReader(bytes.NewReader(c.head), bytes.NewReader(c.tail)), c.total - min(c.total, whole), c.lost
	}
	return io.NewSectionReader(c.spill, 0, c.kept), c.total - c.kept, c.lost
}

// Close removes the file, if there is one.
func (c *Capture) Close() error {
	if c.spill == nil {
		return nil
	}
	name := c.spill.Name()
	err := c.spill.Close()
	c.spill = nil
	if rm := os.Remove(name); rm != nil && !errors.Is(rm, os.ErrNotExist) {
		return rm
	}
	return err
}
