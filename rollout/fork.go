package rollout

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/longrein/longrein"
)

// forkInline is the size from which a text of a fork's first line goes to a
// blob, so that a fork takes under 4 KB however long its instructions are.
const forkInline = 3 << 10

// Fork begins the log of the thread first.ID, which goes on where the thread
// parent stood after its record at, and takes its lock. It fills in what first
// says of the parent, and the origin if that is empty, and returns first's
// record. Nothing of the parent's is copied, and the fork is durable on return.
// The parent may be written to meanwhile.
//
// When the record at is one that the parent itself shares with an older thread,
// the fork is one of that thread.
func (s *Store) Fork(parent string, at int64, now time.Time, first longrein.Thread) (*Log, longrein.Record, error) {
	l, rec, err := s.fork(parent, at, now, first)
	if err != nil {
		return nil, rec, fmt.Errorf("fork thread %s after record %d: %w", parent, at, explain(err))
	}
	return l, rec, nil
}

func (s *Store) fork(parent string, at int64, now time.Time, first longrein.Thread) (_ *Log, rec longrein.Record, err error) {
	f, err := s.reading(parent)
	if err != nil {
		return nil, rec, err
	}
	defer func() { f.Close() }()
	if f, err = s.owner(f, at); err != nil {
		return nil, rec, err
	}
	if isKept(f.path) {
		lock, err := s.lockOf(f.id)
		if err != nil {
			return nil, rec, err
		}
		defer lock.Close()
	}
	if err := s.link(f, at, &first); err != nil {
		return nil, rec, err
	}
	return s.branch(f, now, first)
}

// owner returns the log among f and those it goes back to in whose file the
// record stands. It closes the others.
func (s *Store) owner(f *source, seq int64) (*source, error) {
	for range s.forkDepth() {
		t, err := f.first()
		if err != nil || t.Parent == "" || seq > t.ForkSeq {
			return f, err
		}
		p, err := s.parent(t)
		if err != nil {
			return f, err
		}
		f.Close()
		f = p
	}
	return f, errDepth
}

var errDepth = errors.New("it is a fork of forks, deeper than the limit fork-depth allows")

// shallow checks that a fork of t would not go back to too many logs.
func (s *Store) shallow(t longrein.Thread) error {
	for range s.forkDepth() {
		if t.Parent == "" {
			return nil
		}
		f, err := s.parent(t)
		if err != nil {
			return err
		}
		t, err = f.first()
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return errDepth
}

// link names in t the point after the record of f, and makes durable what stands
// before it: a crash must not take from the parent what the fork builds on.
func (s *Store) link(f *source, at int64, t *longrein.Thread) error {
	own, err := f.first()
	if err == nil {
		err = s.shallow(own)
	}
	if err != nil {
		return err
	}
	end, sum, err := f.point(at)
	if err != nil {
		return err
	}
	w, err := s.disk().Open(f.path, os.O_RDWR)
	if err != nil {
		return err
	}
	if err := errors.Join(w.Sync(), w.Close()); err != nil {
		return err
	}
	t.Parent, t.ForkSeq, t.ForkByte, t.ForkSum = own.ID, at, end, string(sum[:])
	if t.Origin == "" {
		t.Origin = own.CacheKey()
	}
	return nil
}

// branch writes the log of the thread t, which is a fork of f's.
func (s *Store) branch(f *source, now time.Time, t longrein.Thread) (*Log, longrein.Record, error) {
	l, err := s.create(t.ID)
	if err != nil {
		return nil, longrein.Record{}, err
	}
	l.seq = t.ForkSeq
	l.unsynced = append(l.unsynced, dirsTo(filepath.Dir(f.path), s.Root)...)
	slices.Sort(l.unsynced)
	l.unsynced = slices.Compact(l.unsynced)
	inline := l.packer.inline
	l.packer.inline = min(inline, forkInline) // fixed: where a text is stored, not whether
	records, err := l.append(now, true, []longrein.Body{t})
	l.packer.inline = inline
	if err == nil && !f.At(f.path) {
		err = fmt.Errorf("%s was removed meanwhile: %w", f.path, fs.ErrNotExist) // Remove had looked for forks before
	}
	if err != nil {
		return nil, longrein.Record{}, errors.Join(err, l.disk.Remove(l.path), l.abandon())
	}
	return l, records[0], nil
}

// point returns where a record's line ends, and its sum.
func (f *source) point(seq int64) (end int64, s sum, err error) {
	r, err := f.from(seq - 1)
	if err != nil {
		return 0, s, err
	}
	for {
		ln, err := r.lines.next()
		if err == io.EOF {
			return 0, s, fmt.Errorf("there is no record %d that can be read", seq)
		}
		if err != nil {
			return 0, s, err
		}
		body, err := r.check(ln)
		h, _, headless := cutHeader(body)
		if err == nil && headless == nil && h.seq == seq {
			return ln.off + int64(len(ln.text)) + 1, r.prev[0], nil
		}
	}
}
