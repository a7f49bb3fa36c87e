package rollout

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// families is a store and what its threads should hold.
type families struct {
	s     *Store
	ids   []string // of the threads that are there
	want  map[string][]longrein.Record
	open  map[string]*Log
	texts *rapid.Generator[string]
}

func newFamilies(root string) *families {
	return &families{
		s:    &Store{Root: root, Disk: &faults{}, Limits: limit.Set{"inline-text": 4 << 10, "collect-grace": 0, "lock-tries": 1}},
		want: map[string][]longrein.Record{}, open: map[string]*Log{},
		texts: rapid.SampledFrom([]string{"short", strings.Repeat("middle ", 40), strings.Repeat("long ", 2000), strings.Repeat("longer ", 2000)}),
	}
}

func (f *families) any(t *rapid.T) string {
	if len(f.ids) == 0 {
		t.Skip("there are no threads")
	}
	return rapid.SampledFrom(f.ids).Draw(t, "thread")
}

func (f *families) add(t *rapid.T, id string, l *Log, records []longrein.Record) {
	f.ids = append(f.ids, id)
	f.open[id], f.want[id] = l, slices.Clone(records)
}

func (f *families) begin(t *rapid.T) {
	id := newID()
	l, err := f.s.Create(id)
	if err != nil {
		t.Fatal(err)
	}
	records, err := l.Append(noon, true, thread(id))
	if err != nil {
		t.Fatal(err)
	}
	f.add(t, id, l, records)
}

func (f *families) fork(t *rapid.T) {
	parent, id := f.any(t), newID()
	shared := f.want[parent]
	at := rapid.IntRange(1, len(shared)).Draw(t, "at")
	l, rec, err := f.s.Fork(parent, int64(at), noon, thread(id))
	if err != nil {
		t.Fatal(err)
	}
	f.add(t, id, l, append(shared[:at:at], rec))
}

func (f *families) log(t *rapid.T, id string) *Log {
	if f.open[id] == nil {
		l, tail, err := f.s.Open(id)
		if err != nil {
			t.Fatal(err)
		}
		if tail.LastSeq != int64(len(f.want[id])) {
			t.Fatalf("opened after record %d, want %d", tail.LastSeq, len(f.want[id]))
		}
		f.open[id] = l
	}
	return f.open[id]
}

func (f *families) append(t *rapid.T) {
	id := f.any(t)
	var body longrein.Body = said(f.texts.Draw(t, "text"))
	if rapid.IntRange(0, 3).Draw(t, "window") == 0 {
		entry := longrein.Entry{Step: 1, Item: longrein.Message{Role: longrein.RoleAssistant, Text: f.texts.Draw(t, "text")}}
		body = longrein.Window{N: 1, Why: "full", Head: []longrein.Entry{entry}}
	}
	records, err := f.log(t, id).Append(noon, true, body)
	if err != nil {
		t.Fatal(err)
	}
	f.want[id] = append(f.want[id], records...)
}

func (f *families) close(t *rapid.T, id string) {
	if l := f.open[id]; l != nil {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	delete(f.open, id)
}

func (f *families) remove(t *rapid.T) {
	var gone []string
	for range rapid.IntRange(1, 2).Draw(t, "threads") {
		if id := f.any(t); !slices.Contains(gone, id) {
			f.close(t, id)
			gone = append(gone, id)
		}
	}
	if err := f.s.Remove(gone...); err != nil {
		t.Fatal(err)
	}
	f.ids = slices.DeleteFunc(f.ids, func(id string) bool { return slices.Contains(gone, id) })
}

func (f *families) collect(t *rapid.T) {
	if _, err := f.s.Collect(context.Background(), CollectOptions{}); err != nil {
		t.Fatal(err)
	}
}

// glance compares a thread.
func (f *families) glance(t *rapid.T) {
	if len(f.ids) > 0 {
		id := f.any(t)
		checkThread(t, f.s, id, f.want[id])
	}
}

// check compares every thread, and looks for what no thread needs.
func (f *families) check(t *rapid.T) {
	for _, id := range f.ids {
		checkThread(t, f.s, id, f.want[id])
	}
	for found, err := range f.s.Check(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		t.Fatal(found)
	}
	if n := len(slices.Collect(f.listed(t))); n != len(f.ids) {
		t.Fatalf("%d threads are listed, want %d", n, len(f.ids))
	}
	if u, err := f.s.Usage(context.Background()); err != nil || len(f.ids) == 0 && u.Kept.Files > 0 {
		t.Fatalf("usage %+v, %v, though there are no threads", u, err)
	}
}

func (f *families) listed(t *rapid.T) func(func(string) bool) {
	return func(yield func(string) bool) {
		for file, err := range f.s.Files() {
			if err != nil {
				t.Fatal(err)
			}
			if !yield(file.ID) {
				return
			}
		}
	}
}

// TestFamiliesOfThreadsHoldWhatTheyShould begins, forks, removes and goes on with
// threads at random, and gives space back in between.
func TestFamiliesOfThreadsHoldWhatTheyShould(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := newFamilies(t.TempDir())
		defer func() {
			for _, id := range f.ids {
				f.close(rt, id)
			}
		}()
		rt.Repeat(map[string]func(*rapid.T){
			"begin": f.begin, "fork": f.fork, "append": f.append, "remove": f.remove, "collect": f.collect,
			"close": func(t *rapid.T) { f.close(t, f.any(t)) },
			"":      f.glance,
		})
		f.check(rt)
	})
}
