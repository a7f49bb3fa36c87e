//go:build unix

package e2e_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/longrein/longrein"
)

// fault is something that a server does wrong and that a task must survive.
type fault struct {
	is     string        // as the simulated model takes it
	more   int           // requests that it costs
	waits  time.Duration // that must be announced at least
	within time.Duration // and at most
	late   time.Duration // at least, that one response begins
	full   bool          // it leads to a new window
	slow   bool          // it takes too long for every day
}

var faults = map[string]fault{
	"429 twice with Retry-After":         {is: "429 at request 20 times 2 retry-after 1s", more: 2, waits: 2 * time.Second, within: 3 * time.Second},
	"500 twice":                          {is: "500 at request 20 times 2", more: 2, waits: 400 * time.Millisecond, within: time.Second},
	"500 eight times in a row":           {is: "500 at request 20 times 8", more: 8, waits: 5 * time.Second, within: 15 * time.Second},
	"a stream cut half-way":              {is: "cut at request 20", more: 1, within: time.Second},
	"two events that are no JSON":        {is: "garbage at request 20"},
	"a first byte after 2 s":             {is: "slow at request 20 after 2s", late: 2 * time.Second},
	"a first byte after 20 s":            {is: "slow at request 20 after 20s", late: 20 * time.Second, slow: true},
	"one request refused as too long":    {is: "too-long at request 20", more: 1, full: true},
	"the first request refused with 503": {is: "503 at request 1", more: 1, within: time.Second},
}

// TestFaults has a server fail in the middle of a task. The task ends as if nothing
// had happened: same answer, no step asked or done twice, nothing lost.
func TestFaults(t *testing.T) {
	for _, wire := range wires {
		t.Run(string(wire), func(t *testing.T) {
			t.Parallel()
			want := undisturbed(t, options{wire: wire})
			for name, f := range faults {
				t.Run(name, func(t *testing.T) {
					if f.slow && !*slow {
						t.Skip("NOT TESTED: takes long; run with -slow")
					}
					t.Parallel()
					f.survive(t, wire, want)
				})
			}
		})
	}
}

func (f fault) survive(t *testing.T, wire longrein.Wire, want string) {
	const steps = 50
	p := newPlace(t, options{wire: wire, serve: []string{"--fault", f.is}})
	p.exec().succeed()
	s := p.story()
	if got := p.answer(); got != want {
		t.Errorf("the answer is %q, undisturbed it is %q", got, want)
	}
	if s.ended() != longrein.TurnEnded || len(s.calls) != steps || s.whole != steps+1 {
		t.Errorf("the turn is %s after %d calls and %d responses", s.ended(), len(s.calls), s.whole)
	}
	if s.said != steps+1 {
		t.Errorf("the model said %d things in %d responses", s.said, s.whole)
	}
	p.checkCalls(s)
	p.verify(s)
	f.checkRequests(t, p.sim.asked())
	f.checkWaits(t, s)
	if got := len(s.texts()) > 0; got != (f.more > 0) {
		t.Errorf("the user was told %q", s.texts())
	}
	if windows := s.asked[len(s.asked)-1].Window; (windows > 1) != f.full {
		t.Errorf("there were %d windows", windows)
	}
}

// checkRequests checks that each step was asked once besides the requests that
// the fault struck, which are asked again as they were.
func (f fault) checkRequests(t *testing.T, got []request) {
	t.Helper()
	struck, asked := 0, map[int]int{}
	for i, r := range got {
		if r.fault == "" || f.more == 0 {
			asked[r.step]++
			continue
		}
		struck++
		if again := got[min(i+1, len(got)-1)]; again.step != r.step || !f.full && again.hash != r.hash {
			t.Errorf("request %d for step %d was struck, and the next is for step %d", i+1, r.step, again.step)
		}
	}
	for step, n := range asked {
		if n != 1 {
			t.Errorf("step %d was asked %d times", step, n)
		}
	}
	if struck != f.more {
		t.Errorf("%d requests were struck, want %d", struck, f.more)
	}
}

var pause = regexp.MustCompile(`asking again in (\S+) \(try `)

// checkWaits checks the pauses that the log announced.
func (f fault) checkWaits(t *testing.T, s *story) {
	t.Helper()
	var sum time.Duration
	for _, text := range s.texts() {
		if m := pause.FindStringSubmatch(text); m != nil {
			d, err := time.ParseDuration(m[1])
			if err != nil {
				t.Fatal(err)
			}
			sum += d
		}
	}
	if sum < f.waits || sum > f.within {
		t.Errorf("the announced waits sum up to %v, want %v to %v", sum, f.waits, f.within)
	}
	var late time.Duration
	for _, r := range s.records {
		if a, ok := r.Body.(longrein.Answered); ok {
			late = max(late, time.Duration(a.FirstMillis)*time.Millisecond)
		}
	}
	if late < f.late {
		t.Errorf("the latest response began after %v, want %v at least", late, f.late)
	}
}
