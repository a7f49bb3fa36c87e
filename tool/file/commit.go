package file

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// commit brings the files to the state that the patch asks for. New contents are
// written beside their places first, so that the step that can fail half-way is
// only renaming, which is undone.
func (w *work) commit() error {
	var undo undo
	if err := w.swap(&undo); err != nil {
		if again := undo.back(); again != nil {
			return fmt.Errorf("%w; undoing it failed too: %w", err, again)
		}
		return fmt.Errorf("%w; nothing was changed", err)
	}
	undo.forget()
	return nil
}

func (w *work) swap(u *undo) error {
	var ready []*swap
	for _, s := range w.files {
		if !s.changed() {
			continue
		}
		sw := &swap{state: s}
		ready = append(ready, sw)
		if s.now == nil {
			continue
		}
		if err := sw.stage(u); err != nil {
			return fmt.Errorf("write %s: %w", s.name, err)
		}
	}
	for _, sw := range ready {
		if err := sw.do(u); err != nil {
			return fmt.Errorf("replace %s: %w", sw.name, err)
		}
	}
	return nil
}

// undo is a list of steps back, and of files that are no longer needed once
// there is no way back.
type undo struct {
	steps []func() error
	rest  []func() error
}

func (u *undo) add(step func() error) { u.steps = append(u.steps, step) }

func (u *undo) back() error {
	var errs []error
	for i := len(u.steps) - 1; i >= 0; i-- {
		if err := u.steps[i](); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// forget removes what was kept for undoing. A file that stays is no failure.
func (u *undo) forget() {
	for _, remove := range u.rest {
		_ = remove()
	}
}

// swap is a file on its way to its new state.
type swap struct {
	*state
	staged string // the new content, beside its place
}

// stage writes the new content, and makes the folders it needs.
func (s *swap) stage(u *undo) error {
	if err := s.folders(u); err != nil {
		return err
	}
	mode := fs.FileMode(0o666)
	switch {
	case s.info != nil:
		mode = s.info.Mode().Perm()
	case s.own:
		mode = 0o600
	}
	name := s.beside()
	f, err := s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	u.add(func() error { return s.root.Remove(name) })
	s.staged = name
	_, err = f.WriteString(*s.now)
	if err = errors.Join(err, f.Close()); err != nil || s.info == nil {
		return err
	}
	keepOwner(s.root, name, s.info)
	return s.root.Chmod(name, s.info.Mode()) // the umask may have narrowed it
}

// folders makes the missing folders of the file, the outermost first.
func (s *swap) folders(u *undo) error {
	var missing []string
	for dir := filepath.Dir(s.name); dir != "."; dir = filepath.Dir(dir) {
		if _, err := s.root.Stat(dir); err == nil {
			break
		}
		missing = append(missing, dir)
	}
	for i := len(missing) - 1; i >= 0; i-- {
		dir := missing[i]
		if err := s.root.Mkdir(dir, 0o777); err != nil {
			return err
		}
		u.add(func() error { return s.root.Remove(dir) })
	}
	return nil
}

// beside returns a free name in the file's folder.
func (s *swap) beside() string {
	return filepath.Join(filepath.Dir(s.name), ".longrein-"+rand.Text())
}

// do puts the new state in place of the old one.
func (s *swap) do(u *undo) error {
	if s.old != nil {
		if err := s.setAside(u); err != nil {
			return err
		}
	}
	if s.now == nil {
		return nil
	}
	if s.old == nil {
		u.add(func() error { return s.root.Remove(s.name) })
	}
	return s.root.Rename(s.staged, s.name)
}

// setAside keeps the old file under another name. A link leaves no moment
// without the file; where links are not possible, it is moved.
func (s *swap) setAside(u *undo) error {
	aside := s.beside()
	linked := s.now != nil && s.root.Link(s.name, aside) == nil
	if !linked {
		if err := s.root.Rename(s.name, aside); err != nil {
			return err
		}
	}
	u.add(func() error {
		// Renaming a link onto its own file leaves both names.
		return errors.Join(s.root.Rename(aside, s.name), s.root.Remove(aside))
	})
	u.rest = append(u.rest, func() error { return s.root.Remove(aside) })
	return nil
}
