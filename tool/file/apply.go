package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/longrein/longrein/patch"
	"github.com/longrein/longrein/tool/output"
)

// Place says where a patch is applied.
type Place struct {
	Dir   string   // that relative paths start from
	Roots []string // folders that may be changed, absolute and without symlinks
	// Files may be changed besides, also without symlinks; a new one is for its
	// owner alone. Their folders exist.
	Files []string
	Most  int64 // bytes of a file that is read
}

// Done says what a patch did to a file, as [patch.Change.String] has it.
type Done string

// Apply does a patch, all of it or none: everything is read and checked before
// the first file changes, and when a change then fails, those before it are
// undone. Modes, line ends, byte order marks and a missing last line end stay as
// they are.
func Apply(p patch.Patch, at Place) ([]Done, error) {
	w := &work{place: at, roots: map[string]*os.Root{}}
	defer w.close()
	var done []Done
	for _, c := range p.Changes {
		d, err := w.change(c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Path, err)
		}
		done = append(done, d)
	}
	return done, w.commit()
}

// work is the state of the files that a patch touches, as it would leave them.
type work struct {
	place Place
	roots map[string]*os.Root
	files []*state
}

// state is a file before and after. A nil content means that there is none.
type state struct {
	root *os.Root
	name string      // within root
	info fs.FileInfo // whose mode and owner the file gets; nil for the usual ones
	own  bool        // one of Place.Files
	odd  bool        // there is something that is not a regular file
	old  *string
	now  *string
}

func (w *work) close() {
	for _, r := range w.roots {
		_ = r.Close()
	}
}

func (w *work) change(c patch.Change) (Done, error) {
	switch c.Kind {
	case patch.Add:
		return w.add(c)
	case patch.Delete:
		return w.delete(c)
	}
	return w.update(c)
}

func (w *work) add(c patch.Change) (Done, error) {
	s, err := w.at(c.Path, false)
	if err != nil {
		return "", err
	}
	if s.now != nil || s.odd {
		return "", errors.New("it exists already; update it, or delete it first in the same patch")
	}
	s.now = &c.Text
	return Done(c.String()), nil
}

func (w *work) delete(c patch.Change) (Done, error) {
	s, err := w.existing(c.Path, false)
	if err != nil {
		return "", err
	}
	s.now = nil
	return Done(c.String()), nil
}

func (w *work) update(c patch.Change) (Done, error) {
	s, err := w.existing(c.Path, true)
	if err != nil {
		return "", err
	}
	if output.Binary([]byte(*s.now)) {
		return "", errors.New("it is not a text file")
	}
	content, err := patch.Apply(*s.now, c.Hunks)
	if err != nil {
		return "", err
	}
	if c.To == "" {
		s.now = &content
		return Done(c.String()), nil
	}
	to, err := w.at(c.To, false)
	if err != nil {
		return "", fmt.Errorf("move to %s: %w", c.To, err)
	}
	if to != s && (to.now != nil || to.odd) {
		return "", fmt.Errorf("move to %s: it exists already", c.To)
	}
	s.now = nil
	to.now, to.info = &content, s.info
	return Done(c.String()), nil
}

func (w *work) existing(path string, follow bool) (*state, error) {
	s, err := w.at(path, follow)
	if err != nil {
		return nil, err
	}
	if s.odd {
		return nil, errors.New("it is not a regular file")
	}
	if s.now == nil {
		return nil, errors.New("it does not exist")
	}
	return s, nil
}

// at returns the state of the file at path, which it reads the first time. It
// follows a symlink at the end of path only if told to.
func (w *work) at(path string, follow bool) (*state, error) {
	root, name, err := w.locate(path, follow)
	if err != nil {
		return nil, err
	}
	for _, s := range w.files {
		if s.root == root && s.name == name {
			return s, nil
		}
	}
	s := &state{root: root, name: name, own: slices.Contains(w.place.Files, filepath.Join(root.Name(), name))}
	if err := s.load(w.place.Most); err != nil {
		return nil, err
	}
	w.files = append(w.files, s)
	return s, nil
}

// locate opens the root that path really is in. The root then keeps symlinks,
// also ones that are made meanwhile, from leading out of it.
func (w *work) locate(path string, follow bool) (*os.Root, string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.place.Dir, path)
	}
	real, err := realPath(path, follow)
	if err != nil {
		return nil, "", err
	}
	dir, name, ok := w.place.split(real)
	if !ok {
		return nil, "", fmt.Errorf("%s is outside of what may be changed", real)
	}
	if w.roots[dir] == nil {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, "", err
		}
		w.roots[dir] = root
	}
	return w.roots[dir], name, nil
}

// split returns a path as a folder that may be opened to change it, and the name
// in there.
func (p Place) split(real string) (dir, name string, ok bool) {
	if slices.Contains(p.Files, real) {
		return filepath.Dir(real), filepath.Base(real), true
	}
	for _, dir := range p.Roots {
		name, err := filepath.Rel(dir, real)
		if err == nil && filepath.IsLocal(name) && name != "." {
			return dir, name, true
		}
	}
	return "", "", false
}

// realPath follows symlinks in the part of path that exists.
func realPath(path string, follow bool) (string, error) {
	path = filepath.Clean(path)
	if follow {
		real, err := filepath.EvalSymlinks(path)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return real, err
		}
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path, nil
	}
	parent, err := realPath(parent, true)
	return filepath.Join(parent, filepath.Base(path)), err
}

// load reads the file, if there is one.
func (s *state) load(most int64) error {
	info, err := s.root.Lstat(s.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		s.odd = true
		return nil
	}
	if info.Size() > most {
		return tooLarge(s.name, info.Size(), most)
	}
	b, err := s.root.ReadFile(s.name)
	if err != nil {
		return err
	}
	content := string(b)
	s.info, s.old, s.now = info, &content, &content
	return nil
}

// changed reports whether the file must be touched at all.
func (s *state) changed() bool {
	if s.old == nil || s.now == nil {
		return s.old != s.now
	}
	return *s.old != *s.now
}
