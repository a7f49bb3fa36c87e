package rollout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// idAt is an id of a thread that began then.
func idAt(at time.Time, n int) string {
	ms := at.UnixMilli()
	return fmt.Sprintf("%08x-%04x-7000-8000-%012x", ms>>16, ms&0xffff, n)
}

// create makes an empty log.
func create(tb testing.TB, s *Store, id string) {
	tb.Helper()
	l, err := s.Create(id)
	if err != nil {
		tb.Fatal(err)
	}
	if err := l.Close(); err != nil {
		tb.Fatal(err)
	}
}

func TestALogLiesInTheFolderOfItsOwnDay(t *testing.T) {
	s := store(t)
	zone := time.FixedZone("east", 10*3600)
	id := idAt(time.Date(2026, 3, 1, 9, 0, 0, 0, zone), 1) // the day before in UTC
	create(t, s, id)
	want := filepath.Join(s.Root, "threads", "2026", "02", "28", id+".jsonl")
	info, err := os.Stat(want)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, want 0600", info.Mode())
	}
	if entries, _ := os.ReadDir(filepath.Dir(want)); len(entries) != 1 {
		t.Errorf("its folder holds %v, want only the log", entries)
	}
}

func TestFilesAreListedNewestFirst(t *testing.T) {
	s := store(t)
	var want []string
	for n, at := range []time.Time{
		time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC),
		time.Date(2026, 12, 31, 1, 0, 0, 0, time.UTC), time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC),
	} {
		id := idAt(at, n)
		create(t, s, id)
		want = append(want, id)
	}
	stray := filepath.Join(s.threads(), "2026", "12", "31", "notes.jsonl")
	if err := os.WriteFile(stray, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	for f, err := range s.Files() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, f.ID)
		if info, err := os.Stat(f.Path); err != nil || info.Size() != f.Bytes || !info.ModTime().Equal(f.Modified) {
			t.Errorf("%+v is not %v, %v", f, info, err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for range (&Store{Root: t.TempDir()}).Files() {
		t.Error("an empty store lists something")
	}
}

func TestAThreadIsFoundByTheBeginningOfItsID(t *testing.T) {
	s := store(t)
	at := time.Date(2026, 5, 5, 23, 59, 59, 0, time.UTC)
	var ids []string
	for n := range 15 {
		ids = append(ids, idAt(at.Add(time.Duration(n)*17*time.Hour), n))
		create(t, s, ids[n])
	}
	for _, id := range ids {
		for n := len(id); n > 9; n-- {
			got, err := s.Find(strings.ToUpper(id[:n]))
			if err != nil || got != id {
				t.Fatalf("Find(%q) = %q, %v, want %s", id[:n], got, err, id)
			}
		}
	}
	var several *ErrAmbiguous
	if _, err := s.Find(ids[0][:1]); !errors.As(err, &several) {
		t.Fatalf("Find gave %v, want ErrAmbiguous", err)
	}
	newest := slices.Clone(ids[5:])
	slices.Reverse(newest)
	if diff := cmp.Diff(newest, several.IDs); diff != "" || !several.More {
		t.Errorf("candidates, -want +got:\n%s", diff)
	}
	if !strings.Contains(several.Error(), newest[0]) || !strings.Contains(several.Error(), "and others") {
		t.Errorf("the error says %q", several)
	}
}

func TestAReferenceThatFitsNothingSaysSo(t *testing.T) {
	s := store(t)
	create(t, s, idAt(noon, 1))
	cases := map[string]struct {
		ref  string
		says string
	}{
		"nothing":           {"", "not a thread's id"},
		"a path":            {"../../etc/passwd", "not a thread's id"},
		"an unknown id":     {idAt(noon, 2), "no such thread"},
		"an unknown prefix": {"ffff", "no such thread"},
		"another version":   {"00000000-0000-4000-8000-000000000000", "not a thread's id"},
		"too long":          {idAt(noon, 1) + "0", "no such thread"},
	}
	for name, c := range cases {
		_, err := s.Find(c.ref)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: Find gave %v, want %q", name, err, c.says)
		}
		if gone := errors.Is(err, fs.ErrNotExist); gone != (c.says == "no such thread") {
			t.Errorf("%s: is fs.ErrNotExist = %v", name, gone)
		}
	}
}

func BenchmarkFilesOf10000Threads(b *testing.B) {
	s := store(b)
	for n := range 10_000 {
		path, _ := s.path(idAt(noon.Add(-time.Duration(n)*time.Hour), n))
		os.MkdirAll(filepath.Dir(path), 0o700)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for range s.Files() {
			n++
		}
		if n != 10_000 {
			b.Fatal(n)
		}
	}
}
