package rollout

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
)

func mend(tb testing.TB, s *Store, id string) Repaired {
	tb.Helper()
	r, err := s.Repair(context.Background(), id)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// mendBytes puts right what it can of a log in memory.
func mendBytes(t *testing.T, s *Store, id string, content []byte) ([]byte, Repaired) {
	t.Helper()
	var r Repaired
	f := &source{DiskFile: bytesFile{r: bytes.NewReader(content)}, store: s, id: id, size: int64(len(content))}
	damaged, err := f.stretches(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	fixed := bytes.Clone(content)
	for _, d := range damaged {
		if d.mend(id, &r) {
			copy(fixed[d.off:], d.text)
		}
	}
	return fixed, r
}

func TestAnyBitThatIsWrongIsPutRight(t *testing.T) {
	s := store(t)
	id, path, _ := sample(t, s)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	own := len(raw) - 1 - sumLength + len(sumStart) // the last sum, which no line vouches for
	for i := range 8 * len(raw) {
		bad := bytes.Clone(raw)
		bad[i/8] ^= 1 << (i % 8)
		got, r := mendBytes(t, s, id, bad)
		if i/8 >= own && i/8 < own+len(sum{}) {
			if r.Restored+r.Lost > 0 {
				t.Fatalf("bit %d of the last sum was repaired to %q", i, got)
			}
			continue
		}
		if !bytes.Equal(got, raw) || r.Restored == 0 || r.Lost != 0 {
			t.Fatalf("byte %d (%q as %q) was repaired to %+v:\n%s", i/8, raw[i/8], bad[i/8], r, cmp.Diff(string(raw), string(got)))
		}
	}
}

// spoiled writes over a part of a file, and keeps what makes lines of it.
func spoiled(raw []byte, from, to int) []byte {
	bad := bytes.Clone(raw)
	for i := from; i < to; i++ {
		if bad[i] != '\n' {
			bad[i] = '#'
		}
	}
	return bad
}

func TestALostRecordGivesWayToAWarning(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	put(t, l, said("a"), said("b"), said("c"), said("d"), said(strings.Repeat("never mind ", 20)), said("e"))
	path, records := l.Path(), readAll(t, s, id)
	l.Close()
	l, child := fork(t, s, id, 7)
	l.Close()
	want := append(records[:7:7], ownRecords(t, s, child)...)
	raw, _ := os.ReadFile(path)
	i := bytes.Index(raw, []byte("mind"))
	bad := spoiled(raw, i, i+4)
	if err := os.WriteFile(path, bad, 0o600); err != nil {
		t.Fatal(err)
	}
	r := mend(t, s, id)
	if r.Lost != 1 || r.Restored != 0 || len(r.Left) > 0 {
		t.Fatalf("repaired %+v, want one record lost", r)
	}
	if old, err := os.ReadFile(r.Original); err != nil || !bytes.Equal(old, bad) {
		t.Errorf("the log as it was is not kept (%v)", err)
	}
	got := readAll(t, s, id)
	w, ok := got[5].Body.(longrein.Warning)
	if !ok || got[5].Seq != 6 {
		t.Fatalf("in its place stands %+v", got[5])
	}
	if !strings.Contains(w.Text, "Record 6") {
		t.Errorf("the warning says %q", w.Text)
	}
	got[5], want[5] = records[5], records[5]
	if diff := cmp.Diff(records, got); diff != "" {
		t.Errorf("the others, -want +got:\n%s", diff)
	}
	forked := readAll(t, s, child)
	forked[5] = records[5]
	if diff := cmp.Diff(want, forked); diff != "" {
		t.Errorf("the fork, -want +got:\n%s", diff)
	}
	if now, _ := os.ReadFile(path); len(now) != len(raw) || !bytes.HasSuffix(now, raw[len(raw)-140:]) {
		t.Error("what follows was moved or changed")
	}
	if again := mend(t, s, id); again.Original != "" || again.Restored+again.Lost != 0 {
		t.Errorf("the second time %+v was repaired", again)
	}
}

// TestRepairLosesNothingThatCanBeRead damages stretches of a log at random. What
// could be read before can be read after, and nothing else appears than warnings.
func TestRepairLosesNothingThatCanBeRead(t *testing.T) {
	s := store(t)
	s.Disk = &faults{}
	l, id := begin(t, s)
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 6 {
		work(t, l, random, n, 300)
	}
	records := readAll(t, s, id)
	path := l.Path()
	l.Close()
	raw, _ := os.ReadFile(path)
	first := bytes.IndexByte(raw, '\n') + 1
	rapid.Check(t, func(t *rapid.T) {
		bad := bytes.Clone(raw)
		for range rapid.IntRange(1, 4).Draw(t, "stretches") {
			from := rapid.IntRange(first, len(bad)-1).Draw(t, "from")
			n := rapid.SampledFrom([]int{1, 1, 2, 20, 300, 2000}).Draw(t, "length")
			for i := from; i < min(len(bad), from+n); i++ {
				bad[i] = byte(rapid.IntRange(0, 255).Draw(t, "byte"))
			}
		}
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		before := map[int64]bool{}
		for r, err := range s.Read(id) {
			if err == nil {
				before[r.Seq] = true
			}
		}
		r, err := s.Repair(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := range s.Read(id) {
			if _, warned := rec.Body.(longrein.Warning); err != nil || warned {
				continue
			}
			if diff := cmp.Diff(records[rec.Seq-1], rec); diff != "" {
				t.Fatalf("another record came back, -want +got:\n%s", diff)
			}
			delete(before, rec.Seq)
		}
		if len(before) > 0 {
			t.Fatalf("records %v could be read before the repair (%+v)", before, r)
		}
		if err := s.removeAside(path); err != nil {
			t.Fatal(err)
		}
	})
}

func TestALostFirstRecordGivesWayToAnEmptyOne(t *testing.T) {
	s := store(t)
	id := newID()
	l, err := s.Create(id)
	if err != nil {
		t.Fatal(err)
	}
	first := thread(id)
	first.Base = "You work in a folder of the user's."
	put(t, l, first, said("a"))
	l.Close()
	raw, _ := os.ReadFile(l.Path())
	if err := os.WriteFile(l.Path(), spoiled(raw, 10, 100), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Open(id); err == nil {
		t.Fatal("a log without its first record can be opened")
	}
	if r := mend(t, s, id); r.Lost != 1 || len(r.Left) > 0 {
		t.Errorf("repaired %+v, want one record lost", r)
	}
	if _, tail := reopen(t, s, id); tail.Thread.ID != id || tail.LastSeq != 2 {
		t.Errorf("opened with %+v", tail)
	}
}

func TestADamagedBlobIsSetAsideSoThatItCanBeStoredAgain(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	b := blob(t, s, 1)
	put(t, l, item(1, longrein.ToolOutput{CallID: "c", Full: &b}), said(strings.Repeat("q", 100_000)))
	l.Close()
	path, _ := s.blobPath(b.ID)
	raw, _ := os.ReadFile(path)
	raw[len(raw)/2] ^= 1
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := mend(t, s, id); len(r.Blobs) != 1 || r.Blobs[0] != b.ID || len(r.Left) != 1 {
		t.Errorf("repaired %+v, want one blob set aside", r)
	}
	blob(t, s, 1)
	if got := findings(t, s); len(got) > 0 {
		t.Errorf("stored again, found %v", got)
	}
	if u, _ := s.Usage(context.Background()); u.Aside.Files != 1 {
		t.Errorf("usage %+v, want the damaged blob", u)
	}
}

func TestWhatIsInUseOrNewerIsNotRepaired(t *testing.T) {
	s := store(t)
	_, id := begin(t, s)
	if _, err := s.Repair(context.Background(), id); !errors.As(err, new(*ErrLocked)) {
		t.Errorf("error %v, want an ErrLocked", err)
	}
	later := newID()
	l, err := s.Create(later)
	if err != nil {
		t.Fatal(err)
	}
	put(t, l, longrein.Thread{ID: later, Format: longrein.LogFormat + 1})
	l.Close()
	if _, err := s.Repair(context.Background(), later); !errors.Is(err, ErrNewer) {
		t.Errorf("error %v, want ErrNewer", err)
	}
}

func TestAnySumCanBeForced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var before, want sum
		copy(before[:], rapid.StringMatching(`[0-9a-f]{8}`).Draw(t, "before"))
		copy(want[:], rapid.StringMatching(`[0-9a-f]{8}`).Draw(t, "want"))
		body := []byte(rapid.String().Draw(t, "body") + strings.Repeat("@", letters) + `"}`)
		if !force(body, before, want) || before.next(body) != want {
			t.Fatalf("%q has the sum %s, want %s", body, before.next(body), want)
		}
		if l := body[len(body)-2-letters : len(body)-2]; strings.Trim(string(l), "@ABCDEFGHIJKLMNO`abcdefghijklmno") != "" {
			t.Fatalf("%q are no letters", l)
		}
	})
}
