package harness

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/index"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/rollout"
)

// shelf is a harness with threads of several ages.
type shelf struct {
	*Harness
	now time.Time
}

func newShelf(t *testing.T, keep config.Threads) shelf {
	t.Helper()
	s := &config.Settings{Paths: config.Paths{Data: t.TempDir()}, Threads: keep}
	return shelf{New(Options{Settings: s, Notify: func(text string) { t.Log(text) }}), time.Now()}
}

// add begins a thread that was last worked on so many days ago, and returns its id.
func (s shelf) add(t *testing.T, days int, bodies ...longrein.Body) string {
	t.Helper()
	id := uuid.Must(uuid.NewV7()).String()
	log, err := s.store.Create(id)
	if err != nil {
		t.Fatal(err)
	}
	first := []longrein.Body{longrein.Thread{ID: id, Cwd: "/src", Format: longrein.LogFormat}, longrein.Input{Text: "words of " + id}}
	if _, err := log.Append(s.now.AddDate(0, 0, -days), false, append(first, bodies...)...); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return id
}

func (s shelf) ids(t *testing.T, q index.Query) []string {
	t.Helper()
	found, err := s.List(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range found {
		out = append(out, e.ID)
	}
	return out
}

func TestThreadsGoWhenTheSettingsKeepThemNoLonger(t *testing.T) {
	const young, old, named, stored = 0, 1, 2, 3 // stored: in the archive
	const day = 24 * time.Hour
	tests := map[string]struct {
		keep config.Threads
		want []int // that stay
	}{
		"forever":             {config.Threads{}, []int{young, old, named, stored}},
		"for 90 days":         {config.Threads{Keep: 90 * day}, []int{young, stored}},
		"but those with name": {config.Threads{Keep: 90 * day, KeepNamed: true}, []int{young, named, stored}},
		"only the archive":    {config.Threads{ArchivedKeep: 90 * day}, []int{young, old, named}},
		"for a very long":     {config.Threads{Keep: 900 * day, ArchivedKeep: 900 * day}, []int{young, old, named, stored}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, ctx := newShelf(t, tt.keep), context.Background()
			all := []string{s.add(t, 1), s.add(t, 100), s.add(t, 101, longrein.Renamed{Name: "dear"}), s.add(t, 102, index.Archive(true))}
			if _, err := s.Expire(ctx, s.now, true); err != nil || len(s.ids(t, index.Query{All: true})) != 4 {
				t.Fatalf("only saying what would go did something: %v", err)
			}
			if _, err := s.Tidy(ctx, s.now); err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, n := range tt.want {
				want = append(want, all[n])
			}
			if diff := cmp.Diff(want, s.ids(t, index.Query{All: true})); diff != "" {
				t.Errorf("threads that stay (-want +got):\n%s", diff)
			}
		})
	}
}

func TestThreadsAreTidiedOnceADay(t *testing.T) {
	s, ctx := newShelf(t, config.Threads{Keep: 24 * time.Hour}), context.Background()
	tidy := func(at time.Time, want int) {
		t.Helper()
		r, err := s.Tidy(ctx, at)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(s.ids(t, index.Query{})); n != want {
			t.Errorf("%d threads stay, want %d; removed: %+v", n, want, r)
		}
	}
	s.add(t, 2)
	tidy(s.now, 0)
	s.add(t, 2)
	tidy(s.now.Add(23*time.Hour), 1)
	tidy(s.now.Add(25*time.Hour), 0)
}

func TestAnOpenThreadIsNotDeleted(t *testing.T) {
	s, ctx := newShelf(t, config.Threads{Keep: 24 * time.Hour}), context.Background()
	id := s.add(t, 2)
	log, _, err := s.store.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if old, err := s.Expired(ctx, s.now); err != nil || len(old) != 0 {
		t.Errorf("%d threads are too old, %v; want none, because it is open", len(old), err)
	}
	r, err := s.PlanDelete(ctx, id)
	if err != nil || len(r.Threads) != 0 || len(r.Open) != 1 {
		t.Errorf("deleting it would do %+v, %v", r, err)
	}
	r.Threads = r.Open // somebody opened it after it was planned
	gone, err := s.Delete(ctx, r)
	var locked *rollout.ErrLocked
	if len(gone) != 0 || !errors.As(err, &locked) {
		t.Errorf("deleted: %q, %v; want an error that says who has it", gone, err)
	}
}

