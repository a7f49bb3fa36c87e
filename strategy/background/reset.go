package background

import (
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// reset goes on with a reset that a verdict, or the harness, has asked for.
func (s *Strategy) reset(v longrein.View) longrein.Move {
	if s.live.asked != nil {
		return s.toward(v, nil)
	}
	if !s.moved(v) {
		return longrein.CarryOn{Log: []longrein.Body{longrein.Reset{
			Window: v.Window, Phase: longrein.ResetRefused, By: s.live.verdict.Fork, Before: v.Tokens,
			Why: fmt.Sprintf("the window has grown by only %d tokens since it began (limit %s)", v.Tokens-s.live.head, limit.ResetDistance.Name),
		}}}
	}
	return s.request(v, s.live.verdict.Fork, s.live.verdict.Reason)
}

// manual goes toward a window that the user asked for. Between two turns the
// thread waits for what it needs.
func (s *Strategy) manual(v longrein.View) longrein.Move {
	if s.refusedLately(v) {
		return longrein.CarryOn{} // it has been said why
	}
	move := s.toward(v, nil)
	if s.live.asked == nil {
		move = s.request(v, longrein.ByUser, "asked for")
	}
	switch m := move.(type) {
	case longrein.CarryOn:
		if v.Idle {
			return longrein.Hold(m)
		}
	case longrein.StartFork:
		m.Hold = m.Hold || v.Idle
		return m
	}
	return move
}

// request records that a reset is wanted, with its price, and goes toward it.
func (s *Strategy) request(v longrein.View, by, why string) longrein.Move {
	return s.toward(v, []longrein.Body{s.requested(v, by, why, s.expected(v))})
}

// requested says what a window costs that begins with so many tokens.
func (s *Strategy) requested(v longrein.View, by, why string, head int) longrein.Reset {
	r := longrein.Reset{Window: v.Window, Phase: longrein.ResetRequested, By: by, Why: why}
	r.Price, r.Saving, r.BreakEven = s.breakEven(v, head)
	if v.Settings.Price == (longrein.Price{}) {
		r.Price, r.Saving = 0, 0 // only their ratio is known
	}
	return r
}

// toward begins the new window when the notes are ready for it. Until then the
// worker goes on: what it does meanwhile is carried over. When that was too much it
// waits for the next summary, or one would follow the other until the window is
// full.
func (s *Strategy) toward(v longrein.View, log []longrein.Body) longrein.Move {
	if s.live.running(longrein.RoleSummarizer) {
		return longrein.CarryOn{Log: append(log, s.waiting("a summarizer still runs")...)}
	}
	if s.ready(v) {
		if forks, underWay := s.examine(v); underWay {
			return longrein.StartFork{Forks: forks, Log: log}
		}
		return longrein.NewWindow{Why: s.why(v), Log: log}
	}
	if !s.helps(v) {
		return longrein.CarryOn{Log: append(log, s.tooLarge(v, s.headSizeFrom(v, v.Last)))}
	}
	if s.state.Failures > 0 && !s.mayRetry(v) {
		return longrein.CarryOn{Log: log}
	}
	plan, ok := s.summarizer(v, "too much is not in the notes yet for a new window")
	if !ok {
		return longrein.CarryOn{Log: log}
	}
	return longrein.StartFork{
		Forks: []longrein.ForkPlan{plan}, Hold: s.live.late,
		Log: append(log, s.waiting("what is not in the notes is summarised first")...),
	}
}

// ready reports whether a new window would be small enough to be of use.
func (s *Strategy) ready(v longrein.View) bool {
	return s.fits(v) && (s.uncovered(v) <= v.Tokens/2 || s.giveUp())
}

// begin begins a window now.
func (s *Strategy) begin(v longrein.View, by, why string) longrein.Move {
	var log []longrein.Body
	if s.live.asked == nil {
		log = append(log, s.requested(v, by, why, s.expected(v)))
	}
	return longrein.NewWindow{Why: why, Log: log}
}

// waiting says once that a reset waits.
func (s *Strategy) waiting(why string) []longrein.Body {
	if s.live.waits {
		return nil
	}
	return []longrein.Body{longrein.Reset{Window: s.live.window, Phase: longrein.ResetWaiting, Why: why}}
}

// why is what a new window's record says.
func (s *Strategy) why(v longrein.View) string {
	switch {
	case v.Refused:
		return "the provider refused the context as too long"
	case s.live.asked != nil:
		return s.live.asked.By + ": " + s.live.asked.Why
	case s.live.verdict != nil:
		return s.live.verdict.Fork + ": " + s.live.verdict.Reason
	}
	return fmt.Sprintf("the window is full: about %d of %d tokens", v.Tokens, s.window(v))
}

// moved reports whether there was enough new work since the window began.
func (s *Strategy) moved(v longrein.View) bool {
	return s.live.head > 0 && v.Tokens-s.live.head >= percent(s.window(v), s.o.Limits.Int(limit.ResetDistance))
}

// fits reports whether a new window's head would leave enough room.
func (s *Strategy) fits(v longrein.View) bool {
	return s.headSize(v) <= s.most(v)
}

// helps reports whether a new window would be small enough once the notes cover
// everything. If not, no summary makes it so, and one after the other would be
// made for nothing.
func (s *Strategy) helps(v longrein.View) bool {
	return s.headSizeFrom(v, v.Last) <= s.most(v)
}

// tooLarge refuses a reset.
func (s *Strategy) tooLarge(v longrein.View, after int) longrein.Reset {
	return longrein.Reset{
		Window: v.Window, Phase: longrein.ResetRefused, Before: v.Tokens, After: after,
		Why: fmt.Sprintf("the new window would begin with %d tokens, and %d are allowed (limit %s)", after, s.most(v), limit.HeadShare.Name),
	}
}

// build makes the head of the new window, now that what is outside has been
// looked at. It probes it, adds what is missing, and lets the old window go on
// when the head would be too large.
func (s *Strategy) build(v longrein.View) longrein.Move {
	if v.Refused && !s.relieves(v) || s.mustGiveUp(v) {
		return s.plain(v, s.why(v))
	}
	h := s.head(v)
	result := s.admit(v, &h)
	entries := h.entries()
	after := v.Overhead + v.Sum(entries)
	switch {
	case after <= s.most(v), s.isFull(v) && after <= s.pressed(v):
	case v.Refused || s.isFull(v):
		return s.plain(v, s.why(v)) // the old one cannot go on
	default:
		return longrein.CarryOn{Log: []longrein.Body{s.tooLarge(v, after)}}
	}
	built := longrein.Reset{
		Window: v.Window, Phase: longrein.ResetBuilt, Why: s.why(v),
		Before: v.Tokens, After: after, Carried: len(h.carried), Left: s.gone(v, h),
	}
	return longrein.NewWindow{
		Why:  s.why(v),
		Head: entries,
		Cut:  s.cuts(h),
		Told: true,
		Log:  append([]longrein.Body{built, result}, s.ledgerDocument()...),
	}
}

// mustGiveUp reports whether a full window cannot wait for a summary any more.
func (s *Strategy) mustGiveUp(v longrein.View) bool {
	return s.isFull(v) && s.headSize(v) > max(s.most(v), s.pressed(v))
}

// pressed is how many tokens a head may have when the old window is full and no
// summary can be made: more than usual, rather than leaving work out.
func (s *Strategy) pressed(v longrein.View) int {
	return percent(s.capacity(v), s.o.Limits.Int(limit.ForcedShare))
}

// isFull reports whether the context leaves no room for another step.
func (s *Strategy) isFull(v longrein.View) bool {
	return v.Tokens >= percent(s.capacity(v), s.o.Limits.Int(limit.WindowShare))
}

// plain builds a head of the user's words, the notes as they are, and the newest
// work as far as it fits. It is probed as any other, before that work comes to it.
func (s *Strategy) plain(v longrein.View, why string) longrein.Move {
	h := s.head(v)
	h.carried, h.left = nil, 0
	probed := s.admit(v, &h)
	memory := h.remembered()
	newest := v
	newest.Refused = true
	newest.Overhead = s.beside(v, v.Overhead+v.Sum(memory))
	move, ok := s.recent().Decide(newest).(longrein.NewWindow)
	if !ok {
		return longrein.CarryOn{}
	}
	h.words, h.carried = nil, move.Head
	move.Why = why
	move.Head = append(memory, move.Head...)
	move.Cut = append(move.Cut, s.cuts(h)...)
	built := longrein.Reset{
		Window: v.Window, Phase: longrein.ResetBuilt, By: longrein.ByHarness, Before: v.Tokens,
		After:   v.Overhead + v.Sum(move.Head),
		Carried: h.steps(), Left: s.gone(v, h),
		Why: why + "; older work that no summary covers is left out",
	}
	if s.live.asked == nil {
		move.Log = []longrein.Body{s.requested(v, longrein.ByHarness, why, built.After)}
	}
	move.Log = append(append(move.Log, built, probed), s.ledgerDocument()...)
	return move
}

// beside returns how many tokens of a head's share count as taken by what is there
// beside the newest work: not so many that half of the share is not left for it, as
// long as the window has the room. A worker that does not see its newest step takes
// it once more.
func (s *Strategy) beside(v longrein.View, taken int) int {
	room := max(s.share(v)-taken, min(s.share(v)/2, s.pressed(v)-taken))
	return s.share(v) - room
}

// ledgerDocument brings the whole ledger to where the worker can read it.
func (s *Strategy) ledgerDocument() []longrein.Body {
	if s.o.Folder == "" {
		return nil
	}
	old, _ := s.state.Notes.Get(longrein.LedgerDocument)
	return s.state.Ledger.Document(old.Text)
}
