package environ

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/longrein/longrein/limit"
)

// names are the files with instructions that are looked for in a folder, best
// first; the user's fallbacks come after them.
var names = []string{"AGENTS.override.md", "AGENTS.md"}

// doc is a file with instructions, or as much of it as there is room for.
type doc struct {
	path  string // absolute
	label string // what the model is told it is
	text  string // empty: nothing but blanks is in it
}

// instructions returns the user's own instructions, and then the project's from
// the root down to the working directory. Outside of a repository the working
// directory is all of the project.
func instructions(ctx context.Context, cwd, root string, o Options) ([]doc, notices, error) {
	if root == "" {
		root = cwd
	}
	global, found := globalDoc(o)
	b := budget{limits: o.Limits, limit: limit.Instructions, left: o.Limits.Of(limit.Instructions)}
	var project []doc
	for dir := cwd; ; dir = filepath.Dir(dir) { // the deepest takes its share first
		if err := ctx.Err(); err != nil {
			return nil, found, err
		}
		if d, ok := b.folder(dir, root, o.Fallbacks); ok {
			project = append(project, d)
		}
		if dir == root {
			break
		}
	}
	slices.Reverse(project)
	found.add(b.notices)
	return append(global, project...), found, nil
}

func globalDoc(o Options) ([]doc, notices) {
	if o.Global == "" {
		return nil, notices{}
	}
	b := budget{limits: o.Limits, limit: limit.GlobalInstructions, left: o.Limits.Of(limit.GlobalInstructions)}
	d, ok := b.folder(o.Global, "", nil)
	if !ok {
		return nil, b.notices
	}
	d.label = d.path + " (for all projects)"
	return []doc{d}, b.notices
}

// folder takes the first file with instructions in dir; ok is false if there is
// none, or none with anything in it. With a root, the file must be inside it.
func (b *budget) folder(dir, root string, fallbacks []string) (d doc, ok bool) {
	for _, name := range append(slices.Clip(names), fallbacks...) {
		if strings.TrimSpace(name) == "" {
			continue
		}
		path := filepath.Join(dir, name)
		text, err := b.read(path, root)
		switch {
		case missing(err):
			continue
		case err != nil:
			b.warn("the instructions in %s are left out: %v", oneLine(path), plain(err))
			return doc{}, false
		}
		return doc{path, label(root, path), text}, text != ""
	}
	return doc{}, false
}

// missing reports whether a file is not there, or is a folder that only has the
// name.
func missing(err error) bool {
	var special errSpecial
	return errors.Is(err, fs.ErrNotExist) || errors.As(err, &special) && os.FileMode(special).IsDir()
}

// plain is err without the path, which the sentence around it names.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func label(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && root != "" {
		return filepath.ToSlash(rel)
	}
	return path
}

var (
	errDangling = errors.New("it is a link to a file that does not exist")
	errOutside  = errors.New("it is a link that leads out of the project, and a project must not bring in other files of yours")
)

// follow returns the file that path stands for. A link in a project must stay
// inside root: a project that was just fetched could link to a secret.
func follow(path, root string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		return path, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", errDangling
	} else if err != nil {
		return "", err
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil || root == "" {
		return target, err
	}
	if rel, err := filepath.Rel(root, target); err != nil || !filepath.IsLocal(rel) {
		return "", errOutside
	}
	return target, nil
}
