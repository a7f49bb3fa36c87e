package pack

import (
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Options are what a strategy is told once. The zero value works.
type Options struct {
	Limits limit.Set
	// Folder is where the worker can read the thread's documents, absolute; ""
	// for nowhere.
	Folder string
	// NoLedger leaves the ledger out of heads, and does not probe them for what it
	// knows.
	NoLedger bool
	// NoCeiling counts turns alone: a window makes room only when a provider has
	// refused it as too long.
	NoCeiling bool
}

// Strategy is turn packing for one thread. It implements [longrein.Keeper] and is
// not safe for concurrent use.
type Strategy struct {
	o     Options
	state state
	live  live
}

// New returns the strategy for a thread whose log is yet to be noted.
func New(o Options) *Strategy { return &Strategy{o: o} }

// Name returns "pack".
func (*Strategy) Name() string { return "pack" }

// Reply ends a fork: turn packing begins none.
func (*Strategy) Reply(longrein.Branch) longrein.Reply {
	return longrein.End{State: longrein.ForkFailed, Why: "turn packing knows no forks"}
}

// Decide begins a new window when turns are to be folded, when the window is full
// or was refused, and when the user asks for one.
func (s *Strategy) Decide(v longrein.View) longrein.Move {
	if v.Idle && !v.Manual {
		return longrein.CarryOn{}
	}
	log := s.clamped()
	v = reckoned(v)
	h, why := s.due(v)
	switch {
	case why == "":
		return longrein.CarryOn{Log: log}
	case !v.Surveyed:
		return longrein.NewWindow{Why: why, Log: log}
	}
	return s.begin(v, h, why)
}

// due returns the head of the window that is due and why it is, "" for none.
func (s *Strategy) due(v longrein.View) (h head, why string) {
	from := s.folded(v)
	f := max(from, s.frozen(s.past(v)))
	switch {
	case v.Refused:
		why = "the provider refused the context as too long"
	case s.fills(v, v.Tokens):
		why = fmt.Sprintf("the window is full: about %d of %d tokens", v.Tokens, v.Settings.ContextWindow)
	case v.Manual:
		why = "asked for by the user"
		f = max(f, s.past(v)-s.turnsWhole())
	case f > from:
		why = fmt.Sprintf("more than %d turns were whole: turns %d to %d are in the summary now", s.turnsWhole()+s.slack(), s.dropped(f)+1, f)
	default:
		return head{}, ""
	}
	h = s.head(v, f)
	if f == from || v.Refused || s.fills(v, s.size(v, h)) {
		h = s.shrink(v, h)
	}
	if h.f == from && s.size(v, h) >= s.before(v) {
		return head{}, "" // nothing is gained
	}
	return h, why
}

// begin is the move to a window with that head.
func (s *Strategy) begin(v longrein.View, h head, why string) longrein.Move {
	if h.anew != "" {
		why += "; the summary is made anew: " + h.anew
	}
	var log []longrein.Body
	if !s.o.NoLedger {
		log = append(s.ledgerDocument(), s.admit(v, &h))
	}
	built := longrein.Reset{
		Window: v.Window, Phase: longrein.ResetBuilt, By: longrein.ByHarness, Why: why,
		Before: v.Tokens, After: s.size(v, h), Carried: len(h.whole),
	}
	return longrein.NewWindow{Why: why, Log: append([]longrein.Body{built}, log...), Head: h.entries(), Cut: s.cuts(v, h)}
}
