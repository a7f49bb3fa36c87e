package timeline

import (
	"cmp"
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
	asked int64                        // the first of the inputs that no turn has begun with yet, 0 for none
	calls map[string]longrein.ToolCall // of the step that runs
	notes int
	queue []longrein.Waiting
}

// Turn is what happened between two safe places to go back to. A turn that only
// went on with one that was cut off is a part of that one.
type Turn struct {
	N      int       `json:"turn"`
	Start  int64     `json:"start"`         // its first record, an input that began it
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

	spans []Span // more than one where it was cut off and went on
	begun bool   // an input was waiting when it started
	why   string // it has no snapshot though it may have changed files
}

// asked reports whether a user began the turn; otherwise it only goes on with one.
func (t Turn) asked() bool { return t.begun || len(t.Inputs) > 0 }

// changed reports whether it changed files, or may have.
func (t Turn) changed() bool {
	return slices.ContainsFunc(t.spans, func(s Span) bool { return s.Before != s.After })
}

// see completes what is shown of its snapshots.
func (t *Turn) see() {
	if n := len(t.spans); n > 0 {
		t.Before, t.After = t.spans[0].Before, t.spans[n-1].After
	}
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
		t.queue = slices.Clone(b.Pending)
	case longrein.Input:
		t.queue = append(t.queue, longrein.Waiting{Seq: r.Seq, Input: b})
	case longrein.Undone:
		t.undone(r, b)
	case longrein.Notes:
		t.notes = b.Version
	}
	t.last = r
	t.input(r)
}

// input keeps the first of the inputs that wait for a turn to begin.
func (t *Timeline) input(r longrein.Record) {
	switch r.Body.(type) {
	case longrein.Input:
		t.asked = cmp.Or(t.asked, r.Seq)
	case longrein.Turn, longrein.Window, longrein.Appended, longrein.Undone:
		t.asked = 0
	}
}

func (t *Timeline) turn(r longrein.Record, b longrein.Turn) {
	if b.State == longrein.TurnStarted {
		t.turns = append(t.turns, Turn{
			N: b.N, Start: cmp.Or(t.asked, r.Seq), Began: r.Time, State: b.State, begun: t.asked != 0,
		})
		t.calls = nil
		return
	}
	if cur := t.current(); cur != nil {
		cur.State, cur.End, cur.Notes = b.State, r.Seq, t.notes
		t.merge()
	}
}

// merge makes a turn that nobody asked for a part of the one before, unless it
// changed files in another folder.
func (t *Timeline) merge() {
	n := len(t.turns)
	if n < 2 || t.turns[n-1].asked() {
		return
	}
	whole, part := &t.turns[n-2], t.turns[n-1]
	if whole.Root != part.Root && whole.Root != "" && part.Root != "" {
		return
	}
	whole.State, whole.End, whole.Notes = part.State, part.End, part.Notes
	whole.Root = cmp.Or(whole.Root, part.Root)
	whole.spans = append(whole.spans, part.spans...)
	whole.see()
	for _, what := range part.Lasting {
		whole.lasting(what)
	}
	t.turns = t.turns[:n-1]
}

func (t *Turn) lasting(what string) {
	if !slices.Contains(t.Lasting, what) {
		t.Lasting = append(t.Lasting, what)
	}
}

func (t *Timeline) current() *Turn {
	if len(t.turns) == 0 {
		return nil
	}
	return &t.turns[len(t.turns)-1]
}

func (t *Timeline) item(a longrein.Appended) {
	if a.Input != 0 {
		t.queue = slices.DeleteFunc(t.queue, func(w longrein.Waiting) bool { return w.Seq == a.Input })
	}
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
	if what, lasts := ledger.Lasting(call, &out); lasts {
		cur.lasting(what)
	}
}

func (t *Timeline) snapshot(s longrein.Snapshot) {
	cur := t.current()
	if cur == nil || s.Turn != cur.N || s.When == longrein.SnapshotUndo {
		return
	}
	n := len(cur.spans)
	switch {
	case s.When == longrein.SnapshotAfter && n > 0:
		cur.spans[n-1].After = s.Tree
	case s.Tree == "":
		cur.why = s.Why
	case s.When == longrein.SnapshotBefore && n == 0:
		cur.spans, cur.Root = []Span{{Before: s.Tree}}, s.Root
	}
	cur.see()
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

// Waiting returns what the user said that no turn has taken yet.
func (t *Timeline) Waiting() []longrein.Waiting { return slices.Clone(t.queue) }

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
