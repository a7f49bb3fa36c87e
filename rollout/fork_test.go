package rollout

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
)

// fork forks a thread and closes the fork's log with the test.
func fork(tb testing.TB, s *Store, parent string, at int64) (*Log, string) {
	tb.Helper()
	id := newID()
	l, _, err := s.Fork(parent, at, noon, thread(id))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { l.Close() })
	return l, id
}

// window is a log's tail without what is told of it besides.
func window(records []longrein.Record) []longrein.Record {
	start := 0
	for i, r := range records {
		if r.Type() == windowType {
			start = i
		}
	}
	return records[start:]
}

// checkThread checks that both ways of reading a thread give the records.
func checkThread(tb interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}, s *Store, id string, want []longrein.Record,
) {
	tb.Helper()
	got, err := collect(s.Read(id))
	if err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		tb.Fatalf("Read, -want +got:\n%s", diff)
	}
	tail, err := s.Tail(id)
	if err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(window(want), tail.Records); diff != "" {
		tb.Fatalf("Tail, -want +got:\n%s", diff)
	}
	if last := want[len(want)-1].Seq; tail.LastSeq != last || tail.Thread.ID != id || len(tail.Warnings) > 0 {
		tb.Fatalf("Tail of thread %s: last %d, want %d, thread %q, warnings %q", id, tail.LastSeq, last, tail.Thread.ID, tail.Warnings)
	}
}

func TestAForkAtAnyRecordGoesOnFromThere(t *testing.T) {
	s := store(t)
	id, _, records := sample(t, s)
	for at := int64(1); at <= int64(len(records)); at++ {
		child := newID()
		l, first, err := s.Fork(id, at, noon, thread(child))
		if err != nil {
			t.Fatal(err)
		}
		if th := first.Body.(longrein.Thread); first.Seq != at+1 || th.Parent != id || th.ForkSeq != at || th.CacheKey() != id {
			t.Fatalf("the fork's record is %+v", first)
		}
		want := slices.Concat(records[:at], []longrein.Record{first})
		checkThread(t, s, child, want)
		want = append(want, put(t, l, said("on"), longrein.Window{N: 2, Why: "full"})...)
		want = append(want, put(t, l, said("and on"))...)
		checkThread(t, s, child, want)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		l, tail := reopen(t, s, child)
		if tail.LastSeq != at+4 {
			t.Fatalf("reopened at %d, want %d", tail.LastSeq, at+4)
		}
		checkThread(t, s, child, append(want, put(t, l, said("again"))...))
	}
	checkThread(t, s, id, records)
}

func TestAForkThatHasNoWindowOpensWithItsParents(t *testing.T) {
	s := store(t)
	parent, _, records := sample(t, s)
	l, child := fork(t, s, parent, 6)
	own := readAll(t, s, child)[6:]
	l.Close()
	_, tail := reopen(t, s, child)
	want := slices.Concat(records[4:6], own)
	if diff := cmp.Diff(want, tail.Records); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if tail.Thread.ID != child || tail.Thread.Parent != parent {
		t.Errorf("the tail's thread is %+v", tail.Thread)
	}
}

func TestAForkOfWhatIsSharedIsAForkOfTheOlderThread(t *testing.T) {
	s := store(t)
	oldest, _, _ := sample(t, s)
	_, middle := fork(t, s, oldest, 6)
	_, youngest := fork(t, s, middle, 3)
	tail, err := s.Tail(youngest)
	if err != nil {
		t.Fatal(err)
	}
	if tail.Thread.Parent != oldest || tail.Thread.ForkSeq != 3 || tail.Thread.Origin != oldest {
		t.Errorf("the fork's record is %+v, want one that names %s", tail.Thread, oldest)
	}
}

func TestAForksOwnRecordsCanBeReadAlone(t *testing.T) {
	s := store(t)
	parent, _, _ := sample(t, s)
	l, child := fork(t, s, parent, 4)
	put(t, l, said("own"))
	for name, want := range map[int64][]int64{0: {5, 6}, 5: {6}, 6: nil} {
		var got []int64
		for r, err := range s.Own(child, name) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.Seq)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after %d, -want +got:\n%s", name, diff)
		}
	}
	var from []int64
	for r := range s.From(child, 2) {
		from = append(from, r.Seq)
	}
	if diff := cmp.Diff([]int64{3, 4, 5, 6}, from); diff != "" {
		t.Errorf("From, -want +got:\n%s", diff)
	}
}

