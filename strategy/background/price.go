package background

import (
	"cmp"
	"math"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// spending sums answers.
type spending struct {
	Cost  float64        `json:"cost"` // US dollars
	Usage longrein.Usage `json:"usage"`
}

func (s *spending) add(u longrein.Usage, cost float64) {
	s.Cost += cost
	s.Usage = s.Usage.Add(u)
}

// in returns what was spent at p: as it was logged, or reckoned anew where no
// price was known then.
func (s spending) in(p longrein.Price) float64 { return cmp.Or(s.Cost, p.Cost(s.Usage)) }

// price returns the model's price. Without one the ratios stand that most
// providers have: a cached token costs a tenth, one of output five times as much.
func price(set longrein.Settings) longrein.Price {
	if set.Price == (longrein.Price{}) {
		return longrein.Price{Input: 1, Cached: 0.1, Output: 5}
	}
	return set.Price
}

// What forks add to the worker's context and answer with, in tokens, for
// reckoning ahead: an instruction, for the summarizer also MAIN.md and an index.
const (
	summaryInput, summaryOutput = 1_500, 600
	verdictInput, verdictOutput = 700, 60
)

// forkCost reckons what a fork of v costs, in US dollars.
func forkCost(v longrein.View, role longrein.ForkRole) float64 {
	p := price(v.Settings)
	input, output := verdictInput, verdictOutput
	if role == longrein.RoleSummarizer {
		input, output = summaryInput, summaryOutput
	}
	return p.Cost(longrein.Usage{
		Input: int64(v.Tokens + input), Cached: int64(v.Tokens), Output: int64(output), CacheWrite: 0,
	})
}

// affordable reports whether forks that cost so much stay within the budget.
func (s *Strategy) affordable(v longrein.View, cost float64) bool {
	share := s.o.Limits.Int(limit.MemoryBudget)
	if s.o.Fixed || share == 0 {
		return true
	}
	p := price(v.Settings)
	return s.state.Forks.in(p)+cost <= s.state.Worker.in(p)*float64(share)/100
}

// breakEven reckons what a reset costs now, what it saves with each step, and
// after how many steps it has paid for itself. When the cache is cold the whole
// context would be paid for anyway.
func (s *Strategy) breakEven(v longrein.View, head int) (cost, saving float64, steps int) {
	p := price(v.Settings)
	perToken := max(p.Input, p.CacheWrite) / 1e6
	cost = float64(max(head-v.Overhead, 0)) * (perToken - p.Cached/1e6)
	if s.cold(v) {
		cost = float64(head-v.Tokens) * perToken
	}
	saving = float64(v.Tokens-head) * p.Cached / 1e6
	if cost <= 0 {
		return cost, saving, 0
	}
	if saving <= 0 {
		return cost, saving, math.MaxInt32
	}
	return cost, saving, int(math.Ceil(cost / saving))
}

// cold reports whether the provider has most likely dropped the context from its
// cache: nothing was asked for longer than such caches live.
func (s *Strategy) cold(v longrein.View) bool {
	idle := v.Now.Sub(s.state.Answered)
	return !s.state.Answered.IsZero() && idle > time.Duration(s.o.Limits.Of(limit.CacheLife))*time.Millisecond
}

// coldReset reports whether a reset that would be due soon is better taken now,
// while the cache is cold.
func (s *Strategy) coldReset(v longrein.View) bool {
	if s.o.Fixed || s.o.IgnoreCache || !s.cold(v) || s.live.running(longrein.RoleSummarizer) || s.refusedLately(v) {
		return false
	}
	soon := s.o.Limits.Int(limit.StaleShare) * 3 / 5
	return s.moved(v) && s.ready(v) && s.stale(v).share() >= soon &&
		s.headSize(v) < v.Tokens*3/4
}
