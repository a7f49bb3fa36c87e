package snapshot

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// everything returns all that a folder holds, with contents, modes and times.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all[name] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(name)
			all[name] += string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// paths returns what a snapshot holds.
func (s *Store) paths(t *testing.T, tree string) []string {
	t.Helper()
	var all []string
	err := s.git.fields(t.Context(), nil, func(p string) error { all = append(all, p); return nil }, "ls-tree", "-r", "-z", "--name-only", tree+":"+filesPart)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// working is a repository with something of everything: commits, a stash, an index
// that differs, a hook.
func working(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	git(t, root, "init", "-q")
	put(t, root, map[string]string{"a": "1", "b": "1", "forced.log": "1", "sub/c": "1", ".gitignore": "*.log\n/tmp/\n"})
	git(t, root, "add", "-f", ".")
	git(t, root, "commit", "-qm", "first")
	put(t, root, map[string]string{"a": "stashed"})
	git(t, root, "stash", "-q")
	put(t, root, map[string]string{"a": "staged"})
	git(t, root, "add", "a")
	put(t, root, map[string]string{
		"a": "changed", "untracked": "1", "own": "1", "mine": "1", "sub/own": "1", "loose.log": "1", "tmp/t": "1",
		".git/info/exclude": "own\n", ".git/hooks/post-index-change": "#!/bin/sh\ntouch " + root + "/hooked\n", ".longrein/config.toml": "",
	})
	return root
}

func TestTheUsersRepositoryStaysAsItIs(t *testing.T) {
	root := working(t)
	s := openedAt(t, root, nil)
	put(t, os.Getenv("HOME"), map[string]string{".gitconfig": "[core]\nexcludesFile = ~/mine\n", "mine": "mine\n"})
	was := everything(t, filepath.Join(root, ".git"))

	taken := take(t, s)
	same(t, "paths", s.paths(t, taken.Tree), []string{".gitignore", "a", "b", "forced.log", "sub/c", "untracked"})
	put(t, root, map[string]string{"a": "2", "forced.log": "x", "sub": "x", "untracked": "2"})
	after := take(t, s)
	restored(t, s, planned(t, s, Span{taken.Tree, after.Tree}), false)
	same(t, "as before", take(t, s), taken)
	same(t, ".git", everything(t, filepath.Join(root, ".git")), was)
	if files(t, root)["forced.log"] != "1" {
		t.Error("a tracked file that is ignored was not put back")
	}
}

func TestAFolderInsideOfARepository(t *testing.T) {
	top := working(t)
	put(t, top, map[string]string{"sub/x.log": "1", "sub/tmp/t": "1", "sub/.gitignore": "deep\n", "sub/deep/d": "1", "other": "1"})
	s := openedAt(t, filepath.Join(top, "sub"), nil)
	taken := take(t, s)
	same(t, "paths", s.paths(t, taken.Tree), []string{".gitignore", "c", "tmp/t"})

	put(t, s.root, map[string]string{"c": "2", "new": "n", ".gitignore": "", "later.log": "1"})
	after := take(t, s)
	p := planned(t, s, Span{taken.Tree, after.Tree})
	same(t, "left", p.Left, []LeftOut{{Path: "deep/d", Why: Ignored}})
	restored(t, s, p, false)
	same(t, "as before", take(t, s), taken)
	same(t, "the files around it", files(t, top)["a"], "changed")
}

func TestAFolderThatTheRepositoryIgnores(t *testing.T) {
	top := working(t)
	s := openedAt(t, filepath.Join(top, "tmp"), nil)
	same(t, "paths", s.paths(t, take(t, s).Tree), []string{"t"})
}

func TestARepositoryIsMadeLater(t *testing.T) {
	s := opened(t, map[string]string{"a": "1", "sub/b": "1"}, nil)
	sub, err := Open(filepath.Dir(s.dir), filepath.Join(s.root, "sub"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	first, inner := take(t, s), take(t, sub)
	git(t, s.root, "init", "-q")
	same(t, "the same", take(t, s), first)
	same(t, "the same below", take(t, sub), inner)
}

func TestNestedRepositoriesAreLeftOut(t *testing.T) {
	s := opened(t, map[string]string{"a": "1", "in/x": "1", "deep/in/x": "1", "empty/.git/x": ""}, nil)
	git(t, filepath.Join(s.root, "in"), "init", "-q")
	git(t, filepath.Join(s.root, "deep/in"), "init", "-q")
	git(t, filepath.Join(s.root, "deep/in"), "add", ".")
	git(t, filepath.Join(s.root, "deep/in"), "commit", "-qm", "m")
	taken := take(t, s)
	same(t, "paths", s.paths(t, taken.Tree), []string{"a"})
	same(t, "left out", taken.LeftOut, []LeftOut{{Path: "deep/in", Why: Repository}, {Path: "in", Why: Repository}})

	put(t, s.root, map[string]string{"in/.git": "x", "b": "1"})
	after := take(t, s)
	restored(t, s, planned(t, s, Span{taken.Tree, after.Tree}), false)
	if now := files(t, s.root); now["in/x"] != "1" || now["b"] != "" {
		t.Errorf("got %v", now)
	}
}

func TestBytesAreKeptWhateverAttributesSay(t *testing.T) {
	before := map[string]string{
		".gitattributes": "* text=auto eol=crlf\n*.id ident\n*.u working-tree-encoding=UTF-16LE\n*.f filter=f\n",
		"crlf":           "a\r\nb\nc\r\n", "x.id": "$Id$\n", "y.u": "h\x00i\x00", "z.f": "secret", "bin": "\x00\xff\r\n",
	}
	s := opened(t, before, nil)
	git(t, s.root, "init", "-q")
	git(t, s.root, "config", "core.autocrlf", "true")
	git(t, s.root, "config", "filter.f.clean", "tr a-z A-Z")
	git(t, s.root, "config", "filter.f.smudge", "tr a-z A-Z")
	was := take(t, s)
	after := map[string]string{}
	for name := range before {
		after[name] = "other"
	}
	put(t, s.root, after)
	is := take(t, s)
	restored(t, s, planned(t, s, Span{was.Tree, is.Tree}), false)
	now := files(t, s.root)
	for name, text := range before {
		same(t, name, now[name], text)
	}
}

func TestProtectedPaths(t *testing.T) {
	for path, want := range map[string]bool{
		"a": false, "a/b.git/c": false, ".gitignore": false, "-x": false, " ": false, "a\nb": false, "...": false,
		".longrein-x": false, ".git": true, "a/.GIT/hooks": true, ".longrein/config.toml": true, "../a": true, "a/../b": true,
		"": true, "/a": true, "a//b": true, "a/.longrein-ABCDEFGHIJKLMNOPQRSTUVWXYZ": true,
	} {
		if got := protected(path); got != want {
			t.Errorf("protected(%q) = %v", path, got)
		}
	}
}

func TestUnusualNames(t *testing.T) {
	names := []string{"with space", "new\nline", "-rf", "--help", ":(top)x", "quo\"te", "back\\slash", "ünï", "dé\u0301", "*", "a?", "[b]", "#c", "!d", "\xff\xfe", "git~1", "..a", "a..", "con", "\t", "tail "}
	long := make([]byte, 255)
	for i := range long {
		long[i] = 'n'
	}
	names = append(names, string(long), "deep/"+string(long)+"/"+string(long))
	before := map[string]string{}
	for i, name := range names {
		before[name] = fmt.Sprint(i)
	}
	s := opened(t, before, nil)
	was := take(t, s)
	same(t, "files", was.Files, len(names))
	for _, name := range names {
		put(t, s.root, map[string]string{name: "x"})
	}
	put(t, s.root, map[string]string{":(exclude)y": "1", "\xfd": "2"})
	is := take(t, s)
	restored(t, s, planned(t, s, Span{was.Tree, is.Tree}), false)
	same(t, "files", files(t, s.root), before)
	slices.Sort(names)
	same(t, "paths", s.paths(t, take(t, s).Tree), names)
}
