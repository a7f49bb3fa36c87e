package background

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
)

// examined is a desk on which a reset is wanted and a head tried out first: the
// prober that asks runs.
func examined(t *testing.T) *desk {
	d := sat(t, Options{Fixed: true, ProbeModel: true}, 1_000)
	for range 20 {
		d.reads(1_000)
	}
	d.covers(len(d.entries))
	d.note(longrein.Verdict{Fork: "decider-1", Window: 1, Reset: true})
	m := d.at(d.tokens())
	if s, ok := m.(longrein.StartFork); !ok || started(m) != "prober-1" || s.Hold || len(s.Forks[0].Head) > 0 {
		t.Fatalf("got %+v, want a prober that sees the old context, beside the work", m)
	}
	if r, ok := logged[longrein.Reset](m); !ok || r.Phase != longrein.ResetRequested {
		t.Fatalf("recorded is %+v, want that a reset was requested", r)
	}
	return d
}

// A model's questions of the old context are answered from the new head alone, and
// what is not found there is added.
func TestAHeadIsTriedWithAModelsQuestions(t *testing.T) {
	d := examined(t)
	if m := d.at(d.tokens()); started(m) != "" {
		t.Fatalf("%q is started while the questions are asked", started(m))
	}
	d.answered("prober-1", 1, speak("Q: which port?\nA: 4711\nQ: which colour?\nA: teal"))
	m := d.at(d.tokens())
	if started(m) != "prober-2" {
		t.Fatalf("got %+v, want the prober that answers", m)
	}
	head := ledger.Shown(m.(longrein.StartFork).Forks[0].Head)
	if !strings.Contains(head, "the port is 4711") || strings.Contains(head, "xxx") {
		t.Errorf("it sees\n%s\nwant the new head and no old output", head)
	}
	d.answered("prober-2", 1, speak("A1: the port is 4711\nA2: not known"))
	if _, ok := d.at(d.tokens()).(longrein.NewWindow); !ok {
		t.Fatal("no window is to begin")
	}
	n := d.built("").(longrein.NewWindow)
	if text := ledger.Shown(n.Head); !strings.Contains(text, "- which colour? teal") {
		t.Errorf("the head lacks what was missed:\n%s", text)
	}
	r := n.Log[1].(longrein.Reset)
	if diff := cmp.Diff([]string{"question: which colour? teal"}, r.Repaired); diff != "" || r.Probes != 2 || r.Passed != 1 {
		t.Errorf("probed: %+v %s", r, diff)
	}
}

// A prober that fails, or asks nothing that can be read, holds no reset up: the
// rules have to do.
func TestWithoutAProberTheRulesHaveToDo(t *testing.T) {
	for name, end := range map[string]func(*desk){
		"it is dropped":  func(d *desk) { d.ends("prober-1", longrein.ForkDropped) },
		"it asks little": func(d *desk) { d.answered("prober-1", 1, speak("Which port is it?")) },
	} {
		t.Run(name, func(t *testing.T) {
			d := examined(t)
			end(d)
			if m, ok := d.at(d.tokens()).(longrein.NewWindow); !ok {
				t.Errorf("got %+v, want a new window", m)
			}
		})
	}
}
