package crashtest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein/rollout"
)

var _ rollout.Disk = (*Disk)(nil)

func chance(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// open opens or creates a file.
func open(tb testing.TB, d *Disk, path string) rollout.DiskFile {
	tb.Helper()
	f, err := d.Open(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func write(tb testing.TB, f rollout.DiskFile, text string, off int64) {
	tb.Helper()
	_, err := f.WriteAt([]byte(text), off)
	must(tb, err)
}

func all(tb testing.TB, d *Disk, path string) string {
	tb.Helper()
	c := d.read(path)
	return string(c.bytes())
}

// A content does what a slice of bytes does, and a copy of it stays as it was.
func TestAContentIsItsBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c content
		var want []byte
		type copied struct {
			c    content
			want []byte
		}
		var copies []copied
		by := new(era)
		for range rapid.IntRange(1, 20).Draw(t, "changes") {
			off := rapid.IntRange(0, len(want)+5000).Draw(t, "off")
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				p := bytes.Repeat([]byte{byte(len(copies) + 1)}, rapid.IntRange(0, 9000).Draw(t, "length"))
				c.write(by, p, int64(off))
				if len(p) > 0 {
					want = append(want, make([]byte, max(0, off+len(p)-len(want)))...)
					copy(want[off:], p)
				}
			case 1:
				c.truncate(by, int64(off))
				want = append(want, make([]byte, max(0, off-len(want)))...)[:off]
			case 2:
				copies = append(copies, copied{c.share(), bytes.Clone(want)})
				by = new(era)
			}
			if !bytes.Equal(c.bytes(), want) {
				t.Fatalf("the content of %d bytes is not that of %d", c.size, len(want))
			}
		}
		for _, old := range copies {
			if !bytes.Equal(old.c.bytes(), old.want) {
				t.Fatal("a copy has changed")
			}
		}
	})
}

func TestWhatWasSyncedIsThereAfterEveryPowerCut(t *testing.T) {
	d := NewDisk()
	must(t, d.Mkdir("/a"))
	must(t, d.SyncDir("/"))
	f := open(t, d, "/a/f")
	write(t, f, "kept", 0)
	must(t, f.Sync())
	must(t, d.SyncDir("/a"))
	write(t, f, " and lost", 4)
	open(t, d, "/a/g")
	seen := map[string]bool{}
	for seed := range uint64(400) {
		after := d.Crash(Power, Op{}, chance(seed))
		text := all(t, after, "/a/f")
		if len(text) < 4 || text[:4] != "kept" {
			t.Fatalf("a power cut left %q", text)
		}
		_, err := after.Stat("/a/g")
		seen[fmt.Sprintf("%q %v", text, err == nil)] = true
	}
	for _, want := range []string{`"kept" false`, `"kept and lost" true`, `"kept\x00\x00\x00\x00\x00\x00\x00\x00\x00" false`} {
		if !seen[want] {
			t.Errorf("no power cut left %s of %d that were seen", want, len(seen))
		}
	}
	if text := all(t, d, "/a/f"); text != "kept and lost" {
		t.Errorf("the disk itself has changed to %q", text)
	}
}

func TestAKillTakesNothingThatWasWritten(t *testing.T) {
	d := NewDisk()
	f := open(t, d, "/f")
	write(t, f, "written", 0)
	after := d.Crash(Kill, Op{}, chance(1))
	if text := all(t, after, "/f"); text != "written" {
		t.Errorf("a kill left %q", text)
	}
	for seed := range uint64(50) {
		if _, err := after.Crash(Power, Op{}, chance(seed)).Stat("/f"); errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
	t.Error("what a killed process had not synced survives every power cut")
}

func TestSectorsAreKeptInAnyOrder(t *testing.T) {
	d := NewDisk()
	f := open(t, d, "/f")
	must(t, d.SyncDir("/"))
	write(t, f, string(bytes.Repeat([]byte("1"), sectorSize)), 0)
	write(t, f, string(bytes.Repeat([]byte("2"), sectorSize)), sectorSize)
	for seed := range uint64(400) {
		text := all(t, d.Crash(Power, Op{}, chance(seed)), "/f")
		if len(text) == 2*sectorSize && text[0] == 0 && text[sectorSize] == '2' {
			return
		}
	}
	t.Error("the second write was never there without the first")
}

func TestARenameHappensOrNot(t *testing.T) {
	d := NewDisk()
	open(t, d, "/old")
	must(t, d.SyncDir("/"))
	must(t, d.Rename("/old", "/new"))
	seen := map[string]bool{}
	for seed := range uint64(100) {
		entries, err := d.Crash(Power, Op{}, chance(seed)).ReadDir("/")
		must(t, err)
		names := ""
		for _, e := range entries {
			names += e.Name() + " "
		}
		seen[names] = true
	}
	if diff := cmp.Diff(map[string]bool{"old ": true, "new ": true}, seen); diff != "" {
		t.Errorf("what power cuts left, -want +got:\n%s", diff)
	}
}

func TestAfterAFailedSyncALaterOneProvesNothing(t *testing.T) {
	lost := 0
	for seed := range uint64(20) {
		d := NewDisk()
		f := open(t, d, "/f")
		must(t, d.SyncDir("/"))
		write(t, f, "doubtful", 0)
		d.Watch = func(Op) Fault { return Fault{Err: syscall.EIO, Kept: chance(seed)} }
		if err := f.Sync(); !errors.Is(err, syscall.EIO) {
			t.Fatalf("the sync gave %v", err)
		}
		d.Watch = nil
		must(t, f.Sync())
		if text := all(t, d, "/f"); text != "doubtful" {
			t.Fatalf("the process reads %q", text)
		}
		if all(t, d.Crash(Power, Op{}, chance(1)), "/f") != "doubtful" {
			lost++
		}
		write(t, f, "doubtful", 0)
		must(t, f.Sync())
		if text := all(t, d.Crash(Power, Op{}, chance(1)), "/f"); text != "doubtful" {
			t.Fatalf("what was written again and synced is %q after a power cut", text)
		}
	}
	if lost == 0 || lost == 20 {
		t.Errorf("of 20 failed syncs %d lost something", lost)
	}
}

func TestAFullDiskTakesWhatFits(t *testing.T) {
	d := NewDisk()
	f := open(t, d, "/f")
	d.Room = 5
	n, err := f.WriteAt([]byte("too long"), 0)
	if n != 5 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%d bytes were written, %v", n, err)
	}
	must(t, f.Truncate(0))
	if n, err := f.WriteAt([]byte("fits"), 0); n != 4 || err != nil {
		t.Errorf("%d bytes were written, %v", n, err)
	}
}

func TestALockIsHeldOnce(t *testing.T) {
	d := NewDisk()
	l, err := d.Lock("/l", "me")
	must(t, err)
	if again, err := d.Lock("/l", "you"); again != nil || err != nil {
		t.Errorf("a lock was taken twice: %v", err)
	}
	if after, err := d.Crash(Kill, Op{}, chance(1)).Lock("/l", "you"); after == nil || err != nil {
		t.Errorf("the lock outlives the process: %v", err)
	}
	must(t, l.Close())
	if again, err := d.Lock("/l", "you"); again == nil || err != nil {
		t.Errorf("a lock that was given back cannot be taken: %v", err)
	}
}
