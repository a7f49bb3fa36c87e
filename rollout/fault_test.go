package rollout

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
)

// faults is a disk on which things go wrong when told to. It never waits for a
// real one.
type faults struct {
	system
	mu     sync.Mutex
	room   int      // bytes that the next write takes before it fails with write
	write  error    // of the next write, once
	sync   error    // of the next sync, once
	trunc  error    // of the next truncation, once
	syncD  error    // of the next sync of a folder, once
	openAs error    // of every open for writing
	dirs   []string // that were synced
	syncs  int
	writes int           // until the gate opens …
	gate   chan struct{} // … for which syncs wait, unless it is nil
}

func (d *faults) Open(path string, flag int) (DiskFile, error) {
	if d.openAs != nil && flag != os.O_RDONLY {
		return nil, &fs.PathError{Op: "open", Path: path, Err: d.openAs}
	}
	f, err := d.system.Open(path, flag)
	return faultFile{f, d}, err
}

type faultFile struct {
	DiskFile
	d *faults
}

func take(err *error) error {
	defer func() { *err = nil }()
	return *err
}

func (f faultFile) WriteAt(p []byte, off int64) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.d.writes--; f.d.writes == 0 {
		close(f.d.gate)
	}
	if err := take(&f.d.write); err != nil {
		n, _ := f.DiskFile.WriteAt(p[:min(len(p), f.d.room)], off)
		return n, err
	}
	return f.DiskFile.WriteAt(p, off)
}

func (f faultFile) Truncate(size int64) error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := take(&f.d.trunc); err != nil {
		return err
	}
	return f.DiskFile.Truncate(size)
}

func (f faultFile) Sync() error {
	if f.d.gate != nil {
		<-f.d.gate
	}
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := take(&f.d.sync); err != nil {
		return err
	}
	f.d.syncs++
	return nil
}

func (d *faults) SyncDir(path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dirs = append(d.dirs, path)
	return take(&d.syncD)
}

func faulty(tb testing.TB) (*Store, *faults) {
	tb.Helper()
	s, d := store(tb), &faults{}
	s.Disk = d
	return s, d
}

func TestAFailedWriteLeavesNothingAndTheLogGoesOn(t *testing.T) {
	cases := map[string]struct {
		room  int
		write error
		trunc error
		says  string
	}{
		"nothing fits":                          {0, syscall.ENOSPC, nil, "free some space"},
		"half a line fits":                      {40, syscall.ENOSPC, nil, "free some space"},
		"a line and a half fit":                 {250, syscall.ENOSPC, nil, "free some space"},
		"the write is short":                    {7, io.ErrShortWrite, nil, "short write"},
		"the device fails":                      {100, syscall.EIO, nil, "input/output error"},
		"the half line cannot be removed, once": {100, syscall.ENOSPC, syscall.EIO, "free some space"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, d := faulty(t)
			l, id := begin(t, s)
			first := readAll(t, s, id)
			text := strings.Repeat("twice the same ", 20)
			d.room, d.write, d.trunc = c.room, c.write, c.trunc
			_, err := l.Append(noon, true, said(text), said("and more"))
			if !errors.Is(err, c.write) || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("append gave %v, want %v with %q", err, c.write, c.says)
			}
			want := append(first, put(t, l, said(text), said(text))...)
			if diff := cmp.Diff(want, readAll(t, s, id)); diff != "" {
				t.Errorf("after the failure, -want +got:\n%s", diff)
			}
			if want[1].Seq != 2 {
				t.Errorf("the next record has the number %d, want 2", want[1].Seq)
			}
		})
	}
}

func TestAfterAFailedSyncNothingIsAppendedUntilReopened(t *testing.T) {
	s, d := faulty(t)
	l, id := begin(t, s)
	put(t, l, said("first"), said("second")) // from now on the log has its gauge
	d.sync = syscall.EIO
	if _, err := l.Append(noon, true, said("a")); !errors.Is(err, syscall.EIO) {
		t.Fatalf("append gave %v, want EIO", err)
	}
	for _, durable := range []bool{true, false} {
		_, err := l.Append(noon, durable, said("b"))
		if !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), "opened again") {
			t.Errorf("the next append gave %v, want it refused", err)
		}
	}
	if err := l.Close(); err == nil {
		t.Error("Close says that all is well")
	}
	l, tail := reopen(t, s, id)
	put(t, l, said("c"))
	if got := len(readAll(t, s, id)); got != int(tail.LastSeq)+1 {
		t.Errorf("%d records, want %d", got, tail.LastSeq+1)
	}
}

