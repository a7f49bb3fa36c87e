package timeline

import (
	"errors"
	"fmt"

	"github.com/longrein/longrein"
)

// ErrNothing says that there is nothing to take back, or nothing more.
var ErrNothing = errors.New("there is nothing to take back")

// Back returns the rollback that hides the last n turns that the model sees and
// that a user began.
func (t *Timeline) Back(n int) (longrein.Rollback, error) {
	if n < 1 {
		return longrein.Rollback{}, fmt.Errorf("%d turns cannot be taken back; one or more can", n)
	}
	seen := t.seen()
	if len(seen) == 0 {
		return longrein.Rollback{}, fmt.Errorf("%w: the model sees no turn of this thread", ErrNothing)
	}
	if n > len(seen) {
		return longrein.Rollback{}, fmt.Errorf("%d turns cannot be taken back; the model sees %d", n, len(seen))
	}
	return longrein.Rollback{To: seen[len(seen)-n].Start - 1, Turns: n}, nil
}

// seen returns the turns that the model sees and that a user began.
func (t *Timeline) seen() (out []Turn) {
	for _, turn := range t.Turns() {
		if !turn.Hidden && turn.asked() {
			out = append(out, turn)
		}
	}
	return out
}

// BackTo returns the rollback after which turn n is the last one that the model
// sees; 0 takes all turns back.
func (t *Timeline) BackTo(n int) (longrein.Rollback, error) {
	found, hidden := n == 0, 0
	for _, turn := range t.Turns() {
		switch {
		case turn.Hidden:
			if turn.N == n {
				return longrein.Rollback{}, fmt.Errorf("turn %d was taken back itself; redo shows it again", n)
			}
		case turn.N > n:
			if turn.asked() {
				hidden++
			}
		default:
			found = found || turn.N == n
		}
	}
	switch {
	case !found:
		return longrein.Rollback{}, fmt.Errorf("there is no turn %d", n)
	case hidden == 0:
		return longrein.Rollback{}, fmt.Errorf("%w: turn %d is the last one", ErrNothing, n)
	}
	return t.Back(hidden)
}

// Forward returns the rollback that takes the last one back, and what of the
// present conversation it hides, in turns.
func (t *Timeline) Forward() (r longrein.Rollback, err error) {
	i := len(t.backs) - 1
	for taken := map[int64]bool{}; i >= 0; i-- { // a redo, and what it took back, are done with
		b := t.backs[i]
		if b.undoes == 0 && !taken[b.seq] {
			break
		}
		taken[b.undoes] = true
	}
	if i < 0 {
		return r, fmt.Errorf("%w: no rollback is in force", ErrNothing)
	}
	b := t.backs[i]
	for _, turn := range t.seen() {
		if turn.Start > b.seq {
			r.Turns++
		}
	}
	r.To, r.Redo = b.seq-1, true
	return r, nil
}

// End returns the last record of turn n, which a fork can begin at. Turn 0 ends
// before the first one. It is an error while the turn runs.
func (t *Timeline) End(n int) (int64, error) {
	for i, turn := range t.turns {
		switch {
		case n == 0 && i == 0:
			return turn.Start - 1, nil
		case turn.N == n && turn.End == 0:
			return 0, fmt.Errorf("turn %d has not ended", n)
		case turn.N == n:
			return turn.End, nil
		}
	}
	return 0, fmt.Errorf("there is no turn %d", n)
}
