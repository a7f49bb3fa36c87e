package rollout

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/longrein/longrein"
)

// names are the files of threads, without their ids.
func names(tb testing.TB, s *Store) (all []string) {
	tb.Helper()
	for e, err := range s.beside(func(string) bool { return true }) {
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, e.Name()[idLength:])
	}
	slices.Sort(all)
	return all
}

func remove(tb testing.TB, s *Store, ids ...string) {
	tb.Helper()
	if err := s.Remove(ids...); err != nil {
		tb.Fatal(err)
	}
}

func TestARemovedThreadKeepsWhatItsForksNeedAndNoMore(t *testing.T) {
	s := store(t)
	parent, path, records := sample(t, s)
	l, near := fork(t, s, parent, 3)
	l.Close()
	l, far := fork(t, s, parent, 6)
	l.Close()
	remove(t, s, parent)
	if _, err := s.Tail(parent); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the removed thread can be read: %v", err)
	}
	for f := range s.Files() {
		if f.ID == parent {
			t.Error("the removed thread is listed")
		}
	}
	raw, err := os.ReadFile(keptPath(path))
	if err != nil || bytes.Contains(raw, []byte("bye")) || bytes.Count(raw, []byte("\n")) != 6 {
		t.Errorf("%q is kept (%v), want six lines", raw, err)
	}
	checkThread(t, s, far, slices.Concat(records[:6], ownRecords(t, s, far)))
	checkThread(t, s, near, slices.Concat(records[:3], ownRecords(t, s, near)))

	remove(t, s, far)
	if raw, err := os.ReadFile(keptPath(path)); err != nil || bytes.Count(raw, []byte("\n")) != 3 {
		t.Errorf("%q is kept (%v), want three lines", raw, err)
	}
	checkThread(t, s, near, slices.Concat(records[:3], ownRecords(t, s, near)))
	remove(t, s, near)
	if left := names(t, s); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

func ownRecords(tb testing.TB, s *Store, id string) []longrein.Record {
	tb.Helper()
	all, err := collect(s.Own(id, 0))
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

func TestALineOfForksIsRemovedWithItsLast(t *testing.T) {
	s := store(t)
	ids := []string{}
	parent, _, records := sample(t, s)
	ids = append(ids, parent)
	for n := range 3 {
		l, id := fork(t, s, ids[n], int64(len(records)+n))
		l.Close()
		ids = append(ids, id)
	}
	remove(t, s, ids[:3]...)
	if n := len(readAll(t, s, ids[3])); n != len(records)+3 {
		t.Errorf("the last fork has %d records, want %d", n, len(records)+3)
	}
	l, again := fork(t, s, ids[3], 2)
	l.Close()
	remove(t, s, ids[3])
	if left := names(t, s); !slices.Equal(left, []string{".jsonl", ".kept"}) {
		t.Errorf("%v is left, want a fork and what it needs", left)
	}
	if n := len(readAll(t, s, again)); n != 3 {
		t.Errorf("the fork of a kept log has %d records, want 3", n)
	}
	remove(t, s, again)
	if left := names(t, s); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

func TestAForkThatCannotBeReadKeepsItsParent(t *testing.T) {
	s := store(t)
	parent, path, _ := sample(t, s)
	l, _ := fork(t, s, parent, 3)
	l.Close()
	raw, _ := os.ReadFile(l.Path())
	if err := os.WriteFile(l.Path(), bytes.Replace(raw, []byte(`"version":"1.0"`), []byte(`"version":"2.0"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	remove(t, s, parent)
	if raw, err := os.ReadFile(keptPath(path)); err != nil || bytes.Count(raw, []byte("\n")) != 8 {
		t.Errorf("%q is kept (%v), want all of it", raw, err)
	}
}

func TestADamagedEndThatForksShareIsNotMovedAside(t *testing.T) {
	s := store(t)
	parent, path, records := sample(t, s)
	l, child := fork(t, s, parent, 8)
	defer l.Close()
	raw, _ := os.ReadFile(path)
	i := bytes.LastIndex(raw, []byte("bye"))
	raw[i] = 'B'
	if err := os.WriteFile(path, append(raw, "{half a line"...), 0o600); err != nil {
		t.Fatal(err)
	}
	p, tail := reopen(t, s, parent)
	if tail.LastSeq != 8 || len(tail.Warnings) != 2 || !strings.Contains(tail.Warnings[0], child) {
		t.Errorf("opened at record %d with warnings %q", tail.LastSeq, tail.Warnings)
	}
	added := put(t, p, said("on"))
	if got := damaged(t, s, parent, append(records[:8:8], added...)); !slices.Equal(got, []int64{8}) {
		t.Errorf("lines %v are damaged, want 8", got)
	}
	if tail, err := s.Tail(child); err != nil || len(tail.Warnings) != 1 || !strings.Contains(tail.Warnings[0], "line 8") {
		t.Errorf("the fork's tail is %+v, %v, want a warning about line 8", tail, err)
	}
	if got := damaged(t, s, child, append(records[:8:8], ownRecords(t, s, child)...)); !slices.Equal(got, []int64{8}) {
		t.Errorf("in the fork lines %v are damaged, want 8", got)
	}
	if aside, _ := filepath.Glob(path + tornSuffix + "*"); len(aside) != 1 {
		t.Errorf("%v was moved aside, want the half line", aside)
	}
}

// BenchmarkRemoveOf10000Threads removes one thread at a time among 10,000.
func BenchmarkRemoveOf10000Threads(b *testing.B) {
	s := store(b)
	s.Disk = &faults{}
	var ids []string
	for range 10_000 {
		id := newID()
		l, err := s.Create(id)
		if err != nil {
			b.Fatal(err)
		}
		put(b, l, thread(id), said("a"))
		if err := l.Close(); err != nil {
			b.Fatal(err)
		}
		ids = append(ids, id)
	}
	for n := 0; b.Loop(); n++ {
		remove(b, s, ids[n])
	}
}
