package assemble

import (
	"cmp"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// Fate is what becomes of an entry when the next window begins.
type Fate string

// The fates, from the best to the worst.
const (
	FateWhole  Fate = "whole"     // carried over, word for word
	FatePart   Fate = "in part"   // carried over, shortened
	FateAnew   Fate = "made anew" // by the survey or the strategy, as things are then
	FateSummed Fate = "summed up" // only as a summary will tell of it that a model makes on the way
	FateNoted  Fate = "noted"     // the thread's notes rest on it
	FateLog    Fate = "log only"  // the model does not see it any more
)

// Fates are all fates, the best first.
var Fates = []Fate{FateWhole, FatePart, FateAnew, FateSummed, FateNoted, FateLog}

// Next is the window that would come next.
type Next struct {
	// Window is its record, with its head. Its N is 0 when the strategy would begin
	// none: then everything stays.
	Window longrein.Window
	// Cited are the items that the thread's notes rest on by their numbers.
	Cited map[int64]bool
	// Summary says that a model would be asked for a summary first. It would cover
	// what came after the record Covered.
	Summary bool
	Covered int64
}

// Survival is what would become of a request's content when the next window
// begins.
type Survival struct {
	Before int        `json:"before"` // tokens of the request
	After  int        `json:"after"`  // of the first one of the next window
	Kinds  []KindFate `json:"kinds"`  // by tier, as in a [Report]
	// Entries has the fate of each entry of the request.
	Entries []Fate `json:"-"`
}

// KindFate is how many tokens of one kind of item meet which fate. The fates that
// are not there are 0; all sum up to Tokens.
type KindFate struct {
	Tier    longrein.Tier `json:"tier"`
	Kind    string        `json:"kind"`
	Entries int           `json:"entries"`
	Tokens  int           `json:"tokens"`
	Fates   map[Fate]int  `json:"fates"`
}

// Survive says what becomes of the content of the next request of s in the window
// next. Count is as in [Explain].
func Survive(s *State, next Next, count func(text string) int) Survival {
	if count == nil {
		count = Tokens
	}
	w := weigh(s, count)
	out := Survival{Entries: fates(s, next)}
	out.add(longrein.TierBase, KindBase, 0, w.base, FateAnew)
	out.add(longrein.TierBase, KindTools, 0, w.tools, FateAnew)
	for i, e := range s.entries {
		out.add(longrein.TierOf(e), KindOf(e.Item), 1, w.entries[i], out.Entries[i])
	}
	for _, k := range out.Kinds {
		out.Before += k.Tokens
	}
	slices.SortStableFunc(out.Kinds, func(a, b KindFate) int {
		return slices.Index(longrein.Tiers, a.Tier) - slices.Index(longrein.Tiers, b.Tier)
	})
	out.After = out.Before
	if next.Window.N > 0 {
		out.After = beginning(s, next.Window, count)
	}
	return out
}

// beginning counts the tokens of a window's first request.
func beginning(s *State, w longrein.Window, count func(string) int) int {
	n := count(baseOf(s, w)) + toolTokens(w.Settings.Tools, count)
	for _, e := range w.Head {
		n += entryTokens(e, count)
	}
	return n
}

// baseOf are the base instructions in force in a window.
func baseOf(s *State, w longrein.Window) string {
	return cmp.Or(w.Settings.Base, s.Thread.Base)
}

func (s *Survival) add(tier longrein.Tier, kind string, entries, tokens int, f Fate) {
	if tokens == 0 {
		return
	}
	i := slices.IndexFunc(s.Kinds, func(k KindFate) bool { return k.Tier == tier && k.Kind == kind })
	if i < 0 {
		i = len(s.Kinds)
		s.Kinds = append(s.Kinds, KindFate{Tier: tier, Kind: kind, Fates: map[Fate]int{}})
	}
	k := &s.Kinds[i]
	k.Entries += entries
	k.Tokens += tokens
	k.Fates[f] += tokens
}

// fates returns what becomes of each entry.
func fates(s *State, next Next) []Fate {
	out := make([]Fate, len(s.entries))
	h := headOf(next.Window)
	for i, e := range s.entries {
		switch {
		case next.Window.N == 0:
			out[i] = FateWhole
		case i < s.Window.Fresh:
			out[i] = h.renewed(e)
		default:
			out[i] = h.fate(e, next)
		}
	}
	return out
}

// headSight is what can be seen in a head.
type headSight struct {
	at     map[place]string    // what an entry reads there
	kinds  map[string]bool     // of what the head made
	fresh  map[string]bool     // kinds of initial context
	pinned []longrein.Fragment // each shows an item of the thread
}

func headOf(w longrein.Window) headSight {
	h := headSight{at: map[place]string{}, kinds: map[string]bool{}, fresh: map[string]bool{}}
	for i, e := range w.Head {
		kind := KindOf(e.Item)
		switch f, ok := e.Item.(longrein.Fragment); {
		case i < w.Fresh:
			h.fresh[kind] = true
			continue
		case ok && f.Tag == longrein.TagPinned:
			h.pinned = append(h.pinned, f)
		}
		h.at[placeOf(e)] = Text(e)
		if e.Seq == 0 {
			h.kinds[kind] = true
		}
	}
	return h
}

// renewed is the fate of initial context: it stands for what is outside, as that is
// when the window begins.
func (h headSight) renewed(e longrein.Entry) Fate {
	if h.fresh[KindOf(e.Item)] {
		return FateAnew
	}
	return FateLog
}

// fate is that of any other entry.
func (h headSight) fate(e longrein.Entry, next Next) Fate {
	kind := KindOf(e.Item)
	text, there := h.at[placeOf(e)]
	switch {
	case there && text == Text(e), h.isPinned(e):
		return FateWhole
	case there:
		return FatePart
	case h.fresh[kind], e.Seq == 0 && h.kinds[kind]:
		return FateAnew
	case next.Cited[e.Seq]:
		return FateNoted
	case next.Summary && (e.Seq > next.Covered || e.Seq == 0 && next.Covered == 0):
		return FateSummed
	}
	return FateLog
}

func (h headSight) isPinned(e longrein.Entry) bool {
	return slices.ContainsFunc(h.pinned, func(f longrein.Fragment) bool {
		return strings.HasSuffix(f.Text, ":\n"+Text(e))
	})
}
