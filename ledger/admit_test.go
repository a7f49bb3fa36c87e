package ledger

import (
	"testing"

	"github.com/longrein/longrein"
)

func TestAHeadIsAdmittedWithWhatItLacks(t *testing.T) {
	probes := []Probe{
		{Kind: Constraint, Text: "Never change vendor/.", Line: "- Never change vendor/. (#1)"},
		{Kind: ChangedFile, Text: "main.go", Line: "- main.go (#5)"},
		{Kind: UsedValue, Text: "4711", Line: "- 4711 (#7)"},
	}
	for name, c := range map[string]struct {
		shown, named string
		room         int
		missing      []string
		unshown      int
	}{
		"what is shown is not missing":                {shown: "Never change vendor/. main.go 4711", room: 100},
		"a file may be looked up":                     {shown: "Never change vendor/. 4711", named: "main.go", room: 100},
		"a constraint must be shown":                  {shown: "main.go 4711", named: "Never change vendor/.", room: 100, missing: []string{"Never change vendor/."}},
		"what has no room is counted, the rest shown": {room: 30, missing: []string{"Never change vendor/."}, unshown: 2},
	} {
		t.Run(name, func(t *testing.T) {
			got := Admit(probes, c.shown, c.named, c.room)
			var texts []string
			for _, p := range got.Missing {
				texts = append(texts, p.Text)
			}
			if len(texts) != len(c.missing) || len(texts) > 0 && texts[0] != c.missing[0] || got.Unshown != c.unshown {
				t.Errorf("missing %q and %d more, want %q and %d", texts, got.Unshown, c.missing, c.unshown)
			}
		})
	}
}

func TestALedgerWithNothingToShowIsNoFragment(t *testing.T) {
	if f, ok := Fragment("", nil); ok {
		t.Errorf("%q is shown", f.Text)
	}
	if f, ok := Fragment("", []string{"- x"}); !ok || f.Tag != longrein.TagLedger {
		t.Errorf("what is missing is not shown: %v", f)
	}
}
