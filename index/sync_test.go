package index_test

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/index"
)

func TestSyncReadsOnlyWhatIsNew(t *testing.T) {
	d := newDisk()
	x := opened(t, d)
	d.write(place(1), threadID(1), begin(threadID(1), "/src", "one")...)
	d.write(place(2), threadID(2), begin(threadID(2), "/src", "two")...)
	if r := synced(t, x, index.Quick); r.Added != 2 || d.reads != 6 {
		t.Errorf("first look: %+v and %d records read, want 2 logs and 6 records", r, d.reads)
	}
	if r := synced(t, x, index.Quick); r != (index.Report{Threads: 2}) {
		t.Errorf("nothing happened, and a look found %+v", r)
	}
	d.write(place(2), threadID(2), longrein.Turn{N: 1, State: longrein.TurnEnded})
	if r := synced(t, x, index.Quick); r.Changed != 1 || r.Listed != 1 || d.reads != 7 {
		t.Errorf("one record more: %+v and %d records read, want 1 log, 1 folder and 7 records", r, d.reads)
	}
	d.remove(place(1), threadID(1))
	if r := synced(t, x, index.Quick); r.Removed != 1 {
		t.Errorf("a log is gone: %+v", r)
	}
	if got := listed(t, x, index.Query{}); len(got) != 1 || got[0].State != longrein.TurnEnded {
		t.Errorf("got %+v, want thread 2, ended", got)
	}
}

func TestAFolderInWhichSomebodyWritesIsNotTrusted(t *testing.T) {
	d := newDisk()
	x := opened(t, d)
	d.open(place(1), threadID(1))
	d.append(place(1), threadID(1), begin(threadID(1), "/src", "one")...)
	synced(t, x, index.Quick)
	d.append(place(1), threadID(1), longrein.Renamed{Name: "new"}) // leaves the folder's time alone
	synced(t, x, index.Quick)
	if got := listed(t, x, index.Query{}); got[0].Name != "new" {
		t.Errorf("the name is %q after a look, want new", got[0].Name)
	}
}

func TestAFolderThatChangedJustNowIsNotTrusted(t *testing.T) {
	d := newDisk()
	x := opened(t, d)
	d.write(place(1), threadID(1), begin(threadID(1), "/src", "one")...)
	d.fs[place(1)].ModTime = time.Now()
	synced(t, x, index.Quick)
	if r := synced(t, x, index.Quick); r.Listed != 1 {
		t.Errorf("%d folders listed, want the one of just now", r.Listed)
	}
}

func TestAFullLookFindsWhatAQuickOneMustMiss(t *testing.T) {
	d := newDisk()
	x := opened(t, d)
	d.write(place(1), threadID(1), begin(threadID(1), "/src", "one")...)
	synced(t, x, index.Quick)
	d.append(place(1), threadID(1), longrein.Renamed{Name: "copied over"}) // without a lock
	if r := synced(t, x, index.Quick); r.Changed != 0 {
		t.Fatalf("a quick look found %+v; this test is about what it misses", r)
	}
	if r := synced(t, x, index.Full); r.Changed != 1 {
		t.Errorf("a full look found %+v, want the changed log", r)
	}
}

func TestAShorterLogIsReadAnew(t *testing.T) {
	d := newDisk()
	x := opened(t, d)
	d.write(place(1), threadID(1), append(begin(threadID(1), "/src", "one"), longrein.Renamed{Name: "lost"})...)
	synced(t, x, index.Quick)
	d.records[threadID(1)] = d.records[threadID(1)][:3] // a repair moved the last line aside
	d.write(place(1), threadID(1))
	synced(t, x, index.Quick)
	if got := listed(t, x, index.Query{}); got[0].Name != "" || got[0].Seq != 3 {
		t.Errorf("row is %q up to record %d, want that of the shorter log", got[0].Name, got[0].Seq)
	}
}

func TestWhatCannotBeReadIsListedAndMarked(t *testing.T) {
	tests := map[string]struct {
		locked bool
		want   string
	}{
		"a torn end is damage":                        {false, errTorn.Error()},
		"a torn end is no damage while one writes it": {true, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := newDisk()
			x := opened(t, d)
			d.write(place(1), threadID(1), begin(threadID(1), "/src", "one")...)
			d.broken[threadID(1)] = errTorn
			if tt.locked {
				d.open(place(1), threadID(1))
			}
			d.write(place(1), threadID(2))
			d.broken[threadID(2)] = errors.New("permission denied")
			synced(t, x, index.Quick)
			got := listed(t, x, index.Query{})
			if len(got) != 2 {
				t.Fatalf("%d rows, want one for each log", len(got))
			}
			if got[0].Damaged != "permission denied" || got[0].ID != threadID(2) || got[0].Updated.IsZero() {
				t.Errorf("the log without a record is %+v", got[0])
			}
			if got[1].Damaged != tt.want || got[1].First != "one" {
				t.Errorf("the torn log is marked %q, want %q", got[1].Damaged, tt.want)
			}
		})
	}
}

