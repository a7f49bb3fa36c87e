package pack

import (
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// where is the place in which all of a thread can be read.
const where = "the thread's log; longrein forgot lists what is gone"

// cuts names what the model no longer sees.
func (s *Strategy) cuts(v longrein.View, h head) []longrein.LimitHit {
	var hits []longrein.LimitHit
	from := s.folded(v)
	if h.f > from {
		hits = append(hits, s.hit(limit.RecentTurns, fmt.Sprintf("turns %d to %d, for which the summary stands", from+1, h.f), s.gone(v, h), limit.Tokens))
	}
	if lo, before := s.dropped(h.f), s.lo(v, from); lo > before {
		hits = append(hits, s.hit(limit.TurnsConsidered, fmt.Sprintf("turns %d to %d, which have left the summary", before+1, lo), lo-before, limit.Count))
	}
	if h.cut > 0 {
		hits = append(hits, s.hit(limit.TurnSummary, fmt.Sprintf("characters of the summary of the turns up to %d", h.f), h.cut, limit.Count))
	}
	if h.unshown > 0 {
		hits = append(hits, s.hit(limit.LedgerSize, "lines that the head should show", h.unshown, limit.Count))
	}
	return append(append(hits, h.masked...), h.lost...)
}

func (s *Strategy) hit(l *limit.Limit, what string, cut int, unit limit.Unit) longrein.LimitHit {
	h := s.o.Limits.Hit(l, what, int64(cut), where)
	h.CutUnit = string(unit)
	return h
}

// lo returns how many turns the window's summary leaves out, where from turns are
// behind it.
func (s *Strategy) lo(v longrein.View, from int) int {
	for _, e := range tail(v) {
		if isMemory(e, longrein.TagSummary) {
			if p, ok := readFingerprint(e.Item.(longrein.Fragment).Text); ok {
				return p.Lo
			}
		}
	}
	if len(s.state.Rows) > 0 {
		return min(from, s.state.Rows[0].N-1)
	}
	return from
}

// gone is how many tokens the turns had that were whole and are no longer.
func (s *Strategy) gone(v longrein.View, h head) int {
	return max(v.Sum(s.whole(v, s.folded(v)))-v.Sum(s.whole(v, h.f)), 0)
}
