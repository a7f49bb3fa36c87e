package turn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein"
)

// verdict lets the decider that is asked want a reset.
func (w *world) verdict() {
	w.t.Helper()
	w.forkSays(w.forkOf(longrein.RoleDecider), say("Most of it is done with.\nRESET"))
}

// wantWindow fails unless the worker is in the n-th window.
func (w *world) wantWindow(n int) {
	w.t.Helper()
	if got := w.m.State().Window.N; got != n {
		w.t.Fatalf("window %d, want %d: %s", got, n, w.types(max(len(w.log)-20, 0)))
	}
}

// wantGoingOn fails unless the worker is in the n-th window and at work there.
func (w *world) wantGoingOn(n int) {
	w.t.Helper()
	w.wantWindow(n)
	if len(w.asks) != 1 || !w.m.Running() {
		w.t.Fatalf("%d requests of the worker are out and a turn runs: %v; want it to go on", len(w.asks), w.m.Running())
	}
}

func isReset(phase longrein.ResetPhase) func(longrein.Body) bool {
	return func(b longrein.Body) bool {
		r, ok := b.(longrein.Reset)
		return ok && r.Phase == phase
	}
}

// Cases 52 and 53: a reset waits for all calls of a step, however long they run,
// and cuts none off.
func TestAResetWaitsForTools(t *testing.T) {
	w := due(t, Options{})
	w.reply(longrein.StopTools, toolCall("1", "do"), toolCall("2", "do"), toolCall("3", "do"))
	w.verdict()
	for i := range 3 {
		w.now = w.now.Add(10 * time.Minute)
		if w.surveys != 0 || len(w.runs) != 1 {
			t.Fatalf("before call %d: %d windows are to begin and %d tools run, want 0 and 1", i+1, w.surveys, len(w.runs))
		}
		w.finish(0, longrein.OutputOK, fmt.Sprintf("output %d", i+1))
	}
	w.survey()
	w.wantGoingOn(2)
	if got := w.seen(); !strings.Contains(got, "output 1") || !strings.Contains(got, "output 3") {
		t.Error("the outputs are not carried over")
	}
	w.verify()
}

// Case 74: after the switch the worker goes on without anyone's doing. Case 76:
// the log has the window, why it began and what was carried; what is older stays
// readable. Case 64: for a window that is about to end no fork is started.
func TestAfterAResetTheWorkerGoesOn(t *testing.T) {
	w := due(t, Options{})
	w.verdict()
	at := len(w.log)
	w.works(1, 4_000)
	w.wantGoingOn(2)
	for _, r := range w.log[at:] {
		if f, ok := r.Body.(longrein.Fork); ok && f.State == longrein.ForkStarted {
			t.Errorf("%s was started for the window that ends", f.Name())
		}
	}
	for _, r := range w.log {
		switch b := r.Body.(type) {
		case longrein.Reset:
			if b.Phase == longrein.ResetBuilt && (b.Window != 1 || b.Carried == 0 || b.Before <= b.After || b.Why == "") {
				t.Errorf("built: %+v", b)
			}
		case longrein.Window:
			if b.N == 2 && (b.Why != "decider-2: Most of it is done with." || b.Boundary == 0) {
				t.Errorf("window: %q, standing for #%d", b.Why, b.Boundary)
			}
		}
	}
	if got := w.count(isReset(longrein.ResetBuilt)); got != 1 {
		t.Errorf("%d resets were built, want 1", got)
	}
	if old := fmt.Sprint(w.log[:at]); !strings.Contains(old, "the task") {
		t.Error("the log has lost what came before")
	}
}

