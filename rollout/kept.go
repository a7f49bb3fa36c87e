package rollout

import (
	"io"
	"strings"
)

// keptSuffix is in the name of what is kept of a removed log for its forks.
const keptSuffix = ".kept"

func keptPath(path string) string { return strings.TrimSuffix(path, logSuffix) + keptSuffix }

// kept reports whether f is what was kept of a removed log.
func (f *source) kept() bool { return strings.HasSuffix(f.path, keptSuffix) }

// lockKept keeps others from cutting what is kept of a log.
func (s *Store) lockKept(id string) (io.Closer, error) {
	path, err := s.path(id)
	if err != nil {
		return nil, err
	}
	return s.takeLock(lockPath(path), id)
}
