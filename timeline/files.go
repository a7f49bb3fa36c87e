package timeline

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/longrein/longrein"
)

// Undo is a way to put files back.
type Undo struct {
	Turn int    // the first one whose changes are taken back
	Root string // the folder, absolute
	// Spans are what the turns did, the oldest first. After is "" where nobody knows
	// how a turn left the files, because it was cut off.
	Spans   []Span
	Lasting []string // what the turns did besides that stays as it is
	Redo    bool     // it takes an undo back …
	Seq     int64    // … which this record tells of
}

// Span is a change to files: the snapshots before and after it.
type Span struct{ Before, After string }

// done is an undo that was made.
type done struct {
	longrein.Undone
	seq    int64
	redone bool
}

func (t *Timeline) undone(r longrein.Record, b longrein.Undone) {
	if !b.Redo {
		t.undos = append(t.undos, done{Undone: b, seq: r.Seq})
		return
	}
	if u := t.lastUndo(); u != nil {
		u.redone = true
	}
}

// lastUndo returns the last undo that is in force, nil if none is.
func (t *Timeline) lastUndo() *done {
	for i := range slices.Backward(t.undos) {
		if !t.undos[i].redone {
			return &t.undos[i]
		}
	}
	return nil
}

// isUndone reports whether a turn's changes to files were taken back.
func (t *Timeline) isUndone(turn Turn) bool {
	return slices.ContainsFunc(t.undos, func(u done) bool {
		return !u.redone && !u.Partial && turn.N >= u.Turn && turn.Start < u.seq
	})
}

// Files returns the undo of the last turn that changed files and is not undone yet;
// with a turn n, of all such turns from that one on.
func (t *Timeline) Files(n int) (Undo, error) {
	u, why := Undo{}, ""
	for _, turn := range slices.Backward(t.turns) {
		if n > 0 && turn.N < n || n == 0 && len(u.Spans) > 0 {
			break
		}
		if t.isUndone(turn) {
			continue
		}
		u.Lasting = append(slices.Clone(turn.Lasting), u.Lasting...)
		if !turn.changed() {
			why = cmp.Or(why, turn.missing())
			continue
		}
		if u.Root != "" && turn.Root != u.Root {
			return Undo{}, fmt.Errorf("turn %d changed files in %s, and turn %d in %s; undo them one after the other, the last one first", turn.N, turn.Root, u.Turn, u.Root)
		}
		u.Turn, u.Root = turn.N, turn.Root
		u.Spans = append(slices.Clone(turn.spans), u.Spans...)
	}
	switch {
	case len(u.Spans) > 0:
		return u, nil
	case n > 0:
		return u, fmt.Errorf("%w: turn %d and those after it have changed no files, as far as snapshots tell%s", ErrNothing, n, why)
	}
	return u, fmt.Errorf("%w: no turn has changed files that is not undone yet, as far as snapshots tell%s", ErrNothing, why)
}

// missing says why there is no snapshot of a turn that may have changed files.
func (t Turn) missing() string {
	if t.why == "" {
		return ""
	}
	return fmt.Sprintf("; turn %d has none: %s", t.N, t.why)
}

// Redo returns what takes the last undo back that is in force.
func (t *Timeline) Redo() (Undo, error) {
	last := t.lastUndo()
	if last == nil {
		return Undo{}, fmt.Errorf("%w: no undo is in force", ErrNothing)
	}
	for _, turn := range t.turns {
		if turn.Start > last.seq && turn.changed() && !t.isUndone(turn) {
			return Undo{}, fmt.Errorf("%w: turn %d has changed files since the undo; undo that first", ErrNothing, turn.N)
		}
	}
	return Undo{Turn: last.Turn, Root: last.Root, Spans: []Span{{last.From, last.To}}, Redo: true, Seq: last.seq}, nil
}
