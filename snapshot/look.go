package snapshot

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
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
	rules  string // see [state]
}

// look compares the folder with the index. It says nothing of files that did not
// change.
func (s *Store) look(ctx context.Context, l layout) (found, error) {
	c, err := s.compare(ctx, l)
	if err != nil {
		return found{}, err
	}
	out := found{left: c.left, rules: l.rules() + strings.Join(s.skip, "\x00")}
	if s.last().Rules != out.rules || c.newRules() {
		if err := s.ruled(ctx, l, c); err != nil {
			return found{}, err
		}
	}
	for path := range c.gone {
		out.remove = append(out.remove, path)
	}
	for path, known := range c.there {
		if err := s.sort(&out, path, known); err != nil {
			return found{}, err
		}
	}
	if len(c.gone) > 0 || c.absent {
		out.rules = "" // what is tracked though ignored would not be missed when it comes back
	}
	return out, s.bounded(out)
}

// compared is what several runs of git say. Most folders have little of each.
type compared struct {
	gone   map[string]bool
	there  map[string]bool // true for those in the index, which changed; false for new ones
	left   leftOuts
	absent bool // something that the user tracks though it is ignored is not there
}

// compare asks two questions at once, each about all files: what changed, and what
// is new.
func (s *Store) compare(ctx context.Context, l layout) (*compared, error) {
	c := &compared{gone: map[string]bool{}, there: map[string]bool{}, left: leftOuts{}}
	git := s.at(l)
	var changed []string // a status and a path, by turns
	each := func(field string) error {
		changed = append(changed, field)
		return nil
	}
	errs := make([]error, 2)
	var both sync.WaitGroup
	both.Go(func() {
		errs[0] = git.fields(ctx, nil, each, "diff-files", "-z", "--relative", "--name-status", "--ignore-submodules=all")
	})
	both.Go(func() { errs[1] = s.others(ctx, git, c) })
	both.Wait()
	for pair := range slices.Chunk(changed, 2) {
		if pair[0] == "D" {
			c.gone[pair[1]] = true
		} else {
			c.there[pair[1]] = true
		}
	}
	return c, errors.Join(errs...)
}

// newRules reports whether a file changed that says what is ignored.
func (c *compared) newRules() bool {
	for _, paths := range []map[string]bool{c.gone, c.there} {
		for p := range paths {
			if path.Base(p) == ignoreFile {
				return true
			}
		}
	}
	return false
}

// ruled takes what is ignored now out of the snapshot, and what of it the user
// tracks nevertheless into it.
func (s *Store) ruled(ctx context.Context, l layout, c *compared) error {
	ignored, err := s.ignored(ctx, s.at(l))
	if err != nil {
		return err
	}
	tracked := map[string]bool{}
	if l.own != "" {
		tracked, err = s.ignored(ctx, s.users())
		if _, failed := err.(*gitError); err != nil && !failed { // the user's repository may be damaged
			return err
		}
	}
	for path := range ignored {
		if !tracked[path] {
			c.gone[path] = true
			delete(c.there, path)
		}
	}
	for path := range tracked {
		if ignored[path] || s.skips(path) {
			continue
		}
		c.there[path] = false
		if _, err := os.Lstat(filepath.Join(s.root, filepath.FromSlash(path))); err != nil {
			c.absent = true
		}
	}
	return nil
}

// skips reports whether a path lies in a folder that no snapshot holds.
func (s *Store) skips(path string) bool {
	return slices.ContainsFunc(s.skip, func(dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") })
}

// ignored returns what is in an index and would be ignored.
func (s *Store) ignored(ctx context.Context, git program) (map[string]bool, error) {
	all := map[string]bool{}
	err := git.fields(ctx, nil, s.most(func(p string) { all[p] = true }), "ls-files", "-z", "-c", "-i", "--exclude-standard")
	return all, err
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
		if !protected(path) && !s.skips(path) {
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
