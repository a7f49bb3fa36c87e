package turn

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/strategy/recent"
)

// Pins that together are larger than the window must not end the thread: the newest
// are shown as far as there is room, they count as what no window can be without,
// and what is left out is told.
func TestMoreIsPinnedThanAWindowHasRoomFor(t *testing.T) {
	head := longrein.NewWindow{Why: "x", Head: []longrein.Entry{{Item: say("head")}}}
	w := begun(t, Options{Strategy: &script{moves: []longrein.Move{longrein.CarryOn{}, head, head}}})
	bare := w.m.view().Overhead
	for i := range 20 {
		w.tell(Pin{longrein.Pinned{Seq: int64(100 + i), Item: say(strings.Repeat("word ", 190))}})
	}
	w.reply(longrein.StopTools, toolCall("", "look"))
	w.finish(0, longrein.OutputOK, "seen")
	w.survey()
	var shown []string
	for _, e := range w.m.State().Entries() {
		if f, ok := e.Item.(longrein.Fragment); ok && f.Tag == longrein.TagPinned {
			shown = append(shown, f.Text[:9])
		}
	}
	if len(shown) != 2 || shown[1] != "Item #119" {
		t.Errorf("shown are %q, want the newest two", shown)
	}
	hit, ok := w.log[len(w.log)-2].Body.(longrein.LimitHit)
	if !ok || hit.Name != limit.CarriedShare.Name || hit.Cut < 18*190 {
		t.Errorf("recorded is %+v, want what is left out", w.log[len(w.log)-2].Body)
	}
	if got := w.m.view().Overhead - bare; got < 400 || got > 900 {
		t.Errorf("pins count as %d tokens, want those of two", got)
	}
}

// A strategy that keeps nothing hands on what another kept, so that a thread is not
// without its memory when it comes back to that one.
func TestWhatAnotherStrategyKeptGoesAlong(t *testing.T) {
	kept := json.RawMessage(`{"notes":{"version":3}}`)
	w := begun(t, Options{Strategy: recent.Strategy{}})
	w.m.keeper.Note(longrein.Record{Seq: w.m.last.Seq, Body: longrein.Window{Kept: kept}})
	set := w.m.State().Next
	set.Effort = "high"
	w.tell(Change{Settings: set})
	w.reply(longrein.StopTools, toolCall("", "look"))
	w.finish(0, longrein.OutputOK, "seen")
	w.survey()
	for _, r := range w.log {
		if win, ok := r.Body.(longrein.Window); ok && win.N == 2 && string(win.Kept) == string(kept) {
			return
		}
	}
	t.Error("the second window's record lacks it")
}

// A process that ends with the turn sends no fork whose answer it would not wait
// for; one that stays sends it then.
func TestForksAreNotSentByAProcessThatEnds(t *testing.T) {
	for _, stays := range []bool{false, true} {
		start := longrein.StartFork{Forks: []longrein.ForkPlan{plan(longrein.RoleSummarizer, 1)}}
		w := begun(t, Options{Stays: stays, Strategy: &script{moves: []longrein.Move{longrein.CarryOn{}, start}}})
		w.reply(longrein.StopTools, toolCall("", "look"))
		w.finish(0, longrein.OutputOK, "seen")
		w.tell(Interrupt{})
		w.breaks(context.Canceled)
		if sent := len(w.forks) > 0; sent != stays || !w.m.Resting() {
			t.Errorf("staying %v: sent %v", stays, sent)
		}
		w.tell(Leave{})
		if w.forkEnds(longrein.ForkDropped) != 1 {
			t.Error("the fork is not recorded as dropped")
		}
	}
}
