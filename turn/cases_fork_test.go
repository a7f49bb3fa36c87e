package turn

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
)

var wires = []longrein.Wire{longrein.WireResponses, longrein.WireChat, longrein.WireMessages}

// fields are a request body's, without the cache's marks and the list of items.
func fields(t *testing.T, body []byte) map[string]string {
	t.Helper()
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(bytes.ReplaceAll(body, cacheMark, nil), &raw); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for name, value := range raw {
		if name != "input" && name != "messages" {
			out[name] = string(value)
		}
	}
	return out
}

// Cases 13 and 14: both forks' requests begin with the bytes of the worker's, and
// have its tools and settings.
func TestForksBeginWithTheWorkersBytes(t *testing.T) {
	for _, wire := range wires {
		t.Run(string(wire), func(t *testing.T) {
			w := remembers(t, Options{}, func(s *longrein.Settings) { s.Wire = wire })
			var last []byte
			for len(w.forks) == 0 {
				last = bytes.Clone(w.asks[0].Request.Body)
				w.works(1, 900)
			}
			if got := w.forksOut(); got != "summarizer-1 decider-1" {
				t.Fatalf("the forks %q are asked", got)
			}
			for _, f := range w.forks {
				w.checkGrowth(last, f.Request.Body)
				if diff := cmp.Diff(fields(t, last), fields(t, f.Request.Body)); diff != "" {
					t.Errorf("%s differs from the worker: %s", f.Fork, diff)
				}
			}
			w.verify()
		})
	}
}

// Case 15: nothing in what a fork shares with the worker marks anything; what
// makes it one is a single item at its end.
func TestNoMarkIsInTheWorkersContext(t *testing.T) {
	w := summing(t, Options{})
	for _, f := range w.forks {
		shared, own, _ := w.m.State().Branch(f.Fork)
		if len(own) != 1 || own[0].Item.(longrein.Fragment).Tag != longrein.TagRole {
			t.Errorf("%s has the items %v of its own, want one", f.Fork, own)
		}
		for _, e := range slices.Concat(shared, w.m.State().Entries()) {
			if g, ok := e.Item.(longrein.Fragment); ok && g.Tag != longrein.TagEnvironment {
				t.Errorf("the worker sees %+v", g)
			}
		}
	}
}

// Cases 16, 17, 41 and 95: what the worker does later changes no fork, what one
// fork does changes neither the other nor the worker, and no tool runs for any.
func TestForksDoNotDisturbEachOther(t *testing.T) {
	w := summing(t, Options{})
	shared, _, _ := w.m.State().Branch("summarizer-2")
	sharedBefore, _, _ := w.m.State().Branch("decider-2")
	shared, sharedBefore = slices.Clone(shared), slices.Clone(sharedBefore)
	w.works(1, 900)
	entries, ran := len(w.m.State().Entries()), len(w.ran)
	w.forkSays(w.forkOf(longrein.RoleSummarizer), longrein.ToolCall{ID: "n", Name: "apply_patch", Args: `{"patch":"no"}`})
	w.forkSays(w.forkOf(longrein.RoleDecider), longrein.ToolCall{ID: "n", Name: "do", Args: `{}`})
	for name, want := range map[string][]longrein.Entry{"summarizer-2": shared, "decider-2": sharedBefore} {
		got, own, ok := w.m.State().Branch(name)
		if !ok || len(own) != 3 {
			t.Errorf("%s has %d items of its own, want its instruction, its call and the output", name, len(own))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s shares something else now: %s", name, diff)
		}
	}
	if len(w.m.State().Entries()) != entries || len(w.ran) != ran || len(w.runs) != 0 {
		t.Error("a fork's call has run, or the worker sees it")
	}
	w.verify()
}

// Case 18: input that waits is not in a fork.
func TestWaitingInputIsNotInAFork(t *testing.T) {
	w := remembers(t, Options{}, nil)
	w.tell(Submit{Text: "and then this"})
	w.works(2, 900)
	w.tell(Steer{Text: "this at once"})
	w.works(1, 10)
	for _, f := range w.forks {
		if body := string(f.Request.Body); strings.Contains(body, "and then this") || strings.Contains(body, "this at once") {
			t.Errorf("%s is told what no turn has taken yet", f.Fork)
		}
	}
	if w.forksOut() == "" || !strings.Contains(w.seen(), "this at once") {
		t.Error("no fork is asked, or the steer was not taken after the wake-up")
	}
}

// Case 20: a fork that the provider refuses as too long has failed. It is not
// asked again with the same input, and the boundary stays.
func TestARefusedForkIsNotAskedAgain(t *testing.T) {
	w := summing(t, Options{})
	notes := w.m.notes
	w.forkBreaks(w.forkOf(longrein.RoleSummarizer), &longrein.ModelError{Kind: longrein.ErrTooLong, Text: "too long"})
	if w.forkEnds(longrein.ForkFailed) != 1 || w.m.notes != notes || w.forksOut() != "decider-2" {
		t.Errorf("%d forks have failed, the notes have version %d, and %q are asked", w.forkEnds(longrein.ForkFailed), w.m.notes, w.forksOut())
	}
	w.works(1, 50)
	if got := w.forksOut(); got != "decider-2" {
		t.Errorf("the forks %q are asked, want no summarizer before there is more to cover", got)
	}
}

// Cases 101, 102 and 103: a fork's end says what it came to; its own records hold
// only what followed the fork; why one failed is in its end.
func TestAForkLeavesARecordOfItself(t *testing.T) {
	w := summing(t, Options{})
	w.forkBreaks(w.forkOf(longrein.RoleDecider), &longrein.ModelError{Kind: longrein.ErrAuth, Text: "the key is not accepted"})
	w.forkSays(w.forkOf(longrein.RoleSummarizer), addMain("all")...)
	ends, items := map[string]longrein.Fork{}, map[string]int{}
	for _, r := range w.log {
		switch b := r.Body.(type) {
		case longrein.Fork:
			ends[b.Name()] = b
		case longrein.Beside:
			if _, ok := b.Body.(longrein.Appended); ok {
				items[b.Fork]++
			}
		}
	}
	s := ends["summarizer-2"]
	if s.State != longrein.ForkFinished || s.Window != 1 || s.Requests != 1 || s.Usage.Input == 0 || s.Usage.Output == 0 || s.Millis == 0 || s.Why != "MAIN.md" {
		t.Errorf("summarizer-2 ended with %+v", s)
	}
	if d := ends["decider-2"]; d.State != longrein.ForkFailed || !strings.Contains(d.Why, "the key is not accepted") {
		t.Errorf("decider-2 ended with %+v", d)
	}
	if items["summarizer-2"] != 3 || items["decider-2"] != 1 {
		t.Errorf("the forks have %v items, want an instruction each, and the summarizer's two", items)
	}
}

// Case 22: a fork whose request is cut off at the end of its time is dropped and
// has not failed; what it was to cover stays uncovered.
func TestAForkThatIsCutOffIsDropped(t *testing.T) {
	w := summing(t, Options{})
	notes := w.m.notes
	w.now = w.now.Add(10 * time.Minute)
	w.forkBreaks(w.forkOf(longrein.RoleSummarizer), context.DeadlineExceeded)
	if w.forkEnds(longrein.ForkDropped) != 1 || w.forkEnds(longrein.ForkFailed) != 0 || w.m.notes != notes {
		t.Errorf("%d forks were dropped and %d failed, and the notes have version %d", w.forkEnds(longrein.ForkDropped), w.forkEnds(longrein.ForkFailed), w.m.notes)
	}
}
