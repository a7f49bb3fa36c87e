package snapshot

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"

	"github.com/longrein/longrein"
)

// todo is what is left of steps, held against how the files stand now.
type todo struct {
	free      []move // can be done
	forced    []move // can be done, and loses what somebody else did
	conflicts []Conflict
}

// move is a step with how the file stands now.
type move struct {
	step
	now entry
}

func (m move) change() longrein.FileChange {
	c := longrein.FileChange{Path: m.path, Op: longrein.FileModified}
	switch {
	case m.target == (entry{}):
		c.Op = longrein.FileRemoved
	case m.now == (entry{}), m.now.mode == folder:
		c.Op = longrein.FileAdded
	}
	return c
}

// changes are all moves as changes, sorted by path.
func (t todo) changes() []longrein.FileChange {
	all := changesOf(append(t.free[:len(t.free):len(t.free)], t.forced...))
	sortChanges(all)
	return all
}

func changesOf(moves []move) []longrein.FileChange {
	var all []longrein.FileChange
	for _, m := range moves {
		all = append(all, m.change())
	}
	return all
}

// against holds steps against how the files stand now.
func (s *Store) against(ctx context.Context, root *os.Root, steps []step) (todo, error) {
	leaving := map[string]bool{}
	for _, st := range steps {
		if st.target == (entry{}) {
			leaving[st.path] = true
		}
	}
	var t todo
	for _, st := range steps {
		if ctx.Err() != nil {
			return t, context.Cause(ctx)
		}
		now, err := s.now(root, st.path)
		if err != nil {
			return t, err
		}
		c := s.conflict(root, move{st, now}, leaving)
		switch {
		case now == st.target:
		case c.What == "":
			t.free = append(t.free, move{st, now})
		case c.Fixed:
			t.conflicts = append(t.conflicts, c)
		default:
			t.forced = append(t.forced, move{st, now})
			t.conflicts = append(t.conflicts, c)
		}
	}
	return t, nil
}

// conflict says what is the matter with a move, if anything is.
func (s *Store) conflict(root *os.Root, m move, leaving map[string]bool) Conflict {
	c := Conflict{Path: m.path}
	at, blocked := s.inTheWay(root, m.path)
	switch {
	case blocked && m.target != (entry{}) && !leaving[at]:
		c.What, c.Fixed = "its folder is something else now", true
	case m.now.mode == folder && m.target != (entry{}) && m.expected == (entry{}) && empties(root, m.path, leaving):
	case m.now.mode == folder:
		c.What, c.Fixed = "a folder is there now", true
	case m.now.mode == other:
		c.What = "something is there that is in no snapshot"
	case m.edited:
		c.What = "changed between the turns"
	case m.now == m.expected:
	case m.now == entry{}:
		c.What = "removed since"
	case m.expected == entry{}:
		c.What = "made since"
	default:
		c.What = "changed since"
	}
	return c
}

// empties reports whether nothing is left in a folder once all that leaves has
// left.
func empties(root *os.Root, dir string, leaving map[string]bool) bool {
	err := inside(root, dir, func(path string, isDir bool) error {
		if !isDir && !leaving[path] {
			return fs.ErrExist
		}
		return nil
	})
	return err == nil
}

// inside calls each for all that lies in a folder, what is further inside first,
// and for the folder. (Package fs takes no names that are not UTF-8.)
func inside(root *os.Root, dir string, each func(path string, isDir bool) error) error {
	f, err := root.Open(dir)
	if err != nil {
		return err
	}
	entries, err := f.ReadDir(-1)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	for _, e := range entries {
		if name := path.Join(dir, e.Name()); e.IsDir() {
			err = inside(root, name, each)
		} else {
			err = each(name, false)
		}
		if err != nil {
			return err
		}
	}
	return each(dir, true)
}
