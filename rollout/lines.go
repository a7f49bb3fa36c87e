package rollout

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// chunk is how much of a file is read at a time.
const chunk = 64 << 10

// line is one line of a file.
type line struct {
	off   int64  // of its first byte
	text  []byte // without the newline; good until the next line is read
	whole bool   // a newline ends it
	long  bool   // it is longer than allowed, and text is only its end
}

// lines splits a part of a file into lines of bounded length.
type lines struct {
	r   *bufio.Reader
	off int64 // of the next line
	max int
	buf []byte
}

// newLines reads f from off to size.
func newLines(f io.ReaderAt, off, size int64, maxLine int) *lines {
	n := max(0, size-off)
	part := io.NewSectionReader(f, off, n)
	return &lines{r: bufio.NewReaderSize(part, int(min(n+1, chunk))), off: off, max: maxLine} // fixed: read in chunks, nothing is left out
}

// next returns the next line, or io.EOF after the last one.
func (l *lines) next() (line, error) {
	ln := line{off: l.off}
	l.buf = l.buf[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		l.off += int64(len(part))
		if err == nil {
			part, ln.whole = part[:len(part)-1], true
		}
		l.add(part, &ln)
		if ln.whole && !ln.long && !bytes.HasSuffix(ln.text, []byte(sumEnd)) {
			l.rejoin(&ln)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && l.off > ln.off:
			return ln, nil
		}
		return ln, err
	}
}

// rejoin takes what follows as a part of the line when it is too short for one of
// its own: a byte of the line's sum has become a newline.
func (l *lines) rejoin(ln *line) {
	ln.text = bytes.Clone(ln.text) // looking ahead may move it
	next, _ := l.r.Peek(sumLength)
	n := bytes.IndexByte(next, '\n')
	if n < 0 {
		return
	}
	ln.text = append(append(ln.text, '\n'), next[:n]...)
	l.off += int64(n) + 1
	_, _ = l.r.Discard(n + 1) // it was seen
}

// add appends part to the line. Of a line that grows too long the end is kept,
// because the sum stands there.
func (l *lines) add(part []byte, ln *line) {
	if len(l.buf) == 0 && len(part) <= l.max {
		ln.text = part // mostly the whole line, which then needs no copy
		if ln.whole {
			return
		}
	}
	l.buf = append(l.buf, part...)
	if len(l.buf) > l.max {
		ln.long = true
		keep := l.buf[max(0, len(l.buf)-sumLength):]
		l.buf = l.buf[:copy(l.buf, keep)]
	}
	ln.text = l.buf
}
