package turn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/strategy/background"
)

// The cases of the contract of background memory that take a machine to show. Those
// that a strategy decides alone are tests of strategy/background; the table of
// all is docs/decisions/0013-memory-contract.md.

// remembers is a thread of memory at work, in a window of 40,000 tokens.
func remembers(t *testing.T, o Options, change func(*longrein.Settings)) *world {
	t.Helper()
	w := keptWorld(t, o, func() longrein.Strategy {
		return background.New(background.Options{Fixed: true, Folder: "/notes"})
	})
	set := settings
	set.ContextWindow = 40_000
	if change != nil {
		change(&set)
	}
	w.tell(Change{Settings: set})
	w.tell(Submit{Text: "the task"})
	w.survey()
	return w
}

// forksOut are the names of the forks whose requests are out.
func (w *world) forksOut() string {
	var names []string
	for _, f := range w.forks {
		names = append(names, f.Fork)
	}
	return strings.Join(names, " ")
}

// Case 6: without a word of usage the estimate counts, and the log says that it
// is one.
func TestWithoutUsageTheEstimateWakesTheForks(t *testing.T) {
	w := remembers(t, Options{}, nil)
	for range 4 {
		ask := w.asks[0]
		w.asks = w.asks[1:]
		w.tell(Response{Step: ask.Step, Items: []longrein.Item{toolCall("", "look")}, Done: longrein.Finished{Stop: longrein.StopTools}})
		w.finish(0, longrein.OutputOK, strings.Repeat("word ", 900))
	}
	if got := w.forksOut(); got != "summarizer-1 decider-1" {
		t.Errorf("the forks %q are asked, want both", got)
	}
	if got := w.count(func(b longrein.Body) bool { a, ok := b.(longrein.Answered); return ok && !a.Usage.Reported }); got != 4 {
		t.Errorf("%d answers are marked as without usage, want 4", got)
	}
}

// Case 9: a conversation without tools wakes the forks with an answer.
func TestAnAnswerWakesTheForks(t *testing.T) {
	w := remembers(t, Options{Stays: true}, nil)
	w.reply(longrein.StopEnd, say(strings.Repeat("word ", 2_000)))
	if got := w.forksOut(); got != "summarizer-1 decider-1" || !w.m.Resting() {
		t.Errorf("the forks %q are asked and the worker rests: %v; want both, when the turn has ended", got, w.m.Resting())
	}
	w.verify()
}

// Case 10: between two outputs of one step nothing is decided.
func TestNothingIsDecidedBetweenTwoOutputs(t *testing.T) {
	s := &script{}
	w := begun(t, Options{Strategy: s})
	before := len(s.views)
	w.reply(longrein.StopTools, toolCall("a", "look"), toolCall("b", "look"), toolCall("c", "do"))
	w.finish(1, longrein.OutputOK, "b")
	w.finish(0, longrein.OutputOK, "a")
	if len(s.views) != before {
		t.Fatal("the strategy was asked between two outputs")
	}
	w.finish(0, longrein.OutputOK, "c")
	if len(s.views) != before+1 {
		t.Errorf("the strategy was asked %d times after the third output, want once", len(s.views)-before)
	}
}

// Case 51: nor in the middle of a response.
func TestNothingIsDecidedWhileAnAnswerIsOut(t *testing.T) {
	w := due(t, Options{})
	at := len(w.log)
	w.forkSays(w.forkOf(longrein.RoleDecider), say("RESET"))
	if w.surveys != 0 || len(w.asks) != 1 {
		t.Fatal("the verdict does not wait for the answer that is out")
	}
	w.reply(longrein.StopTools, toolCall("", "look"))
	if w.surveys != 0 || len(w.runs) != 1 {
		t.Fatal("the verdict does not wait for the tools of that answer")
	}
	w.finish(0, longrein.OutputOK, "seen")
	if w.surveys != 1 || len(w.asks) != 0 {
		t.Errorf("at the safe point no window is to begin: %s", w.types(at))
	}
}

// due is a thread whose notes cover most of its window, and in which only a
// verdict is missing: the worker and decider-2 are asked, no summarizer runs.
func due(t *testing.T, o Options) *world {
	t.Helper()
	w := summing(t, o)
	w.forkSays(w.forkOf(longrein.RoleSummarizer), addMain("the port is 4711, of the server")...)
	return w
}

// summing is one in which summarizer-2 and decider-2 run.
func summing(t *testing.T, o Options) *world {
	t.Helper()
	w := remembers(t, o, nil)
	w.works(1, 9_000)
	w.wakes()
	w.forkSays(w.forkOf(longrein.RoleSummarizer), addMain("the port is 4711")...)
	w.forkSays(w.forkOf(longrein.RoleDecider), say("CARRY ON"))
	w.wakes()
	if got := w.forksOut(); got != "summarizer-2 decider-2" || len(w.asks) != 1 {
		t.Fatalf("the forks %q are asked, and %d requests of the worker are out", got, len(w.asks))
	}
	return w
}

// wakes has the worker go on until forks are asked.
func (w *world) wakes() {
	w.t.Helper()
	for range 10 {
		if len(w.forks) > 0 {
			return
		}
		w.works(1, 500)
	}
	w.t.Fatalf("no fork is asked: %s", w.types(max(len(w.log)-30, 0)))
}

// seen is what the worker sees, as text.
func (w *world) seen() string { return fmt.Sprint(w.m.State().Entries()) }
