package turn

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/strategy/recent"
	"pgregory.net/rapid"
)

// TestLaws drives a machine at random, with crashes at any record, and checks
// what must always hold: requests extend each other within a window and can be
// rebuilt, calls and outputs pair, nothing that may have had an effect runs
// twice, and every input is delivered once.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(rt, Options{Strategy: recent.Strategy{}})
		inputs := 0
		for range rapid.IntRange(5, 80).Draw(rt, "steps") {
			play(rt, w, &inputs)
		}
		settle(rt, w)
		w.verify()
		checkInputs(rt, w, inputs)
		checkRuns(rt, w)
	})
}

func play(rt *rapid.T, w *world, inputs *int) {
	switch rapid.IntRange(0, 11).Draw(rt, "what") {
	case 0:
		*inputs++
		w.tell(Submit{Text: fmt.Sprintf("input %d;", *inputs)})
	case 1:
		*inputs++
		w.tell(Steer{Text: fmt.Sprintf("input %d;", *inputs)})
	case 2:
		if rapid.IntRange(0, 3).Draw(rt, "really") == 0 {
			w.tell(Interrupt{})
		}
	case 3:
		w.crash(rapid.IntRange(0, len(w.log)).Draw(rt, "kept"))
		w.tell(Resume{})
	case 4:
		if len(w.asks) > 0 {
			w.breaks(broken(rt), say("half"))
		}
	case 5, 6, 7, 8:
		if len(w.asks) > 0 {
			w.reply(longrein.StopTools, someItems(rt)...)
		}
	default:
		if len(w.runs) > 0 {
			text := strings.Repeat("word ", rapid.IntRange(1, 900).Draw(rt, "words"))
			w.finish(rapid.IntRange(0, len(w.runs)-1).Draw(rt, "tool"), longrein.OutputOK, text)
		}
	}
	w.survey()
}

func broken(rt *rapid.T) error {
	return rapid.SampledFrom([]error{
		context.Canceled,
		&longrein.ModelError{Kind: longrein.ErrTooLong, Text: "too long"},
		&longrein.ModelError{Kind: longrein.ErrAuth, Text: "no"},
	}).Draw(rt, "error")
}

func someItems(rt *rapid.T) []longrein.Item {
	var items []longrein.Item
	if rapid.Bool().Draw(rt, "says") {
		items = append(items, say("working"))
	}
	for range rapid.IntRange(0, 4).Draw(rt, "calls") {
		items = append(items, toolCall(
			rapid.SampledFrom([]string{"", "x", "y"}).Draw(rt, "id"),
			rapid.SampledFrom([]string{"look", "do", "nonsense"}).Draw(rt, "tool")))
	}
	return items
}

// settle lets everything come to its end.
func settle(rt *rapid.T, w *world) {
	for i := 0; w.m.Running() || len(w.m.Pending()) > 0; i++ {
		if i > 1000 {
			rt.Fatal("the turn does not come to an end")
		}
		w.survey()
		switch {
		case len(w.runs) > 0:
			w.finish(0, longrein.OutputOK, "ok")
		case len(w.asks) > 0:
			w.reply(longrein.StopEnd, say("done"))
		default:
			w.tell(Resume{})
		}
	}
}

func checkInputs(rt *rapid.T, w *world, inputs int) {
	for n := 1; n <= inputs; n++ {
		seen := 0
		for _, r := range w.log {
			if a, ok := r.Body.(longrein.Appended); ok && a.Input != 0 {
				if m := a.Item.(longrein.Message); m.Text == fmt.Sprintf("input %d;", n) {
					seen++
				}
			}
		}
		if seen != 1 {
			rt.Fatalf("input %d became %d items", n, seen)
		}
	}
}

func checkRuns(rt *rapid.T, w *world) {
	window := 0
	for _, r := range w.log {
		switch b := r.Body.(type) {
		case longrein.Window:
			window = b.N
		case longrein.Appended:
			c, ok := b.Item.(longrein.ToolCall)
			if ok && c.Name == "do" && w.once[fmt.Sprintf("%d/%s", window, c.ID)] > 1 {
				rt.Fatalf("the call %s of window %d ran more than once", c.ID, window)
			}
		}
	}
}
