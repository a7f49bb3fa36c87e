package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Mode is how far commands are let.
type Mode string

// The modes, from narrow to wide. Full means no sandbox at all.
const (
	ReadOnly       Mode = "read-only"
	WorkspaceWrite Mode = "workspace-write"
	Full           Mode = "full"
)

// Rules say what commands may do. All paths are absolute.
type Rules struct {
	Mode Mode
	Cwd  string
	// Writable folders besides Cwd and the temporary ones; for WorkspaceWrite.
	Writable []string
	// Protected stays read-only also inside what is writable. The .git and
	// .longrein entries of writable folders always do.
	Protected []string
	// Shown stays readable where ReadOnly commands get empty temporary folders.
	Shown   []string
	Network bool
}

// guarded are entries of a writable folder that can make programs run later,
// outside of any sandbox.
var guarded = []string{".git", ".longrein"}

// ErrOutside is wrapped by [Rules.Check] for a path that no rule makes writable.
var ErrOutside = errors.New("outside the writable folders")

// ErrProtected is wrapped by [Rules.Check] for a path that stays read-only.
var ErrProtected = errors.New("protected")

// Roots returns the folders that may be written to, without symlinks, in a fixed
// order and each once; none in ReadOnly mode. Folders that do not exist are left
// out.
func (r Rules) Roots() []string {
	if r.Mode == ReadOnly {
		return nil
	}
	return r.folders(append([]string{r.Cwd}, append(slices.Clone(r.Writable), temps()...)...))
}

func (r Rules) folders(paths []string) []string {
	var out []string
	for _, p := range paths {
		real, err := filepath.EvalSymlinks(p)
		if err != nil || slices.Contains(out, real) {
			continue
		}
		out = append(out, real)
	}
	return out
}

// temps are the temporary folders that commands expect to write to.
func temps() []string {
	if runtime.GOOS == "windows" {
		return []string{os.TempDir()}
	}
	return []string{"/tmp", os.TempDir()}
}

// private returns the temporary folders, which read-only commands get empty and
// to themselves, and the folders inside them that stay visible: those of the
// rules, and dir.
func (r Rules) private(dir string) (hide, show []string) {
	hide = r.folders(temps())
	for _, p := range r.folders(slices.Concat([]string{r.Cwd, dir}, r.Writable, r.Shown)) {
		if slices.ContainsFunc(hide, func(h string) bool { return Within(p, h) && p != h }) {
			show = append(show, p)
		}
	}
	return hide, show
}

// guards returns the protected paths that lie inside writable folders, without
// symlinks. Only what exists is returned.
func (r Rules) guards(roots []string) []string {
	paths := slices.Clone(r.Protected)
	for _, root := range roots {
		for _, name := range guarded {
			paths = append(paths, filepath.Join(root, name))
		}
	}
	return slices.DeleteFunc(r.folders(paths), func(p string) bool {
		return !slices.ContainsFunc(roots, func(root string) bool { return Within(p, root) })
	})
}

// Check returns nil if the rules let path be written, else an error that wraps
// [ErrOutside] or [ErrProtected]. Path need not exist; symlinks on the way to
// it are followed first, so what counts is where a write would end up.
func (r Rules) Check(path string) error {
	if r.Mode == Full {
		return nil
	}
	real, err := Resolve(path)
	if err != nil {
		return err
	}
	roots := r.Roots()
	root := slices.IndexFunc(roots, func(root string) bool { return Within(real, root) })
	if root < 0 {
		return fmt.Errorf("%s is %w", named(path, real), ErrOutside)
	}
	if r.protects(real) || isGuarded(real, roots) {
		return fmt.Errorf("%s is %w", named(path, real), ErrProtected)
	}
	return nil
}

// protects reports whether path is in a protected folder, also one that does not
// exist yet.
func (r Rules) protects(path string) bool {
	return slices.ContainsFunc(r.Protected, func(p string) bool {
		real, err := Resolve(p)
		return err == nil && Within(path, real)
	})
}

func isGuarded(path string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return false
		}
		first, _, _ := strings.Cut(rel, string(filepath.Separator))
		// Some file systems do not tell .GIT from .git.
		return slices.ContainsFunc(guarded, func(g string) bool { return strings.EqualFold(g, first) })
	})
}

func named(path, real string) string {
	if filepath.Clean(path) == real {
		return path
	}
	return path + " (really " + real + ")"
}

// Within reports whether path is root or below it. Both are clean and absolute.
func Within(path, root string) bool {
	if path == root {
		return true
	}
	if !strings.HasSuffix(root, string(filepath.Separator)) {
		root += string(filepath.Separator)
	}
	return strings.HasPrefix(path, root)
}

// Resolve follows symlinks in the part of path that exists, so that it returns
// where a write would end up. Path is absolute.
func Resolve(path string) (string, error) {
	path = filepath.Clean(path)
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real, nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return "", fmt.Errorf("%s is a symlink to nowhere", path)
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path, nil
	}
	parent, err = Resolve(parent)
	return filepath.Join(parent, filepath.Base(path)), err
}
