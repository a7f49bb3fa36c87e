package rollout

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Remove deletes a thread's log, and what was moved aside of it, for good. While
// somebody writes to the log the error is an [*ErrLocked]. Blobs stay: other
// threads may share them.
func (s *Store) Remove(id string) error {
	path, err := s.find(id)
	if err != nil {
		return err
	}
	lock, err := takeLock(lockPath(path), id, s.Limits)
	if err != nil {
		return err
	}
	err = removeAll(path)
	if err := errors.Join(err, lock.release()); err != nil {
		return fmt.Errorf("remove thread %s: %w", id, err)
	}
	return nil
}

// removeAll removes the log last, so that a failure leaves it to try again.
func removeAll(path string) error {
	aside, err := filepath.Glob(path + ".torn-*")
	if err != nil {
		return err
	}
	for _, p := range append(aside, path) {
		if err := os.Remove(p); err != nil {
			return err
		}
	}
	return nil
}
