package tool

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/tool/sandbox"
)

// todo is the one document of the thread's notes that the worker may change, ""
// where no notes are kept.
func (s *Set) todo() string {
	if s.o.Notes == "" {
		return ""
	}
	return filepath.Join(s.o.Notes, longrein.TodoDocument)
}

// notTodo takes the worker's own document out of the paths of a patch and returns
// it as it really lies. Any other path in the notes folder is an error: those
// documents are the summarizer's, and two writers would undo each other's work.
func (s *Set) notTodo(paths []string) (rest, todo []string, err error) {
	if s.o.Notes == "" {
		return paths, nil, nil
	}
	folder, err := sandbox.Resolve(s.o.Notes)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range paths {
		in, own := s.notes(folder, s.path(p))
		switch {
		case own:
			todo = []string{filepath.Join(folder, longrein.TodoDocument)}
		case in:
			return nil, nil, fmt.Errorf("%s is one of this thread's notes. They are kept for you while you work, and what you find out gets into them by itself; of that folder only %s is yours to change", p, longrein.TodoDocument)
		default:
			rest = append(rest, p)
		}
	}
	if todo != nil {
		err = os.MkdirAll(folder, 0o700)
	}
	return rest, todo, err
}

// notes reports whether a change at path would touch the notes folder, and whether
// all that it touches there is the worker's own document. A path can end in a
// symlink: what counts is where the link lies and where it leads to.
func (s *Set) notes(folder, path string) (in, own bool) {
	own = true
	for _, follow := range []bool{false, true} {
		real, err := really(path, follow)
		if err != nil {
			continue // what is wrong with it is found out when it is opened
		}
		in = in || withinFolded(real, folder)
		own = own && real == filepath.Join(folder, longrein.TodoDocument)
	}
	return in, in && own
}

// really is where path lies, or with follow what it leads to.
func really(path string, follow bool) (string, error) {
	if follow {
		return sandbox.Resolve(path)
	}
	parent, err := sandbox.Resolve(filepath.Dir(path))
	return filepath.Join(parent, filepath.Base(path)), err
}

// withinFolded is [sandbox.Within] also where a file system does not tell MAIN.md
// from main.md.
func withinFolded(path, root string) bool {
	return sandbox.Within(strings.ToLower(path), strings.ToLower(root))
}
