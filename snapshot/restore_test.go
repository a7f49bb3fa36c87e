package snapshot

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/longrein/longrein"
)

func TestNothingIsWrittenThroughALink(t *testing.T) {
	s := opened(t, map[string]string{"d/a": "1", "e/b": "1"}, nil)
	was := take(t, s)
	put(t, s.root, map[string]string{"d/a": "2", "e/b": "2"})
	is := take(t, s)
	outside := t.TempDir()
	put(t, outside, map[string]string{"a": "2", "b": "2"})
	put(t, s.root, map[string]string{"d": "-> " + outside, "e": "-> inside", "inside/b": "2"})

	p := planned(t, s, Span{was.Tree, is.Tree})
	want := []Conflict{
		{Path: "d/a", What: "its folder is something else now", Fixed: true},
		{Path: "e/b", What: "its folder is something else now", Fixed: true},
	}
	same(t, "conflicts", p.Conflicts, want)
	same(t, "skipped", restored(t, s, p, true).Skipped, want)
	same(t, "outside", files(t, outside), map[string]string{"a": "2", "b": "2"})
}

func TestAFolderBecomesAFileAndBack(t *testing.T) {
	folder := map[string]string{"d/x": "1", "d/y/z": "1", "l/x": "1", "f": "1"}
	file := map[string]string{"d": "file", "l": "-> f", "f/in/deep": "2"}
	s := opened(t, folder, nil)
	was := take(t, s)
	put(t, s.root, map[string]string{"d": "x", "l": "x", "f": "x"})
	put(t, s.root, file)
	is := take(t, s)
	restored(t, s, planned(t, s, Span{was.Tree, is.Tree}), false)
	same(t, "folders", files(t, s.root), folder)
	restored(t, s, planned(t, s, Span{is.Tree, was.Tree}), false)
	same(t, "files", files(t, s.root), file)
}

func TestARestoreThatFailsHalfWayIsFinishedByTheNext(t *testing.T) {
	before := map[string]string{"a": "1", "b": "1", "d": "1", "z": "1"}
	s := opened(t, before, nil)
	was := take(t, s)
	put(t, s.root, map[string]string{"a": "2", "b": "2", "c": "2", "d": "2", "z": "2"})
	is := take(t, s)
	p := planned(t, s, Span{was.Tree, is.Tree})
	for i := range p.steps {
		if p.steps[i].path == "b" {
			p.steps[i].target.hash = strings.Repeat("0", 40) // as if it were damaged
		}
	}
	r, err := s.Restore(t.Context(), p, false)
	if !errors.Is(err, errDamaged) || !strings.Contains(err.Error(), "b: ") {
		t.Fatalf("got error %v", err)
	}
	same(t, "done", r.Changed, []longrein.FileChange{{Path: "a", Op: longrein.FileModified}, {Path: "c", Op: longrein.FileRemoved}})
	same(t, "files", files(t, s.root), map[string]string{"a": "1", "b": "2", "d": "2", "z": "2"})
	p = planned(t, s, Span{was.Tree, is.Tree})
	same(t, "conflicts", p.Conflicts, []Conflict(nil))
	restored(t, s, p, false)
	same(t, "files", files(t, s.root), before)
}

func TestADamagedContentReplacesNothing(t *testing.T) {
	s := opened(t, map[string]string{"a": "what it was"}, nil)
	was := take(t, s)
	put(t, s.root, map[string]string{"a": "2"})
	is := take(t, s)
	p := planned(t, s, Span{was.Tree, is.Tree})
	hash := p.steps[0].target.hash
	name := s.path(gitDir, "objects", hash[:2], hash[2:])
	other, err := os.ReadFile(s.path(gitDir, "objects", p.steps[0].expected.hash[:2], p.steps[0].expected.hash[2:]))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, other, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Restore(t.Context(), p, false); err == nil {
		t.Error("it was put back")
	}
	if err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), hash[2:]) {
		t.Errorf("the check says %v", err)
	}
	same(t, "files", files(t, s.root), map[string]string{"a": "2"})
}

func TestPermissionsStayButForTheRightToExecute(t *testing.T) {
	s := opened(t, map[string]string{"secret": "1", "run": "#!1"}, nil)
	for name, mode := range map[string]os.FileMode{"secret": 0o600, "run": 0o750} {
		if err := os.Chmod(filepath.Join(s.root, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	was := take(t, s)
	put(t, s.root, map[string]string{"secret": "#!2", "run": "2"})
	for name, mode := range map[string]os.FileMode{"secret": 0o700, "run": 0o640} {
		if err := os.Chmod(filepath.Join(s.root, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	is := take(t, s)
	restored(t, s, planned(t, s, Span{was.Tree, is.Tree}), false)
	for name, want := range map[string]os.FileMode{"secret": 0o600, "run": 0o750} {
		info, err := os.Stat(filepath.Join(s.root, name))
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v; want %v", name, info.Mode(), err, want)
		}
	}
}

func TestASnapshotOfAnotherMachineIsNamed(t *testing.T) {
	s := opened(t, map[string]string{"a": "1"}, nil)
	is := take(t, s)
	other := strings.Repeat("ab", 20)
	for _, span := range []Span{{other, is.Tree}, {is.Tree, other}} {
		if _, err := s.Plan(t.Context(), span); err == nil || !strings.Contains(err.Error(), "the snapshot "+other+" is not here") {
			t.Error(err)
		}
	}
}
