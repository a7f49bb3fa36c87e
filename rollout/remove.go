package rollout

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Remove deletes threads' logs, and what was moved aside of them, for good. What
// forks need of a log is kept until the last of them is removed; what followed is
// gone. While somebody writes to a log the error is an [*ErrLocked], and the
// other threads are removed all the same. Blobs stay, since other threads may
// share them: [Store.Collect] gives them back.
func (s *Store) Remove(ids ...string) error {
	held, errs := locks{}, []error{}
	for _, id := range ids {
		lock, err := s.retire(id)
		if err != nil {
			errs = append(errs, fmt.Errorf("remove thread %s: %w", id, err))
			continue
		}
		held[id] = lock
	}
	if len(held) > 0 {
		_, err := s.settle(context.Background(), held)
		errs = append(errs, explain(err), held.Close())
	}
	return errors.Join(errs...)
}

// retire takes a thread off the lists: its log gets the name of one that is kept
// for its forks. It returns the log's lock.
func (s *Store) retire(id string) (io.Closer, error) {
	path, err := s.find(id)
	if err != nil {
		return nil, err
	}
	lock, err := s.takeLock(lockPath(path), id)
	if err != nil {
		return nil, err
	}
	err = s.removeAside(path)
	if err == nil {
		err = errors.Join(s.disk().Rename(path, keptPath(path)), s.removeGauge(path), s.disk().SyncDir(filepath.Dir(path)))
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// removeAside removes what was moved aside of the log at path.
func (s *Store) removeAside(path string) error {
	entries, err := s.disk().ReadDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if rest, ok := strings.CutPrefix(e.Name(), filepath.Base(path)); !ok || !isAside(logSuffix+rest) {
			continue
		}
		if err := s.disk().Remove(filepath.Join(filepath.Dir(path), e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// isAside reports whether a file whose name goes on like this after a thread's id
// was moved aside of its log: half a line, or what could not be read.
func isAside(rest string) bool {
	return strings.HasPrefix(rest, logSuffix+tornSuffix) || strings.HasPrefix(rest, logSuffix+damagedSuffix)
}