func TestTheFoldersAreDurableBeforeTheFirstDurableAppendReturns(t *testing.T) {
	s, d := faulty(t)
	s.Root = filepath.Join(s.Root, "new", "home")
	l, _ := begin(t, s)
	var want []string
	for dir := filepath.Dir(l.Path()); len(want) < 7; dir = filepath.Dir(dir) {
		want = append([]string{dir}, want...) // up to the one that was there
	}
	if got := d.dirs[len(d.dirs)-len(want):]; !slices.Equal(want, got) {
		t.Errorf("at last the folders %q were synced, want %q", got, want)
	}
	put(t, l, said("more"))
	before := len(d.dirs) // its own folder got the log's gauge
	put(t, l, said("and more"))
	if len(d.dirs) != before {
		t.Error("later appends sync folders again")
	}
	other, err := s.Create(newID())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	d.syncD = syscall.EIO
	if _, err := other.Append(noon, true, thread("x")); !errors.Is(err, syscall.EIO) {
		t.Errorf("append gave %v, want EIO", err)
	}
}

func TestAFolderThatCannotBeWrittenIsNamedWithWhatToDo(t *testing.T) {
	for _, fault := range []error{syscall.EROFS, syscall.EACCES} {
		s, d := faulty(t)
		_, id := begin(t, s)
		d.openAs = fault
		_, err := s.Create(newID())
		_, err2 := s.PutBlob(strings.NewReader("x"))
		for _, err := range []error{err, err2} {
			if !errors.Is(err, fault) || !strings.Contains(err.Error(), s.Root) || !strings.Contains(err.Error(), "--home") {
				t.Errorf("error %v, want one that names the folder and --home", err)
			}
		}
		if _, err := s.Tail(id); err != nil {
			t.Errorf("reading needs to write: %v", err)
		}
	}
}

// Case 87 of the contract of background memory.
func TestEveryCrashKeepsWhatWasAcknowledged(t *testing.T) {
	root := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		c := crashing(t, root)
		for range rapid.IntRange(1, 4).Draw(t, "appends") {
			c.append(t, rapid.Bool().Draw(t, "durable"), rapid.SliceOfN(bodies(), 1, 2).Draw(t, "bodies")...)
		}
		c.stop(t)
		for range 4 {
			c.crash(t, rapid.IntRange(c.synced, len(c.content)).Draw(t, "cut"))
		}
	})
}

func TestACrashAtAnyByteOfTheLastBatchKeepsTheOthers(t *testing.T) {
	c := crashing(t, t.TempDir())
	text := strings.Repeat("said again ", 20)
	c.append(t, true, said(text), longrein.Window{N: 1, Why: "start"})
	c.append(t, false, said("short"), said(text), longrein.Warning{Text: "last"})
	c.stop(t)
	for cut := c.synced; cut <= len(c.content); cut++ {
		c.crash(t, cut)
	}
}

// crash is a log that is about to lose what was not synced.
type crash struct {
	store        *Store
	disk         *faults
	log          *Log
	id           string
	records      []longrein.Record
	acknowledged int // of the records
	synced       int // of the content
	content      []byte
}

func crashing(t rapid.TB, root string) *crash {
	d := &faults{}
	c := &crash{store: &Store{Root: root, Disk: d}, disk: d, id: newID()}
	var err error
	if c.log, err = c.store.Create(c.id); err != nil {
		t.Fatal(err)
	}
	c.append(t, true, thread(c.id))
	return c
}

func (c *crash) append(t rapid.TB, durable bool, bodies ...longrein.Body) {
	more, err := c.log.Append(noon, durable, bodies...)
	if err != nil {
		t.Fatal(err)
	}
	if c.records = append(c.records, more...); durable {
		c.acknowledged, c.synced = len(c.records), int(c.log.size)
	}
}

func (c *crash) stop(t rapid.TB) {
	var err error
	if c.content, err = os.ReadFile(c.log.Path()); err != nil {
		t.Fatal(err)
	}
	if err := c.log.Close(); err != nil {
		t.Fatal(err)
	}
}

