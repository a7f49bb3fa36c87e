package rollout

import (
	"context"
	"fmt"
)

// spare keeps lines that cannot be read at the end of a log from being moved
// aside when forks share them: the end e is then behind the furthest of them. A
// fork knows the sum there, so the log can go on.
func (s *Store) spare(f *source, e *end) error {
	if f.whole <= e.size {
		return nil // nothing to move
	}
	all, err := s.family(context.Background())
	if err != nil {
		return err
	}
	for _, r := range all {
		if r.parent != f.id || r.need <= e.size || r.need > f.whole {
			continue
		}
		shared := *f
		shared.size, shared.whole = r.need, r.need
		ok, err := shared.endsWith(r.seq, r.sum)
		if err != nil {
			return err
		}
		if ok {
			e.skip(f, r)
		}
	}
	return nil
}

// skip goes on behind what the fork r shares.
func (e *end) skip(f *source, r relative) {
	e.Warnings[len(e.Warnings)-1] = fmt.Sprintf("%s: what begins at byte %d cannot be read; it stays, since thread %s is a fork that shares it", f.path, e.size, r.id)
	e.LastSeq, e.size = r.seq, r.need
	copy(e.sum[:], r.sum)
	if f.whole > e.size {
		e.torn(f)
	}
}
