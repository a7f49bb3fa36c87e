package turn

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/strategy/background"
)

// phases bring a thread to each point of a reset.
var phases = map[string]func(*testing.T) *world{
	"requested, while a tool runs": func(t *testing.T) *world {
		w := due(t, Options{Stays: true})
		w.reply(longrein.StopTools, toolCall("a", "do"))
		w.verdict()
		return w
	},
	"requested, while the model answers": func(t *testing.T) *world {
		w := due(t, Options{Stays: true})
		w.verdict()
		return w
	},
	"waiting for a summarizer": func(t *testing.T) *world {
		w := summing(t, Options{Stays: true})
		w.verdict()
		w.works(1, 10)
		return w
	},
	"the worker waits too": func(t *testing.T) *world {
		w := summing(t, Options{Stays: true})
		w.reply(longrein.StopTools, toolCall("", "look"))
		w.finish(0, longrein.OutputOK, strings.Repeat("word ", 24_000))
		if w.m.phase != holding {
			t.Fatalf("the worker does not wait: %s", w.types(len(w.log)-10))
		}
		return w
	},
	"the window is to begin": func(t *testing.T) *world {
		w := due(t, Options{Stays: true})
		w.verdict()
		w.reply(longrein.StopTools, toolCall("", "look"))
		w.finish(0, longrein.OutputOK, "seen")
		return w
	},
	"the window has begun": func(t *testing.T) *world {
		w := due(t, Options{Stays: true})
		w.verdict()
		w.works(1, 10)
		return w
	},
	"requested, when the turn has ended": func(t *testing.T) *world {
		w := due(t, Options{Stays: true})
		w.reply(longrein.StopEnd, say("done"))
		w.verdict()
		return w
	},
}

// Cases 57, 58, 61 and 62: a steer, an interrupt and a kill in each phase of a reset. What the user says
// is heard once, the work goes on with at most one request of the worker out, and
// the second window begins once.
func TestWhateverHappensInAnyPhase(t *testing.T) {
	acts := map[string]func(*world){
		"a steer":                       func(w *world) { w.tell(Steer{Text: "by the way;"}) },
		"a kill":                        func(w *world) { w.crash(0) },
		"an interrupt":                  func(w *world) { w.stop() },
		"an interrupt, and then a kill": func(w *world) { w.stop(); w.crash(0) },
		"a steer, and then a kill":      func(w *world) { w.tell(Steer{Text: "by the way;"}); w.crash(0) },
	}
	for name, phase := range phases {
		for what, act := range acts {
			t.Run(name+"/"+what, func(t *testing.T) {
				w := phase(t)
				act(w)
				w.toSecondWindow()
				w.works(1, 10)
				if body := string(w.asks[0].Request.Body); strings.Contains(what, "steer") && strings.Count(body, "by the way;") != 1 {
					t.Errorf("the steer is in the request %d times", strings.Count(body, "by the way;"))
				}
				if got := w.count(func(b longrein.Body) bool { n, ok := b.(longrein.Window); return ok && n.N == 2 }); got != 1 {
					t.Errorf("the second window began %d times", got)
				}
				w.verify()
				w.checkMemory()
			})
		}
	}
}

// stop interrupts what runs and lets it come to its end.
func (w *world) stop() {
	w.tell(Interrupt{})
	for len(w.asks) > 0 {
		w.breaks(context.Canceled)
	}
	for len(w.runs) > 0 {
		w.finish(0, longrein.OutputInterrupted, "stopped")
	}
	w.survey()
}

// toSecondWindow lets the work go on until the worker asks in the second window.
func (w *world) toSecondWindow() {
	w.t.Helper()
	for i := 0; w.m.State().Window.N < 2 || len(w.asks) == 0; i++ {
		w.survey()
		switch {
		case len(w.asks) > 1 || i > 200:
			w.t.Fatalf("%d requests of the worker are out: %s", len(w.asks), w.types(max(len(w.log)-40, 0)))
		case w.m.State().Window.N == 2 && len(w.asks) == 1:
		case len(w.runs) > 0:
			w.finish(0, longrein.OutputOK, "seen")
		case len(w.forks) > 0:
			w.answer(0)
		case len(w.asks) > 0:
			w.reply(longrein.StopTools, toolCall("", "look"))
			w.finish(0, longrein.OutputOK, strings.Repeat("word ", 500))
		case w.m.Owed():
			w.tell(Resume{})
		default:
			w.tell(Submit{Text: "go on"})
		}
	}
}

// answer lets a fork do its duty.
func (w *world) answer(i int) {
	if strings.HasPrefix(w.forks[i].Fork, string(longrein.RoleDecider)) {
		w.forkSays(i, say("RESET"))
		return
	}
	w.forkSays(i, addMain(fmt.Sprintf("all up to #%d", len(w.log)))...)
}

