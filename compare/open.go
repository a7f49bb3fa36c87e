package compare

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/rollout"
	"github.com/longrein/longrein/session"
)

// Thread reads the thread with that id out of a store.
func Thread(store *rollout.Store, id string) (*Session, error) {
	s, err := Read(id, store.Read(id))
	if err != nil {
		return nil, fmt.Errorf("thread %s: %w", id, err)
	}
	return s, nil
}

// File reads the sessions that a file holds: a log of ours, whose blobs are looked
// for in store, or what another tool recorded. Sub-agents are sessions of their
// own. Those in which no model answered are left out, and an error when there is
// no other.
func File(store *rollout.Store, path string) ([]*Session, error) {
	info, err := os.Stat(path) // opening a pipe would wait for whoever writes to it
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder; name the file of a session in it", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is a pipe or a device; name a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	own, err := isLog(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	name := filepath.Base(path)
	if own {
		s, err := Read(name, store.ReadFile(path))
		if err != nil {
			return nil, fmt.Errorf("%s, a log of longrein's: %w", path, err)
		}
		return []*Session{s}, nil
	}
	return foreign(store, f, name, path)
}

// isLog reports whether a file begins as a log of ours does.
func isLog(f *os.File) (bool, error) {
	first := []byte(`{"seq":1,"time":"`)
	have := make([]byte, len(first))
	_, err := io.ReadFull(f, have)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return bytes.Equal(have, first), err
}

// foreign reads what another tool recorded.
func foreign(store *rollout.Store, f *os.File, name, path string) ([]*Session, error) {
	rec, err := session.Read(f, store.Limits)
	if errors.Is(err, session.ErrUnknown) {
		return nil, fmt.Errorf("%s is no log of longrein's and no session of a tool that it knows", path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var all []*Session
	for i, one := range rec.Sessions {
		title := name
		switch {
		case one.Agent != "":
			title += " (" + one.Agent + ")"
		case len(rec.Sessions) > 1:
			title += fmt.Sprintf(" (%d)", i+1)
		}
		s, err := Read(title, without(one.Records(or(one.ID, name))))
		if errors.Is(err, errNoSteps) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		s.Tool = string(one.Format)
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s, a session of %s: %w", path, rec.Format, errNoSteps)
	}
	all[0].lacks(rec.Report)
	return all, nil
}

// lacks notes what of the session's file could not be read. It is said of the
// first session of a file, since lines that are lost belong to none.
func (s *Session) lacks(r session.Report) {
	for _, l := range r.Unread {
		s.damaged(fmt.Errorf("line %d: %s", l.N, l.Why))
	}
	for _, h := range r.Limits {
		s.Damaged = append(s.Damaged, fmt.Errorf("limit %s: %d %s left out: %s", h.Name, h.Cut, or(h.CutUnit, h.Unit), h.What))
	}
	s.Unread = max(r.Lost, s.Unread)
}

// without are records that cannot fail.
func without(records iter.Seq[longrein.Record]) iter.Seq2[longrein.Record, error] {
	return func(yield func(longrein.Record, error) bool) {
		for r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}
