package turn

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// script is a strategy that makes the moves it is given, one at each safe point,
// and answers a fork's calls until it says "done".
type script struct {
	moves []longrein.Move
	views []longrein.View
	noted int
}

func (*script) Name() string { return "script" }

func (s *script) Note(longrein.Record) { s.noted++ }

func (s *script) Keep() json.RawMessage { return nil }

func (s *script) Decide(v longrein.View) longrein.Move {
	s.views = append(s.views, v)
	if len(s.moves) == 0 {
		return longrein.CarryOn{}
	}
	m := s.moves[0]
	s.moves = s.moves[1:]
	return m
}

func (s *script) Reply(b longrein.Branch) longrein.Reply {
	var outputs []longrein.Item
	for _, it := range b.Answer() {
		switch it := it.(type) {
		case longrein.ToolCall:
			outputs = append(outputs, longrein.ToolOutput{CallID: it.ID, Text: "noted", Status: longrein.OutputOK})
		case longrein.Message:
			if it.Text == "look" && !b.Looked {
				return longrein.Look{}
			}
		}
	}
	if len(outputs) > 0 {
		return longrein.GoOn{Items: outputs}
	}
	return longrein.End{State: longrein.ForkFinished, Why: "done", Log: []longrein.Body{longrein.Warning{Text: "from " + b.Fork.Name()}}}
}

func plan(role longrein.ForkRole, n int) longrein.ForkPlan {
	return longrein.ForkPlan{
		Role: role, N: n, Why: "a test", Time: time.Minute,
		Items: []longrein.Item{longrein.Fragment{Tag: longrein.TagRole, Role: longrein.RoleUser, Text: "role: " + string(role)}},
	}
}

// forked is a world in which two forks were planned at the second safe point of a
// turn, and the worker's request is out.
func forked(t *testing.T, more ...longrein.Move) (*world, *script) {
	t.Helper()
	s := &script{moves: append([]longrein.Move{
		longrein.CarryOn{},
		longrein.StartFork{Forks: []longrein.ForkPlan{plan(longrein.RoleSummarizer, 1), plan(longrein.RoleDecider, 1)}},
	}, more...)}
	w := begun(t, Options{Strategy: s})
	w.reply(longrein.StopTools, toolCall("a", "look"))
	w.finish(0, longrein.OutputOK, "seen")
	return w, s
}

func (w *world) count(match func(longrein.Body) bool) int {
	n := 0
	for _, r := range w.log {
		if match(r.Body) {
			n++
		}
	}
	return n
}

func (w *world) forkEnds(state longrein.ForkState) int {
	return w.count(func(b longrein.Body) bool {
		f, ok := b.(longrein.Fork)
		return ok && f.State == state
	})
}

func TestForksWaitForTheWorkersRequestAndNotTheOtherWayRound(t *testing.T) {
	w, _ := forked(t)
	if len(w.asks) != 1 || len(w.forks) != 0 {
		t.Fatalf("%d requests of the worker and %d of forks are out, want 1 and 0", len(w.asks), len(w.forks))
	}
	w.reply(longrein.StopTools, toolCall("b", "look"))
	if len(w.forks) != 2 || len(w.runs) != 1 {
		t.Fatalf("%d forks are asked and %d tools run, want 2 and 1", len(w.forks), len(w.runs))
	}
	w.verify()
}

func TestAForkGoesItsOwnWay(t *testing.T) {
	w, _ := forked(t)
	w.reply(longrein.StopTools, toolCall("b", "look"))
	w.finish(0, longrein.OutputOK, "seen again")
	before := len(w.m.State().Entries())
	w.forkSays(0, toolCall("", "apply_patch"), toolCall("a", "apply_patch"))
	w.forkSays(1, say("done"))
	w.reply(longrein.StopEnd, say("bye"))
	if got := len(w.m.State().Entries()); got != before+1 {
		t.Errorf("the worker sees %d entries, want %d: a fork's are its own", got, before+1)
	}
	if got := w.forkEnds(longrein.ForkFinished); got != 1 {
		t.Errorf("%d forks have finished, want 1", got)
	}
	w.verify()
}