func TestDamageInTheMiddleStaysMarked(t *testing.T) {
	d := newDisk()
	d.write(place(1), threadID(1), begin(threadID(1), "/src", "one")...)
	logs := d.logs()
	logs.Read = func(id string, after int64) iter.Seq2[longrein.Record, error] {
		return func(yield func(longrein.Record, error) bool) {
			_ = yield(d.records[id][0], nil) && yield(longrein.Record{}, errTorn) && yield(d.records[id][2], nil)
		}
	}
	d.open(place(1), threadID(1))
	x, err := index.Open("", index.Options{Logs: logs})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	synced(t, x, index.Quick)
	if got := listed(t, x, index.Query{}); got[0].Damaged != errTorn.Error() || got[0].Turns != 1 {
		t.Errorf("got %+v, want the damage and what follows it", got[0])
	}
}

func TestAFolderThatCannotBeReadKeepsItsRows(t *testing.T) {
	d := newDisk()
	d.write(place(1), threadID(1), begin(threadID(1), "/src", "one")...)
	logs, warned := d.logs(), ""
	closed := &closedFS{MapFS: d.fs}
	logs.FS = closed
	x, err := index.Open(t.TempDir(), index.Options{Logs: logs, Warn: func(s string) { warned = s }})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	synced(t, x, index.Quick)
	closed.name = "2026"
	synced(t, x, index.Full)
	if got := listed(t, x, index.Query{}); len(got) != 1 || warned == "" {
		t.Errorf("%d rows and the warning %q, want the row kept and a warning", len(got), warned)
	}
}

// closedFS refuses to list one folder.
type closedFS struct {
	fstest.MapFS
	name string
}

func (c *closedFS) ReadDir(name string) ([]os.DirEntry, error) {
	if name == c.name {
		return nil, os.ErrPermission
	}
	return c.MapFS.ReadDir(name)
}

func TestAWholeFolderThatIsGoneTakesItsRowsAlong(t *testing.T) {
	d := newDisk()
	x := opened(t, d)
	d.write(place(1), threadID(1), begin(threadID(1), "/src", "one")...)
	d.write(place(2), threadID(2), begin(threadID(2), "/src", "two")...)
	synced(t, x, index.Quick)
	d.remove(place(1), threadID(1))
	delete(d.fs, place(1))
	d.touch("2026/01")
	if r := synced(t, x, index.Quick); r.Removed != 1 {
		t.Errorf("%+v, want one removed", r)
	}
	if r := synced(t, x, index.Quick); r != (index.Report{Threads: 1}) {
		t.Errorf("the next look found %+v", r)
	}
}

// However threads begin, grow and go, a quick look ends with the rows that
// reading everything anew gives.
func TestAQuickLookFindsWhatReadingEverythingFinds(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d, dir := newDisk(), t.TempDir()
		locked := map[string]string{} // id to folder
		for range rapid.IntRange(1, 30).Draw(r, "steps") {
			n := rapid.IntRange(1, 4).Draw(r, "thread")
			id, day := threadID(n), place(n/2)
			switch _, open := locked[id]; rapid.SampledFrom([]string{"open", "append", "close", "remove", "look", "kill", "lose"}).Draw(r, "do") {
			case "open":
				d.open(day, id)
				locked[id] = day
			case "append":
				if !open {
					continue
				}
				if len(d.records[id]) == 0 {
					d.append(day, id, begin(id, "/src", "words")...)
				}
				d.append(day, id, longrein.Turn{N: rapid.IntRange(1, 9).Draw(r, "turn"), State: longrein.TurnEnded})
			case "close":
				d.close(day, id)
				delete(locked, id)
			case "remove":
				if !open {
					d.remove(day, id)
				}
			case "look":
				compare(r, d, dir)
			case "kill":
				delete(locked, id) // the lock's file stays
			case "lose":
				if err := os.Remove(filepath.Join(dir, "index-3.db")); err != nil && !os.IsNotExist(err) {
					r.Fatal(err)
				}
			}
		}
		compare(r, d, dir)
	})
}

func compare(t *rapid.T, d *disk, dir string) {
	t.Helper()
	list := func(dir string, depth index.Depth) []index.Entry {
		x, err := index.Open(dir, index.Options{Logs: d.logs()})
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		if _, err := x.Sync(context.Background(), depth); err != nil {
			t.Fatal(err)
		}
		found, err := x.List(context.Background(), index.Query{})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if diff := cmp.Diff(list("", index.Rebuild), list(dir, index.Quick)); diff != "" {
		t.Fatalf("rows (-read anew +quick look):\n%s", diff)
	}
}
