package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// refs is where the names of kept snapshots begin.
const refs = "refs/longrein/"

// checkThread refuses what cannot be a part of a ref's name.
func checkThread(id string) error {
	ok := id != "" && strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") == ""
	if !ok || strings.HasPrefix(id, "-") {
		return fmt.Errorf("%q is no thread's id", id)
	}
	return nil
}

// checkTree refuses what is not a snapshot's name.
func checkTree(tree string) error {
	if len(tree) != 40 || strings.Trim(tree, "0123456789abcdef") != "" || strings.Trim(tree, "0") == "" {
		return fmt.Errorf("%q names no snapshot", tree)
	}
	return nil
}

// Keep keeps snapshots for one more thread. A fork needs those of its parent when
// the parent is deleted. One that is not in the store is an error, and then none is
// kept.
func (s *Store) Keep(ctx context.Context, thread string, trees ...string) error {
	if err := checkThread(thread); err != nil {
		return err
	}
	s, unlock, err := s.locked(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if !s.exists() {
		return fmt.Errorf("keep snapshots of %s: %w", s.root, errNone)
	}
	return s.keep(ctx, thread, trees...)
}

func (s *Store) keep(ctx context.Context, thread string, trees ...string) error {
	var in strings.Builder
	for _, tree := range trees {
		if err := checkTree(tree); err != nil {
			return err
		}
		if _, err := os.Stat(s.path(gitDir, refs, thread, tree)); missing(err) {
			fmt.Fprintf(&in, "update %s%s/%s %s\n", refs, thread, tree, tree)
		}
	}
	if in.Len() == 0 {
		return nil
	}
	return s.updateRefs(ctx, in.String())
}

// updateRefs hands commands to git's update-ref. Where that fails, what a git that
// was killed left behind may be in its way.
func (s *Store) updateRefs(ctx context.Context, commands string) error {
	err := s.git.run(ctx, strings.NewReader(commands), nil, "update-ref", "--stdin")
	if !errors.As(err, new(*gitError)) {
		return err
	}
	if err := s.unlockRefs(); err != nil {
		return err
	}
	return s.git.run(ctx, strings.NewReader(commands), nil, "update-ref", "--stdin")
}

// unlockRefs removes git's locks of single refs, none of which is held.
func (s *Store) unlockRefs() error {
	return filepath.WalkDir(s.path(gitDir, "refs"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".lock" {
			return err
		}
		return os.Remove(name)
	})
}

// Drop lets go of a thread's snapshots. The space is given back by [Store.Collect],
// for those that no other thread keeps.
func (s *Store) Drop(ctx context.Context, thread string) error {
	if err := checkThread(thread); err != nil {
		return err
	}
	if !s.exists() {
		return nil
	}
	s, unlock, err := s.locked(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	for {
		names, err := s.git.text(ctx, nil, "for-each-ref", "--count=1000", "--format=delete %(refname)", refs+thread+"/")
		if err != nil || names == "" {
			return err
		}
		if err := s.updateRefs(ctx, names+"\n"); err != nil {
			return err
		}
	}
}

// Size returns how much the store takes on disk, in bytes.
func (s *Store) Size() (int64, error) {
	size := int64(0)
	err := filepath.WalkDir(s.dir, func(_ string, d fs.DirEntry, err error) error {
		if missing(err) {
			return nil // it went away meanwhile
		}
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		if missing(err) {
			return nil
		}
		return err
	})
	return size, err
}

// Collect gives space back: what no thread keeps is removed, and the rest is packed.
// A store that keeps nothing is removed altogether. It returns how many bytes there
// are less on disk; others wait until it is done.
func (s *Store) Collect(ctx context.Context) (freed int64, err error) {
	if _, err := os.Stat(s.dir); missing(err) {
		return 0, nil
	}
	s, unlock, err := s.locked(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	before, err := s.Size()
	if err != nil {
		return 0, err
	}
	if err := s.collect(ctx); err != nil {
		return 0, fmt.Errorf("collect the snapshots of %s: %w", s.root, err)
	}
	after, err := s.Size()
	return before - after, err
}

func (s *Store) collect(ctx context.Context) error {
	kept := ""
	if s.exists() {
		var err error
		if kept, err = s.git.text(ctx, nil, "for-each-ref", "--count=1", refs); err != nil {
			return err
		}
	}
	if kept == "" {
		return s.remove()
	}
	if err := s.unlockRefs(); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"pack-refs", "--all", "--prune"},
		{"repack", "-q", "-a", "-d", "-l", "--window-memory=64m", "--threads=1"},
		{"prune", "--expire=now"},
	} {
		if err := s.git.run(ctx, nil, nil, args...); err != nil {
			return err
		}
	}
	return nil
}

// Check reads all that the store keeps and compares it with its hashes. The error
// says what is damaged; a store that was never used is in order.
func (s *Store) Check(ctx context.Context) error {
	if !s.exists() {
		return nil
	}
	s, unlock, err := s.locked(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.git.run(ctx, nil, nil, "fsck", "--full", "--strict", "--no-dangling", "--no-progress"); err != nil {
		return fmt.Errorf("check the snapshots of %s: %w", s.root, err)
	}
	return nil
}

// remove removes the store, its lock last.
func (s *Store) remove() error {
	for _, name := range []string{gitDir, gitDir + ".new", stateFile, stateFile + ".new", rootFile, rootFile + ".new", lockFile} {
		if err := os.RemoveAll(s.path(name)); err != nil {
			return err
		}
	}
	return os.Remove(s.dir)
}
