package snapshot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// tree draws files for a folder. Names are few, so that files and folders change
// places.
func tree(r *rapid.T, label string) map[string]string {
	all := map[string]string{}
	part := rapid.SampledFrom([]string{"a", "b c", "-d", "é", ".e", "f\xff"})
	text := rapid.SampledFrom([]string{"", "1", "2", "#!1", "-> a", "-> nowhere", "line\r\nend\x00", "#!"})
	for range rapid.IntRange(0, 8).Draw(r, label) {
		path := part.Draw(r, "name")
		for range rapid.IntRange(0, 2).Draw(r, "depth") {
			path += "/" + part.Draw(r, "name")
		}
		if fits(all, path) {
			all[path] = text.Draw(r, "text")
		}
	}
	return all
}

// fits reports whether a path can be beside the others.
func fits(all map[string]string, path string) bool {
	for other := range all {
		if other == path || beneath(other, path) || beneath(path, other) {
			return false
		}
	}
	return true
}

func beneath(path, dir string) bool {
	return len(path) > len(dir) && path[:len(dir)] == dir && path[len(dir)] == '/'
}

// become makes a folder hold these files and no others.
func become(t testing.TB, root string, all map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		put(t, root, map[string]string{e.Name(): "x"})
	}
	put(t, root, all)
}

// Whatever files a folder had, and whatever became of them, they can be put back
// and the change made again; a third state of files that no turn touched stays.
func TestAnyTreeComesBack(t *testing.T) {
	s := opened(t, nil, nil)
	rapid.Check(t, func(r *rapid.T) {
		before, after := tree(r, "before"), tree(r, "after")
		become(t, s.root, before)
		was := take(t, s)
		if was.Files != len(before) {
			r.Fatalf("%d files in the snapshot of %v", was.Files, before)
		}
		become(t, s.root, after)
		is := take(t, s)
		p := planned(t, s, Span{was.Tree, is.Tree})
		if len(p.Conflicts) > 0 {
			r.Fatalf("conflicts: %v", p.Conflicts)
		}
		if got := restored(t, s, p, false).Changed; fmt.Sprint(got) != fmt.Sprint(p.Changes) {
			r.Fatalf("changed %v, planned %v", got, p.Changes)
		}
		equal(t, r, s, before)
		restored(t, s, planned(t, s, Span{is.Tree, was.Tree}), false)
		equal(t, r, s, after)
		if again := take(t, s); again.Tree != is.Tree {
			r.Fatalf("the same files have another name")
		}
	})
}

func equal(t *testing.T, r *rapid.T, s *Store, want map[string]string) {
	r.Helper()
	if now := files(t, s.root); !maps.Equal(now, want) {
		r.Fatalf("got  %q\nwant %q", now, want)
	}
}

// Whatever somebody did to the files since, a restore without force overwrites none
// of it, and what a plan does not name stays.
func TestNoEditIsLost(t *testing.T) {
	s := opened(t, nil, nil)
	rapid.Check(t, func(r *rapid.T) {
		before, after, edited := tree(r, "before"), tree(r, "after"), tree(r, "edited")
		become(t, s.root, before)
		span := Span{Before: take(t, s).Tree}
		become(t, s.root, after)
		span.After = take(t, s).Tree
		become(t, s.root, edited)
		p := planned(t, s, span)
		_, err := s.Restore(t.Context(), p, rapid.Bool().Draw(r, "force"))
		var refused *ConflictError
		if errors.As(err, &refused) {
			equal(t, r, s, edited)
			return
		}
		if err != nil {
			r.Fatal(err)
		}
		now := files(t, s.root)
		for path, text := range edited {
			was, ok := before[path]
			is, still := after[path]
			if was == is && ok == still && now[path] != text {
				r.Fatalf("%q was %q and is %q, and no turn changed it", path, text, now[path])
			}
		}
	})
}

func TestSeveralAtOnce(t *testing.T) {
	s := opened(t, map[string]string{"a": "1", "b/c": "1"}, nil)
	var all sync.WaitGroup
	names := make([]string, 8)
	for i := range names {
		all.Go(func() {
			other, err := Open(filepath.Dir(s.dir), s.root, Options{})
			if err != nil {
				t.Error(err)
				return
			}
			taken, err := other.Take(context.Background(), fmt.Sprint("thread-", i))
			if err != nil {
				t.Error(err)
			}
			names[i] = taken.Tree
		})
	}
	all.Go(func() {
		if _, err := s.Collect(context.Background()); err != nil {
			t.Error(err)
		}
	})
	all.Wait()
	for _, name := range names {
		same(t, "tree", name, names[0])
	}
}

// A program that is killed, with its git or without, leaves a store that works.
func TestKilledAtAnyTime(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals")
	}
	all := map[string]string{}
	for i := range 300 {
		all[fmt.Sprintf("d%d/f%d", i%17, i)] = fmt.Sprint(i)
	}
	s := opened(t, all, nil)
	want := take(t, s)
	for i := range 30 {
		put(t, s.root, map[string]string{fmt.Sprint("d0/new", i): noise(1000), "d1": "x", "d2/f2": fmt.Sprint(i)})
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*3*time.Millisecond)
		_, _ = s.Take(ctx, "killed")
		cancel()
		for _, name := range []string{"index.lock", "refs/longrein/thread-1/x.lock", "packed-refs.lock"} {
			put(t, s.path(gitDir), map[string]string{name: ""}) // what SIGKILL leaves behind
		}
		if i%10 == 0 {
			if err := os.Truncate(s.path(gitDir, "index"), int64(i)); err != nil {
				t.Fatal(err)
			}
		}
		become(t, s.root, all)
		if got := take(t, s); got.Tree != want.Tree {
			t.Fatalf("after %d: another tree", i)
		}
	}
	if _, err := s.Collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// A git that outlives the program that ran it keeps others out until it ends.
func TestTheLockIsHeldByGitToo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a lock cannot be handed on")
	}
	s := opened(t, map[string]string{"a": "1"}, nil)
	take(t, s)
	held, unlock, err := s.locked(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cmd, _ := held.git.command(t.Context(), []string{"cat-file", "--batch"})
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	unlock()
	if f, err := s.tryLocked(); f != nil || err != nil {
		t.Errorf("the lock was free: %v", err)
	}
	if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
		t.Fatal(err)
	}
	f, err := s.tryLocked()
	if f == nil || err != nil {
		t.Fatalf("the lock is not free: %v", err)
	}
	_ = f.Close()
}
