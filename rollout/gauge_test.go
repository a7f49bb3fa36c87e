package rollout

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
)

// lineAt returns where the n-th line of a log begins, from 1.
func lineAt(raw []byte, n int) int {
	at := 0
	for range n - 1 {
		at += bytes.IndexByte(raw[at:], '\n') + 1
	}
	return at
}

// gaugedLog is a log that was closed by nobody, as a crash leaves it: of eight
// records five are acknowledged.
func gaugedLog(tb testing.TB) (s *Store, id, path string, raw []byte, want []longrein.Record) {
	tb.Helper()
	s = store(tb)
	l, id := begin(tb, s)
	put(tb, l, said("two"), said("three"))
	put(tb, l, said("four"), said("five"))
	if _, err := l.Append(noon, false, said("six"), said("seven"), said("eight")); err != nil {
		tb.Fatal(err)
	}
	want = readAll(tb, s, id)
	raw, err := os.ReadFile(l.Path())
	if err != nil {
		tb.Fatal(err)
	}
	// The process dies: its files stay, its lock does not.
	if err := l.lock.Close(); err != nil {
		tb.Fatal(err)
	}
	return s, id, l.Path(), raw, want
}

func TestAHoleInWhatWasNotSyncedEndsTheLog(t *testing.T) {
	for lost := 6; lost <= 8; lost++ {
		s, id, path, raw, want := gaugedLog(t)
		from := lineAt(raw, lost)
		clear(raw[from+3 : from+20]) // as a sector that never reached the disk
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		read, err := collect(s.Read(id))
		if !torn(err) || len(read) != lost-1 {
			t.Errorf("line %d is lost: Read gave %d records and %v", lost, len(read), err)
		}
		l, tail := reopen(t, s, id)
		if tail.LastSeq != int64(lost-1) || len(tail.Warnings) != 1 || !strings.Contains(tail.Warnings[0], "cut off") {
			t.Errorf("line %d is lost: the log ends with record %d, warnings %q", lost, tail.LastSeq, tail.Warnings)
		}
		asides, _ := filepath.Glob(path + tornSuffix + "*")
		if len(asides) != 1 {
			t.Fatalf("set aside: %q", asides)
		}
		if b, _ := os.ReadFile(asides[0]); !bytes.Equal(b, raw[from:]) {
			t.Errorf("set aside were %d bytes, want %d", len(b), len(raw)-from)
		}
		next := put(t, l, said("on"))
		if diff := cmp.Diff(append(want[:lost-1:lost-1], next...), readAll(t, s, id)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

func TestDamageInWhatWasSyncedCostsOnlyItself(t *testing.T) {
	for line := 2; line <= 5; line++ {
		s, id, path, raw, want := gaugedLog(t)
		raw[lineAt(raw, line)+60] ^= 1
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		_, tail := reopen(t, s, id)
		if diff := cmp.Diff(slices.Delete(want, line-1, line), tail.Records); diff != "" {
			t.Errorf("line %d is damaged, -want +got:\n%s", line, diff)
		}
	}
}

func TestAGaugeIsThereWhileALogIsOpen(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	there := func() bool { _, err := os.Stat(gaugePath(l.Path())); return err == nil }
	if there() {
		t.Error("one line alone needs no gauge")
	}
	put(t, l, said("two"))
	if !there() {
		t.Error("there is no gauge")
	}
	if n, ok, err := s.gauged(l.Path()); n != l.size || !ok || err != nil {
		t.Errorf("the gauge says %d, %v, %v, want %d", n, ok, err, l.size)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if there() {
		t.Error("the gauge is there after Close")
	}
	l, _ = reopen(t, s, id)
	put(t, l, said("three"), said("four"))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(id); err != nil {
		t.Fatal(err)
	}
	if there() {
		t.Error("the gauge is there after Remove")
	}
}

func TestAGaugeThatCannotBeReadSaysNothing(t *testing.T) {
	s, id, path, _, want := gaugedLog(t)
	for _, content := range []string{"", "00000000000000000007 00000000\n", strings.Repeat("\x00", 600)} {
		if err := os.WriteFile(gaugePath(path), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, readAll(t, s, id)); diff != "" {
			t.Errorf("a gauge with %q, -want +got:\n%s", content, diff)
		}
	}
}

func TestALineThatIsWholeIsNotCutOffForWhatItRefersTo(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	put(t, l, said("before"), said(strings.Repeat("x", 100_000)))
	want := readAll(t, s, id)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	blobs, _ := filepath.Glob(filepath.Join(s.blobs(), "*", "*.zst"))
	if err := os.Truncate(blobs[0], 10); err != nil {
		t.Fatal(err)
	}
	l, tail := reopen(t, s, id)
	last := tail.Records[len(tail.Records)-1]
	if _, warns := last.Body.(longrein.Warning); tail.LastSeq != 3 || last.Seq != 3 || !warns {
		t.Errorf("the tail ends with %+v", last)
	}
	if next := put(t, l, said("after")); next[0].Seq != 4 {
		t.Errorf("the next record has the number %d, want 4", next[0].Seq)
	}
	if lines := damaged(t, s, id, append(want, longrein.Record{Seq: 4, Time: noon, Body: said("after")})); !slices.Equal(lines, []int64{3}) {
		t.Errorf("lines %v are damaged, want 3", lines)
	}
}

func TestANewlineInASumCostsOnlyItsLine(t *testing.T) {
	s := store(t)
	id, path, records := sample(t, s)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	end := lineAt(raw, 5) - 1
	for at := end - sumLength; at < end; at++ {
		bad := bytes.Clone(raw)
		bad[at] = '\n'
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if lines := damaged(t, s, id, records); !slices.Equal(lines, []int64{4}) {
			t.Errorf("byte %d before the end: lines %v are damaged, want 4", end-at, lines)
		}
	}
}
