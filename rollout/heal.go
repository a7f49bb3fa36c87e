package rollout

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Repaired is what a repair did.
type Repaired struct {
	// Original is where the log is as it was; empty when nothing in it was changed.
	Original string `json:"original,omitempty"`
	Restored int64  `json:"restored"` // records that are again as they were written
	Lost     int64  `json:"lost"`     // records for which a warning stands now
	// Blobs are those whose content was damaged. They were moved aside, so that
	// the same content can be stored again.
	Blobs []string `json:"blobs,omitempty"`
	// Warnings are those of opening the thread, such as of a torn end.
	Warnings []string `json:"warnings,omitempty"`
	// Left is what is wrong still.
	Left []Finding `json:"left,omitempty"`
}

// Repair puts right what it can of a thread's log: one damaged bit in a record, a
// damaged checksum or newline. A record that is lost gives way to a warning that
// says so, in the same bytes of the file, so that everything behind stays where
// it is; but it stays when later ones refer to bytes in it. A torn end is moved aside. The log as it was is kept beside it. While
// somebody writes to the log the error is an [*ErrLocked].
func (s *Store) Repair(ctx context.Context, id string) (Repaired, error) {
	var r Repaired
	for _, step := range []func(context.Context, string, *Repaired) error{s.heal, s.setBlobsAside, s.mendEnd} {
		if err := step(ctx, id, &r); err != nil {
			return r, fmt.Errorf("repair thread %s: %w", id, explain(err))
		}
	}
	for f, err := range s.Check(ctx, id) {
		if err != nil {
			return r, err
		}
		r.Left = append(r.Left, f)
	}
	return r, nil
}

// heal writes what it can put right into the log.
func (s *Store) heal(ctx context.Context, id string, r *Repaired) (err error) {
	path, err := s.find(id)
	if err != nil {
		return err
	}
	lock, err := s.takeLock(lockPath(path), id)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	f, err := s.reading(id)
	if err != nil {
		return err
	}
	defer f.Close()
	if t, err := f.first(); err == nil && newer(t) {
		return ErrNewer
	}
	damaged, err := f.stretches(ctx)
	if err == nil {
		err = f.findQuoted(ctx, damaged)
	}
	if err != nil {
		return err
	}
	var mended []stretch
	for _, d := range damaged {
		if d.mend(id, r) {
			mended = append(mended, d)
		}
	}
	if len(mended) == 0 {
		return nil
	}
	return s.rewrite(f, mended, r)
}

// mend puts right what it can, and reports whether that was anything. Text is
// then what should stand there.
func (d *stretch) mend(id string, r *Repaired) bool {
	done, restored := d.restore()
	r.Restored += restored
	if done == len(d.text) {
		return done > 0
	}
	left := d.lost()
	if fence := d.fence(done, id, time.Now()); fence != nil && !d.quoted {
		copy(d.text[done:], fence)
		r.Lost += left
		return true
	}
	return restored > 0
}

// rewrite keeps the log as it is under another name and then writes into it.
func (s *Store) rewrite(f *source, mended []stretch, r *Repaired) error {
	original := f.path + damagedSuffix + asideTime()
	if err := s.copyTo(original, f); err != nil {
		return err
	}
	r.Original = original
	w, err := s.disk().Open(f.path, os.O_RDWR)
	if err != nil {
		return err
	}
	for _, d := range mended {
		if _, err := w.WriteAt(d.text, d.off); err != nil {
			return errors.Join(err, w.Close())
		}
	}
	return errors.Join(w.Sync(), w.Close())
}

// copyTo copies a whole file to a new one, which is durable on return.
func (s *Store) copyTo(path string, from DiskFile) error {
	all, err := readable(from)
	if err != nil {
		return err
	}
	f, err := s.disk().Open(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	if _, err = io.Copy(io.NewOffsetWriter(f, 0), all); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, s.disk().Remove(path))
	}
	return s.disk().SyncDir(filepath.Dir(path))
}

func asideTime() string { return time.Now().UTC().Format("20060102T150405.000000000Z") }

// setBlobsAside moves blobs aside whose content is not what their names say.
func (s *Store) setBlobsAside(ctx context.Context, id string, r *Repaired) error {
	named, err := s.blobsOf(ctx, id)
	if err != nil {
		return err
	}
	for _, b := range named {
		_, err := s.readBlob(b.id, 0, 0)
		if unread := new(fs.PathError); err == nil || errors.As(err, &unread) {
			continue
		}
		if err := s.disk().Rename(b.path, s.damagedPath(b.id)); err != nil {
			return err
		}
		r.Blobs = append(r.Blobs, b.id)
	}
	return nil
}

// mendEnd opens the log, which moves a torn end aside.
func (s *Store) mendEnd(_ context.Context, id string, r *Repaired) error {
	l, t, err := s.open(id)
	var first *ErrDamaged
	if errors.As(err, &first) {
		return nil // Check says it
	}
	if err != nil {
		return err
	}
	r.Warnings = t.Warnings
	return l.Close()
}
