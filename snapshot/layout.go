package snapshot

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// layout is how the store's folder lies in a repository of the user's. Git looks
// at the files from the top of it, so that what is ignored there is ignored here.
type layout struct {
	Top    string // of the user's repository, or the folder itself where there is none
	Prefix string // the folder seen from Top, with a slash at its end; "" for Top itself
	// Excludes is the file of the user's with patterns for all repositories, ""
	// for git's own choice.
	Excludes string
	// own and index are the repository's file with patterns of its own, and its
	// index; "" if there is no repository.
	own, index string
}

// users is git as the user runs it in the folder, for looking only.
func (s *Store) users() program {
	env := environment()
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "GIT_CONFIG_") {
			env = append(env, v)
		}
	}
	return program{path: s.git.path, dir: s.root, env: env}
}

// layout finds out how the folder lies. A folder that the repository around it
// ignores is taken for one outside of it: its files are wanted nevertheless.
func (s *Store) layout(ctx context.Context) (layout, error) {
	l := layout{Top: s.root}
	git := s.users()
	var err error
	if l.Excludes, err = said(git.text(ctx, nil, "config", "--type=path", "--get", "core.excludesFile")); err != nil {
		return l, err
	}
	found, err := said(git.text(ctx, nil, "rev-parse", "--show-toplevel", "--show-prefix", "--git-path", "info/exclude", "--git-path", "index"))
	lines := strings.Split(found, "\n")
	if err != nil || len(lines) != 4 || lines[0] == "" {
		return l, err
	}
	if lines[1] != "" {
		ignored, err := answered(git.run(ctx, nil, nil, "check-ignore", "--no-index", "-q", "."))
		if err != nil || ignored {
			return l, err
		}
	}
	l.Top, l.Prefix, l.own, l.index = filepath.FromSlash(lines[0]), lines[1], s.absolute(lines[2]), s.absolute(lines[3])
	return l, nil
}

func (s *Store) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(s.root, path)
}

// around returns the folders around the root up to the top, the top first, as seen
// from there.
func (l layout) around() []string {
	var dirs []string
	for i, c := range l.Prefix {
		if c == '/' {
			dirs = append(dirs, path.Dir(l.Prefix[:i]))
		}
	}
	return dirs
}

// rules is a checksum that changes when anything outside of the root changes that
// says what is ignored or tracked.
func (l layout) rules() string {
	names := []string{l.own, l.index, l.Excludes}
	if l.Excludes == "" {
		names[2] = defaultExcludes()
	}
	for _, dir := range l.around() {
		names = append(names, filepath.Join(l.Top, filepath.FromSlash(dir), ignoreFile))
	}
	h := sha256.New()
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			fmt.Fprintln(h, name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// defaultExcludes is the file that git takes where none is set.
func defaultExcludes() string {
	config := os.Getenv("XDG_CONFIG_HOME")
	if config == "" {
		config = filepath.Join(os.Getenv("HOME"), ".config")
	}
	return filepath.Join(config, "git", "ignore")
}

// said takes a git that failed for one that had nothing to say.
func said(text string, err error) (string, error) {
	if _, failed := err.(*gitError); failed {
		return "", nil
	}
	return text, err
}

// at returns the store's git for files that lie that way.
func (s *Store) at(l layout) program {
	git := s.git.with("--work-tree=" + l.Top)
	if l.Excludes != "" {
		git = git.with("-c", "core.excludesFile="+l.Excludes)
	}
	git.dir = s.root
	return git
}

// copyExcludes brings the store's own patterns in line with those of the user's
// repository.
func (s *Store) copyExcludes(l layout) error {
	var want []byte
	if l.own != "" {
		var err error
		if want, err = readSmall(l.own); err != nil && !missing(err) {
			return err
		}
	}
	for _, dir := range s.skip {
		want = append(want, "\n/"+literal(l.Prefix+dir)+"/\n"...)
	}
	name := s.path(gitDir, "info", "exclude")
	if have, err := os.ReadFile(name); err == nil && bytes.Equal(have, want) {
		return nil
	}
	return write(name, want)
}

// literal is a path as a pattern that matches only it.
func literal(path string) string {
	var b strings.Builder
	for _, c := range []byte(path) {
		if strings.IndexByte(`*?[]\ !#`, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}
