package notes

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/longrein/longrein"
)

// BenchmarkPublish writes a version that changed MAIN.md and the ledger, into a
// folder of twenty documents.
func BenchmarkPublish(b *testing.B) {
	f, _ := twenty(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		text := strings.Repeat(fmt.Sprintln("version", i), 500)
		err := f.Publish(longrein.Notes{Changed: []longrein.Document{doc("MAIN.md", text), doc("LEDGER.md", text)}})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLook looks at twenty documents that nobody changed.
func BenchmarkLook(b *testing.B) {
	f, known := twenty(b)
	b.ReportAllocs()
	for b.Loop() {
		if found, err := f.Look(known); err != nil || len(found.Edits) > 0 {
			b.Fatal(found, err)
		}
	}
}

func twenty(b *testing.B) (Folder, []longrein.Document) {
	b.Helper()
	f := Folder{Dir: filepath.Join(b.TempDir(), "notes")}
	known := []longrein.Document{doc("MAIN.md", "main"), doc("LEDGER.md", "facts")}
	for i := range 18 {
		known = append(known, doc(fmt.Sprintf("topics/%d.md", i), strings.Repeat("a line of notes\n", 500)))
	}
	if err := f.Publish(longrein.Notes{Changed: known}); err != nil {
		b.Fatal(err)
	}
	return f, known
}
