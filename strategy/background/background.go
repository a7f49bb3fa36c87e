package background

import (
	"cmp"
	"fmt"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/strategy/recent"
)

// Options are what a strategy is told once. The zero value works: the thrifty
// policy with the usual limits.
type Options struct {
	Limits limit.Set
	// Folder is where the worker can read the notes, absolute; "" for nowhere.
	Folder string
	// EveryTurns wakes the forks after so many turns, 0 by growth, as
	// limit.MemoryEvery says.
	EveryTurns int
	// Fixed forks at every wake-up, whatever it costs. Otherwise the policy is
	// thrifty: limit.MemoryBudget bounds what forks cost, and the next two count.
	Fixed bool
	// AlwaysDecide asks the decider also when the rules find little that is no
	// longer needed.
	AlwaysDecide bool
	// ProbeModel has a model ask and answer questions about a new head, beside
	// the rules.
	ProbeModel bool
	// IgnoreCache takes no reset early because the provider's cache is cold.
	IgnoreCache bool
}

// Strategy is background memory for one thread. It implements
// [longrein.Keeper] and is not safe for concurrent use.
type Strategy struct {
	o     Options
	state state
	live  live
}

// New returns the strategy for a thread whose log is yet to be noted.
func New(o Options) *Strategy { return &Strategy{o: o} }

// Name returns "background".
func (*Strategy) Name() string { return "background" }

// Decide says what to do at a safe point.
func (s *Strategy) Decide(v longrein.View) longrein.Move {
	switch {
	case v.Surveyed:
		return s.build(v)
	case v.Refused:
		return s.refused(v)
	case v.Manual:
		return s.manual(v)
	case v.Idle:
		return s.wake(v)
	}
	if move := s.urgent(v); move != nil {
		return move
	}
	if s.live.wanted() {
		return s.reset(v)
	}
	if s.coldReset(v) {
		return s.request(v, "harness", "the provider's cache has gone cold, so that a new window costs nothing extra")
	}
	return s.wake(v)
}

// window is the model's context window in tokens, as memory plans with it.
func (s *Strategy) window(v longrein.View) int {
	return cmp.Or(v.Settings.ContextWindow, s.o.Limits.Int(limit.MemoryWindow))
}

// capacity is how many tokens a request may have, as memory plans with it.
func (s *Strategy) capacity(v longrein.View) int {
	set := v.Settings
	set.ContextWindow = s.window(v)
	return set.Room()
}

// urgent acts when the window is about to overflow before any verdict: it asks
// for a reset while there is room, and lets the worker wait when there is none.
func (s *Strategy) urgent(v longrein.View) longrein.Move {
	switch {
	case s.isFull(v) && s.giveUp():
		return s.fallback(v, "the window is full, and no summary could be made")
	case s.isFull(v):
		return s.full(v)
	case v.Tokens >= s.forced(v) && s.moved(v) && !s.live.wanted() && !s.giveUp() && !s.refusedLately(v):
		return s.request(v, "harness", fmt.Sprintf("the window will be full soon: about %d of %d tokens, and no verdict", v.Tokens, s.window(v)))
	}
	return nil
}

// forced is how large a context may be before a reset is asked for without a
// verdict: limit.ForcedShare, or less where the window would be full before a
// summary, as slow as the last ones, is done.
func (s *Strategy) forced(v longrein.View) int {
	all := s.capacity(v)
	full := percent(all, s.o.Limits.Int(limit.WindowShare))
	return min(percent(all, s.o.Limits.Int(limit.ForcedShare)), full-min(s.lead(v), full/2))
}

// lead is how many tokens the context grows by while a summary is made.
func (s *Strategy) lead(v longrein.View) int {
	return max(s.state.Lead+s.state.Lead/4, min(s.o.Limits.Int(limit.SummaryLead), s.capacity(v)/4))
}

// refusedLately reports whether a reset was refused when the context was hardly
// smaller.
func (s *Strategy) refusedLately(v longrein.View) bool {
	return s.live.refused > 0 && v.Tokens < s.live.refused+s.interval(v)
}

// full lets the worker wait for what a reset needs.
func (s *Strategy) full(v longrein.View) longrein.Move {
	why := fmt.Sprintf("the window is full: about %d of %d tokens", v.Tokens, s.window(v))
	if s.fits(v) {
		return s.begin(v, "harness", why)
	}
	if s.live.running(longrein.RoleSummarizer) {
		return longrein.Hold{Log: s.waiting(why)}
	}
	if plan, ok := s.summarizer(v, why); ok && s.helps(v) {
		return longrein.StartFork{Forks: []longrein.ForkPlan{plan}, Hold: true, Log: s.waiting(why)}
	}
	return s.fallback(v, why)
}

// refused begins a window with what is known to fit.
func (s *Strategy) refused(v longrein.View) longrein.Move {
	const why = "the provider refused the context as too long"
	if s.relieves(v) {
		return s.begin(v, "harness", why)
	}
	return s.fallback(v, why)
}

// relieves reports whether a new window made of the notes would be smaller, by
// far, than a context that was refused.
func (s *Strategy) relieves(v longrein.View) bool {
	return s.fits(v) && s.uncovered(v) < v.Tokens/2 && s.headSize(v) < v.Tokens
}

// fallback begins a window the plain way: the newest work as far as it fits. What
// is recorded of it comes with the survey's answer.
func (s *Strategy) fallback(v longrein.View, why string) longrein.Move {
	if _, ok := s.plain(v, why).(longrein.NewWindow); ok {
		return longrein.NewWindow{Why: why}
	}
	return longrein.CarryOn{}
}

// giveUp reports whether so many summaries failed in a row that a full window
// does not wait for another.
func (s *Strategy) giveUp() bool {
	return s.state.Failures >= s.o.Limits.Int(limit.SummaryTries)
}

func (s *Strategy) recent() recent.Strategy { return recent.Strategy{Limits: s.o.Limits} }

func percent(n, p int) int { return int(int64(n) * int64(p) / 100) }

// forkTime is what a fork has.
func (s *Strategy) forkTime() time.Duration { return s.o.Limits.Duration(limit.ForkTime) }
