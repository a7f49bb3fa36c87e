package timeline

import (
	"slices"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
)

// Timeline is a fold of a log. The zero value is ready for the log's first record.
type Timeline struct {
	turns []Turn
	backs []back
	undos []done
	last  longrein.Record
	calls map[string]longrein.ToolCall // of the step that runs
	notes int
}

// Turn is what happened between two safe places to go back to. A turn that only
// went on with one that was cut off is a part of that one.
type Turn struct {
	N      int       `json:"turn"`
	Start  int64     `json:"start"`         // its first record
	End    int64     `json:"end,omitempty"` // its last record, 0 while it runs
	Began  time.Time `json:"began"`
	Inputs []string  `json:"inputs"` // what the user said
	// State is how it ended, or started while it runs.
	State longrein.TurnState `json:"state"`
	// Hidden is set when a rollback keeps it from the model.
	Hidden bool `json:"hidden,omitempty"`
	// Before and After are trees of its snapshots, "" where there is none.
	Before  string   `json:"before,omitempty"`
	After   string   `json:"after,omitempty"`
	Root    string   `json:"root,omitempty"`    // the folder that they are of
	Lasting []string `json:"lasting,omitempty"` // what it did that no undo takes back
	Undone  bool     `json:"undone,omitempty"`  // its changes to files were taken back
	Notes   int      `json:"notes,omitempty"`   // version of the notes when it ended
}

// back is a rollback that took effect.
type back struct {
	seq, to int64
	undoes  int64 // the record of the rollback that it takes back, 0 for none
}

// Note takes the next record in.
func (t *Timeline) Note(r longrein.Record) {
	switch b := r.Body.(type) {
	case longrein.Turn:
		t.turn(r, b)
	case longrein.Appended:
		t.item(b)
	case longrein.Snapshot:
		t.snapshot(b)
	case longrein.Window:
		t.window(r)
	case longrein.Undone:
		t.undone(r, b)
	case longrein.Notes:
		t.notes = b.Version
	}
	t.last = r
}

func (t *Timeline) turn(r longrein.Record, b longrein.Turn) {
	if b.State == longrein.TurnStarted {
		t.turns = append(t.turns, Turn{N: b.N, Start: r.Seq, Began: r.Time, State: b.State})
		t.calls = nil
		return
	}
	if cur := t.current(); cur != nil {
		cur.State, cur.End, cur.Notes = b.State, r.Seq, t.notes
		t.merge()
	}
}

// merge makes a turn that nobody asked for a part of the one before.
func (t *Timeline) merge() {
	n := len(t.turns)
	if n < 2 || len(t.turns[n-1].Inputs) > 0 {
		return
	}
	whole, part := &t.turns[n-2], t.turns[n-1]
	whole.State, whole.End, whole.Notes = part.State, part.End, part.Notes
	if whole.Before == "" {
		whole.Before, whole.Root = part.Before, part.Root
	}
	if part.After != "" {
		whole.After = part.After
	}
	whole.Lasting = append(whole.Lasting, part.Lasting...)
	t.turns = t.turns[:n-1]
}

func (t *Timeline) current() *Turn {
	if len(t.turns) == 0 {
		return nil
	}
	return &t.turns[len(t.turns)-1]
}

func (t *Timeline) item(a longrein.Appended) {
	cur := t.current()
	if cur == nil {
		return
	}
	switch it := a.Item.(type) {
	case longrein.Message:
		if it.Role == longrein.RoleUser && a.Input != 0 {
			cur.Inputs = append(cur.Inputs, it.Text)
		}
	case longrein.ToolCall:
		if t.calls == nil {
			t.calls = map[string]longrein.ToolCall{}
		}
		t.calls[it.ID] = it
	case longrein.ToolOutput:
		t.output(cur, it)
	}
}

func (t *Timeline) output(cur *Turn, out longrein.ToolOutput) {
	call, ok := t.calls[out.CallID]
	delete(t.calls, out.CallID)
	if !ok {
		return
	}
	if what, lasts := ledger.Lasting(call, &out); lasts && !slices.Contains(cur.Lasting, what) {
		cur.Lasting = append(cur.Lasting, what)
	}
}

func (t *Timeline) snapshot(s longrein.Snapshot) {
	cur := t.current()
	if cur == nil || s.Turn != cur.N || s.When == longrein.SnapshotUndo {
		return
	}
	switch {
	case s.When == longrein.SnapshotAfter:
		cur.After = s.Tree
	case cur.Before == "":
		cur.Before, cur.Root = s.Tree, s.Root
	}
}

// window makes a rollback count: one whose window was not written took no effect.
func (t *Timeline) window(r longrein.Record) {
	b, ok := t.last.Body.(longrein.Rollback)
	if !ok || t.last.Seq+1 != r.Seq {
		return
	}
	made := back{seq: t.last.Seq, to: b.To}
	if b.Redo {
		made.undoes = b.To + 1
	}
	t.backs = append(t.backs, made)
}

// Turns returns the thread's turns in order, those that are hidden too.
func (t *Timeline) Turns() []Turn {
	out := slices.Clone(t.turns)
	seen := t.ranges()
	for i := range out {
		out[i].Hidden = !slices.ContainsFunc(seen, func(s span) bool { return s.from <= out[i].Start && out[i].Start <= s.to })
		out[i].Undone = t.isUndone(t.turns[i])
	}
	return out
}

// span is a stretch of records, both ends in it.
type span struct{ from, to int64 }

// ranges returns what of the log counts for the model, the latest first.
func (t *Timeline) ranges() []span {
	var out []span
	end := t.last.Seq
	for i := len(t.backs) - 1; i >= 0; i-- {
		b := t.backs[i]
		if b.seq > end {
			continue // inside what a later one hides
		}
		out = append(out, span{b.seq + 1, end})
		end = b.to
	}
	return append(out, span{1, end})
}