// case 42: a call without an id gets one, so that the pair is complete; one with
// the id of a call that the fork shares with the worker gets another.
func TestCallsOfForksHaveIDsOfTheirOwn(t *testing.T) {
	w, _ := forked(t)
	w.reply(longrein.StopTools, toolCall("b", "look"))
	w.forkSays(0, toolCall("", "apply_patch"), toolCall("a", "apply_patch"))
	_, own, _ := w.m.State().Branch("summarizer-1")
	seen := map[string]int{}
	for _, e := range own {
		switch it := e.Item.(type) {
		case longrein.ToolCall:
			seen[it.ID]++
		case longrein.ToolOutput:
			seen[it.CallID]++
		}
	}
	if len(seen) != 2 || seen[""] > 0 || seen["a"] > 0 {
		t.Errorf("ids of calls and outputs: %v, want two new ones, each twice", seen)
	}
}

// cases 46, 94: what belongs to an older window has no effect.
func TestForksEndWithTheirWindow(t *testing.T) {
	w, _ := forked(t, longrein.NewWindow{Why: "a test"}, longrein.NewWindow{Why: "a test", Head: []longrein.Entry{{Item: say("head")}}})
	w.reply(longrein.StopTools, toolCall("b", "look"))
	w.finish(0, longrein.OutputOK, "seen again")
	w.survey()
	if got := w.m.State().Window.N; got != 2 {
		t.Fatalf("window %d, want 2", got)
	}
	if got := w.forkEnds(longrein.ForkDropped); got != 2 {
		t.Errorf("%d forks were dropped, want 2", got)
	}
	w.forkSays(0, say("late"))
	if got := w.forkEnds(longrein.ForkStale); got != 1 {
		t.Errorf("%d late answers were recorded, want 1", got)
	}
	w.forkBreaks(0, errors.New("cancelled"))
	if got := w.forkEnds(longrein.ForkStale); got != 1 {
		t.Errorf("a cancelled request was recorded as an answer")
	}
	w.verify()
}

// case 22, and a clock that goes backwards.
func TestAForkHasSoMuchTime(t *testing.T) {
	w, _ := forked(t)
	w.now = w.now.Add(-time.Hour)
	w.reply(longrein.StopTools, toolCall("b", "look"))
	if got := w.forks[0].Within; got != time.Minute {
		t.Errorf("after the clock went back the fork has %v, want %v", got, time.Minute)
	}
	w.now = w.now.Add(3 * time.Hour)
	w.forkSays(0, toolCall("x", "apply_patch"))
	if got := w.forkEnds(longrein.ForkDropped); got != 1 {
		t.Errorf("%d forks were dropped, want the one whose time is over", got)
	}
}

func TestAForkHasSoManyRequests(t *testing.T) {
	w, _ := forked(t)
	w.reply(longrein.StopTools, toolCall("b", "look"))
	for range limit.ForkRequests.Default {
		w.forkSays(len(w.forks)-1, toolCall("", "apply_patch"))
	}
	if got := w.forkEnds(longrein.ForkFailed); got != 1 {
		t.Errorf("%d forks have failed, want the one that never ends", got)
	}
}

// cases 19, 20: a request that would not fit is not sent.
func TestAForkThatDoesNotFitIsNotSent(t *testing.T) {
	w, _ := forked(t)
	w.reply(longrein.StopTools, toolCall("b", "look"))
	w.forkSays(0, longrein.ToolCall{ID: "x", Name: "apply_patch", Args: strings.Repeat("word ", 5000)})
	if got := w.forkEnds(longrein.ForkFailed); got != 1 {
		t.Errorf("%d forks have failed, want the one that grew too large", got)
	}
}

// case 78: a crash ends forks; they are recorded as dropped, before anything else.
func TestForksDoNotOutliveTheirProcess(t *testing.T) {
	w, _ := forked(t)
	w.reply(longrein.StopTools, toolCall("b", "look"))
	w.crash(len(w.log))
	w.tell(Resume{})
	if got := w.forkEnds(longrein.ForkDropped); got != 2 {
		t.Errorf("%d forks were dropped, want 2", got)
	}
	w.verify()
}

