package session

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// Why a line cannot be read.
var (
	errLong   = errors.New("longer than the limit log-line")
	errNotOne = errors.New("no JSON object")
	errNUL    = errors.New("nothing but NUL bytes")
)

// scanner cuts a stream into lines of bounded length.
type scanner struct {
	r    *bufio.Reader
	max  int
	n    int64 // of the line, from 1
	line []byte
	err  error
}

func newScanner(r io.Reader, longest int) *scanner {
	return &scanner{r: bufio.NewReaderSize(r, 256<<10), max: longest}
}

// next reads a line without its end; it is valid until the next call. What goes
// beyond the bound is left out, and long is set.
func (s *scanner) next() (long, ok bool) {
	s.line = s.line[:0]
	any := false
	for {
		part, err := s.r.ReadSlice('\n')
		any = any || len(part) > 0
		if room := s.max - len(s.line); len(part) > room {
			part, long = part[:room], true
		}
		s.line = append(s.line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			s.err = err
		}
		if err != nil && !any {
			return false, false
		}
		s.n++
		return long, true
	}
}

var bom = []byte("\xef\xbb\xbf")

// trimmed is a line without what surrounds a record: white space, a byte order
// mark, and the NUL bytes that some file systems leave after a crash.
func trimmed(line []byte) []byte {
	return bytes.Trim(bytes.TrimPrefix(line, bom), " \t\r\n\x00")
}

// shrink gives back the room of a single very long line.
func (s *scanner) shrink() {
	const usual = 4 << 20 // fixed: a larger buffer is left to the collector
	if cap(s.line) > usual {
		s.line = nil
	}
}
