package turn

import (
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

func TestATurnEndsAfterSoManyRequests(t *testing.T) {
	w := begun(t, Options{Limits: limit.Set{limit.TurnSteps.Name: 2}})
	for range 2 {
		w.reply(longrein.StopTools, toolCall("", "look"))
		w.finish(0, longrein.OutputOK, "seen")
	}
	if len(w.asks) != 0 || ended(w) != "failed" {
		t.Errorf("%d requests are out and the turn is %q, want it failed after two", len(w.asks), ended(w))
	}
	if hits := w.count(func(b longrein.Body) bool {
		h, ok := b.(longrein.LimitHit)
		return ok && h.Name == limit.TurnSteps.Name
	}); hits != 1 {
		t.Errorf("the limit is on record %d times, want once", hits)
	}
}

func TestOnlySoManyCallsRunAtOnce(t *testing.T) {
	w := begun(t, Options{Limits: limit.Set{limit.ParallelCalls.Name: 2}})
	w.reply(longrein.StopTools, toolCall("a", "look"), toolCall("b", "look"), toolCall("c", "look"))
	if len(w.runs) != 2 {
		t.Fatalf("%d calls run, want two", len(w.runs))
	}
	w.finish(0, longrein.OutputOK, "seen")
	if len(w.runs) != 2 || w.runs[1].Call.ID != "c" {
		t.Errorf("%d calls run after the first has ended, want the third beside the second", len(w.runs))
	}
}