func TestAWorkerThatHoldsGoesOnWhenAForkEnds(t *testing.T) {
	w, s := forked(t, longrein.Hold{}, longrein.Hold{}, longrein.CarryOn{})
	w.reply(longrein.StopTools, toolCall("b", "look"))
	w.finish(0, longrein.OutputOK, "seen again")
	if len(w.asks) != 0 || w.m.Resting() {
		t.Fatal("the worker does not wait")
	}
	w.forkSays(0, say("done"))
	if len(w.asks) != 0 {
		t.Fatal("the worker goes on though the strategy wants it to wait for the second fork too")
	}
	w.forkBreaks(0, errors.New("no"))
	if len(w.asks) != 1 {
		t.Errorf("%d requests are out after %d views, want 1", len(w.asks), len(s.views))
	}
}

func TestAHoldWithoutForksIsNone(t *testing.T) {
	w := begun(t, Options{Strategy: &script{moves: []longrein.Move{longrein.CarryOn{}, longrein.Hold{}}}})
	w.reply(longrein.StopTools, toolCall("a", "look"))
	w.finish(0, longrein.OutputOK, "seen")
	if len(w.asks) != 1 {
		t.Error("the worker waits for ever")
	}
}

func TestAWorkerThatHoldsCanBeInterrupted(t *testing.T) {
	w, _ := forked(t, longrein.Hold{})
	w.reply(longrein.StopTools, toolCall("b", "look"))
	w.finish(0, longrein.OutputOK, "seen again")
	w.tell(Interrupt{})
	if !w.m.Resting() || w.m.ended != longrein.TurnInterrupted {
		t.Errorf("ended %q, want it interrupted", w.m.ended)
	}
	if len(w.m.forks) != 2 {
		t.Error("the interrupt ended the forks, which are not the turn's")
	}
	w.forkSays(0, say("done"))
	if !w.m.Resting() {
		t.Error("a fork's end began the interrupted turn again")
	}
}

func TestForksMayBeginWhenATurnHasEnded(t *testing.T) {
	start := longrein.StartFork{Forks: []longrein.ForkPlan{plan(longrein.RoleSummarizer, 1)}}
	for stays, want := range map[bool]int{true: 1, false: 0} {
		w := begun(t, Options{Strategy: &script{moves: []longrein.Move{longrein.CarryOn{}, start}}, Stays: stays})
		w.reply(longrein.StopEnd, say("bye"))
		if len(w.forks) != want {
			t.Errorf("stays %v: %d forks are asked, want %d", stays, len(w.forks), want)
		}
		w.tell(Leave{})
		if len(w.m.forks) != 0 {
			t.Error("a fork runs after the process was to end")
		}
		w.verify()
	}
}

func TestAUsersEditsAreRecordedWhenAForkLooks(t *testing.T) {
	w, _ := forked(t)
	w.reply(longrein.StopTools, toolCall("b", "look"))
	w.edit = []longrein.Document{{Name: longrein.MainDocument, Text: "mine"}}
	w.forkSays(0, say("look"))
	edits := w.count(func(b longrein.Body) bool {
		n, ok := b.(longrein.Notes)
		return ok && n.By == longrein.ByUser && n.Version == 1
	})
	if edits != 1 || w.forkEnds(longrein.ForkFinished) != 1 {
		t.Errorf("%d edits were recorded and %d forks finished, want one each", edits, w.forkEnds(longrein.ForkFinished))
	}
}

func TestWhatIsRestoredIsShownAtTheNextSafePoint(t *testing.T) {
	w := begun(t, Options{})
	w.reply(longrein.StopTools, toolCall("a", "look"))
	w.tell(Pin{longrein.Pinned{Seq: 3, Once: true, Item: say("it was so")}})
	w.finish(0, longrein.OutputOK, "seen")
	last := w.m.State().Entries()
	f, ok := last[len(last)-1].Item.(longrein.Fragment)
	if !ok || f.Tag != longrein.TagRestored || !strings.Contains(f.Text, "it was so") {
		t.Errorf("the newest item is %v, want what was restored", last[len(last)-1])
	}
	w.verify()
}
