package index_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/index"
)

// BenchmarkList opens the index of 10,000 threads, looks for changes, lists and
// closes, on a real file system.
func BenchmarkList(b *testing.B) {
	const threads = 10_000
	layouts := map[string]struct {
		days   int
		locked int // logs of the newest day that are being written
		limit  int
	}{
		"all/200-days":              {days: 200},
		"all/200-days/3-written":    {days: 200, locked: 3},
		"all/one-day":               {days: 1},
		"all/one-day/3-written":     {days: 1, locked: 3},
		"newest-20/200-days/3-open": {days: 200, locked: 3, limit: 20},
	}
	for name, l := range layouts {
		b.Run(name, func(b *testing.B) {
			logs, home := onDisk(b, threads, l.days, l.locked), b.TempDir()
			want := threads
			if l.limit > 0 {
				want = l.limit
			}
			once(b, home, logs, l.limit, want)
			b.ReportAllocs()
			for b.Loop() {
				once(b, home, logs, l.limit, want)
			}
		})
	}
}

func once(b *testing.B, home string, logs index.Logs, limit, want int) {
	x, err := index.Open(home, index.Options{Logs: logs})
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	if _, err := x.Sync(context.Background(), index.Quick); err != nil {
		b.Fatal(err)
	}
	found, err := x.List(context.Background(), index.Query{Limit: limit})
	if err != nil || len(found) != want {
		b.Fatalf("%d threads, %v", len(found), err)
	}
}

// onDisk makes logs of three records in day folders that were left alone for an
// hour.
func onDisk(b *testing.B, threads, days, locked int) index.Logs {
	b.Helper()
	root, d := b.TempDir(), newDisk()
	for n := range threads {
		id, dir := threadID(n), filepath.Join(root, "2026", "01", fmt.Sprint(n%days))
		d.append(place(1), id, begin(id, "/home/user/src/project", "please find out why the nightly run of the scheduler's tests fails, and make it pass again")...)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			b.Fatal(err)
		}
		files := []string{id + ".jsonl"}
		if n%days == 0 && n/days < locked {
			files = append(files, id+".lock")
		}
		for _, name := range files {
			if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 100), 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	old := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(root, func(name string, e os.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		return os.Chtimes(name, old, old)
	})
	if err != nil {
		b.Fatal(err)
	}
	return index.Logs{FS: os.DirFS(root), Read: d.read}
}

// BenchmarkRebuild makes the rows of 10,000 logs anew.
func BenchmarkRebuild(b *testing.B) {
	logs := onDisk(b, 10_000, 200, 0)
	home := b.TempDir()
	for b.Loop() {
		x, err := index.Open(home, index.Options{Logs: logs})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := x.Sync(context.Background(), index.Rebuild); err != nil {
			b.Fatal(err)
		}
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSearch searches 10,000 threads, in each of which 6 kB were said, for
// words that one, many and all of them have, and shows the 50 best.
func BenchmarkSearch(b *testing.B) {
	d := newDisk()
	write := &writer{r: rand.New(rand.NewPCG(1, 2))}
	for n := range 10_000 {
		bodies := start(threadID(n), "/src", write.text(300)+" please")
		for i := range 4 {
			bodies = append(bodies, said(write.text(700)), called("shell", fmt.Sprintf(`{"command":"go test ./pkg%d"}`, i)), output(write.text(700)))
		}
		if n == 4_321 {
			bodies = append(bodies, said("the needle is in the haystack"))
		}
		d.append(place(1+n%200), threadID(n), bodies...)
	}
	x, err := index.Open(b.TempDir(), index.Options{Logs: d.logs()})
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	if _, err := x.Sync(context.Background(), index.Quick); err != nil {
		b.Fatal(err)
	}
	for name, query := range map[string]string{
		"in-one": "needle", "in-many": "b9", "in-all": "please", "beginnings": "ple", "phrase-in-all": `"go test"`,
		"three-words-in-all": "please go test", "in-all-and-in-one": "please needle",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				found, err := x.Search(context.Background(), index.Query{Limit: 50}, query)
				if err != nil || len(found) == 0 {
					b.Fatalf("%d threads, %v", len(found), err)
				}
			}
		})
	}
}

// writer makes texts in which, as in any language, few words are common and many
// are rare.
type writer struct {
	r *rand.Rand
	z *rand.Zipf
}

func (w *writer) text(bytes int) string {
	if w.z == nil {
		w.z = rand.NewZipf(w.r, 1.2, 4, 50_000)
	}
	var out []byte
	for len(out) < bytes {
		n := w.z.Uint64()
		out = fmt.Appendf(out, "%c%d ", 'a'+rune(n%7), n)
	}
	return string(out)
}

// BenchmarkFold adds one record to a row.
func BenchmarkFold(b *testing.B) {
	r := longrein.Record{Seq: 1, Body: longrein.Answered{Usage: longrein.Usage{Input: 1}}}
	var e index.Entry
	b.ReportAllocs()
	for b.Loop() {
		e = index.Fold(nil, e, r)
	}
}