func TestWhatCannotBeForkedSaysWhy(t *testing.T) {
	s := store(t)
	s.Limits["fork-depth"] = 3
	parent, _, records := sample(t, s)
	deep := parent
	for n := range 3 {
		_, deep = fork(t, s, deep, int64(len(records)+n))
	}
	for name, c := range map[string]struct {
		parent string
		at     int64
		want   string
	}{
		"a record that is not there": {parent, int64(len(records) + 1), "no record 9"},
		"record 0":                   {parent, 0, "no record 0"},
		"a thread that is not there": {newID(), 1, "no such thread"},
		"no id":                      {"../x", 1, "UUIDv7"},
		"too many forks of forks":    {deep, int64(len(records) + 3), "fork-depth"},
	} {
		t.Run(name, func(t *testing.T) {
			id := newID()
			_, _, err := s.Fork(c.parent, c.at, noon, thread(id))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
			if _, err := s.Find(id); !errors.Is(err, fs.ErrNotExist) {
				t.Error("a fork that failed is there")
			}
		})
	}
}

func TestDamageInTheParentIsFoundAndLocatedInTheFork(t *testing.T) {
	s := store(t)
	parent, path, records := sample(t, s)
	l, child := fork(t, s, parent, 6)
	want := append(records[:6:6], readAll(t, s, child)[6:]...)
	want = append(want, put(t, l, said("own"))...)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	shared := int(want[6].Body.(longrein.Thread).ForkByte)
	for i := range shared {
		raw[i] ^= 1
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		raw[i] ^= 1
		line := int64(1 + strings.Count(string(raw[:i]), "\n"))
		if got := damaged(t, s, child, want); len(got) == 0 || got[0] != line {
			t.Fatalf("byte %d is damaged: lines %v, want %d", i, got, line)
		}
	}
}

func TestAParentThatIsNotWhatItWasIsNoticed(t *testing.T) {
	for name, spoil := range map[string]func(path string, raw []byte) error{
		"it is gone":     func(path string, _ []byte) error { return os.Remove(path) },
		"it was cut off": func(path string, raw []byte) error { return os.WriteFile(path, raw[:200], 0o600) },
		"it was written anew": func(path string, raw []byte) error {
			return os.WriteFile(path, seal([]byte(strings.ReplaceAll(string(raw), "hello", "hallo"))), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := store(t)
			parent, path, _ := sample(t, s)
			l, child := fork(t, s, parent, 6)
			own := put(t, l, said("own"))
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := spoil(path, raw); err != nil {
				t.Fatal(err)
			}
			var lost *ErrParent
			if _, err := s.Tail(child); !errors.As(err, &lost) || lost.Parent != parent || lost.Seq != 6 {
				t.Errorf("Tail gave %v, want an ErrParent", err)
			}
			var last longrein.Record
			var errs []error
			for r, err := range s.Read(child) {
				if err != nil {
					errs = append(errs, err)
				}
				last = r
			}
			if len(errs) != 1 || !errors.As(errs[0], &lost) {
				t.Errorf("Read gave %v, want one ErrParent", errs)
			}
			if diff := cmp.Diff(own[0], last); diff != "" {
				t.Errorf("the fork's own record, -want +got:\n%s", diff)
			}
			put(t, l, longrein.Window{N: 2, Why: "full"})
			if tail, err := s.Tail(child); err != nil || len(tail.Records) != 1 {
				t.Errorf("with a window of its own, Tail gave %+v, %v", tail, err)
			}
		})
	}
}

func TestAForkTakesUnder4KBWhateverItsInstructions(t *testing.T) {
	s := store(t)
	parent, _, _ := sample(t, s)
	for _, size := range []int{2 << 10, 40 << 10} {
		first := thread(newID())
		first.Base = prose(rand.New(rand.NewPCG(1, uint64(size))), size)
		l, rec, err := s.Fork(parent, 3, noon, first)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if info, err := os.Stat(l.Path()); err != nil || info.Size() > 4<<10 {
			t.Errorf("with instructions of %d bytes it takes %v (%v)", size, info.Size(), err)
		}
		if got := readAll(t, s, first.ID)[3]; !cmp.Equal(got, rec) {
			t.Error("the record came back changed")
		}
	}
}

// BenchmarkFork forks a thread of 10,000 turns at its end and in its middle. The
// disk does not sync.
func BenchmarkFork(b *testing.B) {
	s := store(b)
	s.Disk = &faults{}
	parent := bigLog(b, s, 10_000, 9_000)
	tail, err := s.Tail(parent)
	if err != nil {
		b.Fatal(err)
	}
	for _, at := range []int64{tail.LastSeq, tail.LastSeq / 2} {
		b.Run(fmt.Sprint("at record ", at), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l, _, err := s.Fork(parent, at, noon, thread(newID()))
				if err != nil {
					b.Fatal(err)
				}
				if err := l.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
