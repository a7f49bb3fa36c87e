package snapshot

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func TestFoldersThatAreSkippedAreNeverTouched(t *testing.T) {
	root := t.TempDir()
	own := filepath.Join(root, "ho me*")
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("a", "one")
	put("ho me*/log", "one")
	put("ho mex/b", "one")
	s, err := Open(filepath.Join(own, "snapshots"), root, Options{Skip: []string{own, "/elsewhere"}})
	if err != nil {
		t.Fatal(err)
	}
	before, err := s.Take(context.Background(), "t")
	if err != nil || before.Files != 2 {
		t.Fatalf("%d files, %v; want a and ho mex/b", before.Files, err)
	}
	put("a", "two")
	put("ho me*/log", "two")
	after, err := s.Take(context.Background(), "t")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Plan(context.Background(), Span{before.Tree, after.Tree})
	if err != nil || len(plan.Changes) != 1 || plan.Changes[0].Path != "a" || len(plan.Conflicts) > 0 {
		t.Errorf("plan %+v, %v; want a alone", plan, err)
	}
}

func TestASnapshotIsItsOwnersAlone(t *testing.T) {
	s := opened(t, map[string]string{"a": "1", "b/c": "2"}, nil)
	take(t, s)
	err := filepath.WalkDir(s.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
