package rollout

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/longrein/longrein"
)

// Tail is what is needed to go on with a thread.
type Tail struct {
	Thread longrein.Thread // the first record; zero while the log is empty
	// Records begin with the last window record; without any they are all.
	Records []longrein.Record
	LastSeq int64
	// Newer says that the log is of a later format: it was read as far as it is
	// understood.
	Newer bool
	// Warnings are sentences about what could not be read.
	Warnings []string
}

// Tail reads the end of a log. The time it takes depends on the last window and
// not on what came before. It needs no lock and disturbs no writer.
func (s *Store) Tail(id string) (*Tail, error) {
	t, err := s.tail(id)
	if err != nil {
		return nil, fmt.Errorf("read thread %s: %w", id, explain(err))
	}
	return t, nil
}

func (s *Store) tail(id string) (*Tail, error) {
	f, err := s.reading(id)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	e, err := f.end(nil)
	if err != nil {
		return nil, err
	}
	return &e.Tail, nil
}

// end is a log's tail with what a writer needs besides.
type end struct {
	Tail
	size int64 // up to the end of the last good line
	sum  sum   // of that line
}

// end reads the tail. What it sees on the way goes to known, unless that is nil.
func (f *source) end(known *repeats) (*end, error) {
	thread, err := f.first()
	if torn(err) || errors.Is(err, io.EOF) {
		thread, err = longrein.Thread{}, nil
	}
	if err != nil {
		return nil, err
	}
	for before := f.size; ; {
		start, err := f.lastWindow(before)
		if err != nil {
			return nil, err
		}
		e := &end{Tail: Tail{Thread: thread, Newer: newer(thread)}, size: start, sum: noSum}
		ok, err := e.read(f, start, known)
		if ok || err != nil {
			return e, err
		}
		before = start
	}
}

func torn(err error) bool {
	var d *ErrDamaged
	return errors.As(err, &d) && d.Torn
}

// read reads the records from start on. It returns false if the first of them,
// which is to be a window, cannot be read and there are others before it.
func (e *end) read(f *source, start int64, known *repeats) (bool, error) {
	r, err := f.reader(start)
	if err != nil {
		return false, err
	}
	r.newer, r.x.known = e.Newer, known
	var bad []error // lines since the last good one
	for {
		rec, ln, err := r.next()
		switch {
		case errors.Is(err, io.EOF):
			e.torn(f)
			return true, nil
		case stops(err):
			return false, err
		case err != nil && start > 0 && len(e.Records) == 0:
			return false, nil
		case err != nil:
			bad = append(bad, err)
		default:
			e.warn(bad)
			bad = nil
			e.add(rec, ln, r)
		}
	}
}

// add takes a record that was read from ln.
func (e *end) add(rec longrein.Record, ln line, r *reader) {
	r.n = rec.Seq // lines are numbered as records are, and reading began in the middle
	e.Records = append(e.Records, rec)
	e.LastSeq = rec.Seq
	e.size, e.sum = ln.off+int64(len(ln.text))+1, r.prev[0]
}

func (e *end) warn(bad []error) {
	for _, err := range bad {
		e.Warnings = append(e.Warnings, err.Error())
	}
}

// torn warns of what follows the last good line.
func (e *end) torn(f *source) {
	if n := f.size - e.size; n > 0 {
		e.Warnings = append(e.Warnings, fmt.Sprintf(
			"the end of %s was cut off while it was written: the last %d bytes, from byte %d on, are no whole record",
			f.path, n, e.size))
	}
}

// lastWindow returns the offset of the last line that begins before end and as a
// window record does; 0 if there is none.
func (f *source) lastWindow(end int64) (int64, error) {
	buf := make([]byte, chunk+maxHeader)
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

// resume reads the tail into the log, and moves a torn end aside.
func (l *Log) resume(s *Store) (*Tail, error) {
	f, err := s.source(l.file, l.id, l.path)
	if err != nil {
		return nil, err
	}
	e, err := f.end(l.packer.known)
	if err != nil {
		return nil, err
	}
	if e.Newer {
		return nil, ErrNewer
	}
	l.seq, l.size, l.sum, l.synced = e.LastSeq, e.size, e.sum, e.size
	if f.size > e.size {
		aside, err := l.moveAside(f.size)
		if err != nil {
			return nil, err
		}
		e.Warnings[len(e.Warnings)-1] += "; they were moved to " + aside
	}
	return &e.Tail, nil
}

// moveAside moves what stands behind the last good line to a file of its own.
func (l *Log) moveAside(size int64) (string, error) {
	aside := l.path + ".torn-" + time.Now().UTC().Format("20060102T150405.000000000Z")
	f, err := l.disk.open(aside, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(io.NewOffsetWriter(f, 0), io.NewSectionReader(l.file, l.size, size-l.size))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	if err := l.file.Truncate(l.size); err != nil {
		return "", err
	}
	return aside, l.file.Sync()
}
