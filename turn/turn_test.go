package turn

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/strategy/recent"
)

func begun(t *testing.T, o Options) *world {
	t.Helper()
	w := newWorld(t, o)
	w.tell(Submit{Text: "go"})
	w.survey()
	return w
}

func TestATurnInOrder(t *testing.T) {
	w := begun(t, Options{})
	w.reply(longrein.StopTools, toolCall("a", "look"), toolCall("b", "look"))
	w.finish(1, longrein.OutputOK, "second")
	w.finish(0, longrein.OutputOK, "first")
	w.reply(longrein.StopEnd, say("done"))

	const want = "thread settings input turn:started window message request " +
		"tool_call tool_call usage tool:started tool:started " +
		"tool:finished tool_output tool_output request message usage turn:ended"
	if got := w.types(0); got != want {
		t.Errorf("log\n got %s\nwant %s", got, want)
	}
	w.verify()
}

func TestCallsRunAsTheToolsAllow(t *testing.T) {
	w := begun(t, Options{})
	w.reply(longrein.StopTools, toolCall("1", "look"), toolCall("2", "do"), toolCall("3", "look"), toolCall("4", "look"))
	if got := len(w.runs); got != 1 {
		t.Fatalf("%d calls run, want the first alone: the second may not run beside it", got)
	}
	w.finish(0, longrein.OutputOK, "x")
	if len(w.runs) != 1 || w.runs[0].Call.ID != "2" {
		t.Fatalf("after the first: %v, want only 2", w.runs)
	}
	w.finish(0, longrein.OutputOK, "x")
	if got := len(w.runs); got != 2 {
		t.Fatalf("after the second: %d run, want 3 and 4 together", got)
	}
}

func TestIDsThatRepeatAreMadeDistinct(t *testing.T) {
	w := begun(t, Options{})
	for range 3 {
		w.reply(longrein.StopTools, toolCall("call_0", "look"), toolCall("call_0", "look"), toolCall("", "look"))
		for len(w.runs) > 0 {
			w.finish(0, longrein.OutputOK, "x")
		}
	}
	if got, want := len(w.ran), 9; got != want {
		t.Errorf("%d distinct ids, want %d: %v", got, want, w.ran)
	}
}

func TestACrash(t *testing.T) {
	w := begun(t, Options{})
	w.reply(longrein.StopTools, toolCall("a", "look"), toolCall("b", "do"), toolCall("c", "do"))
	w.finish(0, longrein.OutputOK, "seen")
	at := len(w.log)
	w.crash(at) // a is done, b runs, c waits
	w.tell(Resume{})
	if got, want := w.types(at), "tool_output tool:started"; got != want {
		t.Errorf("after the crash\n got %s\nwant %s", got, want)
	}
	if w.ran["a"] != 1 || w.ran["b"] != 1 || w.ran["c"] != 1 {
		t.Errorf("runs %v, want each once: b's outcome is unknown and it may not run again", w.ran)
	}
	w.finish(0, longrein.OutputOK, "x")
	if len(w.asks) != 1 {
		t.Fatal("the turn did not go on by itself")
	}
	w.verify()
}

func TestACrashRunsHarmlessCallsAgain(t *testing.T) {
	w := begun(t, Options{})
	w.reply(longrein.StopTools, toolCall("a", "look"))
	w.crash(len(w.log))
	w.tell(Resume{})
	if w.ran["a"] != 2 {
		t.Errorf("a read-only call ran %d times, want again after the crash", w.ran["a"])
	}
}

func TestACrashBeforeTheAnswerAsksOnceMore(t *testing.T) {
	w := begun(t, Options{})
	first := bytes.Clone(w.asks[0].Request.Body)
	w.crash(len(w.log))
	w.tell(Resume{})
	if len(w.asks) != 1 || string(w.asks[0].Request.Body) != string(first) {
		t.Errorf("the request was not repeated byte for byte")
	}
	w.tell(Resume{})
	if len(w.asks) != 1 {
		t.Error("a second resume asked again")
	}
}

func TestATornResponseIsAskedForAgain(t *testing.T) {
	w := begun(t, Options{})
	at := len(w.log)
	w.reply(longrein.StopTools, toolCall("a", "look"), toolCall("b", "look"))
	w.durable = at
	w.crash(at + 1) // the first call only
	w.tell(Resume{})
	if len(w.asks) != 1 {
		t.Fatal("the request was not repeated")
	}
	w.reply(longrein.StopTools, toolCall("a", "look"))
	w.finish(0, longrein.OutputOK, "x")
	w.verify()
}

