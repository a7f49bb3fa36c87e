package snapshot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/longrein/longrein/limit"
)

// ErrNoGit means that the git program is not installed. Nothing else needs it, and
// everything but undo and redo works without.
var ErrNoGit = errors.New("git is not installed, so files cannot be put back: undo and redo are off")

// Options are what a store is opened with. The zero value works.
type Options struct {
	Limits limit.Set
	// Git is the program's path; empty means the one that is on the search path.
	Git string
	// Skip are folders that no snapshot holds wherever they lie, absolute: those that
	// Longrein itself writes to.
	Skip []string
}

// Store keeps the snapshots of one folder. It is safe for concurrent use, also by
// several processes: one of them works with it at a time, and the others wait.
type Store struct {
	dir    string // the store's own folder
	root   string // the folder whose files it keeps, absolute and without links
	limits limit.Set
	git    program
	skip   []string // folders below root that are in no snapshot, slash-separated
}

// Open returns the store for the files in root. All stores lie below dir, each in
// a folder of its own, which is made by the first snapshot. Root must exist. The
// error wraps [ErrNoGit] where that is the reason.
func Open(dir, root string, o Options) (*Store, error) {
	full, err := filepath.Abs(root)
	if err == nil {
		full, err = filepath.EvalSymlinks(full)
	}
	if err != nil {
		return nil, fmt.Errorf("open the snapshots of %s: %w", root, err)
	}
	sum := sha256.Sum256([]byte(full))
	return open(filepath.Join(dir, hex.EncodeToString(sum[:16])), full, o) // fixed: enough of a hash to tell folders apart
}

// All returns every store below dir, also of folders that are gone. For keeping
// house: a thread that is deleted is dropped from each.
func All(dir string, o Options) ([]*Store, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !missing(err) {
		return nil, fmt.Errorf("list snapshots: %w", err)
	}
	var stores []*Store
	for _, e := range entries {
		root, err := os.ReadFile(filepath.Join(dir, e.Name(), rootFile))
		if missing(err) {
			continue // it is being made or removed
		}
		if err != nil {
			return nil, fmt.Errorf("list snapshots: %w", err)
		}
		s, err := open(filepath.Join(dir, e.Name()), string(root), o)
		if err != nil {
			return nil, err
		}
		stores = append(stores, s)
	}
	return stores, nil
}

func open(dir, root string, o Options) (*Store, error) {
	path := o.Git
	if path == "" {
		path = "git"
	}
	path, err := exec.LookPath(path)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNoGit, err)
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s := &Store{dir: dir, root: root, limits: o.Limits, skip: below(root, o.Skip)}
	s.git = program{path: path, dir: dir, args: []string{"--git-dir=" + s.path(gitDir)}, env: private()}
	return s, nil
}

// below returns those of the folders that lie in root, as seen from there.
func below(root string, dirs []string) (out []string) {
	for _, dir := range dirs {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		if rel, err := filepath.Rel(root, dir); err == nil && rel != "." && filepath.IsLocal(rel) {
			out = append(out, filepath.ToSlash(rel))
		}
	}
	return out
}

// Root returns the folder whose files the store keeps.
func (s *Store) Root() string { return s.root }

// What lies in a store's folder.
const (
	gitDir    = "git"
	rootFile  = "root" // the path of the folder that is kept
	lockFile  = "lock"
	stateFile = "state.json"
	rulesDir  = "rules-" // begins the names of folders that are there for a moment
)

func (s *Store) path(name ...string) string {
	return filepath.Join(append([]string{s.dir}, name...)...)
}

func (s *Store) exists() bool {
	_, err := os.Stat(s.path(gitDir, "HEAD"))
	return err == nil
}

// create makes the repository if there is none, in one step for whoever looks.
func (s *Store) create(ctx context.Context) error {
	if s.exists() {
		return nil
	}
	made := s.path(gitDir + ".new")
	if err := os.RemoveAll(made); err != nil {
		return err
	}
	git := program{path: s.git.path, dir: s.dir, env: s.git.env, held: s.git.held}
	if err := git.run(ctx, nil, nil, "init", "-q", "--bare", "--shared=0600", "--template=", "--object-format=sha1", made); err != nil {
		return err
	}
	for name, text := range map[string]string{"info/attributes": attributes, "info/exclude": ""} {
		if err := write(filepath.Join(made, filepath.FromSlash(name)), []byte(text)); err != nil {
			return err
		}
	}
	if err := write(s.path(rootFile), []byte(s.root)); err != nil {
		return err
	}
	return os.Rename(made, s.path(gitDir))
}

// attributes have the last word over those in the folder: bytes are kept as they
// are.
const attributes = "* -text -eol -filter -ident -working-tree-encoding -crlf\n"

// write replaces a small file of the store.
func write(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(name+".new", data, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// missing reports whether an error says that there is no such file.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) || notFolder(err) }
