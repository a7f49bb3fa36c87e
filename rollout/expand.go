package rollout

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

// expander puts back what a packer left out.
type expander struct {
	file  io.ReaderAt
	blob  func(id string, offset, n int64) ([]byte, error)
	max   int      // bytes that an expanded payload may have
	known *repeats // learns what it sees, unless nil

	buf []byte
}

var errLong = errors.New("it is longer than the limit log-line allows")

// expand returns the payload that stands packed in the file at off. The result
// is good until the next call, and may be packed itself.
func (x *expander) expand(packed []byte, off int64) ([]byte, error) {
	if x.known != nil {
		x.known.learn(packed, off)
	}
	i := nextMark(packed)
	if i < 0 {
		return packed, nil
	}
	x.buf = x.buf[:0]
	for rest := packed; ; i = nextMark(rest) {
		if i < 0 {
			x.buf = append(x.buf, rest...)
			break
		}
		x.buf = append(x.buf, rest[:i]...)
		here := off + int64(len(packed)-len(rest)+i)
		var err error
		if rest, err = x.mark(rest[i:], here); err != nil {
			return nil, err
		}
	}
	if len(x.buf) > x.max {
		return nil, errLong
	}
	return x.buf, nil
}

// mark appends what the mark at the start of b stands for and returns the rest.
// The mark itself stands in the file at off.
func (x *expander) mark(b []byte, off int64) ([]byte, error) {
	switch {
	case bytes.HasPrefix(b, markEscape):
		x.buf = append(x.buf, markAny...)
		return b[len(markEscape):], nil
	case bytes.HasPrefix(b, markAt):
		ref, rest, err := cutReference(b)
		if err != nil {
			return nil, err
		}
		return rest, x.repeat(ref, off)
	default:
		blob, rest, err := cutBlob(b)
		if err != nil {
			return nil, err
		}
		return rest, x.fetch(blob.ID, blob.Bytes)
	}
}

// errUnread says that the disk did not give what stands in the log, which is no
// damage: it may give it the next time.
var errUnread = errors.New("what the line repeats cannot be read")

// repeat appends the bytes that ref names, which stand before the reference.
func (x *expander) repeat(ref reference, before int64) error {
	if ref.off > before-int64(ref.n) {
		return errMark
	}
	if len(x.buf)+ref.n > x.max {
		return errLong
	}
	start := len(x.buf)
	if cap(x.buf) < start+ref.n {
		x.buf = slices.Grow(x.buf, max(ref.n, start)) // a head is many references
	}
	x.buf = x.buf[:start+ref.n]
	value := x.buf[start:]
	if _, err := x.file.ReadAt(value, ref.off); err != nil {
		return fmt.Errorf("%w from offset %d: %w", errUnread, ref.off, err)
	}
	if crc32.Checksum(value, castagnoli) != ref.crc {
		return fmt.Errorf("what it repeats from offset %d is damaged", ref.off)
	}
	if x.known != nil {
		x.known.put(x.known.hash(value), ref.place)
	}
	return nil
}

// fetch appends the blob as a string.
func (x *expander) fetch(id string, n int64) error {
	if n > int64(x.max-len(x.buf)) {
		return errLong
	}
	text, err := x.blob(id, 0, n+1)
	if err != nil {
		return err
	}
	if int64(len(text)) != n {
		return fmt.Errorf("blob %s has another size than the log says", id)
	}
	x.buf = append(x.buf, '"')
	x.buf = append(x.buf, text...)
	x.buf = append(x.buf, '"')
	return nil
}