// Case 82: however little of the record of a new window was written before a
// crash, one window is current afterwards and it begins once.
func TestACrashWhileAWindowBegins(t *testing.T) {
	for written := range 8 {
		w := due(t, Options{})
		w.verdict()
		w.reply(longrein.StopTools, toolCall("", "look"))
		w.finish(0, longrein.OutputOK, "seen")
		at := len(w.log)
		w.tear = written
		w.survey()
		w.tell(Resume{})
		w.survey()
		w.wantGoingOn(2)
		if n := strings.Count(w.types(at), "window"); n != 1 {
			t.Errorf("with %d records written the window begins %d times", written, n)
		}
		if !strings.Contains(w.seen(), "the task") || !strings.Contains(w.seen(), "seen") {
			t.Errorf("with %d records written the new window lacks the task or the newest output", written)
		}
		w.verify()
		w.checkMemory()
	}
}

// Case 79: a summary counts with its record and not before. What a crash leaves is
// the version before or the one after, with the boundary that belongs to it.
func TestACrashWhileASummaryIsRecorded(t *testing.T) {
	for written := range 3 {
		w := summing(t, Options{})
		f := w.m.fork("summarizer-2").Fork
		ask := w.forks[w.forkOf(longrein.RoleSummarizer)]
		w.tell(ForkResponse{Fork: ask.Fork, Response: Response{
			Step: ask.Step, Items: addMain("the port is 4712"), Done: longrein.Finished{Stop: longrein.StopEnd},
		}})
		w.tear = written
		w.look()
		w.tell(Resume{})
		notes := w.m.keeper.(*background.Strategy).Notes()
		main, _ := notes.Get(longrein.MainDocument)
		covered := int64(0)
		for _, r := range w.log {
			if n, ok := r.Body.(longrein.Notes); ok {
				covered = n.Boundary
			}
		}
		if after := main.Text == "the port is 4712\n"; after != (written > 0) || after != (covered == f.From) {
			t.Errorf("with %d records written MAIN.md says %q and the notes cover #%d", written, main.Text, covered)
		}
		if w.m.fork("summarizer-2") != nil {
			t.Error("the summarizer of the process before runs")
		}
		w.checkMemory()
	}
}

// Case 78: forks of a process that was killed are recorded as dropped, what they
// were to cover stays uncovered, and the next trigger starts others.
func TestForksOfAKilledProcessAreRunAgain(t *testing.T) {
	w := summing(t, Options{})
	notes := w.m.notes
	w.crash(0)
	w.tell(Resume{})
	if got := w.forkEnds(longrein.ForkDropped); got != 2 || w.m.notes != notes {
		t.Errorf("%d forks were dropped and the notes have version %d, want 2 and %d", got, w.m.notes, notes)
	}
	w.wakes()
	if got := w.forksOut(); got != "summarizer-3 decider-3" {
		t.Errorf("the forks %q are asked, want the next ones", got)
	}
	w.verify()
}

// Case 80: a verdict is in the log, so it counts after a crash as long as its
// window goes on. Case 81: so does a reset that waits for a tool, whose call gets
// an output that says what is not known of it.
func TestAVerdictOutlivesAProcess(t *testing.T) {
	w := due(t, Options{})
	w.reply(longrein.StopTools, toolCall("a", "do"))
	w.verdict()
	w.crash(0)
	w.tell(Resume{})
	w.survey()
	w.wantGoingOn(2)
	if got := w.seen(); !strings.Contains(got, "Outcome unknown") || w.ran["a"] != 1 {
		t.Errorf("the call ran %d times, and its output is not said to be unknown", w.ran["a"])
	}
	w.verify()
}

// Cases 84 and 85: calls that a crash cut off get their outputs before anything
// else is said or asked.
func TestOutputsComeBeforeWhatTheUserSaysAfterACrash(t *testing.T) {
	for name, finished := range map[string]int{"case 84: no output was there": 0, "case 85: one of two was there": 1} {
		t.Run(name, func(t *testing.T) {
			w := remembers(t, Options{}, nil)
			w.reply(longrein.StopTools, toolCall("a", "do"), toolCall("b", "do"))
			for range finished {
				w.finish(0, longrein.OutputOK, "done")
			}
			at := len(w.log)
			w.crash(at)
			w.tell(Submit{Text: "what now?"})
			for len(w.runs) > 0 {
				w.finish(0, longrein.OutputOK, "done")
			}
			if len(w.asks) != 1 {
				t.Fatalf("%d requests are out", len(w.asks))
			}
			w.checkPairs(w.m.State().Entries())
			said, heard := w.types(at), strings.LastIndex(w.types(at), "tool_output")
			if i := strings.Index(said, "message"); i >= 0 && i < heard {
				t.Errorf("the message stands before an output: %s", said)
			}
			w.verify()
		})
	}
}

// Case 88: after a restart nothing runs by itself; that work is owed can be seen,
// and to resume goes on with it.
func TestARestartOwesWorkAndStartsNone(t *testing.T) {
	w := due(t, Options{})
	w.verdict()
	w.crash(0)
	if !w.m.Owed() || len(w.asks) != 0 || !w.m.Resting() {
		t.Errorf("work is owed: %v, %d requests are out", w.m.Owed(), len(w.asks))
	}
	w.tell(Resume{})
	w.survey()
	w.wantGoingOn(2)
}
