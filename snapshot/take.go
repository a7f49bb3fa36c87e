package snapshot

import (
	"context"
	"errors"
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Taken is a snapshot that was taken.
type Taken struct {
	// Tree names it: the same files with the same contents, and the same ones left
	// out, give the same name. 40 hexadecimal digits.
	Tree    string
	Files   int
	LeftOut []LeftOut // sorted by path
	// Hits are the limits that left something out. They recur as long as it is
	// there.
	Hits []longrein.LimitHit
}

// RefusedError means that a limit does not allow a snapshot of the folder.
type RefusedError struct{ Hit longrein.LimitHit }

// Error names the limit and what is too much for it.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("no snapshot: %s (limit %s is %d %s)", e.Hit.What, e.Hit.Name, e.Hit.Value, e.Hit.Unit)
}

// Take takes a snapshot and keeps it for a thread until [Store.Drop]. It waits for
// others that work with the store, which counts as its time. The error is a
// [*RefusedError] if there is too much in the folder, or too little time; after the
// latter the next snapshot goes on where this one stopped.
func (s *Store) Take(ctx context.Context, thread string) (Taken, error) {
	slow := &RefusedError{s.limits.Hit(limit.SnapshotTime, "looking at "+s.root+" takes too long", 0, "")}
	ctx, cancel := context.WithTimeoutCause(ctx, s.limits.Duration(limit.SnapshotTime), slow)
	defer cancel()
	taken, err := s.takeLocked(ctx, thread)
	if err != nil && !errors.As(err, new(*RefusedError)) {
		err = fmt.Errorf("take a snapshot of %s: %w", s.root, err)
	}
	return taken, err
}

func (s *Store) takeLocked(ctx context.Context, thread string) (Taken, error) {
	if err := checkThread(thread); err != nil {
		return Taken{}, err
	}
	s, unlock, err := s.locked(ctx)
	if err != nil {
		return Taken{}, err
	}
	defer unlock()
	taken, err := s.take(ctx, thread)
	if !errors.As(err, new(*gitError)) {
		return taken, err
	}
	if err := s.forget(); err != nil { // it may be damaged
		return Taken{}, err
	}
	return s.take(ctx, thread)
}

func (s *Store) take(ctx context.Context, thread string) (Taken, error) {
	if err := s.create(ctx); err != nil {
		return Taken{}, err
	}
	l, err := s.layout(ctx)
	if err != nil {
		return Taken{}, err
	}
	if err := s.prepare(l); err != nil {
		return Taken{}, err
	}
	found, err := s.look(ctx, l)
	if err != nil {
		return Taken{}, err
	}
	if err := s.update(ctx, l, found); err != nil {
		return Taken{}, err
	}
	taken, err := s.name(ctx, l, found)
	if err != nil {
		return Taken{}, err
	}
	return taken, s.keep(ctx, thread, taken.Tree)
}

// prepare makes the index fit the layout. The user may have made a repository of
// the folder, or of one around it, since the last snapshot.
func (s *Store) prepare(l layout) error {
	if st := s.last(); st.Top != l.Top || st.Prefix != l.Prefix {
		if err := s.forget(); err != nil {
			return err
		}
		if err := s.remember(state{Top: l.Top, Prefix: l.Prefix}); err != nil {
			return err
		}
	}
	return s.copyExcludes(l)
}

// name makes a tree of the index and of what is left out, unless the last snapshot
// had the same.
func (s *Store) name(ctx context.Context, l layout, f found) (Taken, error) {
	idx, err := s.index()
	if err != nil {
		return Taken{}, err
	}
	taken := Taken{Files: idx.files, LeftOut: f.left.sorted(), Hits: f.left.hits(s.limits)}
	last := s.last()
	now := state{Top: l.Top, Prefix: l.Prefix, Index: idx.sum, Left: f.left.sum(), Rules: f.rules, Tree: last.Tree}
	if last.Tree == "" || last.Index != now.Index || last.Left != now.Left {
		if now.Tree, err = s.writeTree(ctx, l, f.left); err != nil {
			return Taken{}, err
		}
		if idx, err = s.index(); err != nil { // it has the names of its trees now
			return Taken{}, err
		}
		now.Index = idx.sum
	}
	taken.Tree = now.Tree
	if now == last {
		return taken, nil
	}
	return taken, s.remember(now)
}
