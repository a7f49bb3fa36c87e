package memory_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/memory"
)

func TestAVersionFollowsAnother(t *testing.T) {
	one := notes("z.md", "1\n", "MAIN.md", "1\n", "LEDGER.md", "1\n")
	two := one.With(longrein.Notes{Version: 2, Changed: []longrein.Document{
		{Name: "z.md", Deleted: true}, {Name: "a.md", Text: "2\n"}, {Name: "MAIN.md", Text: "2\n"}, {Name: "nope.md", Deleted: true},
	}})
	order := func(n memory.Notes) (names []string) {
		for _, d := range n.Documents() {
			names = append(names, d.Name+" "+d.Text)
		}
		return names
	}
	if diff := cmp.Diff([]string{"MAIN.md 1\n", "LEDGER.md 1\n", "z.md 1\n"}, order(one)); diff != "" {
		t.Errorf("the older version changed: %s", diff)
	}
	if diff := cmp.Diff([]string{"MAIN.md 2\n", "LEDGER.md 1\n", "a.md 2\n"}, order(two)); diff != "" || two.Version != 2 {
		t.Error(two.Version, diff)
	}
	if _, ok := two.Get("z.md"); ok {
		t.Error("a deleted document is there")
	}
}

func TestNotesSurviveJSON(t *testing.T) {
	n := notes("MAIN.md", "<1>\n", "a.md", "2\n")
	b, err := json.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	var again memory.Notes
	if err := json.Unmarshal(b, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(n.Documents(), again.Documents()); diff != "" || again.Version != n.Version {
		t.Error(again.Version, diff)
	}
	if err := json.Unmarshal([]byte(`{"documents":1}`), &again); err == nil {
		t.Error("what are no notes was read")
	}
}

func TestAUsersEditKeepsTheSourcesOfTheRest(t *testing.T) {
	d := draft("MAIN.md", "x\n")
	mustEdit(t, d, "*** Add File: MAIN.md\n+Fact one. [#1]\n+\n+Fact two. [#2]")
	n := notes().With(longrein.Notes{Version: 2, Changed: d.Changed()})
	n = n.With(longrein.Notes{Version: 3, By: longrein.ByUser, Changed: []longrein.Document{{Name: "MAIN.md", Text: "Fact one.\n\nFact 2.\n"}}})
	doc, _ := n.Get("MAIN.md")
	if diff := cmp.Diff(map[string][]int64{"Fact one.": {1}, "Fact 2.": nil}, cited(doc)); diff != "" {
		t.Error(diff)
	}
}

func TestTheShareOfTextWithoutSources(t *testing.T) {
	d := draft("TODO.md", "- [ ] todo\n", "LEDGER.md", "facts\n")
	mustEdit(t, d, "*** Add File: MAIN.md\n+# Heading\n+12345678 [#1]\n+\n+12")
	n := notes().With(longrein.Notes{Changed: d.Documents()})
	if bytes, total := n.Unsourced(); bytes != 2 || total != 10 {
		t.Errorf("unsourced = %d of %d, want 2 of 10", bytes, total)
	}
}
