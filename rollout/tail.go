package rollout

import (
	"errors"
	"fmt"
	"io"

	"github.com/longrein/longrein"
)

// Tail is what is needed to go on with a thread.
type Tail struct {
	Thread longrein.Thread // the first record; zero while the log is empty
	// Records begin with the last window record; without any they are all. When the
	// log goes on behind lines at its end that cannot be read, a warning stands for
	// the last of them.
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
	return &e.Tail, s.complete(&e.Tail)
}

// complete adds what the tail of a log alone does not have.
func (s *Store) complete(t *Tail) error {
	if err := s.inherit(t, s.forkDepth()); err != nil || len(t.Records) == 0 {
		return err
	}
	if last := t.Records[len(t.Records)-1]; last.Seq < t.LastSeq {
		w := longrein.Warning{Text: fmt.Sprintf("What was recorded after record %d, up to %d, cannot be read.", last.Seq, t.LastSeq)}
		t.Records = append(t.Records, longrein.Record{Seq: t.LastSeq, Time: last.Time, Body: w})
	}
	return nil
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
	if torn(err) || err == io.EOF {
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

// sealed returns the number of the record of a damaged line, when the line itself
// is whole; else 0.
func sealed(err error) int64 {
	var d *ErrDamaged
	if !errors.As(err, &d) {
		return 0
	}
	return d.Seq
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
		case err == io.EOF:
			if f.shared {
				e.warn(bad) // a fork went on behind it
			} else {
				e.torn(f)
			}
			return true, nil
		case stops(err):
			return false, err
		case err != nil && start > 0 && len(e.Records) == 0:
			return false, nil
		case err != nil:
			bad = append(bad, err)
			if seq := sealed(err); seq != 0 {
				e.warn(bad)
				bad = nil
				e.pass(f, seq, ln, r)
			}
		default:
			e.warn(bad)
			bad = nil
			e.add(f, rec, ln, r)
		}
	}
}

// add takes a record that was read from ln.
func (e *end) add(f *source, rec longrein.Record, ln line, r *reader) {
	e.Records = append(e.Records, rec)
	e.pass(f, rec.Seq, ln, r)
}

// pass goes on behind a line that is whole, whether or not all that it refers to
// can be read.
func (e *end) pass(f *source, seq int64, ln line, r *reader) {
	r.n = seq - f.base // lines are numbered as records are, and reading began in the middle
	e.LastSeq = seq
	e.size, e.sum = ln.off+int64(len(ln.text))+1, r.prev[0]
}

func (e *end) warn(bad []error) {
	for _, err := range bad {
		e.Warnings = append(e.Warnings, err.Error())
	}
}

// torn warns of what follows the last good line.
func (e *end) torn(f *source) {
	if n := f.whole - e.size; n > 0 {
		e.Warnings = append(e.Warnings, fmt.Sprintf(
			"the end of %s was cut off while it was written: the last %d bytes, from byte %d on, are no whole record",
			f.path, n, e.size))
	}
}
