package assemble_test

import (
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
)

// A damaged log can lack the record of its window. What follows is kept, for a
// new window to begin with.
func TestAWindowCanBeLost(t *testing.T) {
	var s assemble.State
	said := longrein.Message{Role: longrein.RoleUser, Text: "go"}
	for i, b := range []longrein.Body{
		longrein.Thread{ID: "t"},
		longrein.Appended{Entry: longrein.Entry{Item: said}},
		longrein.Asked{},
	} {
		if err := s.Add(longrein.Record{Seq: int64(i + 1), Body: b}); err != nil {
			t.Fatalf("add %T: %v", b, err)
		}
	}
	if len(s.Entries()) != 1 || s.Entries()[0].Item != longrein.Item(said) {
		t.Errorf("entries %+v, want what was said", s.Entries())
	}
	if _, _, err := s.Request(); err == nil {
		t.Error("a request without a window")
	}
}
