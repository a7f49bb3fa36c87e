package environ

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/longrein/longrein/limit"
)

func TestGit(t *testing.T) {
	other := strings.Repeat("f", 64)
	for name, c := range map[string]struct {
		files map[string]string
		want  Repository
	}{
		"a branch":               {map[string]string{".git/HEAD": "ref: refs/heads/a/b\n", ".git/refs/heads/a/b": aCommit + "\n"}, Repository{Branch: "a/b", Commit: aCommit}},
		"a packed branch":        {map[string]string{".git/HEAD": "ref: refs/heads/main", ".git/packed-refs": "# pack-refs with: peeled\n" + other + " refs/heads/not/refs/heads/main\n" + aCommit + " refs/heads/main\n^" + other + "\n"}, Repository{Branch: "main", Commit: aCommit}},
		"before the first":       {map[string]string{".git/HEAD": "ref: refs/heads/main\n"}, Repository{Branch: "main"}},
		"a commit":               {map[string]string{".git/HEAD": other + "\n"}, Repository{Commit: other}},
		"a ref to a ref":         {map[string]string{".git/HEAD": "ref: refs/heads/x\n", ".git/refs/heads/x": "ref: refs/heads/y\n", ".git/refs/heads/y": aCommit}, Repository{Branch: "x", Commit: aCommit}},
		"a ref to itself":        {map[string]string{".git/HEAD": "ref: refs/heads/x\n", ".git/refs/heads/x": "ref: refs/heads/x\n"}, Repository{Branch: "x"}},
		"reftables":              {map[string]string{".git/HEAD": "ref: refs/heads/.invalid\n"}, Repository{}},
		"a ref out of git":       {map[string]string{".git/HEAD": "ref: refs/../../secret\n", "secret": aCommit}, Repository{}},
		"a ref with white space": {map[string]string{".git/HEAD": "ref: refs/heads/a b\n"}, Repository{}},
		"no ref":                 {map[string]string{".git/HEAD": "nonsense"}, Repository{}},
		"a linked work tree": {map[string]string{
			".git": "gitdir: main/.git/worktrees/w\n", "main/.git/worktrees/w/HEAD": "ref: refs/heads/w\n",
			"main/.git/worktrees/w/commondir": "../..\n", "main/.git/refs/heads/w": aCommit,
		}, Repository{Branch: "w", Commit: aCommit}},
	} {
		root := tree(t, c.files)
		write(t, filepath.Join(root, "sub/dir/file"), "")
		c.want.Root = root
		if got := Git(filepath.Join(root, "sub/dir")); got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, c.want)
		}
	}
}

func TestWhatOnlyLooksLikeARepositoryIsNone(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"an empty folder .git":      {".git/x": ""},
		"a file .git without aim":   {".git": "hello"},
		"a file .git that leads on": {".git": "gitdir: /does/not/exist"},
	} {
		root := tree(t, files)
		if got := Git(root); got.Root == root {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestTheStateIsWhatGitSays(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	root := tree(t, map[string]string{"file": "x"})
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=n", "-c", "user.email=e"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q", "-b", "trunk")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	check := func(when, branch string) {
		t.Helper()
		want := Repository{Root: root, Branch: branch, Commit: git("rev-parse", "HEAD")}
		if got := Git(root); got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", when, got, want)
		}
	}
	check("after a commit", "trunk")
	git("pack-refs", "--all")
	check("after packing", "trunk")
	git("commit", "-q", "--allow-empty", "-m", "second")
	check("with a loose ref over a packed one", "trunk")
	git("worktree", "add", "-q", "-b", "side", filepath.Join(root, "tree"))
	if got := Git(filepath.Join(root, "tree")); got.Branch != "side" || got.Commit != git("rev-parse", "side") || got.Root != filepath.Join(root, "tree") {
		t.Errorf("in a work tree: got %+v", got)
	}
	git("checkout", "-q", "--detach")
	check("with a commit checked out", "")
}

func TestALongListOfRefsIsReadInPart(t *testing.T) {
	refs := strings.Repeat(aCommit+" refs/tags/x\n", 100) + aCommit + " refs/heads/main\n"
	root := tree(t, map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/packed-refs": refs})
	in := look(t, Options{Cwd: root, Limits: limit.Set{limit.GitRefs.Name: 1000}})
	if in.Commit != "" || len(in.Hits) != 1 || in.Hits[0].Cut != int64(len(refs))-1000 || in.Hits[0].Where != filepath.Join(root, ".git/packed-refs") {
		t.Errorf("got %+v, %+v", in.Repository, in.Hits)
	}
}

func TestAPipeInPlaceOfAGitFileIsNotWaitedFor(t *testing.T) {
	root := tree(t, map[string]string{".git/x": ""})
	if err := syscall.Mkfifo(filepath.Join(root, ".git/HEAD"), 0o600); err != nil {
		t.Skip(err)
	}
	done := make(chan Repository, 1)
	go func() { done <- Git(root) }()
	select {
	case got := <-done:
		if got.Root == root {
			t.Errorf("got %+v", got)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it waits")
	}
}

func FuzzGit(f *testing.F) {
	f.Add("ref: refs/heads/main\n", aCommit+" refs/heads/main\n")
	f.Add("gitdir: ..", "ref: refs/heads/../..")
	f.Fuzz(func(t *testing.T, head, packed string) {
		root := tree(t, map[string]string{".git/HEAD": head, ".git/packed-refs": packed})
		got := Git(root)
		if got.Root != root || got.Commit != hash(got.Commit) || strings.ContainsAny(got.Branch, "\n \x00") {
			t.Errorf("got %+v", got)
		}
	})
}
