package rollout

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Remove deletes a thread's log, and what was moved aside of it, for good. While
// somebody writes to the log the error is an [*ErrLocked]. Blobs stay: other
// threads may share them.
func (s *Store) Remove(id string) error {
	path, err := s.find(id)
	if err != nil {
		return err
	}
	lock, err := s.takeLock(lockPath(path), id)
	if err != nil {
		return err
	}
	err = removeAll(s.disk(), path)
	if err := errors.Join(err, lock.Close()); err != nil {
		return fmt.Errorf("remove thread %s: %w", id, err)
	}
	return nil
}

// removeAll removes the log last, so that a failure leaves it to try again.
func removeAll(d Disk, path string) error {
	entries, err := d.ReadDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), filepath.Base(path)+tornSuffix) {
			continue
		}
		if err := d.Remove(filepath.Join(filepath.Dir(path), e.Name())); err != nil {
			return err
		}
	}
	return d.Remove(path)
}
