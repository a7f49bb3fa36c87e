package background

import (
	"math"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

var dollars = longrein.Price{Input: 3, Cached: 0.3, Output: 15}

// priced is a desk that has read for 20 steps of 2,000 bytes, all but the newest
// few of them noted if wanted, and paid for.
func priced(t *testing.T, o Options, noted bool) *desk {
	t.Helper()
	d := sat(t, o, 2_000)
	d.set.Price = dollars
	for range 20 {
		d.reads(2_000)
	}
	if noted {
		d.note(longrein.Fork{Role: longrein.RoleSummarizer, N: 1, Window: 1, State: longrein.ForkStarted, From: d.last})
		d.note(longrein.Notes{By: "summarizer-1", Window: 1, Boundary: d.last - 1, Changed: []longrein.Document{{Name: longrein.MainDocument, Text: "noted"}}})
		d.note(longrein.Fork{Role: longrein.RoleSummarizer, N: 1, Window: 1, State: longrein.ForkFinished})
	}
	d.reads(100)
	d.asked(d.tokens())
	d.note(longrein.Answered{Usage: longrein.Usage{Input: 1_000_000, Cached: 900_000, Reported: true}, Cost: 0.6})
	return d
}

// The cache has gone cold while the user was away: a reset that would be due soon
// is taken before the context is paid for once more.
func TestAResetIsTakenWhenTheCacheIsCold(t *testing.T) {
	tests := map[string]struct {
		o      Options
		noted  bool
		away   time.Duration
		wanted bool
	}{
		"after an hour":               {Options{}, true, time.Hour, true},
		"after a minute":              {Options{}, true, time.Minute, false},
		"when the notes are behind":   {Options{}, false, time.Hour, false},
		"when it is switched off":     {Options{IgnoreCache: true}, true, time.Hour, false},
		"under the fixed policy":      {Options{Fixed: true}, true, time.Hour, false},
		"with a cache that lives on":  {Options{Limits: limit.Set{limit.CacheLife.Name: 86_400_000}}, true, time.Hour, false},
		"a clock that goes backwards": {Options{}, true, -time.Hour, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := priced(t, tt.o, tt.noted)
			d.now = d.now.Add(tt.away)
			d.note(longrein.Input{Text: "go on"})
			m := d.at(d.tokens())
			_, began := m.(longrein.NewWindow)
			if began != tt.wanted {
				t.Errorf("a new window: %v, want %v (%T)", began, tt.wanted, m)
			}
			if r, ok := logged[longrein.Reset](m); began && (!ok || r.Price >= 0 || r.BreakEven != 0) {
				t.Errorf("its record is %+v, want a rewrite that saves at once", r)
			}
		})
	}
}

// What a rewrite costs, saves, and after how many steps that is even.
func TestBreakEven(t *testing.T) {
	d := priced(t, Options{}, true)
	v := d.view(100_000)
	v.Overhead = 1_000
	cost, saving, steps := d.s.breakEven(v, 11_000)
	if want := 10_000 * 2.7e-6; math.Abs(cost-want) > 1e-9 {
		t.Errorf("10,000 tokens from outside the cache cost %v more, want %v", cost, want)
	}
	if want := 89_000 * 0.3e-6; math.Abs(saving-want) > 1e-9 {
		t.Errorf("each step saves %v, want %v", saving, want)
	}
	if steps != 2 {
		t.Errorf("even after %d steps, want 2", steps)
	}
	if _, _, never := d.s.breakEven(v, 200_000); never != math.MaxInt32 {
		t.Errorf("a larger head is even after %d steps, want never", never)
	}
}

func TestTheBudgetPutsForksOff(t *testing.T) {
	tests := map[string]struct {
		spent   float64 // of the worker, in US dollars
		budget  int64
		started string
	}{
		"what is a small share is spent":   {1, 25, "summarizer-1 decider-1"},
		"what is a large share is put off": {0.1, 25, ""},
		"a larger budget lets it":          {0.1, 60, "summarizer-1 decider-1"},
		"no budget is no bound":            {0, 0, "summarizer-1 decider-1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := priced(t, Options{Limits: limit.Set{limit.MemoryBudget.Name: tt.budget}}, false)
			d.s.state.Worker = spending{Cost: tt.spent, Usage: longrein.Usage{Input: 1}}
			d.wantStarted(60_000, tt.started)
			if hit, ok := logged[longrein.LimitHit](d.at(60_000)); ok {
				t.Errorf("it is said again: %+v", hit)
			}
		})
	}
}

// Without a price the usual ratios between cached, plain and written tokens count.
func TestTheBudgetHoldsWithoutPrices(t *testing.T) {
	d := priced(t, Options{}, false)
	d.set.Price = longrein.Price{}
	d.s.state.Worker = spending{Usage: longrein.Usage{Input: 100_000, Cached: 95_000, Output: 500}}
	d.wantStarted(60_000, "")
	d.s.state.Worker.Usage = longrein.Usage{Input: 1_000_000, Cached: 900_000, Output: 5_000}
	d.wantStarted(60_000, "summarizer-1 decider-1")
}

// That forks are put off is said once, and once more after they have run.
func TestItIsSaidOnceThatForksArePutOff(t *testing.T) {
	d := priced(t, Options{AlwaysDecide: true}, false)
	d.s.state.Worker = spending{Cost: 0.1}
	for _, want := range []bool{true, false} {
		if _, said := logged[longrein.LimitHit](d.at(60_000)); said != want {
			t.Errorf("it is said: %v, want %v", said, want)
		}
	}
	d.s.state.Worker = spending{Cost: 1}
	d.wantStarted(60_000, "summarizer-1 decider-1")
	d.asked(60_000)
	d.note(longrein.Beside{Fork: "summarizer-1", Body: longrein.Answered{Cost: 1}})
	d.ends("summarizer-1", longrein.ForkFinished)
	d.ends("decider-1", longrein.ForkFinished)
	if _, said := logged[longrein.LimitHit](d.at(70_000)); !said {
		t.Error("it is not said that forks are put off again")
	}
}

// A price that becomes known later counts for what was spent before; what is in
// the log stands.
func TestSpendingIsReckonedInTheNewestPrice(t *testing.T) {
	s := spending{}
	s.add(longrein.Usage{Input: 1_000_000, Cached: 500_000, Output: 100_000}, 0)
	if got := s.in(dollars); math.Abs(got-3.15) > 1e-9 {
		t.Errorf("got %f USD, want 3.15", got)
	}
	s.add(longrein.Usage{}, 2)
	if got := s.in(dollars); got != 2 {
		t.Errorf("got %f USD, want 2", got)
	}
}
