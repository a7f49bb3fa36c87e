package snapshot

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatNoThreadKeepsGivesItsSpaceBack(t *testing.T) {
	s := opened(t, map[string]string{"a": noise(1 << 20)}, nil)
	first, err := s.Take(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	put(t, s.root, map[string]string{"a": noise(1 << 20)})
	second, err := s.Take(t.Context(), "two")
	if err != nil {
		t.Fatal(err)
	}
	put(t, s.root, map[string]string{"a": "small"})
	if _, err := s.Take(t.Context(), "two"); err != nil {
		t.Fatal(err)
	}
	if err := s.Keep(t.Context(), "fork", first.Tree); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		drop          string
		least         int64
		first, second bool
	}{
		{"", -1 << 16, true, true},
		{"one", -1 << 16, true, true}, // the fork still keeps it
		{"fork", 1 << 20, false, true},
	} {
		if c.drop != "" {
			if err := s.Drop(t.Context(), c.drop); err != nil {
				t.Fatal(err)
			}
		}
		freed, err := s.Collect(t.Context())
		if err != nil || freed < c.least {
			t.Errorf("after %q: freed %d, %v; want %d", c.drop, freed, err, c.least)
		}
		if got := s.has(t, first.Tree); got != c.first {
			t.Errorf("after %q: has the first: %v", c.drop, got)
		}
		if got := s.has(t, second.Tree); got != c.second {
			t.Errorf("after %q: has the second: %v", c.drop, got)
		}
	}
	if err := s.Drop(t.Context(), "two"); err != nil {
		t.Fatal(err)
	}
	if freed, err := s.Collect(t.Context()); err != nil || freed < 1<<20 {
		t.Errorf("freed %d, %v", freed, err)
	}
	if _, err := os.Stat(s.dir); !missing(err) {
		t.Error("a store that keeps nothing is still there")
	}
	take(t, s) // and it can begin anew
}

func (s *Store) has(t *testing.T, tree string) bool {
	t.Helper()
	return s.git.run(t.Context(), nil, nil, "cat-file", "-e", tree) == nil
}

func noise(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return string(b)
}

func TestAllStoresAreFound(t *testing.T) {
	s := opened(t, map[string]string{"a": "1", "sub/b": "1"}, nil)
	dir := filepath.Dir(s.dir)
	sub, err := Open(dir, filepath.Join(s.root, "sub"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	take(t, s)
	take(t, sub)
	put(t, s.root, map[string]string{"sub": "x"})
	all, err := All(dir, Options{})
	if err != nil || len(all) != 2 {
		t.Fatalf("got %d, %v", len(all), err)
	}
	for _, s := range all {
		if size, err := s.Size(); err != nil || size == 0 {
			t.Errorf("%s: size %d, %v", s.Root(), size, err)
		}
		if err := s.Drop(t.Context(), "thread-1"); err != nil {
			t.Error(err)
		}
		if freed, err := s.Collect(t.Context()); err != nil || freed == 0 {
			t.Errorf("%s: freed %d, %v", s.Root(), freed, err)
		}
	}
}

func TestNamesThatAreNoneAreRefused(t *testing.T) {
	s := opened(t, map[string]string{"a": "1"}, nil)
	tree := take(t, s).Tree
	for _, thread := range []string{"", "../x", "a/b", "a b", "-d", "a\n", "."} {
		if _, err := s.Take(t.Context(), thread); err == nil {
			t.Errorf("thread %q was taken", thread)
		}
		if s.Keep(t.Context(), thread, tree) == nil || s.Drop(t.Context(), thread) == nil {
			t.Errorf("thread %q was kept or dropped", thread)
		}
	}
	for _, tree := range []string{"", "HEAD", tree[:39], "--output=/tmp/x", strings.Repeat("0", 40)} {
		if s.Keep(t.Context(), "t", tree) == nil {
			t.Errorf("tree %q was kept", tree)
		}
		if _, err := s.Plan(t.Context(), Span{tree, tree}); err == nil {
			t.Errorf("tree %q was planned", tree)
		}
	}
}

func TestThePlanOfASnapshotThatIsGoneFails(t *testing.T) {
	s := opened(t, map[string]string{"a": "1"}, nil)
	tree := take(t, s).Tree
	gone := strings.Repeat("1", 40)
	_, err := s.Plan(t.Context(), Span{tree, gone})
	if err == nil || !strings.Contains(err.Error(), "the snapshot "+gone+" is not here") {
		t.Errorf("got error %v, want one that names the snapshot", err)
	}
}
