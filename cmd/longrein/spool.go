package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"iter"
	"os"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/session"
)

// spool keeps the lines of an imported file that no session is made of in a
// temporary file, until the thread's log can take them: there may be as many as
// the file has.
type spool struct {
	dir   string
	file  *os.File // nil while there are none
	w     *bufio.Writer
	lines int64
}

// keep adds a line: its number and whether it is lost, its part, and two texts
// with their lengths.
func (s *spool) keep(k session.Kept) error {
	if s.file == nil {
		f, err := os.CreateTemp(s.dir, ".import-")
		if err != nil {
			return err
		}
		s.file, s.w = f, bufio.NewWriterSize(f, 64<<10)
	}
	s.lines++
	lost := uint64(0)
	if k.Lost {
		lost = 1
	}
	head := binary.AppendUvarint(nil, uint64(k.N)<<1|lost)
	head = binary.AppendUvarint(head, uint64(k.Part))
	head = binary.AppendUvarint(head, uint64(len(k.Kind)))
	head = append(head, k.Kind...)
	head = binary.AppendUvarint(head, uint64(len(k.Raw)))
	if _, err := s.w.Write(head); err != nil {
		return err
	}
	_, err := s.w.Write(k.Raw)
	return err
}

// all yields the lines as records.
func (s *spool) all() iter.Seq2[longrein.ImportedLine, error] {
	return func(yield func(longrein.ImportedLine, error) bool) {
		if s.file == nil {
			return
		}
		err := s.w.Flush()
		if err == nil {
			_, err = s.file.Seek(0, io.SeekStart)
		}
		if err != nil {
			yield(longrein.ImportedLine{}, err)
			return
		}
		r := bufio.NewReaderSize(s.file, 64<<10)
		for range s.lines {
			line, err := readKept(r)
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

func readKept(r *bufio.Reader) (longrein.ImportedLine, error) {
	var err error
	number := func() uint64 {
		if err != nil {
			return 0
		}
		var n uint64
		n, err = binary.ReadUvarint(r)
		return n
	}
	text := func() []byte {
		b := make([]byte, number())
		if err == nil {
			_, err = io.ReadFull(r, b)
		}
		return b
	}
	n, part := number(), number()
	l := longrein.ImportedLine{Line: int64(n >> 1), Lost: n&1 == 1, Part: int(part), Kind: string(text())}
	keepText(&l, text())
	return l, err
}

// remove deletes the temporary file.
func (s *spool) remove() {
	if s.file != nil {
		_ = s.file.Close() // it is not needed any more
		_ = os.Remove(s.file.Name())
	}
}