// A batch of records of which only the first were written: the rest of what the
// machine had in mind follows when it is resumed.
func TestATornBatch(t *testing.T) {
	twice := func(w *world) {
		w.reply(longrein.StopEnd, say("done"))
		w.tell(Submit{Text: "and now?"})
	}
	steered := func(w *world) {
		w.tell(Steer{Text: "wait"})
		w.reply(longrein.StopEnd, say("done"))
	}
	interrupted := func(w *world) {
		w.tell(Interrupt{})
		w.breaks(context.Canceled, say("so far"))
	}
	for name, tc := range map[string]struct {
		play func(w *world)
		last string // record that was written
		want string // what resuming records
	}{
		"the start of a later turn":              {twice, "turn:started", "message request"},
		"the input of a later turn":              {twice, "message", "request"},
		"a steer that the model has not heard":   {steered, "message", "request"},
		"an interrupt the model is not told of":  {interrupted, "usage", "fragment request"},
		"an interrupt that does not end in time": {interrupted, "fragment", "request"},
	} {
		t.Run(name, func(t *testing.T) {
			w := begun(t, Options{})
			tc.play(w)
			for !strings.HasSuffix(w.types(0), " "+tc.last) {
				w.log = w.log[:len(w.log)-1]
			}
			at := len(w.log)
			w.durable = at
			w.crash(at)
			w.tell(Resume{})
			if got := w.types(at); got != tc.want {
				t.Errorf("after %s\n got %s\nwant %s", w.types(0), got, tc.want)
			}
		})
	}
}

func TestSurplusCallsAreRefusedForGood(t *testing.T) {
	set, err := limit.Set(nil).With("response-calls", 1)
	if err != nil {
		t.Fatal(err)
	}
	w := begun(t, Options{Limits: set})
	w.reply(longrein.StopTools, toolCall("a", "do"), toolCall("b", "do"), toolCall("c", "do"))
	for !strings.HasSuffix(w.types(0), "tool:finished") {
		w.log = w.log[:len(w.log)-1]
	}
	w.log = w.log[:len(w.log)-1] // c's refusal was not written
	w.durable = len(w.log)
	w.crash(len(w.log))
	w.tell(Resume{})
	w.finish(0, longrein.OutputOK, "x")
	if w.ran["c"] != 0 || len(w.asks) != 1 {
		t.Errorf("runs %v, %d requests; want no run of c, and the turn to go on", w.ran, len(w.asks))
	}
}

func TestATurnThatWasCutOff(t *testing.T) {
	cutOff := func(t *testing.T) *world {
		w := begun(t, Options{})
		w.reply(longrein.StopTools, toolCall("a", "do"))
		w.crash(len(w.log))
		return w
	}
	t.Run("is left as it is by an interrupt", func(t *testing.T) {
		w := cutOff(t)
		at := len(w.log)
		w.tell(Interrupt{})
		if got := w.types(at); got != "" || !w.m.Resting() {
			t.Errorf("an interrupt of nothing recorded %q", got)
		}
	})
	t.Run("goes on with an input", func(t *testing.T) {
		for _, in := range []Message{Submit{"more"}, Steer{"more"}} {
			w := cutOff(t)
			w.tell(in)
			if len(w.asks) != 1 || w.ran["a"] != 1 {
				t.Errorf("after %T: %d requests, runs %v; want the turn to go on and no call twice", in, len(w.asks), w.ran)
			}
		}
	})
}

func TestInterrupt(t *testing.T) {
	t.Run("while a window begins", func(t *testing.T) {
		w := newWorld(t, Options{})
		w.tell(Submit{Text: "go"})
		w.tell(Interrupt{})
		w.survey()
		if ended(w) != "interrupted" || len(w.m.pending) != 1 {
			t.Errorf("turn %s, %d inputs wait; want interrupted, and the input kept", ended(w), len(w.m.pending))
		}
	})
	t.Run("while the model answers keeps what it had said", func(t *testing.T) {
		w := begun(t, Options{})
		w.tell(Interrupt{})
		w.breaks(context.Canceled, longrein.Reasoning{Text: "hm"}, say("so far"))
		if got, want := w.types(7), "message usage fragment turn:interrupted"; got != want {
			t.Errorf("log\n got %s\nwant %s", got, want)
		}
	})
	t.Run("while tools run answers every call", func(t *testing.T) {
		w := begun(t, Options{})
		w.reply(longrein.StopTools, toolCall("a", "do"), toolCall("b", "do"))
		w.tell(Interrupt{})
		w.finish(0, longrein.OutputInterrupted, "stopped")
		if len(w.runs) != 0 {
			t.Fatal("the second call was started after the interrupt")
		}
		w.checkPairs(w.m.State().Entries())
		if ended(w) != "interrupted" {
			t.Errorf("turn %s, want interrupted", ended(w))
		}
		w.tell(Resume{})
		if len(w.asks) != 1 {
			t.Error("an interrupted turn did not go on")
		}
		w.verify()
	})
	t.Run("keeps a queued input for later", func(t *testing.T) {
		w := begun(t, Options{})
		w.tell(Submit{Text: "later"})
		w.tell(Interrupt{})
		w.breaks(context.Canceled)
		if got := len(w.m.pending); got != 1 {
			t.Errorf("%d inputs wait, want 1", got)
		}
	})
}