func TestDeletingLeavesNothingAndForksWhole(t *testing.T) {
	s, ctx := newShelf(t, config.Threads{}), context.Background()
	id := s.add(t, 0, longrein.Turn{N: 1, State: longrein.TurnStarted}, longrein.Turn{N: 1, State: longrein.TurnEnded})
	child, _, err := s.Fork(id, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(s.NotesFolder(id), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.NotesFolder(id), "MAIN.md"), []byte("four"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := s.PlanDelete(ctx, id)
	if err != nil || len(r.Threads) != 1 || r.Notes != 4 || len(r.Forks) != 1 || r.Forks[0].ID != child || !r.Forks[0].Inherited {
		t.Fatalf("deleting would do %+v, %v", r, err)
	}
	if gone, err := s.Delete(ctx, r); err != nil || !slices.Equal(gone, []string{id}) {
		t.Fatalf("deleted: %q, %v", gone, err)
	}
	if _, err := os.Stat(s.NotesFolder(id)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the notes are still there: %v", err)
	}
	if got := s.ids(t, index.Query{All: true}); !slices.Equal(got, []string{child}) {
		t.Errorf("threads that stay: %q", got)
	}
	line, err := s.Timeline(child)
	if err != nil || len(line.Turns()) != 1 {
		t.Errorf("the fork has %d turns, %v; want the one that it shares", len(line.Turns()), err)
	}
}

func TestNotesWithoutAThreadAreCollected(t *testing.T) {
	s, ctx := newShelf(t, config.Threads{}), context.Background()
	lives, dead, young := s.add(t, 0), uuid.Must(uuid.NewV7()).String(), uuid.Must(uuid.NewV7()).String()
	for _, name := range []string{lives, dead, young, "mine"} {
		if err := os.MkdirAll(s.NotesFolder(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if old := s.now.AddDate(0, 0, -2); name != young {
			if err := os.Chtimes(s.NotesFolder(name), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := s.Collect(ctx, rollout.CollectOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{lives: true, dead: false, young: true, "mine": true} {
		if _, err := os.Stat(s.NotesFolder(name)); (err == nil) != want {
			t.Errorf("notes of %s: %v", name, err)
		}
	}
}

func TestAForkOfAForkIsKnownByItsParent(t *testing.T) {
	s := newShelf(t, config.Threads{})
	id := s.add(t, 0)
	child, _, err := s.Fork(id, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Record(child, longrein.Input{Text: "the child's"}); err != nil {
		t.Fatal(err)
	}
	grandchild, _, err := s.Fork(child, 0)
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.List(context.Background(), index.Query{Limit: 1})
	if err != nil || found[0].ID != grandchild || found[0].First != "the child's" || !found[0].Inherited {
		t.Errorf("listed is %+v, %v", found, err)
	}
}

func TestAScreenDoesNotWaitForAnIndexThatIsMadeAnew(t *testing.T) {
	s, ctx := newShelf(t, config.Threads{}), context.Background()
	for range 3 {
		s.add(t, 0)
	}
	soon := func(wait int64, want Behind, listed int) {
		t.Helper()
		s.opts.Settings.Limits = limit.Set{limit.IndexWait.Name: wait}
		n := 0
		b, err := s.Soon(ctx, func(x *index.Index) error {
			found, err := x.List(ctx, index.Query{})
			n = len(found)
			return err
		})
		if err != nil || b != want || n != listed {
			t.Errorf("with %d ms to wait: %+v and %d threads, %v; want %+v and %d", wait, b, n, err, want, listed)
		}
	}
	soon(0, Behind{Threads: 3, Of: 3, Claimed: true}, 0)
	soon(0, Behind{Threads: 3, Of: 3}, 0)
	last := 0
	if _, err := s.Reindex(ctx, index.Quick, func(done, of int) { last = done }); err != nil || last != 3 {
		t.Fatalf("brought up to date: %d threads, %v", last, err)
	}
	soon(60_000, Behind{}, 3)
	s.add(t, 0)
	soon(60_000, Behind{}, 4)
}
