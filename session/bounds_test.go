package session_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/session"
)

// A file may have a compaction on every line, each of which keeps all before it.
func TestCompactionsCarryOnSoMuchTogether(t *testing.T) {
	const said = `{"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"done"}]}}` + "\n"
	const compacted = `{"type":"compaction","summary":"so far","firstKeptEntryId":"go"}` + "\n"
	file := `{"type":"session","id":"x","cwd":"/"}` + "\n" + `{"type":"message","id":"go","message":{"role":"user","content":"go"}}` + "\n" + strings.Repeat(said, 3) + strings.Repeat(compacted, 3)
	for most, want := range map[int64][]bool{6: {true, false, false}, 100: {true, true, true}, 0: {false, false, false}} {
		rec, err := session.Read(strings.NewReader(file), limit.Set{limit.SessionCarried.Name: most})
		if err != nil {
			t.Fatal(err)
		}
		var kept []bool
		for _, m := range rec.Sessions[0].Moments {
			if c, ok := m.What.(session.Compaction); ok {
				kept = append(kept, c.From >= 0)
			}
		}
		for i := range want {
			if len(kept) != len(want) || kept[i] != want[i] {
				t.Fatalf("with room for %d items the compactions keep some: %v, want %v", most, kept, want)
			}
		}
		if hits := rec.Report.Limits; (len(hits) == 0) != (most == 100) || len(hits) > 0 && hits[0].Name != limit.SessionCarried.Name {
			t.Errorf("with room for %d items limits = %+v", most, hits)
		}
	}
}

func TestAFormIsLookedForAtTheStartOnly(t *testing.T) {
	file := strings.Repeat("\n", 70<<10) + `{"type":"session","id":"x","cwd":"/"}` + "\n" + `{"type":"message","message":{"role":"user","content":"go"}}` + "\n"
	if _, err := session.Read(strings.NewReader(file), limit.Set{limit.SessionPeek.Name: 64 << 10}); !errors.Is(err, session.ErrUnknown) {
		t.Errorf("behind what is looked at: %v, want ErrUnknown", err)
	}
	if rec, err := session.Read(strings.NewReader(file), nil); err != nil || rec.Sessions[0].Turns() != 1 {
		t.Errorf("within it: %v", err)
	}
}
