package session_test

import (
	"strings"
	"testing"

	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/session"
)

// A write that was torn is followed, on the same line, by the next whole record.
func TestAWholeRecordInATornLineIsFound(t *testing.T) {
	file := `{"type":"session","id":"x","cwd":"/"}` + "\n" +
		`{"type":"message","message":{"role":"us` + `{"type":"message","message":{"role":"user","content":"go"}}` + "\n"
	for places, turns := range map[int64]int{0: 0, 32: 1} {
		rec, err := session.Read(strings.NewReader(file), limit.Set{limit.SessionSalvage.Name: places})
		if err != nil {
			t.Fatal(err)
		}
		if got := rec.Sessions[0].Turns(); got != turns {
			t.Errorf("with %d places to look at there are %d turns, want %d", places, got, turns)
		}
	}
}
