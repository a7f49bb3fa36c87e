package compare

import (
	"maps"
	"slices"

	"github.com/longrein/longrein"
)

// tally counts by names.
type tally struct {
	answers map[string]int
	limits  map[string]LimitCut
}

func newTally() tally { return tally{map[string]int{}, map[string]LimitCut{}} }

func (t tally) limit(h longrein.LimitHit) {
	c := t.limits[h.Name]
	c.Name, c.Unit = h.Name, or(h.CutUnit, h.Unit)
	c.Times++
	c.Cut += h.Cut
	t.limits[h.Name] = c
}

// result completes what the replay came to.
func (r *replay) result() *Result {
	res := &r.res
	res.Answers, res.Limits = []Count{}, []LimitCut{}
	res.Session, res.Strategy, res.Profile = r.s.Name, r.o.Strategy.Name(), r.o.Profile
	res.Tool, res.Turns, res.Estimate = r.s.Tool, len(r.s.Turns), r.s.Estimate
	res.Inserted, res.Unread = r.s.Inserted, r.s.Unread
	res.Window, res.Steps, res.Recorded = r.set.ContextWindow, r.done, r.s.Steps
	if r.done < r.s.Steps {
		res.Failed = or(res.Failed, "it came to a stop before the session did")
	}
	res.Uncached = res.Usage.Input - res.Usage.Cached
	if res.Usage.Input > 0 {
		res.HitShare = float64(res.Usage.Cached) / float64(res.Usage.Input)
	}
	for _, by := range slices.Sorted(maps.Keys(r.tally.answers)) {
		res.Answers = append(res.Answers, Count{by, r.tally.answers[by]})
	}
	for _, name := range slices.Sorted(maps.Keys(r.tally.limits)) {
		res.Limits = append(res.Limits, r.tally.limits[name])
	}
	res.Retention = r.sight.retained()
	return res
}
