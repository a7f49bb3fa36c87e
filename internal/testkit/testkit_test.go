package testkit

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/longrein/longrein"
)

func TestGoldenWritesWithUpdateAndComparesWithout(t *testing.T) {
	t.Chdir(t.TempDir())
	*update = true
	Golden(t, "a/b.txt", []byte("hello\n"))
	*update = false
	got, err := os.ReadFile(filepath.Join("testdata", "a", "b.txt"))
	if err != nil || string(got) != "hello\n" {
		t.Fatalf("got %q, %v", got, err)
	}
	Golden(t, "a/b.txt", []byte("hello\n"))
}

func TestRecordsAreNumberedAndTimed(t *testing.T) {
	got := Records(longrein.Warning{Text: "a"}, longrein.Warning{Text: "b"})
	if got[0].Seq != 1 || got[1].Seq != 2 {
		t.Errorf("numbers %d and %d, want 1 and 2", got[0].Seq, got[1].Seq)
	}
	if d := got[1].Time.Sub(got[0].Time); d != time.Second || !got[0].Time.Equal(Start) {
		t.Errorf("begins at %v and goes on by %v", got[0].Time, d)
	}
}
