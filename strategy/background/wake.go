package background

import (
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/memory"
)

// wake starts the forks when they are due.
func (s *Strategy) wake(v longrein.View) longrein.Move {
	if log := s.warn(); log != nil {
		return longrein.CarryOn{Log: log}
	}
	if !s.due(v) {
		return longrein.CarryOn{}
	}
	if s.live.running(longrein.RoleSummarizer) {
		why := fmt.Sprintf("summarizer-%d still runs", s.state.Runs.Summarizers)
		return longrein.CarryOn{Log: []longrein.Body{s.skipped(v, why)}}
	}
	if s.lastChance(v) {
		return s.request(v, "harness", fmt.Sprintf("the notes are fresh, and the window would be nearly full before the next summary is done: about %d of %d tokens now", v.Tokens, s.window(v)))
	}
	decide := s.asksDecider(v)
	if !decide && !s.o.Fixed && s.o.EveryTurns == 0 && s.uncovered(v) < s.share(v) {
		return longrein.CarryOn{} // a summary is of use for a reset, or when too much would be carried over
	}
	return s.start(v, decide)
}

// lastChance reports whether a reset is better taken now, with notes that cover
// nearly everything, than after one more summary.
func (s *Strategy) lastChance(v longrein.View) bool {
	return !s.o.Fixed && s.moved(v) && !s.refusedLately(v) && v.Tokens+s.lead(v) >= s.forced(v) &&
		s.uncovered(v) <= v.Tokens/4 && s.ready(v) && s.headSize(v) <= v.Tokens/2
}

// start starts the forks as far as they can be paid for.
func (s *Strategy) start(v longrein.View, decide bool) longrein.Move {
	cost := forkCost(v, longrein.RoleSummarizer)
	if decide {
		cost += forkCost(v, longrein.RoleDecider)
	}
	if !s.affordable(v, cost) {
		return longrein.CarryOn{Log: s.putOff()}
	}
	plan, ok := s.summarizer(v, s.reason(v))
	if !ok {
		return longrein.CarryOn{Log: []longrein.Body{s.skipped(v, "too large: the context leaves no room for a fork's instruction and answer")}}
	}
	forks := []longrein.ForkPlan{plan}
	if decide {
		forks = append(forks, s.decider(v))
	}
	return longrein.StartFork{Forks: forks}
}

// due reports whether the worker's context has grown by so much, or so many
// turns have begun, that the forks should be woken.
func (s *Strategy) due(v longrein.View) bool {
	if s.live.head == 0 || s.live.settle {
		return false // nothing has been asked since the window began or the forks did
	}
	growth := v.Tokens - s.live.level
	if s.state.Failures > 0 && !s.mayRetry(v) {
		return false
	}
	if s.o.EveryTurns > 0 {
		return v.Turn-s.state.WokeTurn >= s.o.EveryTurns && growth > 0
	}
	return growth >= s.interval(v)
}

func (s *Strategy) interval(v longrein.View) int {
	return percent(s.window(v), s.o.Limits.Int(limit.MemoryEvery))
}

// mayRetry reports whether a summary that failed may be tried again: after one
// interval of growth, and after twice as much with each further failure, but for
// half of what a window may carry over: else a thread would give its memory up. It
// is not tried before the worker has asked for something since: a thread that waits
// for it between two turns would wait for ever.
func (s *Strategy) mayRetry(v longrein.View) bool {
	wait := s.interval(v) << min(max(s.state.Failures-1, 0), 5)
	most := percent(s.window(v), s.o.Limits.Int(limit.HeadShare)/2)
	return !s.live.settle && v.Tokens-s.live.level >= min(wait, most)
}

// asksDecider reports whether a decider is worth asking: the rules find that much
// is no longer needed.
func (s *Strategy) asksDecider(v longrein.View) bool {
	switch {
	case s.live.running(longrein.RoleDecider):
		return false
	case s.o.Fixed || s.o.AlwaysDecide:
		return true
	}
	return s.moved(v) && s.stale(v).share() >= s.o.Limits.Int(limit.StaleShare)
}

func (s *Strategy) reason(v longrein.View) string {
	if s.o.EveryTurns > 0 {
		return fmt.Sprintf("%d turns since the last time", v.Turn-s.state.WokeTurn)
	}
	return fmt.Sprintf("the context grew by about %d tokens to %d", v.Tokens-s.live.level, v.Tokens)
}

func (s *Strategy) skipped(v longrein.View, why string) longrein.Fork {
	return longrein.Fork{
		Role: longrein.RoleSummarizer, N: s.state.Runs.Summarizers + 1, Window: v.Window,
		State: longrein.ForkSkipped, From: v.Last, At: len(v.Entries), Why: why,
	}
}

// putOff says once that the budget holds the forks back.
func (s *Strategy) putOff() []longrein.Body {
	if s.live.putOff {
		return nil
	}
	return []longrein.Body{s.o.Limits.Hit(limit.MemoryBudget, "a summary and a verdict were put off: forks would cost more than their share", 0, "")}
}

// warn says once in a window that summaries keep failing.
func (s *Strategy) warn() []longrein.Body {
	if !s.giveUp() || s.live.warned {
		return nil
	}
	what := fmt.Sprintf("%d summaries failed in a row: the notes are behind, and a full window will begin anew with the newest work only", s.state.Failures)
	return []longrein.Body{
		s.o.Limits.Hit(limit.SummaryTries, what, 0, "longrein threads show"),
		longrein.Warning{Text: "memory: " + what},
	}
}

// summarizer plans the fork that keeps the notes; false when it would not fit.
func (s *Strategy) summarizer(v longrein.View, why string) (longrein.ForkPlan, bool) {
	role := memory.SummarizerRole(s.brief(v))
	need := v.Tokens + v.Size(longrein.Entry{Item: role}) + percent(s.window(v), s.o.Limits.Int(limit.ForkReserve))
	return longrein.ForkPlan{
		Role: longrein.RoleSummarizer, N: s.state.Runs.Summarizers + 1, Why: why,
		Items: []longrein.Item{role}, Time: s.forkTime(),
	}, need <= s.window(v)
}

func (s *Strategy) brief(v longrein.View) memory.Brief {
	main, most := s.main(), s.o.Limits.Int(limit.NotesMain)
	b := memory.Brief{
		First: s.state.Boundary == 0, Folder: s.o.Folder, Documents: s.others(),
		MainLimit: most, MainOver: max(len(main)-most, 0),
	}
	b.Main, _ = s.shownMain(v)
	var covered longrein.Entry
	var fresh []longrein.Entry
	for i, e := range v.Entries {
		switch {
		case i < v.Fresh || e.Seq == 0:
		case e.Seq <= s.state.Boundary:
			covered = e
		default:
			fresh = append(fresh, e)
		}
	}
	if covered.Item != nil {
		b.Boundary = memory.Signature(covered)
	}
	b.Index = memory.Index(fresh)
	return b
}

// decider plans the fork that says whether a reset is due.
func (s *Strategy) decider(v longrein.View) longrein.ForkPlan {
	stale := s.stale(v)
	return longrein.ForkPlan{
		Role: longrein.RoleDecider, N: s.state.Runs.Deciders + 1, Why: s.reason(v),
		Items: []longrein.Item{memory.DeciderRole(memory.DeciderBrief{
			Breakdown: memory.Breakdown(v.Entries, v.Fresh, v.Size),
			Stale:     stale.tokens, Total: stale.total, Window: s.window(v),
		})},
		Time: s.forkTime(),
	}
}
