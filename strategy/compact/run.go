package compact

import (
	"cmp"
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/wire"
)

// begin starts a compaction.
func (s *Strategy) begin(v longrein.View, reason longrein.CompactionReason) longrein.Move {
	run := longrein.Compaction{
		Window: v.Window, Reason: reason, Phase: s.phase(v), By: longrein.CompactedByModel, Before: v.Tokens,
	}
	if trigger, ok := wire.SumUp(v.Settings); ok && s.tooMuch(v, trigger) == 0 {
		run.By = longrein.CompactedByProvider
		return s.ask(v, run)
	}
	run.Unseen = s.tooMuch(v, instruction())
	return s.ask(v, run)
}

func (s *Strategy) phase(v longrein.View) longrein.CompactionPhase {
	switch {
	case v.Idle:
		return longrein.CompactionStandalone
	case s.state.Steps == 0:
		return longrein.CompactionPreTurn
	}
	return longrein.CompactionMidTurn
}

// ask starts a compactor, and lets the worker wait for it.
func (s *Strategy) ask(v longrein.View, run longrein.Compaction) longrein.Move {
	left, unseen := seen(old(v), run.Unseen)
	run.Unseen = unseen
	if len(left) == 0 {
		return s.tooLong(v, run)
	}
	plan := longrein.ForkPlan{
		Role: longrein.RoleCompactor, N: s.state.Runs + 1, Bound: true, Time: s.o.Limits.Duration(limit.ForkTime),
		Why:   fmt.Sprintf("%s, %s: about %d tokens", run.Reason, run.Phase, run.Before),
		Items: []longrein.Item{instruction()},
	}
	if trigger, ok := wire.SumUp(v.Settings); ok && run.By == longrein.CompactedByProvider {
		plan.Items = []longrein.Item{trigger}
	}
	if unseen > 0 {
		plan.Head = left
	}
	run.Fork = longrein.Fork{Role: plan.Role, N: plan.N}.Name()
	run.Status = longrein.CompactionInterrupted
	plan.Dropped = []longrein.Body{run}
	run.Status = longrein.CompactionStarted
	return longrein.StartFork{Hold: true, Forks: []longrein.ForkPlan{plan}, Log: []longrein.Body{run}}
}

// again goes on when a compactor has failed. What was too long is tried without
// its oldest item, and without twice as many with each further refusal; what a
// provider could not do the model is asked for. Everything else has been repeated
// by the provider's client as often as the limits allow.
func (s *Strategy) again(v longrein.View, run longrein.Compaction, f longrein.Fork) longrein.Move {
	if run.By == longrein.CompactedByProvider {
		run.By, run.Unseen = longrein.CompactedByModel, s.tooMuch(v, instruction())
		return warned(s.ask(v, run), "the provider could not sum the context up, so the model is asked to: "+f.Why)
	}
	if f.Kind == longrein.ErrTooLong {
		run.Unseen += 1 << min(s.live.refusals-1, 20) // fixed: a shift that cannot overflow
		return s.ask(v, run)
	}
	return fail(run, cmp.Or(f.Kind, longrein.ErrInternal), "the context could not be summed up: "+f.Why+"; longrein resume tries again, and --strategy recent goes on without a summary")
}

func (s *Strategy) tooLong(v longrein.View, run longrein.Compaction) longrein.Move {
	if len(old(v)) == 0 {
		return fail(run, longrein.ErrTooLong, fmt.Sprintf("there is nothing that could be summed up: the window of about %d tokens holds only base instructions, tools and initial context", v.Tokens))
	}
	return fail(run, longrein.ErrTooLong, fmt.Sprintf("the context of about %d tokens could not be summed up: not even its newest step fits into the window of %s; --strategy recent goes on with a part of it", v.Tokens, v.Settings.Model))
}

// fail ends the turn; what the next one does is up to the user.
func fail(run longrein.Compaction, kind longrein.ErrorKind, text string) longrein.Move {
	run.Status, run.Error = longrein.CompactionFailed, text
	return longrein.Fail{Log: []longrein.Body{run}, Kind: kind, Text: text}
}

func warned(m longrein.Move, text string) longrein.Move {
	if start, ok := m.(longrein.StartFork); ok {
		start.Log = append([]longrein.Body{longrein.Warning{Text: text}}, start.Log...)
		return start
	}
	return m
}

// tooMuch counts the oldest items that a compactor cannot be shown, by what is
// known: they would leave no room for what it is asked with and its answer. The
// newest one is always tried.
func (s *Strategy) tooMuch(v longrein.View, asked longrein.Item) int {
	most := room(v)
	if most == 0 {
		return 0
	}
	over := v.Tokens + v.Size(longrein.Entry{Item: asked}) + percent(most, s.o.Limits.Int(limit.ForkReserve)) - most
	n := 0
	for all := old(v); over > 0 && len(all) > 0 && unit(all) < len(all); {
		k := unit(all)
		if !isSummary(all[0].Item) {
			over -= v.Sum(all[:k])
			n += k
		}
		all = all[k:]
	}
	return n
}

// seen returns what is left without at least n of the oldest entries, and how many
// are gone. An older summary stays as long as there is something beside it: nothing
// else tells of what it covers.
func seen(entries []longrein.Entry, n int) (left []longrein.Entry, gone int) {
	for gone < n && len(entries) > 0 {
		k := unit(entries)
		if isSummary(entries[0].Item) {
			left = append(left, entries[0])
		} else {
			gone += k
		}
		entries = entries[k:]
	}
	if len(entries) == 0 {
		return nil, gone
	}
	return append(left, entries...), gone
}

// unit counts the entries that go together with the first: of a step all do, so
// that calls keep their outputs.
func unit(entries []longrein.Entry) int {
	n := 1
	for step := entries[0].Step; step != 0 && n < len(entries) && entries[n].Step == step; n++ {
	}
	return n
}

func isSummary(it longrein.Item) bool {
	switch it := it.(type) {
	case longrein.Fragment:
		return it.Tag == longrein.TagCompacted
	case longrein.Opaque:
		return true
	}
	return false
}