// Cases 47, 48 and 54: a verdict that comes when the turn has ended waits for the
// next input, without anything happening meanwhile; to carry on changes nothing.
func TestAVerdictThatComesWhenTheTurnHasEnded(t *testing.T) {
	idle := func(verdict string) (*world, int) {
		w := due(t, Options{Stays: true})
		w.reply(longrein.StopEnd, say("the answer is 42"))
		at := len(w.log)
		w.forkSays(w.forkOf(longrein.RoleDecider), say(verdict))
		if w.surveys != 0 || !w.m.Resting() || w.types(at) != "beside beside verdict fork" {
			t.Errorf("after %q: %d windows are to begin, and the log has %s", verdict, w.surveys, w.types(at))
		}
		return w, at
	}
	idle("CARRY ON")
	w, _ := idle("RESET")
	w.wantWindow(1)
	w.tell(Submit{Text: "thanks; and now?"})
	w.survey()
	w.wantGoingOn(2)
	if got := w.seen(); !strings.Contains(got, "the answer is 42") || !strings.Contains(got, "thanks; and now?") {
		t.Error("the last exchange is not in the new window")
	}
	w.verify()
}

// Cases 49, 59, 60 and 89: an interrupt is how a user pauses. A verdict does not
// end the pause, nor does a new process; to resume does, and then the reset comes.
func TestAResetDoesNotEndAUsersPause(t *testing.T) {
	for name, restart := range map[string]bool{"in one process": false, "with a new process": true} {
		w := due(t, Options{Stays: true})
		w.tell(Interrupt{})
		w.breaks(context.Canceled)
		w.verdict()
		if restart {
			w.crash(0)
			if !w.m.Owed() {
				t.Error("nobody would know that there is work to go on with")
			}
		}
		if len(w.asks) != 0 || w.surveys != 0 || !w.m.Resting() || ended(w) != "interrupted" {
			t.Errorf("%s: the verdict ended the pause", name)
		}
		w.tell(Resume{})
		w.survey()
		w.wantGoingOn(2)
		w.verify()
	}
}

// Case 55: a reset waits for a summarizer that still runs, and the worker goes on
// meanwhile; what it does is carried over.
func TestAResetWaitsForASummarizerAndTheWorkerDoesNot(t *testing.T) {
	w := summing(t, Options{})
	w.verdict()
	w.works(2, 100)
	w.wantGoingOn(1)
	if got := w.count(isReset(longrein.ResetWaiting)); got != 1 {
		t.Errorf("it is said %d times that the reset waits, want once", got)
	}
	w.forkSays(w.forkOf(longrein.RoleSummarizer), addMain("more")...)
	w.reply(longrein.StopTools, toolCall("after", "look"))
	w.finish(0, longrein.OutputOK, "seen after the summary")
	w.survey()
	w.wantGoingOn(2)
	if !strings.Contains(w.seen(), "seen after the summary") {
		t.Error("what came after the boundary is not carried over")
	}
	w.verify()
}

// Cases 32 and 56: a summarizer that fails or hangs while a reset waits for it
// loses nothing: the boundary is that of the last one that finished.
func TestAResetAfterAFailedSummary(t *testing.T) {
	for name, err := range map[string]error{
		"it hangs": context.DeadlineExceeded,
		"it fails": &longrein.ModelError{Kind: longrein.ErrOverloaded, Text: "no"},
	} {
		w := summing(t, Options{})
		w.verdict()
		w.reply(longrein.StopTools, toolCall("fresh", "look"))
		w.finish(0, longrein.OutputOK, "seen before the failure")
		boundary := longrein.Notes{}
		for _, r := range w.log {
			if n, ok := r.Body.(longrein.Notes); ok && n.By == "summarizer-1" {
				boundary = n
			}
		}
		w.forkBreaks(w.forkOf(longrein.RoleSummarizer), err)
		after := w.m.State().Entries()[boundary.At:]
		w.works(1, 10)
		w.wantGoingOn(2)
		now := fmt.Sprint(w.m.State().Entries())
		for _, e := range after {
			if !strings.Contains(now, fmt.Sprint(e)) {
				t.Errorf("%s: %v came after the boundary and is lost", name, e)
			}
		}
		w.verify()
	}
}

