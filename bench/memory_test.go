package bench

import (
	"flag"
	"slices"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/sim/longtask"
)

var memorySet = flag.Bool("memory", false, "also measure memory on long tasks, which takes minutes")

// TestMemory plays the 200-step task in a window of 32,000 tokens on each wire,
// and checks what must come of it whatever the machine is.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("plays 600 steps")
	}
	for _, wire := range []longrein.Wire{longrein.WireResponses, longrein.WireChat, longrein.WireMessages} {
		t.Run(string(wire), func(t *testing.T) {
			p := play(t, run{shape: longtask.Long200, window: 32_000, wire: wire})
			a := p.account(t)
			p.verify(t)
			a.check(t)
			if got := a.all().cost(); got >= 2 {
				t.Errorf("it cost %.2f USD, want less than 2", got)
			}
			t.Log(header + "\n" + a.row(string(wire)) + "\n" + second + "\n" + a.line(string(wire)))
		})
	}
}

// verify rebuilds every request from the log.
func (p *played) verify(t *testing.T) {
	t.Helper()
	n := 0
	for c, err := range p.h.Verify(p.thread) {
		if err != nil || !c.OK() {
			t.Errorf("request %d of %q: logged %s, built %s, %v", c.Seq, c.Fork, c.Logged, c.Built, err)
		}
		n++
	}
	if n != len(p.seen) {
		t.Errorf("%d requests are in the log, and %d were sent", n, len(p.seen))
	}
}

// check checks what holds of every run with a summarizer that forgets nothing.
func (a account) check(t *testing.T) {
	t.Helper()
	if a.found != a.facts {
		t.Errorf("the answer has %d of %d facts", a.found, a.facts)
	}
	if !slices.Equal(a.kept, a.shown) {
		t.Errorf("after resets the notes or the head have %v facts, and there had been %v", a.kept, a.shown)
	}
	if a.refused > 0 || a.rewrites > 0 {
		t.Errorf("%d requests were refused, and %d times the cache had been written for nothing", a.refused, a.rewrites)
	}
	if a.share < 0.97 {
		t.Errorf("a fork read %.1f%% of its shared prefix from the cache, want 97%% at least", 100*a.share)
	}
	if a.resets == 0 || a.forks.requests == 0 {
		t.Errorf("there were %d resets and %d requests of forks", a.resets, a.forks.requests)
	}
}
