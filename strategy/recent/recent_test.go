package recent

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/longrein/longrein"
	"pgregory.net/rapid"
)

// size counts a token for every four bytes of text, which is easy to reckon with.
func size(e longrein.Entry) int {
	switch it := e.Item.(type) {
	case longrein.Message:
		return len(it.Text) / 4
	case longrein.ToolOutput:
		return len(it.Text) / 4
	case longrein.Fragment:
		return len(it.Text) / 4
	}
	return 1
}

func view(window int, entries ...longrein.Entry) longrein.View {
	v := longrein.View{Settings: longrein.Settings{ContextWindow: window}, Entries: entries, Size: size}
	v.Tokens = sum(entries, size)
	return v
}

func user(tokens int, text string) longrein.Entry {
	return longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: text + strings.Repeat("u", 4*tokens-len(text))}}
}

// step is one call with an output of so many tokens.
func step(n int64, tokens int) []longrein.Entry {
	id := fmt.Sprint(n)
	return []longrein.Entry{
		{Step: n, Item: longrein.ToolCall{ID: id, Name: "cat", Args: "{}"}},
		{Step: n, Item: longrein.ToolOutput{CallID: id, Text: strings.Repeat("o", 4*tokens), Status: longrein.OutputOK}},
	}
}

func TestAWindowIsKeptUntilItIsFull(t *testing.T) {
	entries := append([]longrein.Entry{user(10, "task")}, step(1, 800)...)
	if m := (Strategy{}).Decide(view(1000, entries...)); !carriesOn(m) {
		t.Errorf("at 81%%: %v, want to carry on", m)
	}
	entries = append(entries, step(2, 100)...)
	if _, ok := (Strategy{}).Decide(view(1000, entries...)).(longrein.NewWindow); !ok {
		t.Error("at 91%: carried on, want a new window")
	}
	if m := (Strategy{}).Decide(view(0, entries...)); !carriesOn(m) {
		t.Errorf("without a known window: %v, want to carry on", m)
	}
}

// However much an answer may take, a new window is not full again at once.
func TestALargeOutputLimitLeavesRoomForTheWork(t *testing.T) {
	for _, most := range []int{0, 400, 600, 900, 1000, 5000} {
		entries := []longrein.Entry{user(10, "task")}
		windows := 0
		for n := range int64(40) {
			entries = append(entries, step(n+1, 20)...)
			v := view(1000, entries...)
			v.Settings.MaxOutput = most
			if m, ok := (Strategy{}).Decide(v).(longrein.NewWindow); ok {
				entries = m.Head
				windows++
			}
		}
		if windows > 5 {
			t.Errorf("with an output limit of %d of 1000 tokens: %d windows in 40 steps of 21 tokens", most, windows)
		}
	}
}

func TestANewWindowHoldsTheTaskAndTheNewestWork(t *testing.T) {
	entries := []longrein.Entry{user(10, "task")}
	for n := range int64(9) {
		entries = append(entries, step(n+1, 100)...)
	}
	m := (Strategy{}).Decide(view(1000, entries...)).(longrein.NewWindow)
	if got := m.Head[0].Item.(longrein.Message).Text; !strings.HasPrefix(got, "task") {
		t.Errorf("the head begins with %.20q, want the task", got)
	}
	if got := m.Head[1].Item.(longrein.Fragment).Tag; got != longrein.TagCarryOver {
		t.Errorf("then comes %s, want the note", got)
	}
	if got := m.Head[len(m.Head)-1].Step; got != 9 {
		t.Errorf("the head ends with step %d, want the newest", got)
	}
	if len(m.Cut) != 1 || m.Cut[0].Name != "window-carried" {
		t.Errorf("cuts %v, want one that names window-carried", m.Cut)
	}
}

func TestAStepThatIsTooLargeIsShortened(t *testing.T) {
	entries := append([]longrein.Entry{user(10, "task")}, step(1, 2000)...)
	v := view(1000, entries...)
	v.Refused = true
	m := (Strategy{}).Decide(v).(longrein.NewWindow)
	out := m.Head[len(m.Head)-1].Item.(longrein.ToolOutput).Text
	if !strings.Contains(out, "more bytes left out here") || size(longrein.Entry{Item: longrein.ToolOutput{Text: out}}) > 500 {
		t.Errorf("the output has %d bytes and ends %.80q, want a visible cut", len(out), out[len(out)-80:])
	}
	if len(m.Cut) == 0 {
		t.Error("the cut is not reported")
	}
}

// TestLaws checks, for any window: the task is there, calls and outputs are
// whole, the head is in the old order, and it is no larger than it may be unless
// a single step or the task itself is.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		entries := []longrein.Entry{user(rapid.IntRange(2, 200).Draw(rt, "task"), "task")}
		for n := range int64(rapid.IntRange(0, 30).Draw(rt, "steps")) {
			if rapid.IntRange(0, 5).Draw(rt, "steer") == 0 {
				entries = append(entries, user(rapid.IntRange(2, 300).Draw(rt, "words"), fmt.Sprint("u", n)))
			}
			entries = append(entries, step(n+1, rapid.IntRange(0, 400).Draw(rt, "output"))...)
		}
		v := view(rapid.IntRange(500, 4000).Draw(rt, "window"), entries...)
		v.Refused = rapid.Bool().Draw(rt, "refused")
		m, ok := (Strategy{}).Decide(v).(longrein.NewWindow)
		if !ok {
			return
		}
		checkHead(rt, m.Head)
		if before, after := v.Tokens, sum(m.Head, size); after > before+size(note(0))+10 {
			rt.Fatalf("the head grew from %d to %d tokens", before, after)
		}
	})
}

func checkHead(rt *rapid.T, head []longrein.Entry) {
	if m, ok := head[0].Item.(longrein.Message); !ok || !strings.HasPrefix(m.Text, "task") {
		rt.Fatalf("the head does not begin with the task")
	}
	var open string
	last := int64(0)
	for _, e := range head {
		switch it := e.Item.(type) {
		case longrein.ToolCall:
			open = it.ID
		case longrein.ToolOutput:
			if it.CallID != open || !utf8.ValidString(it.Text) {
				rt.Fatalf("output of %q after the call %q", it.CallID, open)
			}
			open = ""
		}
		if e.Step != 0 && e.Step < last {
			rt.Fatalf("step %d comes after step %d", e.Step, last)
		}
		last = max(last, e.Step)
	}
	if open != "" {
		rt.Fatalf("the call %s has lost its output", open)
	}
}

func carriesOn(m longrein.Move) bool {
	_, ok := m.(longrein.CarryOn)
	return ok
}
