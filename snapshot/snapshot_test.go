package snapshot

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

func TestMain(m *testing.M) {
	// A draw runs git some thirty times; -rapid.checks asks for more of them.
	if err := flag.Set("rapid.checks", "20"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// opened returns the store of a folder with files in it.
func opened(t testing.TB, files map[string]string, set limit.Set) *Store {
	t.Helper()
	root := filepath.Join(t.TempDir(), "root")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, root, files)
	return openedAt(t, root, set)
}

func openedAt(t testing.TB, root string, set limit.Set) *Store {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	s, err := Open(filepath.Join(t.TempDir(), "snapshots"), root, Options{Limits: set})
	if errors.Is(err, ErrNoGit) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// put writes files. A text that begins with "-> " makes a link, one that begins
// with "#!" an executable, and "x" removes.
func put(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
		if text == "x" {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(text, "#!") {
			mode = 0o755
		}
		var err error
		if target, ok := strings.CutPrefix(text, "-> "); ok {
			err = os.Symlink(target, name)
		} else {
			err = os.WriteFile(name, []byte(text), mode)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// files returns what lies in a folder, as put takes it.
func files(t testing.TB, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		path, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		all[filepath.ToSlash(path)] = standing(t, name, d)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func standing(t testing.TB, name string, d fs.DirEntry) string {
	t.Helper()
	if target, err := os.Readlink(name); err == nil {
		return "-> " + target
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	info, err := d.Info()
	if err != nil {
		t.Fatal(err)
	}
	if x := info.Mode()&0o100 != 0; x != strings.HasPrefix(string(text), "#!") && runtime.GOOS != "windows" {
		return string(text) + " (executable: " + map[bool]string{true: "yes", false: "no"}[x] + ")"
	}
	return string(text)
}

func take(t testing.TB, s *Store) Taken {
	t.Helper()
	taken, err := s.Take(t.Context(), "thread-1")
	if err != nil {
		t.Fatal(err)
	}
	return taken
}

func planned(t testing.TB, s *Store, spans ...Span) Plan {
	t.Helper()
	p, err := s.Plan(t.Context(), spans...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func restored(t testing.TB, s *Store, p Plan, force bool) Restored {
	t.Helper()
	r, err := s.Restore(t.Context(), p, force)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// git runs the program as a user would.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestATurnIsTakenBack(t *testing.T) {
	before := map[string]string{"a.go": "one", "dir/b": "two", "run": "#!sh", "link": "-> a.go", "same": "s"}
	s := opened(t, before, nil)
	was := take(t, s)
	put(t, s.root, map[string]string{"a.go": "changed", "dir": "x", "new/deep/c": "three", "run": "sh", "link": "-> same"})
	is := take(t, s)

	p := planned(t, s, Span{was.Tree, is.Tree})
	same(t, "changes", p.Changes, []longrein.FileChange{
		{Path: "a.go", Op: longrein.FileModified},
		{Path: "dir/b", Op: longrein.FileAdded},
		{Path: "link", Op: longrein.FileModified},
		{Path: "new/deep/c", Op: longrein.FileRemoved},
		{Path: "run", Op: longrein.FileModified},
	})
	same(t, "conflicts", p.Conflicts, []Conflict(nil))
	same(t, "restored", restored(t, s, p, false).Changed, p.Changes)
	same(t, "files", files(t, s.root), before)
	if _, err := os.Stat(filepath.Join(s.root, "new")); !missing(err) {
		t.Error("the folder that was emptied is still there")
	}
	same(t, "the same files have the same name", take(t, s), was)

	redo := planned(t, s, Span{is.Tree, was.Tree})
	restored(t, s, redo, false)
	same(t, "redone", take(t, s).Tree, is.Tree)
}

func TestSnapshotsNameTheContent(t *testing.T) {
	s := opened(t, map[string]string{"a": "1"}, nil)
	first := take(t, s)
	same(t, "nothing changed", take(t, s), first)
	put(t, s.root, map[string]string{"a": "2"})
	if second := take(t, s); second.Tree == first.Tree {
		t.Error("another content has the same name")
	}
	put(t, s.root, map[string]string{"a": "1"})
	same(t, "as at first", take(t, s), first)
	same(t, "files", first.Files, 1)
}

func TestEditsSinceAreConflicts(t *testing.T) {
	before := map[string]string{"both": "1", "theirs": "1", "deleted": "1", "kept": "1", "dir": "1"}
	s := opened(t, before, nil)
	was := take(t, s)
	put(t, s.root, map[string]string{"both": "2", "deleted": "x", "made": "2", "gone": "2", "dir": "x"})
	is := take(t, s)
	put(t, s.root, map[string]string{"both": "3", "theirs": "3", "deleted": "3", "made": "3", "gone": "x", "dir/file": "3"})
	now := files(t, s.root)

	p := planned(t, s, Span{was.Tree, is.Tree})
	want := []Conflict{
		{Path: "both", What: "changed since"},
		{Path: "deleted", What: "made since"},
		{Path: "dir", What: "a folder is there now", Fixed: true},
		{Path: "made", What: "changed since"},
	}
	same(t, "conflicts", p.Conflicts, want)
	_, err := s.Restore(t.Context(), p, false)
	var refused *ConflictError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), `both (changed since)`) {
		t.Fatalf("got error %v, want conflicts", err)
	}
	same(t, "files after the refusal", files(t, s.root), now)

	r := restored(t, s, p, true)
	same(t, "skipped", r.Skipped, want[2:3])
	same(t, "files", files(t, s.root), map[string]string{"both": "1", "theirs": "3", "deleted": "1", "kept": "1", "dir/file": "3"})
}

func TestAnEditBetweenTwoTurnsIsAConflict(t *testing.T) {
	s := opened(t, map[string]string{"a": "1", "b": "1", "c": "1"}, nil)
	first := Span{Before: take(t, s).Tree}
	put(t, s.root, map[string]string{"a": "2", "b": "2"})
	first.After = take(t, s).Tree
	put(t, s.root, map[string]string{"a": "mine", "c": "mine"})
	second := Span{Before: take(t, s).Tree}
	put(t, s.root, map[string]string{"a": "3", "b": "3"})
	second.After = take(t, s).Tree

	p := planned(t, s, first, second)
	same(t, "conflicts", p.Conflicts, []Conflict{{Path: "a", What: "changed between the turns"}})
	same(t, "conflicts of the second", planned(t, s, second).Conflicts, []Conflict(nil))
	restored(t, s, p, true)
	same(t, "files", files(t, s.root), map[string]string{"a": "1", "b": "1", "c": "mine"})
}

func TestWhatIsIgnoredIsLeftAlone(t *testing.T) {
	s := opened(t, map[string]string{".gitignore": "*.log\nout/\n", "a": "1", "x.log": "l", "out/o": "o"}, nil)
	was := take(t, s)
	same(t, "files", was.Files, 2)
	put(t, s.root, map[string]string{".gitignore": "nothing\n", "y": "2"}) // x.log shows up now
	is := take(t, s)
	same(t, "files with the ones no longer ignored", is.Files, 5)
	p := planned(t, s, Span{was.Tree, is.Tree})
	same(t, "left", p.Left, []LeftOut{{Path: "out/o", Why: Ignored}, {Path: "x.log", Why: Ignored}})
	restored(t, s, p, false)
	same(t, "files", files(t, s.root), map[string]string{".gitignore": "*.log\nout/\n", "a": "1", "x.log": "l", "out/o": "o"})
	same(t, "what is ignored again is out", take(t, s), was)
}

func TestWhatIsTooLargeIsLeftAlone(t *testing.T) {
	set := limit.Set{limit.SnapshotFile.Name: 10}
	s := opened(t, map[string]string{"big": strings.Repeat("b", 11), "small": "1"}, set)
	was := take(t, s)
	same(t, "left out", was.LeftOut, []LeftOut{{Path: "big", Why: TooLarge, Bytes: 11}})
	same(t, "hits", was.Hits, []longrein.LimitHit{set.Hit(limit.SnapshotFile, "left out of the snapshot, and so of undo: big", 11, "")})
	put(t, s.root, map[string]string{"big": "shrunk", "small": strings.Repeat("s", 12)})
	is := take(t, s)
	p := planned(t, s, Span{was.Tree, is.Tree})
	same(t, "left", p.Left, []LeftOut{{Path: "big", Why: TooLarge}})
	same(t, "conflicts", p.Conflicts, []Conflict{{Path: "small", What: "something is there that is in no snapshot"}})
	restored(t, s, p, true)
	same(t, "files", files(t, s.root), map[string]string{"big": "shrunk", "small": "1"})
}

func TestALimitRefusesTheWholeSnapshot(t *testing.T) {
	for name, c := range map[string]struct {
		limit *limit.Limit
		value int64
		cut   int64
	}{
		"too many files":  {limit.SnapshotFiles, 2, 1},
		"too much":        {limit.SnapshotBytes, 2, 1},
		"too little time": {limit.SnapshotTime, 0, 0},
	} {
		s := opened(t, map[string]string{"a": "1", "b": "2", "c": "3"}, limit.Set{c.limit.Name: c.value})
		_, err := s.Take(t.Context(), "t")
		var refused *RefusedError
		if !errors.As(err, &refused) || refused.Hit.Name != c.limit.Name || refused.Hit.Cut != c.cut {
			t.Errorf("%s: got error %v", name, err)
		}
	}
}

func TestWithoutGit(t *testing.T) {
	_, err := Open(t.TempDir(), t.TempDir(), Options{Git: filepath.Join(t.TempDir(), "git")})
	if !errors.Is(err, ErrNoGit) {
		t.Errorf("got error %v", err)
	}
}

func TestATakeThatIsStoppedSaysSo(t *testing.T) {
	s := opened(t, map[string]string{"a": "1"}, nil)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.Take(ctx, "t"); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v", err)
	}
}
