package snapshot

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// large is a folder of 50,000 files in a thousand folders, about 100 MB.
func large(b *testing.B) *Store {
	b.Helper()
	root := b.TempDir()
	for i := range 50_000 {
		dir := filepath.Join(root, fmt.Sprintf("p%d/q%d", i/1000, i/50%20))
		if i%50 == 0 {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				b.Fatal(err)
			}
		}
		text := strings.Repeat(fmt.Sprintf("func f%d() { return %d }\n", i, i*i), 20+i%100)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("f", i, ".go")), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	put(b, root, map[string]string{".gitignore": "*.o\nbuild/\nnode_modules/\n"})
	return openedAt(b, root, nil)
}

func BenchmarkFirstOf50000Files(b *testing.B) {
	s := large(b)
	for b.Loop() {
		take(b, s)
		b.StopTimer()
		if err := os.RemoveAll(s.dir); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

func BenchmarkNothingChanged(b *testing.B) {
	s := large(b)
	take(b, s)
	for b.Loop() {
		take(b, s)
	}
	size, err := s.Size()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(size)/1e6, "MB-on-disk")
}

func BenchmarkNothingChangedInARepository(b *testing.B) {
	s := large(b)
	git(b, s.root, "init", "-q")
	git(b, s.root, "add", ".")
	take(b, s)
	for b.Loop() {
		take(b, s)
	}
}

func BenchmarkTenChanged(b *testing.B) {
	s := large(b)
	take(b, s)
	n := 0
	for b.Loop() {
		n++
		for i := range 10 {
			put(b, s.root, map[string]string{fmt.Sprintf("p%d/q0/f%d.go", i, i*1000): fmt.Sprint("changed", n, i)})
		}
		take(b, s)
	}
}

func BenchmarkUndoOfTenChanged(b *testing.B) {
	s := large(b)
	was := take(b, s)
	for i := range 10 {
		put(b, s.root, map[string]string{fmt.Sprintf("p%d/q0/f%d.go", i, i*1000): "changed"})
	}
	is := take(b, s)
	span := Span{was.Tree, is.Tree}
	for b.Loop() {
		restored(b, s, planned(b, s, span), false)
		span.Before, span.After = span.After, span.Before
	}
}
