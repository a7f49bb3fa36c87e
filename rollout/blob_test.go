package rollout

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/longrein/longrein"
)

func TestABlobIsStoredOnceUnderItsHash(t *testing.T) {
	s := store(t)
	text := strings.Repeat("output\n", 100_000)
	for range 2 {
		b, err := s.PutBlob(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		want := longrein.Blob{ID: fmt.Sprintf("%x", sha256.Sum256([]byte(text))), Bytes: int64(len(text))}
		if b != want {
			t.Errorf("got = %+v, want %+v", b, want)
		}
	}
	files, _ := filepath.Glob(filepath.Join(s.blobs(), "*", "*"))
	rest, _ := filepath.Glob(filepath.Join(s.blobs(), "new-*"))
	if len(files) != 1 || len(rest) != 0 {
		t.Fatalf("stored %v, left %v, want one file", files, rest)
	}
	if info, _ := os.Stat(files[0]); info.Size() > 10_000 || info.Mode().Perm() != 0o600 {
		t.Errorf("it takes %d bytes with mode %v", info.Size(), info.Mode())
	}
}

func TestAnyPartOfABlobCanBeRead(t *testing.T) {
	s := store(t)
	text := strings.Repeat("0123456789", 1000)
	b, err := s.PutBlob(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		offset, n int64
		want      string
	}{
		"all of it":      {0, 10_000, text},
		"more than all":  {0, 1 << 40, text},
		"the middle":     {4995, 10, "5678901234"},
		"over the end":   {9998, 10, "89"},
		"behind the end": {10_001, 10, ""},
		"nothing":        {5, 0, ""},
	}
	for name, c := range cases {
		got, err := s.ReadBlob(b.ID, c.offset, c.n)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got = %.40q, %v, want %.40q", name, got, err, c.want)
		}
	}
}

func TestADamagedBlobIsNotReadAndCanBeStoredAgain(t *testing.T) {
	s := store(t)
	b, err := s.PutBlob(strings.NewReader("precious"))
	if err != nil {
		t.Fatal(err)
	}
	path, _ := s.blobPath(b.ID)
	other, err := s.PutBlob(strings.NewReader("something else"))
	if err != nil {
		t.Fatal(err)
	}
	otherPath, _ := s.blobPath(other.ID)
	for name, spoil := range map[string]func() error{
		"cut off":       func() error { return os.Truncate(path, 12) },
		"another blob":  func() error { raw, _ := os.ReadFile(otherPath); return os.WriteFile(path, raw, 0o600) },
		"no compressed": func() error { return os.WriteFile(path, []byte("precious"), 0o600) },
		"gone":          func() error { return os.Remove(path) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if _, err := s.ReadBlob(b.ID, 0, 3); err == nil || !strings.Contains(err.Error(), b.ID) {
			t.Errorf("%s: ReadBlob gave %v, want an error that names it", name, err)
		}
		if _, err := s.PutBlob(strings.NewReader("precious")); err != nil {
			t.Fatal(err)
		}
		if got, err := s.ReadBlob(b.ID, 0, 100); err != nil || string(got) != "precious" {
			t.Errorf("%s, and stored again: %q, %v", name, got, err)
		}
	}
}

func TestABlobsIDCannotLeadElsewhere(t *testing.T) {
	s := store(t)
	for _, id := range []string{"", "ab", "../../../../etc/passwd", strings.Repeat("A", 64)} {
		if _, err := s.ReadBlob(id, 0, 1); err == nil || !strings.Contains(err.Error(), "not a blob's id") {
			t.Errorf("ReadBlob(%q) gave %v", id, err)
		}
	}
}

func TestAFullDiskLeavesNoHalfBlob(t *testing.T) {
	s, d := faulty(t)
	d.write, d.room = syscall.ENOSPC, 10
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	if _, err := s.PutBlob(bytes.NewReader(noise)); err == nil || !strings.Contains(err.Error(), "free some space") {
		t.Errorf("PutBlob gave %v", err)
	}
	if left, _ := os.ReadDir(s.blobs()); len(left) != 0 {
		t.Errorf("left %v", left)
	}
	b, err := s.PutBlob(bytes.NewReader(noise))
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.ReadBlob(b.ID, 0, 1<<20)
	if err != nil || !bytes.Equal(got, noise) {
		t.Errorf("%d bytes came back, %v", len(got), err)
	}
}

func TestAFailingReaderStoresNothing(t *testing.T) {
	s := store(t)
	r := io.MultiReader(strings.NewReader("half"), iotest.ErrReader(syscall.EIO))
	if _, err := s.PutBlob(r); err == nil {
		t.Error("PutBlob hides the reader's error")
	}
	if left, _ := os.ReadDir(s.blobs()); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

func BenchmarkPutBlobOf50MB(b *testing.B) {
	s := store(b)
	text := []byte(prose(rand.New(rand.NewPCG(1, 1)), 50_000_000))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.PutBlob(bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadAPageOf50MB(b *testing.B) {
	s := store(b)
	text := []byte(prose(rand.New(rand.NewPCG(1, 1)), 50_000_000))
	blob, err := s.PutBlob(bytes.NewReader(text))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		got, err := s.ReadBlob(blob.ID, 25_000_000, 16<<10)
		if err != nil || len(got) != 16<<10 {
			b.Fatal(len(got), err)
		}
	}
}
