package rollout

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/longrein/longrein"
)

// Read returns all records of a log as it stands now, first to last. A line that
// cannot be read yields an [*ErrDamaged], and the rest follows; any other error
// is the last thing yielded. Reading needs no lock and disturbs no writer.
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

// from yields until yield has enough. It returns an error that yield has not
// seen.
func (s *Store) from(id string, after int64, yield func(longrein.Record, error) bool) error {
	f, err := s.reading(id)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := f.from(after)
	for err == nil {
		rec, _, e := r.next()
		switch {
		case e == io.EOF:
			return nil
		case stops(e):
			err = e
		case e == nil && rec.Seq <= after:
		case !yield(rec, e):
			return nil
		}
	}
	return err
}

// stops reports whether err ends reading, as damage does not.
func stops(err error) bool {
	var d *ErrDamaged
	return err != nil && !errors.As(err, &d)
}
