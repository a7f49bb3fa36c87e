package snapshot

import (
	"bytes"
	"context"
	"os"
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
	own      string // the repository's file with patterns of its own, "" if there is no repository
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
	found, err := said(git.text(ctx, nil, "rev-parse", "--show-toplevel", "--show-prefix", "--git-path", "info/exclude"))
	lines := strings.Split(found, "\n")
	if err != nil || len(lines) != 3 || lines[0] == "" {
		return l, err
	}
	if lines[1] != "" {
		ignored, err := answered(git.run(ctx, nil, nil, "check-ignore", "--no-index", "-q", "."))
		if err != nil || ignored {
			return l, err
		}
	}
	l.Top, l.Prefix, l.own = filepath.FromSlash(lines[0]), lines[1], lines[2]
	if !filepath.IsAbs(l.own) {
		l.own = filepath.Join(s.root, l.own)
	}
	return l, nil
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
	name := s.path(gitDir, "info", "exclude")
	if have, err := os.ReadFile(name); err == nil && bytes.Equal(have, want) {
		return nil
	}
	return write(name, want)
}
