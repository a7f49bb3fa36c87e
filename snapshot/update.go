package snapshot

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// batch is how many files are stored at once. What is stored stays when the next
// batch is interrupted.
const batch = 4096

// packFrom is how many files make a pack of their own instead of a file each.
const packFrom = 64

// update brings the index in line with the folder, and stores what is new.
func (s *Store) update(ctx context.Context, l layout, f found) error {
	git := s.at(l)
	if len(f.remove) > 0 {
		slices.Sort(f.remove)
		if err := git.run(ctx, list(f.remove), nil, "update-index", "--force-remove", "-z", "--stdin"); err != nil {
			return err
		}
	}
	slices.Sort(f.add)
	for some := range slices.Chunk(f.add, batch) {
		if err := s.add(ctx, git, some, f.left); err != nil {
			return err
		}
	}
	return nil
}

// add stores files. One that cannot be stored for its own reasons, which may come
// and go while others write to it, is found by halves and left out.
func (s *Store) add(ctx context.Context, git program, paths []string, left leftOuts) error {
	store := git
	if len(paths) >= packFrom { // fixed: stored in another way, and all of them
		store = git.with("-c", "core.bigFileThreshold=1")
	}
	err := store.run(ctx, list(paths), nil, "update-index", "--add", "--remove", "--replace", "-z", "--stdin")
	if err == nil || !errors.As(err, new(*gitError)) {
		return err
	}
	if n := len(paths); n > 1 {
		if err := s.add(ctx, git, paths[:n/2], left); err != nil {
			return err
		}
		return s.add(ctx, git, paths[n/2:], left)
	}
	if s.readable(paths[0]) {
		return err
	}
	left[paths[0]] = LeftOut{Path: paths[0], Why: Unreadable}
	return git.run(ctx, list(paths), nil, "update-index", "--force-remove", "-z", "--stdin")
}

// readable reports whether a file can be opened, so that it is not for its sake
// that it could not be stored.
func (s *Store) readable(path string) bool {
	name := filepath.Join(s.root, filepath.FromSlash(path))
	if _, err := os.Readlink(name); err == nil {
		return true
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	return f.Close() == nil
}

// list is paths as git reads them.
func list(paths []string) *strings.Reader {
	return strings.NewReader(strings.Join(paths, "\x00") + "\x00")
}

// The parts of a snapshot's tree.
const (
	filesPart = "files"
	leftPart  = "left-out"
)

// writeTree stores the index and what is left out as one tree.
func (s *Store) writeTree(ctx context.Context, l layout, left leftOuts) (string, error) {
	idx, err := s.index()
	if err != nil {
		return "", err
	}
	git := s.at(l)
	var files string
	switch {
	case idx.files == 0:
		files, err = git.text(ctx, strings.NewReader(""), "mktree")
	case l.Prefix == "":
		files, err = git.text(ctx, nil, "write-tree")
	default:
		files, err = git.text(ctx, nil, "write-tree", "--prefix="+l.Prefix)
	}
	if err != nil {
		return "", err
	}
	blob, err := git.text(ctx, strings.NewReader(left.encode()), "hash-object", "-w", "--stdin", "--no-filters")
	if err != nil {
		return "", err
	}
	tree := "040000 tree " + files + "\t" + filesPart + "\n100644 blob " + blob + "\t" + leftPart + "\n"
	return git.text(ctx, strings.NewReader(tree), "mktree")
}
