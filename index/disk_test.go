package index_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/index"
)

// disk is a folder of logs with a clock of its own, which goes on by a second
// whenever something is done.
type disk struct {
	fs      fstest.MapFS
	records map[string][]longrein.Record
	broken  map[string]error // yielded at the end of a log
	now     time.Time
	reads   int // records that were read
}

func newDisk() *disk {
	d := &disk{fs: fstest.MapFS{}, records: map[string][]longrein.Record{}, broken: map[string]error{}}
	d.now = time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	d.touch(".")
	return d
}

func (d *disk) logs() index.Logs { return index.Logs{FS: d.fs, Read: d.read, Shared: d.shared} }

func (d *disk) read(id string, after int64) iter.Seq2[longrein.Record, error] {
	return func(yield func(longrein.Record, error) bool) {
		for _, r := range d.records[id] {
			if r.Seq <= after {
				continue
			}
			d.reads++
			if !yield(r, nil) {
				return
			}
		}
		if err := d.broken[id]; err != nil {
			yield(longrein.Record{}, err)
		}
	}
}

// share is read for several readers at once.
func (d *disk) share(id string, after int64) iter.Seq2[longrein.Record, error] {
	return (&disk{records: d.records}).read(id, after)
}

func (d *disk) tick() time.Time {
	d.now = d.now.Add(time.Second)
	return d.now
}

// touch makes a folder, and sets its time as making or removing a file in it
// does.
func (d *disk) touch(dir string) {
	if _, ok := d.fs[dir]; !ok && dir != "." {
		d.touch(path.Dir(dir))
	}
	d.fs[dir] = &fstest.MapFile{Mode: fs.ModeDir | 0o700, ModTime: d.tick()}
}

func place(day int) string { return fmt.Sprintf("2026/01/%02d", day) }

func threadID(n int) string { return fmt.Sprintf("01890000-0000-7000-8000-%012d", n) }

// open and close put a lock beside a log and take it away.
func (d *disk) open(dir, id string) {
	d.fs[path.Join(dir, id+".lock")] = &fstest.MapFile{ModTime: d.tick()}
	d.touch(dir)
}

func (d *disk) close(dir, id string) {
	delete(d.fs, path.Join(dir, id+".lock"))
	d.touch(dir)
}

// append writes records to a log that is open.
func (d *disk) append(dir, id string, bodies ...longrein.Body) {
	name := path.Join(dir, id+".jsonl")
	if d.fs[name] == nil {
		d.touch(dir)
	}
	for _, b := range bodies {
		seq := int64(1)
		if had := d.records[id]; len(had) > 0 {
			seq = had[len(had)-1].Seq + 1
		} else if t, ok := b.(longrein.Thread); ok {
			seq = t.ForkSeq + 1
		}
		r := longrein.Record{Seq: seq, Time: d.tick(), Body: b}
		d.records[id] = append(d.records[id], r)
	}
	d.fs[name] = &fstest.MapFile{Data: make([]byte, len(d.records[id])), ModTime: d.tick()}
}

// write opens a log, appends to it and closes it.
func (d *disk) write(dir, id string, bodies ...longrein.Body) {
	d.open(dir, id)
	d.append(dir, id, bodies...)
	d.close(dir, id)
}

// fork begins a thread that goes on from another.
func (d *disk) fork(dir string, t longrein.Thread) { d.write(dir, t.ID, t) }

func (d *disk) remove(dir, id string) {
	delete(d.fs, path.Join(dir, id+".jsonl"))
	delete(d.records, id)
	d.touch(dir)
}

// begin is the first records of a thread.
func begin(id, cwd, words string) []longrein.Body {
	return []longrein.Body{
		longrein.Thread{ID: id, Cwd: cwd, Branch: "main", Model: "sim:a"},
		longrein.Input{Text: words, Mode: longrein.InputSubmit},
		longrein.Turn{N: 1, State: longrein.TurnStarted},
	}
}

var errTorn = errors.New("line 7 is torn")

// opened returns an index of d's logs in a fresh folder.
func opened(t *testing.T, d *disk) *index.Index {
	t.Helper()
	return openedIn(t, t.TempDir(), d)
}

func openedIn(t *testing.T, dir string, d *disk) *index.Index {
	t.Helper()
	x, err := index.Open(dir, index.Options{Logs: d.logs(), Warn: func(s string) { t.Log(s) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

func synced(t *testing.T, x *index.Index, depth index.Depth) index.Report {
	t.Helper()
	r, err := x.Sync(context.Background(), depth)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func listed(t *testing.T, x *index.Index, q index.Query) []index.Entry {
	t.Helper()
	found, err := x.List(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// ids are those of entries, in order.
func ids(entries []index.Entry) []string {
	return slices.Collect(func(yield func(string) bool) {
		for _, e := range entries {
			if !yield(e.ID) {
				return
			}
		}
	})
}
