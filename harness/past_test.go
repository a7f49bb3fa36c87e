package harness

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/memory"
)

func TestDifferencesMakeOldNotesOfNewOnes(t *testing.T) {
	notes := func(docs ...longrein.Document) memory.Notes {
		return memory.Notes{}.With(longrein.Notes{Version: 1, Changed: docs})
	}
	then := notes(longrein.Document{Name: "MAIN.md", Text: "old"}, longrein.Document{Name: "same.md", Text: "same"}, longrein.Document{Name: "gone.md", Text: "x"})
	now := notes(longrein.Document{Name: "MAIN.md", Text: "new"}, longrein.Document{Name: "same.md", Text: "same"}, longrein.Document{Name: "added.md", Text: "y"})
	want := []longrein.Document{{Name: "MAIN.md", Text: "old"}, {Name: "gone.md", Text: "x"}, {Name: "added.md", Deleted: true}}
	got := differences(now, then)
	if d := cmp.Diff(want, got, cmp.Transformer("byName", func(all []longrein.Document) map[string]longrein.Document {
		m := map[string]longrein.Document{}
		for _, d := range all {
			d.Sources = nil
			m[d.Name] = d
		}
		return m
	})); d != "" {
		t.Error(d)
	}
}
