package session_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/session"
)

// keeping reads a file and returns what was handed over of it.
func keeping(t *testing.T, file []byte) (*session.Recording, []session.Kept) {
	t.Helper()
	var kept []session.Kept
	rec, err := session.ReadKeeping(bytes.NewReader(file), nil, func(k session.Kept) error {
		k.Raw = bytes.Clone(k.Raw)
		kept = append(kept, k)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rec, kept
}

// Lines that were taken and are dropped later: what users went back from. It is
// handed over as it was taken.
var droppedLater = map[string]bool{"abandoned branch": true, "rolled back": true}

// checkKept checks that every line is taken, kept, blank or counted as dropped.
func checkKept(t *testing.T, rec *session.Recording, kept []session.Kept) {
	t.Helper()
	lost, passed := 0, 0
	for _, k := range kept {
		switch {
		case k.Part > 1, droppedLater[k.Kind]:
		case k.Lost:
			lost++
		default:
			passed++
		}
	}
	want, exact := 0, true
	for _, c := range rec.Report.Passed {
		if !droppedLater[c.Kind] {
			want += c.N
		}
		exact = exact && c.Kind != "other kinds" // which may hide dropped ones
	}
	if lost != rec.Report.Lost || passed > want || exact && passed != want {
		t.Errorf("%d lost and %d passed lines are kept, want %d and %d", lost, passed, rec.Report.Lost, want)
	}
}

func TestEachLineIsTakenOrKept(t *testing.T) {
	for name := range samples {
		t.Run(name, func(t *testing.T) {
			rec, kept := keeping(t, sample(t, name))
			checkKept(t, rec, kept)
		})
	}
	files, _ := filepath.Glob(filepath.Join(shared, "*.json*")) // none where they are not beside the repository
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			rec, kept := keeping(t, file)
			checkKept(t, rec, kept)
		})
	}
}

func TestABrokenLineIsKeptWhole(t *testing.T) {
	broken := `{"type":"message","message":{"role":"user","content":"` + strings.Repeat("x", 9<<20)
	file := string(sample(t, "pi.jsonl")) + broken
	_, kept := keeping(t, []byte(file))
	var got strings.Builder
	for _, k := range kept {
		if k.Lost {
			got.Write(k.Raw)
		}
	}
	if got.String() != broken {
		t.Errorf("%d bytes are kept of %d", got.Len(), len(broken))
	}
}

func TestWhatIsLeftOfABrokenDocumentIsKept(t *testing.T) {
	whole := sample(t, "gemini.json")
	for _, left := range []int{10, 300, len(whole) / 2} {
		file := whole[:len(whole)-left]
		rec, kept := keeping(t, file)
		if rec.Report.Lost != 1 {
			t.Fatalf("cut by %d: %s", left, &rec.Report)
		}
		last := kept[len(kept)-1]
		if !last.Lost || !bytes.HasSuffix(file, last.Raw) {
			t.Errorf("cut by %d: kept is %q, want the end of the file", left, last.Raw)
		}
	}
}

func TestAKeeperThatFailsEndsTheReading(t *testing.T) {
	full := errors.New("disk full")
	file := bytes.Repeat([]byte("{broken\n"), 100)
	calls := 0
	_, err := session.ReadKeeping(bytes.NewReader(append(sample(t, "pi.jsonl"), file...)), limit.Set{}, func(session.Kept) error {
		calls++
		return full
	})
	if !errors.Is(err, full) || calls != 1 {
		t.Errorf("err = %v after %d calls, want %v after one", err, calls, full)
	}
}
