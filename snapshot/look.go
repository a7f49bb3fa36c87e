package snapshot

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/longrein/longrein/limit"
)

// found is what differs between the folder and the index. Paths are relative to
// the folder, with slashes.
type found struct {
	add    []string // new, or perhaps changed
	bytes  int64    // size of these
	remove []string
	left   leftOuts
}

// look compares the folder with the index. It says nothing of files that did not
// change.
func (s *Store) look(ctx context.Context, l layout) (found, error) {
	c, err := s.compare(ctx, l)
	if err != nil {
		return found{}, err
	}
	out := found{left: c.left}
	for path := range c.gone {
		out.remove = append(out.remove, path)
	}
	for path, known := range c.there {
		if err := s.sort(&out, path, known); err != nil {
			return found{}, err
		}
	}
	return out, s.bounded(out)
}

// compared is what several runs of git say. Most folders have little of each.
type compared struct {
	mu    sync.Mutex
	gone  map[string]bool
	there map[string]bool // true for those in the index, which changed; false for new ones
	stale []string        // in the index and ignored
	bound map[string]bool // ignored, and tracked by the user nevertheless
	left  leftOuts
}

// compare asks four questions at once, each about all files: what changed, what is
// new, what is ignored now, and what of that the user tracks nevertheless.
func (s *Store) compare(ctx context.Context, l layout) (*compared, error) {
	c := &compared{gone: map[string]bool{}, there: map[string]bool{}, bound: map[string]bool{}, left: leftOuts{}}
	git := s.at(l)
	var changed fields
	errs := make([]error, 4)
	var all sync.WaitGroup
	all.Go(func() {
		errs[0] = git.fields(ctx, nil, changed.add, "diff-files", "-z", "--relative", "--name-status", "--ignore-submodules=all")
	})
	all.Go(func() { errs[1] = s.others(ctx, git, c) })
	all.Go(func() {
		errs[2] = git.fields(ctx, nil, s.most(func(p string) { c.stale = append(c.stale, p) }), "ls-files", "-z", "-c", "-i", "--exclude-standard")
	})
	if l.own != "" {
		all.Go(func() {
			errs[3] = s.users().fields(ctx, nil, s.most(func(p string) { c.bound[p] = true }), "ls-files", "-z", "-c", "-i", "--exclude-standard")
		})
	}
	all.Wait()
	if _, failed := errs[3].(*gitError); failed {
		errs[3] = nil // the user's repository may be damaged
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	c.join(changed)
	return c, nil
}

// fields are pairs of a status and a path.
type fields []string

func (f *fields) add(field string) error {
	*f = append(*f, field)
	return nil
}

// join puts the answers together. A file that is ignored is in if the user tracks
// it, and one that is tracked is new if the index does not have it.
func (c *compared) join(changed fields) {
	for i := 0; i+1 < len(changed); i += 2 {
		status, path := changed[i], changed[i+1]
		if status == "D" {
			c.gone[path] = true
		} else {
			c.there[path] = true
		}
	}
	have := map[string]bool{}
	for _, path := range c.stale {
		have[path] = true
		if !c.bound[path] {
			c.gone[path] = true
			delete(c.there, path)
		}
	}
	for path := range c.bound {
		if !have[path] {
			c.there[path] = false
		}
	}
}

// others finds what is new. Folders that cannot be opened are left out.
func (s *Store) others(ctx context.Context, git program, c *compared) error {
	args := []string{"ls-files", "-z", "-o", "--exclude-standard"}
	cmd, said := git.command(ctx, args)
	out := &splitter{each: s.most(func(p string) { c.there[p] = false })}
	cmd.Stdout = out
	err := git.failed(ctx, args, said, cmd.Run())
	if out.err != nil {
		return out.err
	}
	for line := range strings.Lines(said.String()) {
		dir, ok := strings.CutPrefix(strings.TrimSpace(line), "warning: could not open directory '")
		dir, _, ended := strings.Cut(dir, "': ")
		if dir = strings.TrimSuffix(dir, "/"); ok && ended {
			c.left[dir] = LeftOut{Path: dir, Why: Unreadable}
		}
	}
	return err
}

// most returns a function that takes up to as many paths as a snapshot may have
// files.
func (s *Store) most(each func(string)) func(string) error {
	n := int64(0)
	return func(path string) error {
		if n++; n > s.limits.Of(limit.SnapshotFiles) {
			return s.tooMany(1)
		}
		if !protected(path) {
			each(path)
		}
		return nil
	}
}

func (s *Store) tooMany(cut int64) error {
	return &RefusedError{s.limits.Hit(limit.SnapshotFiles, s.root+" has too many files that git would track", cut, "")}
}

// sort decides what becomes of a file that is new or changed.
func (s *Store) sort(out *found, path string, known bool) error {
	why, size, err := s.fit(path)
	switch {
	case err != nil:
		return err
	case why == "":
		out.add, out.bytes = append(out.add, path), out.bytes+size
		return nil
	case why != gone:
		path = strings.TrimSuffix(path, "/")
		out.left[path] = LeftOut{Path: path, Why: why, Bytes: size}
	}
	if known {
		out.remove = append(out.remove, path)
	}
	return nil
}

// gone is the reason for a file that is there no longer.
const gone Reason = "gone"

// fit says why a file is not in a snapshot, "" if it is, and how large it is.
func (s *Store) fit(path string) (Reason, int64, error) {
	if strings.HasSuffix(path, "/") {
		return Repository, 0, nil
	}
	info, err := os.Lstat(filepath.Join(s.root, filepath.FromSlash(path)))
	switch {
	case missing(err):
		return gone, 0, nil
	case errors.Is(err, fs.ErrPermission):
		return Unreadable, 0, nil
	case err != nil:
		return "", 0, err
	case info.IsDir():
		return gone, 0, nil // it became one just now
	case info.Mode()&fs.ModeSymlink == 0 && !info.Mode().IsRegular():
		return Special, 0, nil
	case info.Size() > s.limits.Of(limit.SnapshotFile):
		return TooLarge, info.Size(), nil
	}
	return "", info.Size(), nil
}

// bounded holds what is new against the limits for a whole snapshot.
func (s *Store) bounded(f found) error {
	idx, err := s.index()
	if err != nil {
		return err
	}
	if over := int64(idx.files+len(f.add)-len(f.remove)) - s.limits.Of(limit.SnapshotFiles); over > 0 && len(f.add) > 0 {
		return s.tooMany(over)
	}
	if over := f.bytes - s.limits.Of(limit.SnapshotBytes); over > 0 {
		return &RefusedError{s.limits.Hit(limit.SnapshotBytes, "too much of "+s.root+" is new", over, "")}
	}
	return nil
}

// protected reports whether a path is not ours to keep or to touch: it leads into
// a folder that makes programs run, or out of the root, or to a file that is on
// its way to its place.
func protected(path string) bool {
	for part := range strings.SplitSeq(strings.TrimSuffix(path, "/"), "/") {
		switch {
		case part == "", part == ".", part == "..", strings.EqualFold(part, ".git"), strings.EqualFold(part, ".longrein"):
			return true
		case len(part) == len(beside)+26 && strings.HasPrefix(part, beside):
			return true
		}
	}
	return false
}

// beside begins the names of files on their way to their places, also of those that
// the file tools write; 26 letters follow.
const beside = ".longrein-"

