package rollout

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"github.com/longrein/longrein/limit"
)

// Store is the folder in which threads' logs and blobs live. It may be used from
// anywhere at once, and by several processes.
type Store struct {
	Root   string
	Limits limit.Set
	Disk   Disk // nil is the system's
}

func (s *Store) disk() Disk { return cmp.Or[Disk](s.Disk, system{}) }

// Create begins the log of a new thread and takes its lock. The id is a UUIDv7,
// and its own time decides the folder. The first record appended must be a
// [longrein.Thread].
func (s *Store) Create(id string) (*Log, error) {
	l, err := s.create(id)
	if err != nil {
		return nil, fmt.Errorf("create thread %s: %w", id, explain(err))
	}
	return l, nil
}

func (s *Store) create(id string) (*Log, error) {
	path, err := s.path(id)
	if err != nil {
		return nil, err
	}
	dirs, err := makeDirs(s.disk(), filepath.Dir(path), s.Root)
	if err != nil {
		return nil, err
	}
	l, err := s.log(id, path, os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, err
	}
	l.unsynced = dirs
	return l, nil
}

// Open opens a thread's log for writing: it takes the lock, moves a torn end
// aside and returns what is needed to go on. While somebody else writes to the
// log the error is an [*ErrLocked]; a log of a later format gives [ErrNewer].
func (s *Store) Open(id string) (*Log, *Tail, error) {
	l, t, err := s.open(id)
	if err != nil {
		return nil, nil, fmt.Errorf("open thread %s: %w", id, explain(err))
	}
	return l, t, nil
}

func (s *Store) open(id string) (*Log, *Tail, error) {
	path, err := s.find(id)
	if err != nil {
		return nil, nil, err
	}
	l, err := s.log(id, path, os.O_RDWR)
	if err != nil {
		return nil, nil, err
	}
	l.unsynced = dirsTo(filepath.Dir(path), s.Root) // a process that died may not have come to that
	t, err := l.resume(s)
	if err != nil {
		return nil, nil, errors.Join(err, l.gauge.release(l.disk, false), l.abandon())
	}
	return l, t, nil
}

// log takes the lock of the log at path and opens its file.
func (s *Store) log(id, path string, flag int) (*Log, error) {
	lock, err := s.takeLock(lockPath(path), id)
	if err != nil {
		return nil, err
	}
	f, err := s.disk().Open(path, flag)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return s.newLog(id, path, f, lock), nil
}

// path returns where the log of a thread is, or would be.
func (s *Store) path(id string) (string, error) {
	u, err := uuid.Parse(id)
	if err != nil || u.Version() != 7 || u.String() != id {
		return "", fmt.Errorf("%q is not a thread's id, which is a UUIDv7 in lower case", id)
	}
	return filepath.Join(s.threads(), filepath.FromSlash(day(began(u))), id+logSuffix), nil
}

// find is path for a log that is there.
func (s *Store) find(id string) (string, error) {
	path, err := s.path(id)
	if err != nil {
		return "", err
	}
	if _, err := s.disk().Stat(path); err != nil {
		return "", missing(err, s.Root)
	}
	return path, nil
}

// missing puts a sentence in place of the system's for a log that is not there.
func missing(err error, root string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no such thread in %s (%w); longrein threads shows those there are", root, fs.ErrNotExist)
	}
	return err
}

const (
	logSuffix  = ".jsonl"
	lockSuffix = ".lock"
)

func (s *Store) threads() string { return filepath.Join(s.Root, "threads") }

func lockPath(path string) string { return path[:len(path)-len(logSuffix)] + lockSuffix }

// began returns the time in a UUIDv7, in milliseconds since 1970.
func began(u uuid.UUID) int64 {
	var ms int64
	for _, b := range u[:6] {
		ms = ms<<8 | int64(b)
	}
	return ms
}

// day is the folder for threads that began then.
func day(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006/01/02") }
