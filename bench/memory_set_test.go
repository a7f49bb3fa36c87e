package bench

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/provider/sim"
	"github.com/longrein/longrein/provider/sim/longtask"
)

// latency is about that of a large model: 0.3 s, 10,000 tokens a second that are
// read anew, 80 that are written.
var latency = sim.Latency{Base: 300 * time.Millisecond, Input: 10_000, Output: 80}

// slowly is a summarizer that takes as long as it takes to write 750 tokens. The
// simulated one writes about 75.
var slowly = []sim.Role{{Name: longrein.RoleSummarizer, Act: sim.ActHang, Wait: 8500 * time.Millisecond}}

// contender is a way to keep windows small that is measured.
type contender struct {
	name, strategy string
	set            []string
}

// contenders are background memory with each policy, and all other strategies.
func contenders() []contender {
	all := []contender{{name: "thrifty"}, {name: "fixed", set: []string{"memory.policy=fixed"}}}
	for _, s := range harness.Strategies() {
		if s != "background" {
			all = append(all, contender{name: s, strategy: s})
		}
	}
	return all
}

// measure is one row of the tables.
type measure struct {
	name string
	run
	late bool // with latency, in virtual time
}

// measures are what all contenders play, and what background memory alone plays,
// with latency.
func measures() []measure {
	var all []measure
	add := func(task string, s longtask.Shape, window int, c contender, o sim.Options) {
		name := fmt.Sprintf("%s %dk %s", task, window/1000, c.name)
		all = append(all, measure{name, run{shape: s, window: window, strategy: c.strategy, set: c.set, sim: o}, o.Latency != sim.Latency{}})
	}
	for _, c := range contenders() {
		add("long200", longtask.Long200, 32_000, c, sim.Options{})
		add("long200", longtask.Long200, 128_000, c, sim.Options{})
		add("deep90", longtask.Deep90, 32_000, c, sim.Options{})
	}
	for _, window := range []int{32_000, 128_000} {
		c := contenders()[0]
		add("long200 late", longtask.Long200, window, c, sim.Options{Latency: latency, Roles: slowly})
		add("long200 late", longtask.Long200, window, contender{name: "compact", strategy: "compact"}, sim.Options{Latency: latency, Roles: slowly})
		add("long1000 late", longtask.Long1000, window, c, sim.Options{Latency: latency, Roles: slowly})
		add("long1000 late, short summaries", longtask.Long1000, window, c, sim.Options{Latency: latency})
	}
	return all
}

// TestMemorySet measures the long tasks and prints tables for docs/benchmarks.md.
func TestMemorySet(t *testing.T) {
	if !*memorySet {
		t.Skip("NOT MEASURED: takes a minute; run with -memory or make bench-memory")
	}
	rows, lines := header, second
	for _, m := range measures() {
		t.Run(m.name, func(t *testing.T) {
			a := m.account(t)
			rows += "\n" + a.row(m.name)
			lines += "\n" + a.line(m.name)
			if m.strategy == "" {
				a.check(t)
			}
		})
	}
	t.Log(rows + "\n" + lines)
}

// account plays in virtual time where there is latency: commands take none of it
// then, and what is between an answer and the next request is waiting alone.
func (m measure) account(t *testing.T) (a account) {
	t.Helper()
	if !m.late {
		return play(t, m.run).account(t)
	}
	synctest.Test(t, func(t *testing.T) { a = play(t, m.run).account(t) })
	return a
}

// TestForgetful has the summarizer leave each fact out of a summary with a chance
// of one in ten, by several coins. They
// go by the worker's step, which virtual time makes the same in every run.
func TestForgetful(t *testing.T) {
	if !*memorySet {
		t.Skip("NOT MEASURED: takes a minute; run with -memory or make bench-memory")
	}
	for _, window := range []int{32_000, 128_000} {
		for _, strategy := range []string{"background", "compact"} {
			var found []int
			for seed := range 9 {
				m := measure{run: run{shape: longtask.Long200, window: window, strategy: strategy, sim: sim.Options{
					Latency: latency, Roles: slowly, Forget: sim.Forget{Percent: 10, Seed: seed + 1},
				}}, late: true}
				found = append(found, m.account(t).found)
			}
			slices.Sort(found)
			t.Logf("%s, %d tokens: median %d of 26, all %v", strategy, window, found[len(found)/2], found)
		}
	}
}