// crash plays crashes after which the disk holds the first bytes and nothing, or
// zeros, in place of the rest.
func (c *crash) crash(t rapid.TB, cut int) {
	zeros := append(bytes.Clone(c.content[:cut]), make([]byte, len(c.content)-cut)...)
	for _, content := range [][]byte{c.content[:cut], zeros} {
		afterCrash(t, c.store, c.log.Path(), c.id, content, c.records, c.acknowledged)
	}
}

// afterCrash opens a log of which the disk has kept the content, and checks that
// it holds the acknowledged records, perhaps more of them, and can be used.
func afterCrash(t rapid.TB, s *Store, path, id string, content []byte, records []longrein.Record, acknowledged int) {
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	l, tail, err := s.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	have := int(tail.LastSeq)
	if have < acknowledged {
		t.Fatalf("%d records are left, %d were acknowledged", have, acknowledged)
	}
	added, err := l.Append(noon, true, said("on"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := collect(s.Read(id))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append(records[:have:have], added...), got); diff != "" {
		t.Fatalf("after the crash, -want +got:\n%s", diff)
	}
	checkAside(t, path, content)
}

// checkAside checks that what is not in the log any more is beside it.
func checkAside(t rapid.TB, path string, content []byte) {
	asides, err := filepath.Glob(path + ".torn-*")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range asides {
		b, err := os.ReadFile(a)
		if err != nil {
			t.Fatal(err)
		}
		if at := len(content) - len(b); !bytes.HasSuffix(content, b) || !bytes.HasPrefix(kept, content[:at]) {
			t.Fatalf("%d bytes were set aside, which are not what is missing", len(b))
		}
		os.Remove(a)
	}
	if len(asides) == 0 && !bytes.HasPrefix(kept, content) {
		t.Fatal("something is missing and nothing was set aside")
	}
}

func TestATornEndIsMovedAsideWithAWarning(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	put(t, l, said("whole"))
	whole, _ := os.ReadFile(l.Path())
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	half := `{"seq":3,"time":"2026-11-30T12:0`
	if err := os.WriteFile(l.Path(), append(whole, half...), 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := s.Tail(id)
	if err != nil || len(read.Warnings) != 1 || read.LastSeq != 2 {
		t.Fatalf("Tail gave %+v, %v, want a warning and two records", read, err)
	}
	if _, err := collect(s.Read(id)); !torn(err) {
		t.Errorf("Read ended with %v, want a torn line", err)
	}
	l, tail := reopen(t, s, id)
	asides, _ := filepath.Glob(l.Path() + ".torn-*")
	if len(asides) != 1 || len(tail.Warnings) != 1 || !strings.Contains(tail.Warnings[0], asides[0]) {
		t.Fatalf("asides %q, warnings %q, want one that names the other", asides, tail.Warnings)
	}
	if b, _ := os.ReadFile(asides[0]); string(b) != half {
		t.Errorf("set aside %q, want %q", b, half)
	}
	put(t, l, said("next"))
	if n := len(readAll(t, s, id)); n != 3 {
		t.Errorf("%d records, want 3", n)
	}
}

func TestConcurrentAppendsShareASync(t *testing.T) {
	s, d := faulty(t)
	l, id := begin(t, s)
	put(t, l, said("first"), said("second")) // from now on the log has its gauge
	const writers = 16
	before := d.syncs
	d.writes, d.gate = writers, make(chan struct{}) // the first sync ends when all have written
	var wg sync.WaitGroup
	for n := range writers {
		wg.Go(func() {
			if _, err := l.Append(noon, true, said(fmt.Sprint(n))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := len(readAll(t, s, id)); n != writers+3 {
		t.Errorf("%d records, want %d", n, writers+3)
	}
	if n := d.syncs - before; n != 2 {
		t.Errorf("%d syncs for %d appends at once, want one for the first and one for the others", n, writers)
	}
}

func TestACrashBeforeTheFirstRecordLeavesALogToBeginAgain(t *testing.T) {
	s := store(t)
	id := newID()
	l, err := s.Create(id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Append(noon, true, said("no thread yet")); err == nil {
		t.Error("a log began with an item")
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l, tail := reopen(t, s, id)
	if tail.LastSeq != 0 || len(tail.Records) != 0 {
		t.Fatalf("an empty log has the tail %+v", tail)
	}
	put(t, l, thread(id))
	if tail, err := s.Tail(id); err != nil || tail.Thread.ID != id {
		t.Errorf("tail %+v, %v", tail, err)
	}
}
