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

func TestTheNewestStepsAreInUse(t *testing.T) {
	entries := []longrein.Entry{{Step: 3}, {Step: 3}, {}, {Step: 8}, {Step: 12}, {Step: 12}}
	for steps, want := range map[int]int64{1: 12, 2: 8, 3: 3, 4: 0} {
		if got := InUse(entries, steps); got != want {
			t.Errorf("the newest %d steps begin at %d, want %d", steps, got, want)
		}
	}
}

func TestTheDocumentIsWrittenWhenItSaysSomethingNew(t *testing.T) {
	var l Ledger
	if got := l.Document(""); got != nil {
		t.Errorf("an empty ledger is written: %v", got)
	}
	l.Note(longrein.Record{Seq: 1, Body: longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: "Never change vendor/."}}}}, nil)
	written := l.Document("")
	if len(written) != 1 {
		t.Fatalf("written: %v", written)
	}
	if again := l.Document(written[0].(longrein.Notes).Changed[0].Text); again != nil {
		t.Errorf("it is written again: %v", again)
	}
}
