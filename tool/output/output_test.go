package output

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func capture(t testing.TB, shown int, kept int64) *Capture {
	t.Helper()
	c := NewCapture(Options{Shown: shown, Kept: kept, Line: 80, ErrorLines: 3, Dir: t.TempDir()})
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func TestShortOutputIsShownWhole(t *testing.T) {
	c := capture(t, 1024, 1<<20)
	fmt.Fprint(c, "one\ntwo")
	if v := c.View(1024); v.Text != "one\ntwo" || v.Bytes != 0 {
		t.Errorf("view = %+v", v)
	}
}

func TestLongOutputKeepsHeadTailAndErrors(t *testing.T) {
	c := capture(t, 1024, 1<<20)
	for i := 1; i <= 5000; i++ {
		if i == 2500 {
			fmt.Fprintln(c, "main.go:7: error: no such thing")
			continue
		}
		fmt.Fprintf(c, "line %d\n", i)
	}
	v := c.View(1024)
	for _, want := range []string{"line 1\n", "line 5000\n", "[line 2500] main.go:7: error: no such thing\n"} {
		if !strings.Contains(v.Text, want) {
			t.Errorf("%q is missing in:\n%s", want, v.Text)
		}
	}
	if shown := int64(strings.Count(v.Text, "line ")) - 1; shown+v.Lines != 5000 {
		t.Errorf("%d lines shown and %d left out, want 5000 in all", shown, v.Lines)
	}
	if !strings.Contains(v.Text, fmt.Sprintf("[%d lines, ", v.Lines)) {
		t.Errorf("the note does not count %d lines:\n%s", v.Lines, v.Text)
	}
}

func TestContentIsTheWholeUpToItsBound(t *testing.T) {
	for name, kept := range map[string]int64{"all of it": 1 << 20, "a part": 5000} {
		t.Run(name, func(t *testing.T) {
			c := capture(t, 1024, kept)
			want := bytes.Repeat([]byte("0123456789\n"), 1000)
			for chunk := range len(want) / 100 {
				c.Write(want[chunk*100 : (chunk+1)*100])
			}
			r, missing, err := c.Content()
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			want = want[:min(int64(len(want)), kept)]
			if !bytes.Equal(got, want) || missing != 11000-int64(len(want)) {
				t.Errorf("%d bytes kept and %d missing, want %d", len(got), missing, len(want))
			}
		})
	}
}

func TestBinaryIsDescribed(t *testing.T) {
	c := capture(t, 4096, 1<<20)
	c.Write([]byte("\x7fELF\x02\x00\x01\xff"))
	v := c.View(4096)
	if want := `[binary output, 8 bytes, starts with \x7fELF\x02\x00\x01\xff]`; v.Text != want || !v.Binary {
		t.Errorf("view = %+v, want %s", v, want)
	}
}

func TestLargeOutputNeedsLittleMemory(t *testing.T) {
	c := capture(t, 16<<10, 256<<20)
	chunk := bytes.Repeat([]byte("some line of output that is rather plain\n"), 800)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for c.Total() < 50<<20 {
		c.Write(chunk)
	}
	c.View(16 << 10)
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<20 {
		t.Errorf("50 MB of output allocated %d bytes", grown)
	}
}

func TestAFullDiskOnlyLosesTheRest(t *testing.T) {
	c := NewCapture(Options{Shown: 1024, Kept: 1 << 20, Line: 80, ErrorLines: 1, Dir: "/nowhere/at/all"})
	defer c.Close()
	for range 1000 {
		fmt.Fprintln(c, "a line")
	}
	if _, missing, err := c.Content(); err == nil || missing <= 0 {
		t.Errorf("missing = %d, err = %v", missing, err)
	}
	if v := c.View(1024); !strings.HasSuffix(v.Text, "a line\n") {
		t.Errorf("the tail is lost: %q", v.Text)
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	dir := t.TempDir()
	c := NewCapture(Options{Shown: 1024, Kept: 1 << 20, Dir: dir})
	c.Write(make([]byte, 10_000))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// The law of the view: valid, within budget, and what it says it left out is
// what is missing.
func checkView(t rapid.TB, in []byte, budget, chunk int) {
	t.Helper()
	c := NewCapture(Options{Shown: 2048, Kept: 1 << 20, Line: 80, ErrorLines: 3})
	defer c.Close()
	for p := in; len(p) > 0; {
		n := min(chunk, len(p))
		c.Write(p[:n])
		p = p[n:]
	}
	v := c.View(budget)
	if !utf8.ValidString(v.Text) || strings.ContainsRune(v.Text, 0) {
		t.Fatalf("not clean: %q", v.Text)
	}
	if len(v.Text) > budget {
		t.Fatalf("%d bytes are over the budget of %d", len(v.Text), budget)
	}
	if v.Bytes < 0 || v.Offset < 0 || v.Offset+v.Bytes > int64(len(in)) {
		t.Fatalf("left out [%d, +%d) of %d", v.Offset, v.Bytes, len(in))
	}
	if v.Binary {
		return
	}
	end := v.Offset + v.Bytes
	if head := Clean(in[:v.Offset]); v.Bytes > 0 && !strings.HasPrefix(v.Text, head) {
		t.Fatalf("does not start with the %d bytes before the cut", v.Offset)
	}
	if tail := Clean(in[end:]); !strings.HasSuffix(v.Text, tail) {
		t.Fatalf("does not end with the bytes after the cut")
	}
	if utf8.Valid(in) && (!utf8.Valid(in[:v.Offset]) || !utf8.Valid(in[end:])) {
		t.Fatal("cut inside a character")
	}
}

func TestViewHoldsItsLaw(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		piece := rapid.SliceOfN(rapid.SampledFrom([]string{"ä", "a", "€", "𝄞", "\n", "error: x\n", "\xff", "long words and more\n"}), 1, 30)
		in := strings.Repeat(strings.Join(piece.Draw(r, "piece"), ""), rapid.IntRange(1, 500).Draw(r, "times"))
		checkView(r, []byte(in), rapid.IntRange(512, 2048).Draw(r, "budget"), rapid.IntRange(1, 5000).Draw(r, "chunk"))
	})
}

func FuzzView(f *testing.F) {
	f.Add([]byte("héllo\nwörld\n"), 600, 7)
	f.Add(bytes.Repeat([]byte("€"), 3000), 1000, 11)
	f.Fuzz(func(t *testing.T, in []byte, budget, chunk int) {
		checkView(t, in, 512+budget&1023, 1+chunk&4095)
	})
}