// Cases 35 and 71: what a user made of the notes, and the worker of its TODO.md,
// is in the head as it is at the switch.
func TestAHeadHasTheNewestDocuments(t *testing.T) {
	w := due(t, Options{})
	w.verdict()
	w.reply(longrein.StopTools, toolCall("done", "do"))
	w.finish(0, longrein.OutputOK, "the build is fixed")
	w.surveys--
	w.tell(Surveyed{
		Edits: []longrein.Document{{Name: longrein.MainDocument, Text: "the user says: port 4712"}},
		Todo:  "- [x] fix the build",
	})
	w.wantGoingOn(2)
	seen := w.seen()
	for _, want := range []string{"the user says: port 4712", "- [x] fix the build", "the build is fixed"} {
		if !strings.Contains(seen, want) {
			t.Errorf("the new window lacks %q", want)
		}
	}
	if strings.Contains(seen, "4711") {
		t.Error("the new window has what the user had changed")
	}
	w.checkMemory()
}

// Case 57, 58 and 75: what the user says during a reset is in the new window,
// once, in order, and before the next request.
func TestSteersDuringAReset(t *testing.T) {
	for name, during := range map[string]func(w *world, say func()){
		"case 57: while a tool runs": func(w *world, say func()) {
			w.reply(longrein.StopTools, toolCall("", "look"))
			w.verdict()
			say()
			w.finish(0, longrein.OutputOK, "seen")
		},
		"while a window is to begin": func(w *world, say func()) {
			w.verdict()
			w.reply(longrein.StopTools, toolCall("", "look"))
			w.finish(0, longrein.OutputOK, "seen")
			say()
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := due(t, Options{})
			during(w, func() { w.steers(3) })
			w.survey()
			w.wantGoingOn(2)
			w.wantSteers(3)
		})
	}
	t.Run("case 58: while the reset waits for a summarizer", func(t *testing.T) {
		w := summing(t, Options{})
		w.verdict()
		w.works(1, 10)
		w.steers(3)
		w.forkSays(w.forkOf(longrein.RoleSummarizer), addMain("more")...)
		w.works(1, 10)
		w.wantGoingOn(2)
		w.wantSteers(3)
	})
}

func (w *world) steers(n int) {
	for i := range n {
		w.tell(Steer{Text: fmt.Sprintf("steer %d;", i)})
	}
}

// wantSteers fails unless the newest request has all steers, each once and in order.
func (w *world) wantSteers(n int) {
	w.t.Helper()
	body, at := string(w.asks[0].Request.Body), -1
	for i := range n {
		text := fmt.Sprintf("steer %d;", i)
		if strings.Count(body, text) != 1 || strings.Index(body, text) < at {
			w.t.Fatalf("%q is in the request %d times, or before the one before", text, strings.Count(body, text))
		}
		at = strings.Index(body, text)
	}
}

// Cases 61 and 62: an interrupt in any phase of a reset ends the turn and leaves
// nothing half done; the reset comes when the work goes on.
func TestAnInterruptDuringAReset(t *testing.T) {
	t.Run("case 61: while a tool runs", func(t *testing.T) {
		w := due(t, Options{})
		w.reply(longrein.StopTools, toolCall("a", "do"), toolCall("b", "do"))
		w.verdict()
		w.tell(Interrupt{})
		w.finish(0, longrein.OutputInterrupted, "stopped")
		w.checkPairs(w.m.State().Entries())
		w.resumed(t)
	})
	t.Run("case 62: while it waits for a summarizer", func(t *testing.T) {
		w := summing(t, Options{})
		w.verdict()
		w.works(1, 10)
		w.tell(Interrupt{})
		w.breaks(context.Canceled)
		w.forkSays(w.forkOf(longrein.RoleSummarizer), addMain("more")...)
		w.resumed(t)
	})
	t.Run("while the worker waits for it", func(t *testing.T) {
		w := phases["the worker waits too"](t)
		w.tell(Interrupt{})
		if got := w.forksOut(); !strings.Contains(got, "summarizer-2") || w.forkEnds(longrein.ForkDropped) != 0 {
			t.Errorf("the forks %q are asked, want the summarizer to go on", got)
		}
		w.forkSays(w.forkOf(longrein.RoleSummarizer), addMain("more")...)
		w.wantWindow(1)
		if len(w.asks) != 0 || ended(w) != "interrupted" {
			t.Error("the end of the summary ended the user's pause")
		}
	})
	t.Run("while the window is to begin", func(t *testing.T) {
		w := due(t, Options{})
		w.verdict()
		w.reply(longrein.StopTools, toolCall("", "look"))
		w.finish(0, longrein.OutputOK, "seen")
		w.tell(Interrupt{})
		w.survey()
		w.resumed(t)
	})
}

