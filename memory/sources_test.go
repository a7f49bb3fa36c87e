package memory_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/memory"
)

func TestAParagraphRestsOnSoManyItems(t *testing.T) {
	d := memory.NewDraft(notes("MAIN.md", "x\n"), memory.DraftOptions{
		Known: func(int64) bool { return true }, Limits: limit.Set{limit.NotesSources.Name: 3},
	})
	mustEdit(t, d, "*** Add File: a.md\n+A range. [#1-#9]\n+\n+Many. [#1] [#2 #3] [#4 #5]")
	doc, _ := memory.Notes{}.With(longrein.Notes{Changed: d.Documents()}).Get("a.md")
	want := map[string][]int64{"A range.": {1, 2, 3}, "Many.": {1, 2, 3}}
	if diff := cmp.Diff(want, cited(doc)); diff != "" {
		t.Error(diff)
	}
}
