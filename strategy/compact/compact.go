package compact

import (
	"cmp"
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Options are what a strategy is told once. The zero value works.
type Options struct {
	Limits limit.Set
	// Folder is where the worker can read LEDGER.md, absolute; "" for nowhere.
	Folder string
}

// Strategy is compaction for one thread. It implements [longrein.Keeper] and is
// not safe for concurrent use.
type Strategy struct {
	o     Options
	state state
	live  live
}

// New returns the strategy for a thread whose log is yet to be noted.
func New(o Options) *Strategy { return &Strategy{o: o} }

// Name returns "compact".
func (*Strategy) Name() string { return "compact" }

// Decide says what to do at a safe point.
func (s *Strategy) Decide(v longrein.View) longrein.Move {
	switch {
	case v.Surveyed:
		return s.build(v)
	case v.Idle && !v.Manual:
		return longrein.CarryOn{}
	case s.live.done != nil:
		return longrein.NewWindow{Why: s.why()}
	case s.live.failed != nil:
		return s.again(v, *s.live.run, *s.live.failed)
	case s.live.run != nil:
		return longrein.Hold{} // for the compactor
	case v.Refused:
		return s.begin(v, longrein.CompactionRefused)
	case v.Manual:
		return s.begin(v, longrein.CompactionUser)
	case s.due(v):
		return s.begin(v, longrein.CompactionLimit)
	}
	return longrein.CarryOn{}
}

// due reports whether the context has reached its limit. The first window, and one
// that a compaction began, is not summed up before it had an answer: there would be
// nothing that is not in the new head anyway.
func (s *Strategy) due(v longrein.View) bool {
	at := s.threshold(v.Settings)
	fresh := s.state.Compacted == v.Window-1 && s.live.answered == 0
	return at > 0 && v.Tokens >= at && !fresh
}

// threshold is the size in tokens at which a context is summed up: what the user
// has set, but at most limit.WindowShare of what a request may have. 0 is never.
func (s *Strategy) threshold(set longrein.Settings) int {
	most := percent(set.Room(), s.o.Limits.Int(limit.WindowShare))
	at := cmp.Or(s.o.Limits.Int(limit.CompactAt), most)
	if most == 0 {
		return at
	}
	return min(at, most)
}

// room is how many tokens a request may have here. What was refused is known to
// be too much, whatever the settings say. 0 when nothing is known.
func room(v longrein.View) int {
	known := v.Settings.ContextWindow
	if v.Refused && (known == 0 || v.Tokens < known) {
		return v.Tokens
	}
	return known
}

func (s *Strategy) why() string {
	c := s.live.done
	return fmt.Sprintf("the context of about %d tokens was summed up by %s: %s", c.Before, c.Fork, because(c))
}

func percent(n, p int) int { return int(int64(n) * int64(p) / 100) }

// old returns the window's entries after its initial context.
func old(v longrein.View) []longrein.Entry { return v.Entries[min(v.Fresh, len(v.Entries)):] }

// because says in words why a window is summed up.
func because(c *longrein.Compaction) string {
	switch c.Reason {
	case longrein.CompactionUser:
		return "asked for"
	case longrein.CompactionRefused:
		return "the provider refused it as too long"
	}
	return "it was full"
}
