package turn

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// snap asks for a snapshot of the files and waits for it.
func (m *Machine) snap(when longrein.SnapshotTime) {
	m.phase = snapping
	m.effect(Snap{When: when, Turn: m.turns})
}

// remembered goes on with what waited for the snapshot.
func (m *Machine) remembered(now time.Time, s Snapped) {
	if m.phase != snapping {
		return
	}
	for _, w := range s.Warnings {
		m.emit(now, w)
	}
	for _, h := range s.Hits {
		m.emit(now, h)
	}
	m.emit(now, s.Snapshot)
	if m.ending != nil {
		m.end(now, *m.ending)
		return
	}
	m.work(now)
}

// Checkpoint returns the window record that a thread would go on from that is taken
// back to where this machine stands. No turn may run.
func (m *Machine) Checkpoint() longrein.Window {
	w := m.checkpoint("")
	w.Head, w.Fresh = m.state.Entries(), m.state.Window.Fresh
	w.Boundary = m.last.Seq
	return w
}

// rollback takes the thread back. What it has cost, the numbers of its turns and
// windows, and the settings that hold now are those of now.
func (m *Machine) rollback(now time.Time, r Rollback) {
	if m.phase != idle || r.Window.N == 0 {
		return
	}
	m.dropForks(now, "the thread was taken back")
	m.emit(now, r.Rollback)
	w := r.Window
	w.N, w.Turns, w.Total, w.Beside, w.Notes = m.state.Window.N+1, m.turns, m.total, m.beside, m.notes
	w.Forks = maps.Clone(m.runs)
	w.Why = fmt.Sprintf("taken back to record %d", r.To)
	w.Running, w.Steps, w.Snapped, w.Settings = false, 0, false, m.state.Next
	w.Pending = slices.DeleteFunc(slices.Clone(w.Pending), func(p longrein.Waiting) bool {
		return !slices.Contains(m.pending, p)
	})
	m.emit(now, w)
	if len(r.Notes) > 0 {
		m.emit(now, longrein.Notes{Version: m.notes + 1, By: longrein.ByHarness, Changed: r.Notes})
	}
	m.restore = nil
	m.out.Sync = true
}

// undone records that files were put back, and tells the model so. Nothing may stand
// between a call and its output, so what a crash cut off is answered first.
func (m *Machine) undone(now time.Time, u Undo) {
	if m.phase != idle {
		return
	}
	m.emit(now, u.Undone)
	m.out.Sync = true
	if m.state.Window.N == 0 || len(u.Changed) == 0 {
		return
	}
	if m.running && m.openCalls() {
		m.recover(now)
		m.stopWaiting(now)
	}
	m.emit(now, longrein.Appended{Entry: longrein.Entry{Item: longrein.NewFragment(longrein.TagRestoredFile, m.tellUndone(u.Undone))}})
}

// tellUndone says which files were put back, as many as undo-told allows by name.
func (m *Machine) tellUndone(u longrein.Undone) string {
	var b strings.Builder
	what := fmt.Sprintf("The user put files back as they had been before turn %d.", u.Turn)
	if u.Redo {
		what = "The user took the undo back: files are again as they had been before it."
	}
	b.WriteString(what + " What you know of them may no longer be true; read them again.")
	if u.Root != "" && u.Root != m.state.Thread.Cwd {
		b.WriteString(" Their paths here begin at " + u.Root + ".")
	}
	most := m.opts.Limits.Int(limit.UndoTold)
	for _, c := range u.Changed[:min(most, len(u.Changed))] {
		fmt.Fprintf(&b, "\n%s %s", c.Op, c.Path)
	}
	if left := len(u.Changed) - most; left > 0 {
		fmt.Fprintf(&b, "\n… and %d more", left)
	}
	return b.String()
}
