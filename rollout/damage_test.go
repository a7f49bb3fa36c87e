package rollout

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// sample writes a log with a window, repeats and an unknown type, and closes it.
func sample(tb testing.TB, s *Store) (id, path string, records []longrein.Record) {
	tb.Helper()
	l, id := begin(tb, s)
	text := strings.Repeat("the quick brown fox ", 10)
	entry := longrein.Entry{Step: 2, Item: longrein.Message{Role: longrein.RoleAssistant, Text: text}}
	put(tb, l, said("hello"), longrein.Appended{Entry: entry}, longrein.Unknown{Name: "later", Raw: []byte(`{"$at":1}`)})
	put(tb, l, longrein.Window{N: 1, Why: "full", Head: []longrein.Entry{entry}})
	put(tb, l, longrein.Warning{Text: "mind"}, said(text), said("bye"))
	records = readAll(tb, s, id)
	if err := l.Close(); err != nil {
		tb.Fatal(err)
	}
	return id, l.Path(), records
}

// damaged reads a log that has damage. It fails if a record comes back that was
// not written, and returns the numbers of the damaged lines.
func damaged(t interface {
	Helper()
	Fatalf(string, ...any)
}, s *Store, id string, want []longrein.Record,
) []int64 {
	t.Helper()
	var lines []int64
	for r, err := range s.Read(id) {
		var d *ErrDamaged
		switch {
		case errors.As(err, &d):
			lines = append(lines, d.Line)
		case err != nil:
			t.Fatalf("Read ended with %v", err)
		default:
			if diff := cmp.Diff(want[r.Seq-1], r); diff != "" {
				t.Fatalf("a damaged record came back, -want +got:\n%s", diff)
			}
		}
	}
	return lines
}

func TestADamagedByteAnywhereIsFoundInItsLine(t *testing.T) {
	s := store(t)
	id, path, records := sample(t, s)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		bad := bytes.Clone(raw)
		bad[i] ^= 1
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		line := int64(1 + bytes.Count(raw[:i], []byte("\n")))
		lines := damaged(t, s, id, records)
		if len(lines) == 0 || lines[0] != line {
			t.Fatalf("byte %d (%q) is damaged: found damage in lines %v, want %d first", i, raw[i], lines, line)
		}
		// Lines that repeat what was damaged are the only others.
		if len(lines) > 1 && line != 3 && bad[i] != '\n' {
			t.Fatalf("byte %d of line %d is damaged, and lines %v count as damaged", i, line, lines)
		}
	}
}

func TestDamageNeverPassesForARecord(t *testing.T) {
	s := store(t)
	id, path, records := sample(t, s)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		bad := bytes.Clone(raw)
		for range rapid.IntRange(1, 3).Draw(t, "stretches") {
			from := rapid.IntRange(0, len(bad)-1).Draw(t, "from")
			n := rapid.IntRange(0, 300).Draw(t, "length")
			with := rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "with")
			bad = bytes.Join([][]byte{bad[:from], with, bad[min(len(bad), from+n):]}, nil)
			if len(bad) == 0 {
				return
			}
		}
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		damaged(t, s, id, records)
		l, tail, err := s.Open(id)
		if err != nil {
			return // the first line is damaged
		}
		defer l.Close()
		for _, r := range tail.Records {
			if w, ok := r.Body.(longrein.Warning); ok && r.Seq == tail.LastSeq && strings.HasSuffix(w.Text, "cannot be read.") {
				continue // stands for what is damaged
			}
			if diff := cmp.Diff(records[r.Seq-1], r); diff != "" {
				t.Fatalf("Open returned a damaged record, -want +got:\n%s", diff)
			}
		}
		if _, err := l.Append(noon, true, said("on")); tail.LastSeq > 0 && err != nil {
			t.Fatal(err)
		}
	})
}

// Case 86 of the contract of background memory.
func TestADamagedWindowIsPassedOverForTheOneBefore(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	put(t, l, longrein.Window{N: 1, Why: "start"}, said("a"), longrein.Window{N: 2, Why: "full"}, said("b"))
	want := readAll(t, s, id)
	raw, _ := os.ReadFile(l.Path())
	bad := bytes.Replace(raw, []byte(`"why":"full"`), []byte(`"why":"fool"`), 1)
	if err := os.WriteFile(l.Path(), bad, 0o600); err != nil {
		t.Fatal(err)
	}
	tail, err := s.Tail(id)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]longrein.Record{want[1], want[2], want[4]}, tail.Records); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(tail.Warnings) != 1 || !strings.Contains(tail.Warnings[0], "line 4") {
		t.Errorf("warnings %q, want one about line 4", tail.Warnings)
	}
}

