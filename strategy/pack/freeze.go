package pack

import (
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// frozen returns how many turns should be behind the summary when past turns have
// ended. It is the closed form of a rule with a memory: once more than whole and
// slack turns are whole, only the newest whole ones stay so.
func frozen(past, whole, slack int) int {
	over := max(past-whole-slack, 0)
	return (slack + 1) * ((over + slack) / (slack + 1))
}

// dropped returns how many of the f turns behind the summary are too old for it.
// It depends on f alone, so that the summary changes only when f does.
func dropped(f, whole, most int) int { return max(f+whole-most, 0) }

func (s *Strategy) frozen(past int) int { return frozen(past, s.turnsWhole(), s.slack()) }

func (s *Strategy) dropped(f int) int {
	return dropped(f, s.turnsWhole(), s.o.Limits.Int(limit.TurnsConsidered))
}

func (s *Strategy) slack() int { return max(s.o.Limits.Int(limit.TurnsSlack), 0) }

// turnsWhole returns how many of the newest turns stay whole.
func (s *Strategy) turnsWhole() int { return min(s.turnsWanted(), s.turnsAllowed()) }

// turnsWanted is what the setting says; 0 and less mean the default.
func (s *Strategy) turnsWanted() int {
	if n := s.o.Limits.Int(limit.RecentTurns); n > 0 {
		return n
	}
	return int(limit.RecentTurns.Default)
}

// turnsAllowed leaves room for a summary among the turns that are considered.
func (s *Strategy) turnsAllowed() int {
	return max(s.o.Limits.Int(limit.TurnsConsidered)-s.slack()-1, 1)
}

// clamped says once that the setting asks for more than can be.
func (s *Strategy) clamped() []longrein.Body {
	wanted, allowed := s.turnsWanted(), s.turnsAllowed()
	if wanted <= allowed || s.state.Clamped {
		return nil
	}
	what := fmt.Sprintf("%s = %d is taken as %d, so that a summary has room", limit.RecentTurns.Name, wanted, allowed)
	return []longrein.Body{s.o.Limits.Hit(limit.TurnsConsidered, what, int64(wanted-allowed), "")}
}

// past returns how many turns had ended before the one that runs, if one does.
func (s *Strategy) past(v longrein.View) int {
	if v.Idle {
		return s.last()
	}
	return max(s.last()-1, 0)
}

// last is the number of the newest turn.
func (s *Strategy) last() int {
	if n := len(s.state.Rows); n > 0 {
		return s.state.Rows[n-1].N
	}
	return 0
}

// folded returns how many turns the window no longer shows whole.
func (s *Strategy) folded(v longrein.View) int {
	if f, ok := s.foldedIn(tail(v)); ok {
		return f
	}
	return s.past(v)
}

// foldedIn goes by the first entry that is an item of the thread: the turns
// before its own are gone.
func (s *Strategy) foldedIn(entries []longrein.Entry) (f int, ok bool) {
	for _, e := range entries {
		if e.Seq > 0 {
			return max(s.turnAt(e.Seq)-1, 0), true
		}
	}
	return 0, false
}

// turnAt returns the number of the turn that a record belongs to; what stands
// before the first turn belongs to that.
func (s *Strategy) turnAt(seq int64) int {
	n := 0
	for i, r := range s.state.Rows {
		if i == 0 || r.Seq <= seq {
			n = r.N
		}
	}
	return n
}

// row returns the turn with the number n.
func (s *Strategy) row(n int) (row, bool) {
	if len(s.state.Rows) == 0 {
		return row{}, false
	}
	i := n - s.state.Rows[0].N
	if i < 0 || i >= len(s.state.Rows) {
		return row{}, false
	}
	return s.state.Rows[i], true
}

// rows returns the turns after lo up to f, as far as they are known.
func (s *Strategy) rows(lo, f int) (some []row) {
	for _, r := range s.state.Rows {
		if lo < r.N && r.N <= f {
			some = append(some, r)
		}
	}
	return some
}

// tail returns what follows the initial context.
func tail(v longrein.View) []longrein.Entry { return v.Entries[min(v.Fresh, len(v.Entries)):] }
