package index_test

import (
	"bytes"
	"context"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/index"
)

func TestAnIndexThatIsMadeAnewIsListedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDisk()
		for n := range 100 {
			d.write(place(1+n/10), threadID(n), begin(threadID(n), "/src", "one")...)
		}
		logs := d.logs()
		logs.Read = func(id string, after int64) iter.Seq2[longrein.Record, error] {
			time.Sleep(100 * time.Millisecond) // a long log
			return d.read(id, after)
		}
		x, err := index.Open("", index.Options{Logs: logs})
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		ctx, stop := context.WithTimeout(context.Background(), 2550*time.Millisecond)
		defer stop()
		r, err := x.Sync(ctx, index.Quick)
		if err == nil || r.Threads != 100 || r.Behind != 75 {
			t.Errorf("after a part of the time: %+v, %v; want 75 of 100 behind", r, err)
		}
		got := listed(t, x, index.Query{})
		if len(got) != 25 || got[0].ID != threadID(99) {
			t.Errorf("%d threads listed from %s on, want the 25 newest", len(got), got[0].ID)
		}
		if r := synced(t, x, index.Quick); r.Added != 75 || r.Behind != 0 {
			t.Errorf("the rest: %+v", r)
		}
		if got := listed(t, x, index.Query{}); len(got) != 100 {
			t.Errorf("%d threads listed at the end", len(got))
		}
	})
}

func TestOneMakesTheIndexInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := opened(t, newDisk())
		ctx := context.Background()
		claim := func(step string, want bool) {
			t.Helper()
			if mine, err := x.Claim(ctx, 10*time.Second); mine != want || err != nil {
				t.Errorf("%s: %v, %v", step, mine, err)
			}
		}
		claim("nobody is at it", true)
		claim("somebody is", false)
		time.Sleep(9 * time.Second)
		if err := x.Extend(ctx, 10*time.Second); err != nil {
			t.Fatal(err)
		}
		time.Sleep(9 * time.Second)
		claim("somebody still is", false)
		time.Sleep(2 * time.Second)
		claim("it died", true)
		if err := x.Extend(ctx, 0); err != nil {
			t.Fatal(err)
		}
		claim("it is done", true)
	})
}

func TestNothingOfADeletedThreadStaysInTheFile(t *testing.T) {
	d, dir := newDisk(), t.TempDir()
	for n := range 50 {
		d.write(place(1), threadID(n), append(start(threadID(n), "/src", "common words"), longrein.Renamed{Name: "kept"})...)
	}
	d.write(place(2), threadID(99), append(start(threadID(99), "/xyzfolder", "xyzasked"), said("xyzsaid"), longrein.Renamed{Name: "xyzname"})...)
	x := openedIn(t, dir, d)
	synced(t, x, index.Quick)
	d.remove(place(2), threadID(99))
	synced(t, x, index.Quick)
	if _, err := x.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	files, _, err := index.Files(dir)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if i := bytes.Index(b, []byte("xyz")); i >= 0 {
			t.Errorf("%s still has %q", filepath.Base(f), b[i:i+10])
		}
	}
	if got := searched(t, x, index.Query{}, "common"); len(got) != 50 {
		t.Errorf("%d threads are found, want the other 50", len(got))
	}
}

func TestFilesOfOlderVersionsAreStale(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"index-1.db", "index-2.db-wal", "index-3.db.damaged-20260101T000000.000", "other.db"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("four"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	openedIn(t, dir, newDisk())
	all, stale, err := index.Files(dir)
	if err != nil || len(stale) != 3 || len(all) < 4 || strings.Contains(strings.Join(all, " "), "other") {
		t.Errorf("all: %q, stale: %q, %v", all, stale, err)
	}
	if n, err := index.Size(append(stale, filepath.Join(dir, "gone"))); n != 12 || err != nil {
		t.Errorf("stale files have %d bytes, %v; want 12", n, err)
	}
}