func TestInputs(t *testing.T) {
	w := begun(t, Options{})
	w.tell(Submit{Text: "queued"})
	w.tell(Steer{Text: "steer 1"})
	w.tell(Steer{Text: "steer 2"})
	w.reply(longrein.StopEnd, say("done?"))
	if got := len(w.m.pending); got != 1 {
		t.Fatalf("%d inputs wait after the safe point, want the queued one", got)
	}
	w.reply(longrein.StopEnd, say("done"))
	if got := len(w.m.pending); got != 0 || !w.m.Running() {
		t.Fatalf("%d inputs wait, running %v; want the queued one to begin a turn", got, w.m.Running())
	}
}

func TestFailures(t *testing.T) {
	t.Run("ends the turn and can be resumed", func(t *testing.T) {
		w := begun(t, Options{})
		w.breaks(&longrein.ModelError{Kind: longrein.ErrAuth, Text: "no"})
		if ended(w) != "failed" {
			t.Fatalf("turn %s, want failed", ended(w))
		}
		w.tell(Resume{})
		w.reply(longrein.StopEnd, say("done"))
		w.verify()
	})
	t.Run("a refused field is left out in a new window", func(t *testing.T) {
		w := begun(t, Options{})
		w.breaks(&longrein.ModelError{Kind: longrein.ErrBadRequest, Text: "no", Field: "store"})
		w.survey()
		if len(w.asks) != 1 {
			t.Fatal("not asked again")
		}
		w.breaks(&longrein.ModelError{Kind: longrein.ErrBadRequest, Text: "no", Field: "store"})
		if ended(w) != "failed" {
			t.Errorf("turn %s, want failed the second time", ended(w))
		}
		w.verify()
	})
	t.Run("a refused field does not undo a change of settings", func(t *testing.T) {
		w := begun(t, Options{})
		other := settings
		other.Model = "sim:other"
		w.tell(Change{Settings: other})
		w.breaks(&longrein.ModelError{Kind: longrein.ErrBadRequest, Text: "no", Field: "store"})
		w.survey()
		if len(w.asks) != 1 || w.asks[0].Request.Model != "sim:other" {
			t.Errorf("%d requests, want one to the model that was chosen: %+v", len(w.asks), w.asks)
		}
	})
	t.Run("too long begins new windows, and gives up", func(t *testing.T) {
		w := begun(t, Options{Strategy: recent.Strategy{}})
		for range 20 {
			w.reply(longrein.StopTools, toolCall("", "look"))
			w.finish(0, longrein.OutputOK, "some words of output")
		}
		for range limit.FutileWindows.Default + 1 {
			if len(w.asks) == 0 {
				break
			}
			w.breaks(&longrein.ModelError{Kind: longrein.ErrTooLong, Text: "too long"})
			w.survey()
		}
		if ended(w) != "failed" || w.m.State().Window.N < 2 {
			t.Errorf("turn %s in window %d, want failed after some windows", ended(w), w.m.State().Window.N)
		}
		w.verify()
	})
}

func TestATurnIsBounded(t *testing.T) {
	set, err := limit.Set(nil).With("futile-steps", 2)
	if err != nil {
		t.Fatal(err)
	}
	w := begun(t, Options{Limits: set})
	for i := 0; len(w.asks) > 0; i++ {
		if i > 2 {
			t.Fatal("not bounded")
		}
		w.reply(longrein.StopTools, toolCall("", "nonsense"))
		r := w.runs[0]
		w.runs = nil
		w.tell(ToolDone{Futile: true, Result: longrein.ToolResult{Output: longrein.ToolOutput{
			CallID: r.Call.ID, Text: "no such tool", Status: longrein.OutputFailed,
		}}})
	}
	if ended(w) != "failed" {
		t.Errorf("turn %s, want failed", ended(w))
	}
}

// silent drops everything and says nothing.
type silent struct{}

func (silent) Name() string { return "silent" }

func (silent) Decide(v longrein.View) longrein.Move {
	if len(v.Entries)-v.Fresh < 3 {
		return longrein.CarryOn{}
	}
	return longrein.NewWindow{Why: "because"}
}

func TestWhatAStrategyDropsInSilenceIsSaid(t *testing.T) {
	w := begun(t, Options{Strategy: silent{}})
	w.reply(longrein.StopTools, toolCall("a", "look"))
	w.finish(0, longrein.OutputOK, "some words of output")
	w.survey()
	h, ok := w.log[len(w.log)-2].Body.(longrein.LimitHit)
	if !ok || h.Cut <= 0 || h.CutUnit != "tokens" {
		t.Errorf("got %+v, want a limit record that counts what is gone", w.log[len(w.log)-2].Body)
	}
	w.verify()
}