// resumed fails unless an interrupted worker stands still in the first window and
// goes on in the second.
func (w *world) resumed(t *testing.T) {
	t.Helper()
	w.wantWindow(1)
	if !w.m.Resting() || ended(w) != "interrupted" || len(w.asks) != 0 {
		t.Fatalf("the turn is %q, want interrupted", ended(w))
	}
	w.tell(Resume{})
	w.survey()
	w.wantGoingOn(2)
	w.verify()
}

// Cases 66 and 68: a carry-over that begins with a call is legal on every wire:
// the first that the model sees is a user's, and each call has its output.
func TestACarryOverOnEveryWire(t *testing.T) {
	for _, wire := range wires {
		t.Run(string(wire), func(t *testing.T) {
			w := remembers(t, Options{}, func(s *longrein.Settings) { s.Wire = wire })
			w.works(1, 9_000)
			w.wakes()
			w.verdict()
			w.forkSays(w.forkOf(longrein.RoleSummarizer), addMain("the port is 4711")...)
			w.works(1, 10)
			w.wantGoingOn(2)
			for i, e := range w.m.State().Entries() {
				if f, ok := e.Item.(longrein.Fragment); ok && f.Tag == longrein.TagCarryOver {
					if k := longrein.Kind(w.m.State().Entries()[i+1].Item); k != "tool_call" {
						t.Fatalf("the carry-over begins with a %s", k)
					}
				}
			}
			if role := firstRole(t, w.asks[0].Request.Body); role != "user" {
				t.Errorf("the first item is the %s's", role)
			}
			w.verify()
		})
	}
}

// firstRole is whose a body's first item is, instructions aside.
func firstRole(t *testing.T, body []byte) string {
	t.Helper()
	var raw struct {
		Input, Messages []struct{ Role string }
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		t.Fatal(err)
	}
	for _, it := range append(raw.Input, raw.Messages...) {
		if it.Role != "system" {
			return it.Role
		}
	}
	return ""
}

// Case 77: runs are counted on over windows and processes.
func TestRunsAreCountedOn(t *testing.T) {
	w := due(t, Options{})
	w.verdict()
	w.works(1, 10)
	w.wantGoingOn(2)
	w.crash(len(w.log))
	w.tell(Resume{})
	w.works(1, 3_000)
	w.wakes()
	if got := w.forksOut(); got != "summarizer-3 decider-3" {
		t.Errorf("the forks %q are asked, want the third ones", got)
	}
	w.verify()
}

// Case 56: a summarizer that fails again and again, in a window that fills up: the worker
// waits, bounded, and then goes on without a summary.
func TestAFullWindowDoesNotWaitForEver(t *testing.T) {
	w := remembers(t, Options{}, nil)
	w.works(1, 9_000)
	for i := 0; w.m.State().Window.N == 1 && i < 100; i++ {
		if len(w.asks) > 0 {
			w.works(1, 900)
		}
		for len(w.forks) > 0 {
			w.forkBreaks(0, errors.New("no"))
		}
		w.survey()
	}
	w.wantGoingOn(2)
	if !strings.Contains(w.seen(), "the task") {
		t.Error("the task is lost")
	}
}
