package rollout

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
)

// Mentioned returns those of the ids, in hexadecimal digits of lower case, that
// stand anywhere in a log, in what is kept of a removed one, or in what was moved
// aside. It goes by bytes and knows no records, so it says yes too often rather
// than too seldom, and it reads as fast as the disk. scanned is in bytes.
func (s *Store) Mentioned(ctx context.Context, ids map[string]bool) (found map[string]bool, scanned int64, err error) {
	m := newMentions(ids)
	if len(ids) == 0 {
		return m.found, 0, nil
	}
	for e, err := range s.beside(func(rest string) bool { return rest != lockSuffix }) {
		if err == nil {
			err = m.file(ctx, s.disk(), e.path())
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, m.scanned, err
		}
	}
	return m.found, m.scanned, nil
}

// mentions looks for ids in files.
type mentions struct {
	want    map[string]bool
	lengths []int // of the ids
	found   map[string]bool
	buf     []byte
	scanned int64
}

func newMentions(ids map[string]bool) *mentions {
	m := &mentions{want: ids, found: map[string]bool{}, buf: make([]byte, 1<<20)}
	for id := range ids {
		if !slices.Contains(m.lengths, len(id)) {
			m.lengths = append(m.lengths, len(id))
		}
	}
	return m
}

func (m *mentions) file(ctx context.Context, d Disk, path string) error {
	if len(m.want) == 0 {
		return nil
	}
	f, err := d.Open(path, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	overlap := slices.Max(m.lengths) - 1
	for off := int64(0); ; off += int64(len(m.buf) - overlap) {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.ReadAt(m.buf, off)
		for _, length := range m.lengths {
			eachID(m.buf[:n], length, m.take)
		}
		if err == nil {
			continue
		}
		m.scanned += off + int64(n)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return err
	}
}

func (m *mentions) take(id []byte) {
	if m.want[string(id)] {
		m.found[string(id)] = true
	}
}

// eachID calls take with every n digits in b that follow each other. It looks at
// about one byte in n of a text, since one that is no digit rules out all
// stretches over it.
func eachID(b []byte, n int, take func([]byte)) {
	for i := 0; i+n <= len(b); {
		k := i + n - 1
		for k >= i && isDigit[b[k]] {
			k--
		}
		if k >= i {
			i = k + 1
			continue
		}
		take(b[i : i+n])
		i++
	}
}

// isDigit tells hexadecimal digits.
var isDigit = func() (is [256]bool) {
	for _, c := range "0123456789abcdef" {
		is[c] = true
	}
	return is
}()
