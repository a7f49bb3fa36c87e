package rollout

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"
)

// resume reads the tail into the log, and moves a torn end aside.
func (l *Log) resume(s *Store) (*Tail, error) {
	f, err := s.source(l.file, l.id, l.path)
	if err != nil {
		return nil, err
	}
	e, err := f.end(l.packer.known)
	if err != nil {
		return nil, err
	}
	if e.Newer {
		return nil, ErrNewer
	}
	if err := s.spare(f, e); err != nil {
		return nil, err
	}
	l.seq, l.size, l.sum = e.LastSeq, e.size, e.sum
	if f.whole > e.size {
		aside, err := l.moveAside(f.whole)
		if err != nil {
			return nil, err
		}
		e.Warnings[len(e.Warnings)-1] += "; they were moved to " + aside
	}
	if n, unclean, err := s.gauged(l.path); err != nil || unclean {
		if err = errors.Join(err, l.secure(n)); err != nil {
			return nil, err
		}
	}
	return &e.Tail, s.complete(&e.Tail)
}

// These are in the names of what was moved aside, before the time: the end of a
// log that is no whole record, and a log as it was before a repair.
const (
	tornSuffix    = ".torn-"
	damagedSuffix = ".damaged-"
)

// moveAside moves what stands behind the last good line to a file of its own. It
// is cut off only when the copy is durable.
func (l *Log) moveAside(size int64) (string, error) {
	aside := l.path + tornSuffix + time.Now().UTC().Format("20060102T150405.000000000Z")
	if err := l.copyEnd(aside, size); err != nil {
		l.disk.Remove(aside)
		return "", err
	}
	if err := l.file.Truncate(l.size); err != nil {
		return "", err
	}
	return aside, l.file.Sync()
}

// copyEnd copies the file's bytes from the last good line up to size.
func (l *Log) copyEnd(aside string, size int64) error {
	f, err := l.disk.Open(aside, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.NewOffsetWriter(f, 0), io.NewSectionReader(l.file, l.size, size-l.size))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return l.disk.SyncDir(filepath.Dir(aside))
}