func TestDamageInABlobStopsNoReader(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	put(t, l, said(strings.Repeat("x", 100_000)), said("after"))
	want := readAll(t, s, id)
	blobs, _ := filepath.Glob(filepath.Join(s.blobs(), "*", "*.zst"))
	for _, size := range []int64{0, 10} {
		if err := os.Truncate(blobs[0], size); err != nil {
			t.Fatal(err)
		}
		if lines := damaged(t, s, id, want); !slices.Equal(lines, []int64{2}) {
			t.Errorf("a blob of %d bytes damages lines %v, want 2", size, lines)
		}
		if tail, err := s.Tail(id); err != nil || tail.LastSeq != 3 || len(tail.Warnings) != 1 {
			t.Errorf("Tail gave %+v, %v", tail, err)
		}
	}
}

func TestALineOverTheLimitIsDamageAndNotRead(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	put(t, l, said(strings.Repeat("x", 60<<10)), said("short"))
	s.Limits = limit.Set{"log-line": 8 << 10}
	var lines []int64
	var read int
	for _, err := range s.Read(id) {
		var d *ErrDamaged
		if errors.As(err, &d) {
			lines = append(lines, d.Line)
			continue
		}
		read++
	}
	if diff := cmp.Diff([]int64{2}, lines); diff != "" || read != 2 {
		t.Errorf("damaged lines %v, %d records, want line 2 and two records", lines, read)
	}
}

func TestARecordOverTheLimitIsRefused(t *testing.T) {
	s := store(t)
	s.Limits["log-line"] = 1 << 20
	l, id := begin(t, s)
	if _, err := l.Append(noon, true, said(strings.Repeat("x", 1<<20))); err == nil || !strings.Contains(err.Error(), "log-line") {
		t.Errorf("error %v, want one that names the limit", err)
	}
	put(t, l, said("short"))
	if n := len(readAll(t, s, id)); n != 2 {
		t.Errorf("%d records, want 2", n)
	}
}

func TestANewerLogIsReadAndNotWritten(t *testing.T) {
	s := store(t)
	id := newID()
	l, err := s.Create(id)
	if err != nil {
		t.Fatal(err)
	}
	first := thread(id)
	first.Format = longrein.LogFormat + 1
	odd := longrein.Unknown{Name: "item", Raw: []byte(`{"item":{"kind":"hologram"}}`)}
	put(t, l, first, odd, longrein.Unknown{Name: "dream", Raw: []byte(`[1]`)})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Open(id); !errors.Is(err, ErrNewer) {
		t.Errorf("Open gave %v, want ErrNewer", err)
	}
	tail, err := s.Tail(id)
	if err != nil || !tail.Newer || len(tail.Records) != 3 {
		t.Fatalf("Tail gave %+v, %v", tail, err)
	}
	if diff := cmp.Diff(longrein.Body(odd), tail.Records[1].Body); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := os.Stat(lockPath(l.Path())); err == nil {
		t.Error("the lock is still there")
	}
}

// bytesFile is a file in memory that is only read.
type bytesFile struct {
	DiskFile
	r *bytes.Reader
}

func (f bytesFile) ReadAt(p []byte, off int64) (int, error) { return f.r.ReadAt(p, off) }

func FuzzAnyBytesCanBeRead(f *testing.F) {
	s := store(f)
	_, path, _ := sample(f, s)
	raw, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add(raw[:len(raw)-40])
	f.Add([]byte("\n\n{\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		readBytes(t, s, content)
		readBytes(t, s, seal(content))
	})
}

// seal gives every line the sum it should have, so that what is wrong in it is
// met behind the checksum too.
func seal(content []byte) []byte {
	var out []byte
	prev := noSum
	for text := range bytes.Lines(content) {
		text = bytes.TrimSuffix(text, []byte("\n"))
		if body, _, ok := cutSum(text); ok {
			text = body
		}
		prev = prev.next(text)
		out = appendSum(append(out, text...), prev)
	}
	return out
}

// readBytes reads any file in both ways.
func readBytes(t *testing.T, s *Store, content []byte) {
	t.Helper()
	src := &source{DiskFile: bytesFile{r: bytes.NewReader(content)}, store: s, size: int64(len(content))}
	r, err := src.from(0)
	lines := -1
	for ; !stops(err); lines++ {
		_, _, err = r.next()
	}
	if most := bytes.Count(content, []byte("\n")) + 1; err != io.EOF || lines > most {
		t.Fatalf("%d lines were read of %d, and then %v", lines, most, err)
	}
	e, err := src.end(newRepeats(16))
	if err == nil && (e.size > src.size || len(e.Records) == 0 != (e.LastSeq == 0)) {
		t.Fatalf("the tail ends at %d of %d with record %d: %v", e.size, src.size, e.LastSeq, e.Records)
	}
}
