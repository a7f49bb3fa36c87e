package snapshot

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"
)

// lockPoll is how often a lock that is taken is tried again.
const lockPoll = 5 * time.Millisecond // fixed: only how soon it is noticed; ctx says how long to wait

// locked returns the store with its lock taken, and what gives it back. The git
// programs that run under it hold it too, so that one which outlives its caller
// still keeps others out.
func (s *Store) locked(ctx context.Context) (*Store, func(), error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, nil, err
	}
	for {
		f, err := s.tryLocked()
		if err != nil {
			return nil, nil, err
		}
		if f != nil {
			own := *s
			own.git.held = f
			return &own, func() { _ = f.Close() }, own.clean()
		}
		select {
		case <-ctx.Done():
			return nil, nil, context.Cause(ctx)
		case <-time.After(lockPoll):
		}
	}
}

// tryLocked returns the lock's file, nil if another holds it or the store has been
// removed meanwhile.
func (s *Store) tryLocked() (*os.File, error) {
	f, err := os.OpenFile(s.path(lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if missing(err) {
		return nil, os.MkdirAll(s.dir, 0o700)
	}
	if err != nil {
		return nil, err
	}
	taken, err := tryLock(f)
	if err == nil && taken && s.isLock(f) {
		return f, nil
	}
	_ = f.Close()
	return nil, err
}

// isLock reports whether f is still the store's lock and was not removed with it.
func (s *Store) isLock(f *os.File) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(s.path(lockFile))
	return err == nil && os.SameFile(mine, now)
}

// clean removes what a program that was killed left behind. Whoever holds the store's
// lock knows that none of git's own locks is held.
func (s *Store) clean() error {
	for _, name := range []string{"index.lock", "packed-refs.lock", "HEAD.lock", "shallow.lock", "config.lock"} {
		if err := os.Remove(s.path(gitDir, name)); err != nil && !missing(err) {
			return err
		}
	}
	entries, err := os.ReadDir(s.dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), rulesDir) {
			err = errors.Join(err, os.RemoveAll(s.path(e.Name())))
		}
	}
	return err
}
