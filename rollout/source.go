package rollout

import (
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// source is a log's file to read from, as long as it was when it was opened.
type source struct {
	DiskFile
	store    *Store
	id, path string
	size     int64            // of what is read
	whole    int64            // of the file, when it ends with what is no log any more
	shared   bool             // it ends where a fork goes on
	thread   *longrein.Thread // the first record, once it was read
	base     int64            // number of the record before it
}

// reading opens a log for reading.
func (s *Store) reading(id string) (*source, error) {
	path, err := s.path(id)
	if err != nil {
		return nil, err
	}
	f, err := s.disk().Open(path, os.O_RDONLY)
	if err != nil {
		return nil, missing(err, s.Root)
	}
	src, err := s.source(f, id, path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return src, nil
}

func (s *Store) source(f DiskFile, id, path string) (*source, error) {
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	src := &source{DiskFile: f, store: s, id: id, path: path, size: size, whole: size}
	if isKept(path) {
		return src, nil
	}
	n, ok, err := s.gauged(path)
	if err != nil || !ok || n >= size {
		return src, err
	}
	src.size, err = src.sound(n)
	return src, err
}

// reader returns a reader of the lines from off on, where one begins.
func (f *source) reader(off int64) (*reader, error) {
	r := &reader{path: f.path, prev: [2]sum{noSum, noSum}, behind: f.whole - f.size}
	max := f.store.Limits.Int(limit.Line)
	r.lines = newLines(f, off, f.size, max)
	r.x = expander{file: f, blob: f.store.ReadBlob, max: max}
	if off == 0 {
		return r, nil
	}
	before := make([]byte, sumLength+1)
	if _, err := f.ReadAt(before, off-int64(len(before))); err != nil {
		return nil, err
	}
	_, s, _ := cutSum(before[:sumLength])
	r.prev = [2]sum{s, s}
	return r, nil
}

// first returns the thread record.
func (f *source) first() (longrein.Thread, error) {
	if f.thread != nil {
		return *f.thread, nil
	}
	r, err := f.reader(0)
	if err != nil {
		return longrein.Thread{}, err
	}
	rec, ln, err := r.next()
	if err != nil {
		return longrein.Thread{}, err
	}
	t, ok := rec.Body.(longrein.Thread)
	if !ok {
		return t, &ErrDamaged{Path: f.path, Line: 1, Offset: ln.off, Err: errors.New("it is no thread record")}
	}
	f.thread, f.base = &t, t.ForkSeq
	return t, nil
}

// newer reports whether a log of the thread may hold what this program does not
// know.
func newer(t longrein.Thread) bool { return t.Format > longrein.LogFormat }

// from returns a reader of the lines from the one after the sequence number on,
// or from a little before it.
func (f *source) from(after int64) (*reader, error) {
	t, err := f.first()
	if stops(err) && err != io.EOF {
		return nil, err
	}
	off, seq, err := f.seek(after)
	if err != nil {
		return nil, err
	}
	r, err := f.reader(off)
	if err != nil {
		return nil, err
	}
	r.newer, r.n = newer(t), max(0, seq-1-f.base)
	return r, nil
}

// seek returns the offset and number of the last line with a number up to seq,
// found by halving the file; 0 for the first.
func (f *source) seek(seq int64) (off, n int64, err error) {
	end, buf := f.size, make([]byte, chunk)
	for off+chunk < end {
		mid := off + (end-off)/2
		at, have, e := f.lineAfter(mid, end, buf)
		if e != nil {
			return 0, 0, e
		}
		if have == 0 || have > seq {
			end = mid
			continue
		}
		off, n = at, have
	}
	return off, n, nil
}

// lineAfter returns the first line that begins behind off and before end, and its
// number; the number 0 if there is none whose beginning can be read. It reads
// into buf, a little at first, since most lines are short.
func (f *source) lineAfter(off, end int64, buf []byte) (at, seq int64, err error) {
	for size := 4 << 10; off < end; size = min(2*size, len(buf)) {
		n, err := f.ReadAt(buf[:size], off)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, 0, err
		}
		for i := 0; i < min(n, size-maxHeader); i++ {
			next := bytes.IndexByte(buf[i:n], '\n')
			if next < 0 {
				break
			}
			i += next
			at := off + int64(i) + 1
			if h, _, err := cutHeader(buf[i+1 : n]); err == nil && at < end {
				return at, h.seq, nil
			}
		}
		off += int64(size - maxHeader)
	}
	return 0, 0, nil
}

// lastWindow returns the offset of the last line that begins before end and as a
// window record does; 0 if there is none.
func (f *source) lastWindow(end int64) (int64, error) {
	buf := make([]byte, min(chunk, end)+maxHeader) // fixed: read in chunks, nothing is left out
	for {
		off := max(0, end-chunk)
		n, err := f.ReadAt(buf, off)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		i := max(0, min(n, int(end-off))-1)
		for i = bytes.LastIndexByte(buf[:i], '\n'); i >= 0; i = bytes.LastIndexByte(buf[:i], '\n') {
			if isWindow(buf[i+1 : n]) {
				return off + int64(i) + 1, nil
			}
		}
		if off == 0 {
			return 0, nil
		}
		end = off + 1 // the line at off begins behind the next newline
	}
}
