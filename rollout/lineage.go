package rollout

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// parent opens the log that t was forked from, as far as t shares it. A failure
// is an [*ErrParent].
func (s *Store) parent(t longrein.Thread) (*source, error) {
	f, err := s.ancestor(t.Parent)
	if err == nil {
		if err = f.share(t); err == nil {
			return f, nil
		}
		f.Close()
	}
	return nil, &ErrParent{Thread: t.ID, Parent: t.Parent, Seq: t.ForkSeq, Err: err}
}

// ancestor opens a log, or what was kept of it for its forks.
func (s *Store) ancestor(id string) (*source, error) {
	path, err := s.path(id)
	if err != nil {
		return nil, err
	}
	f, err := s.disk().Open(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		path = keptPath(path)
		f, err = s.disk().Open(path, os.O_RDONLY)
	}
	if err != nil {
		return nil, err
	}
	src, err := s.source(f, id, path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return src, nil
}

var errChanged = errors.New("its log is no longer what it was when the fork began")

// share ends f where t was forked from it.
func (f *source) share(t longrein.Thread) error {
	if _, err := f.first(); stops(err) {
		return err
	}
	if f.base >= t.ForkSeq {
		return fmt.Errorf("its own log begins with record %d", f.base+1)
	}
	if t.ForkByte <= int64(sumLength) || f.size < t.ForkByte {
		return errChanged
	}
	f.size, f.whole, f.shared = t.ForkByte, t.ForkByte, true
	ok, err := f.endsWith(t.ForkSeq, t.ForkSum)
	if err == nil && !ok {
		err = errChanged
	}
	return err
}

// endsWith reports whether want is the sum of the last line, which has the number
// seq: it stands there, or it should, in a line that is damaged.
func (f *source) endsWith(seq int64, want string) (bool, error) {
	var last [sumLength + 1]byte
	if _, err := f.ReadAt(last[:], f.size-int64(len(last))); err != nil {
		return false, err
	}
	if _, s, _ := cutSum(last[:sumLength]); string(s[:]) == want {
		return true, nil
	}
	r, err := f.from(seq - 1)
	for err == nil {
		var ln line
		if ln, err = r.lines.next(); err == nil {
			r.check(ln) // notes the sums
		}
	}
	if err != io.EOF {
		return false, err
	}
	return string(r.prev[0][:]) == want || string(r.prev[1][:]) == want, nil
}

// across yields the records after one, first those that f's thread shares with
// its parent. It reports whether yield wants more; an error is one that yield has
// not seen.
func (s *Store) across(f *source, after int64, depth int, yield func(longrein.Record, error) bool) (more bool, err error) {
	t, err := f.first()
	if err != nil || t.Parent == "" || after >= t.ForkSeq {
		return f.each(after, yield)
	}
	if depth <= 0 {
		return false, errDepth
	}
	p, err := s.parent(t)
	if err != nil {
		more = yield(longrein.Record{}, &ErrDamaged{Path: f.path, Line: 1, Err: err})
	} else {
		more, err = s.across(p, after, depth-1, yield)
		err = errors.Join(err, p.Close())
		if err != nil {
			return false, err
		}
	}
	if !more {
		return false, nil
	}
	return f.each(after, yield)
}

// inherit completes the tail of a fork that has no window of its own: before its
// records come those that its parent would go on with at that point.
func (s *Store) inherit(t *Tail, depth int) error {
	if t.Thread.Parent == "" || len(t.Records) > 0 && t.Records[0].Type() == windowType {
		return nil
	}
	if depth <= 0 {
		return errDepth
	}
	f, err := s.parent(t.Thread)
	if err != nil {
		return err
	}
	defer f.Close()
	e, err := f.end(nil)
	if err != nil {
		return err
	}
	if err := s.inherit(&e.Tail, depth-1); err != nil {
		return err
	}
	t.Records = slices.Concat(e.Records, t.Records)
	t.Warnings = slices.Concat(e.Warnings, t.Warnings)
	return nil
}

func (s *Store) forkDepth() int { return s.Limits.Int(limit.ForkDepth) }
