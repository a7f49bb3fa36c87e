package turn

import (
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/strategy/background"
)

func TestAUserCanAskForANewWindowBetweenTurns(t *testing.T) {
	w := windowed(t, background.Options{})
	w.works(3, 900)
	w.reply(longrein.StopEnd, say("bye"))
	w.tell(Renew{})
	if w.m.Resting() {
		t.Fatal("the thread does not wait for its summarizer")
	}
	w.tell(Submit{Text: "and now this"})
	w.forkSays(w.forkOf(longrein.RoleSummarizer), addMain("the port is 4711")...)
	w.survey()
	if got := w.m.State().Window; got.N != 2 || !strings.Contains(got.Why, "user") {
		t.Fatalf("window %d because %q, want the second, of the user", got.N, got.Why)
	}
	if len(w.asks) != 1 || len(w.m.pending) != 0 {
		t.Errorf("%d requests are out, want one with what was submitted meanwhile", len(w.asks))
	}
	w.verify()
}

func TestAskingForAWindowDuringATurnWaitsForASafePoint(t *testing.T) {
	s := &script{moves: []longrein.Move{longrein.CarryOn{}, longrein.NewWindow{Why: "x"}, longrein.NewWindow{Why: "x", Head: []longrein.Entry{{Item: say("head")}}}}}
	w := begun(t, Options{Strategy: s})
	w.tell(Renew{})
	if got := w.m.State().Window.N; got != 1 {
		t.Fatalf("window %d began under a request", got)
	}
	w.reply(longrein.StopTools, toolCall("a", "look"))
	w.finish(0, longrein.OutputOK, "seen")
	w.survey()
	if got := w.m.State().Window.N; got != 2 || !s.views[1].Manual || s.views[0].Manual {
		t.Errorf("window %d; manual views %v, %v", got, s.views[0].Manual, s.views[1].Manual)
	}
}

func TestWhatFailsBetweenTurnsIsAWarning(t *testing.T) {
	s := &script{moves: []longrein.Move{longrein.CarryOn{}, longrein.Fail{Kind: longrein.ErrTooLong, Text: "no"}}}
	w := begun(t, Options{Strategy: s})
	w.reply(longrein.StopEnd, say("bye"))
	w.tell(Renew{})
	warned := w.count(func(b longrein.Body) bool { v, ok := b.(longrein.Warning); return ok && v.Text == "no" })
	if warned != 1 || !w.m.Resting() || w.m.ended != longrein.TurnEnded {
		t.Errorf("%d warnings, ended %q: want a warning and the turn as it was", warned, w.m.ended)
	}
}

func TestABoundForkEndsWithAnInterrupt(t *testing.T) {
	p := plan(longrein.RoleCompactor, 1)
	p.Bound = true
	s := &script{moves: []longrein.Move{longrein.CarryOn{}, longrein.StartFork{Forks: []longrein.ForkPlan{p}, Hold: true}}}
	w := begun(t, Options{Strategy: s})
	w.reply(longrein.StopTools, toolCall("a", "look"))
	w.finish(0, longrein.OutputOK, "seen")
	w.tell(Interrupt{})
	if !w.m.Resting() || w.forkEnds(longrein.ForkDropped) != 1 {
		t.Errorf("resting %v with %d forks dropped, want the turn and its fork ended", w.m.Resting(), w.forkEnds(longrein.ForkDropped))
	}
}

func TestAPinnedItemIsInEveryHeadOnce(t *testing.T) {
	head := func() longrein.Move { return longrein.NewWindow{Why: "x", Head: []longrein.Entry{{Item: say("head")}}} }
	s := &script{moves: []longrein.Move{longrein.CarryOn{}, head(), head(), longrein.CarryOn{}, head(), head()}}
	w := begun(t, Options{Strategy: s})
	w.tell(Pin{longrein.Pinned{Seq: 3, Item: say("never change the port")}})
	for range 2 {
		w.reply(longrein.StopTools, toolCall("", "look"))
		w.finish(0, longrein.OutputOK, "seen")
		w.survey()
	}
	pins := func() (n int) {
		for _, e := range w.m.State().Entries() {
			if f, ok := e.Item.(longrein.Fragment); ok && f.Tag == longrein.TagPinned && strings.Contains(f.Text, "never change the port") {
				n++
			}
		}
		return n
	}
	if got := pins(); got != 1 {
		t.Errorf("after %d windows the pinned item is there %d times, want once", w.m.State().Window.N, got)
	}
	w.crash(len(w.log))
	set := w.m.State().Next
	set.Effort = "high"
	w.tell(Change{Settings: set})
	w.tell(Resume{})
	w.survey()
	if got := pins(); got != 1 {
		t.Errorf("after a crash and a change of settings it is there %d times, want once", got)
	}
	w.tell(Pin{longrein.Pinned{Seq: 3, Off: true}})
	if len(w.m.pins) != 0 {
		t.Error("it cannot be unpinned")
	}
	w.verify()
}

func TestAWindowThatWasAskedForComesWhenTheTurnEnds(t *testing.T) {
	s := &script{moves: []longrein.Move{longrein.CarryOn{}, longrein.NewWindow{Why: "x"}, longrein.NewWindow{Why: "x", Head: []longrein.Entry{{Item: say("head")}}}}}
	w := begun(t, Options{Strategy: s})
	w.tell(Renew{})
	w.reply(longrein.StopEnd, say("bye"))
	w.survey()
	if got := w.m.State().Window.N; got != 2 || !w.m.Resting() || w.m.ended != longrein.TurnEnded {
		t.Errorf("window %d, resting %v, want the second and rest", got, w.m.Resting())
	}
}

func TestChangedSettingsDoNotTakeTheWindowThatWasAskedFor(t *testing.T) {
	w := windowed(t, background.Options{})
	w.works(3, 900)
	w.reply(longrein.StopEnd, say("bye"))
	set := w.m.State().Next
	set.Model = "another"
	w.tell(Change{Settings: set})
	w.tell(Renew{})
	w.survey()
	if w.m.Resting() || len(w.forks) != 1 {
		t.Errorf("resting with %d forks, want a summarizer in the window of the new settings", len(w.forks))
	}
}
