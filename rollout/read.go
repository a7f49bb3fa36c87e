package rollout

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/longrein/longrein"
)

// Read returns all records of a log as it stands now, first to last. A line that
// cannot be read yields an [*ErrDamaged], and the rest follows; any other error
// is the last thing yielded. A fork's records begin with those of its parent; one
// that is missing or not what it was yields an [*ErrDamaged] with an [*ErrParent].
// Reading needs no lock and disturbs no writer.
func (s *Store) Read(id string) iter.Seq2[longrein.Record, error] { return s.From(id, 0) }

// From is Read without the records up to the sequence number after. It finds its
// place without reading the whole log.
func (s *Store) From(id string, after int64) iter.Seq2[longrein.Record, error] {
	return func(yield func(longrein.Record, error) bool) {
		if err := s.from(id, after, yield); err != nil {
			yield(longrein.Record{}, fmt.Errorf("read thread %s: %w", id, explain(err)))
		}
	}
}

// ReadFile is Read for a log that is not in its place, such as a copy of one. What
// the log keeps as blobs is looked for in s.
func (s *Store) ReadFile(path string) iter.Seq2[longrein.Record, error] {
	return func(yield func(longrein.Record, error) bool) {
		if err := s.readFile(path, yield); err != nil {
			yield(longrein.Record{}, fmt.Errorf("read %s: %w", path, explain(err)))
		}
	}
}

func (s *Store) readFile(path string, yield func(longrein.Record, error) bool) error {
	f, err := s.disk().Open(path, os.O_RDONLY)
	if err != nil {
		return err
	}
	src, err := s.source(f, "", path)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	defer src.Close()
	_, err = s.across(src, 0, s.forkDepth(), yield)
	return err
}

func (s *Store) from(id string, after int64, yield func(longrein.Record, error) bool) error {
	f, err := s.reading(id)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = s.across(f, after, s.forkDepth(), yield)
	return err
}

// Own is From for what stands in the thread's own log: of a fork, the records
// that it shares with its parent are left out.
func (s *Store) Own(id string, after int64) iter.Seq2[longrein.Record, error] {
	return func(yield func(longrein.Record, error) bool) {
		if err := s.own(id, after, yield); err != nil {
			yield(longrein.Record{}, fmt.Errorf("read thread %s: %w", id, explain(err)))
		}
	}
}

func (s *Store) own(id string, after int64, yield func(longrein.Record, error) bool) error {
	f, err := s.reading(id)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.each(after, yield)
	return err
}

// each yields the records after one until yield has enough, and reports whether
// it wants more. An error is one that yield has not seen.
func (f *source) each(after int64, yield func(longrein.Record, error) bool) (more bool, err error) {
	r, err := f.from(after)
	for err == nil {
		rec, _, e := r.next()
		switch {
		case e == io.EOF:
			return true, nil
		case stops(e):
			err = e
		case e == nil && rec.Seq <= after:
		case !yield(rec, e):
			return false, nil
		}
	}
	return false, err
}

// stops reports whether err ends reading, as damage does not.
func stops(err error) bool {
	var d *ErrDamaged
	return err != nil && !errors.As(err, &d)
}
