package rollout

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// keptSuffix is in the name of what is kept of a removed log for its forks.
const keptSuffix = ".kept"

func keptPath(path string) string { return strings.TrimSuffix(path, logSuffix) + keptSuffix }

func isKept(path string) bool { return strings.HasSuffix(path, keptSuffix) }

// lockOf takes the lock of a thread's log.
func (s *Store) lockOf(id string) (io.Closer, error) {
	path, err := s.path(id)
	if err != nil {
		return nil, err
	}
	return s.takeLock(lockPath(path), id)
}

// locks are held, by thread.
type locks map[string]io.Closer

func (l locks) Close() (err error) {
	for _, lock := range l {
		err = errors.Join(err, lock.Close())
	}
	return err
}

// lockKept takes the locks of all kept logs that nobody has.
func (s *Store) lockKept(held locks) error {
	for e, err := range s.beside(isKept) {
		if err != nil {
			return err
		}
		if held[e.id] != nil {
			continue
		}
		lock, err := s.tryLock(filepath.Join(e.dir, e.id+lockSuffix))
		if err != nil {
			return err
		}
		if lock != nil {
			held[e.id] = lock
		}
	}
	return nil
}

// settle cuts what is kept of removed logs to what forks need, and returns what
// that gave back. It holds the locks of all that it cuts, so that no fork begins
// there; those that are held already are the caller's to give back.
func (s *Store) settle(ctx context.Context, held locks) (freed Amount, err error) {
	if err := s.lockKept(held); err != nil {
		return freed, err
	}
	all, err := s.family(ctx)
	if err != nil {
		return freed, err
	}
	need := needs(all)
	for _, r := range all {
		if !r.kept || held[r.id] == nil {
			continue
		}
		n, err := s.cut(r.path, need[r.id])
		if err != nil {
			return freed, err
		}
		if n > 0 {
			freed.add(n)
		}
	}
	return freed, nil
}

// excess is what settle would give back.
func (s *Store) excess(ctx context.Context) (a Amount, err error) {
	all, err := s.family(ctx)
	if err != nil {
		return a, err
	}
	need := needs(all)
	for _, r := range all {
		if !r.kept {
			continue
		}
		info, err := s.disk().Stat(r.path)
		if err != nil {
			return a, err
		}
		if n := info.Size() - need[r.id]; n > 0 {
			a.add(n)
		}
	}
	return a, nil
}

// cut shortens a file to size, or removes it if nothing is needed, and returns
// how many bytes it was longer.
func (s *Store) cut(path string, size int64) (int64, error) {
	f, err := s.disk().Open(path, os.O_RDWR)
	if err != nil {
		return 0, err
	}
	have, err := f.Size()
	switch {
	case err != nil || size > 0 && have <= size:
		return 0, errors.Join(err, f.Close())
	case size > 0:
		return have - size, errors.Join(f.Truncate(size), f.Sync(), f.Close())
	}
	return have, errors.Join(f.Close(), s.disk().Remove(path), s.disk().SyncDir(filepath.Dir(path)))
}
