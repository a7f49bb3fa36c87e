package snapshot

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// ignoreFile is where git finds what to ignore in a folder.
const ignoreFile = ".gitignore"

// ignoredIn returns which of the paths a snapshot's own rules ignore. Git reads the
// rules from a folder, so they are put into one, and those of the folders around
// the root with them.
func (s *Store) ignoredIn(ctx context.Context, tree string, paths []string) ([]string, error) {
	l, err := s.layout(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(s.dir, rulesDir)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	own := filepath.Join(dir, filepath.FromSlash(l.Prefix))
	if err := s.rulesOf(ctx, tree, own); err != nil {
		return nil, err
	}
	if err := rulesAround(l, dir); err != nil {
		return nil, err
	}
	seen := l
	seen.Top = dir
	git := s.at(seen)
	git.dir = own
	return matched(ctx, git, paths)
}

// matched returns which of the paths git would ignore. The dot before each keeps
// git from finding a pattern in it.
func matched(ctx context.Context, git program, paths []string) ([]string, error) {
	var in strings.Builder
	for _, path := range paths {
		in.WriteString("./" + path + "\x00")
	}
	var ignored []string
	each := func(path string) error {
		ignored = append(ignored, strings.TrimPrefix(path, "./"))
		return nil
	}
	_, err := answered(git.fields(ctx, strings.NewReader(in.String()), each, "check-ignore", "--no-index", "-z", "--stdin"))
	return ignored, err
}

// rulesOf writes the rules in a snapshot to a folder.
func (s *Store) rulesOf(ctx context.Context, tree, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	hashes := map[string]string{}
	each := func(field string) error {
		meta, path, _ := strings.Cut(field, "\t")
		if f := strings.Fields(meta); len(f) == 3 && filepath.Base(path) == ignoreFile && f[0] != link && !protected(path) {
			hashes[path] = f[2]
		}
		return nil
	}
	if err := s.git.fields(ctx, nil, each, "ls-tree", "-r", "-z", tree+":"+filesPart); err != nil {
		return err
	}
	for path, hash := range hashes {
		name := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		if err := errors.Join(s.git.run(ctx, nil, f, "cat-file", "blob", hash), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// rulesAround copies the rules of the folders around the root, as they are now.
func rulesAround(l layout, dir string) error {
	for _, at := range l.around() {
		data, err := readSmall(filepath.Join(l.Top, filepath.FromSlash(at), ignoreFile))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.FromSlash(at), ignoreFile), data, 0o600)
		}
		if err != nil && !missing(err) {
			return err
		}
	}
	return nil
}

// readSmall reads a file with patterns, up to a size that none has.
func readSmall(name string) ([]byte, error) {
	const most = 16 << 20 // fixed: no file with patterns is as long
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}
