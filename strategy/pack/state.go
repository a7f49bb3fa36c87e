package pack

import (
	"bytes"
	"encoding/json"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/memory"
)

// state is what a thread has come to over its windows; the window record keeps it.
// Another strategy that keeps a ledger and notes has them under the same names, so
// that a thread may change from one to the other.
type state struct {
	Rows    []row  `json:"turns,omitempty"`   // that may still be summarised, and the running one
	First   string `json:"first,omitempty"`   // what the thread's first request said
	Cwd     string `json:"cwd,omitempty"`     // the thread's folder
	Opening bool   `json:"opening,omitempty"` // a turn has started and nothing was said in it
	Clamped bool   `json:"clamped,omitempty"` // it has been said that the setting asks for too much

	Ledger ledger.Ledger `json:"ledger"`
	Notes  memory.Notes  `json:"notes"`
}

// live is what belongs to the present window only.
type live struct {
	step    int64               // of the answer that is not yet whole
	said    []longrein.Item     // in it
	patches map[string][]change // by calls that have no output yet
	kept    []byte
}

// Note folds a record.
func (s *Strategy) Note(r longrein.Record) {
	if w, ok := r.Body.(longrein.Window); ok {
		s.noteWindow(w)
	}
	if !s.o.NoLedger {
		s.state.Ledger.Note(r, s.o.Limits)
	}
	switch b := r.Body.(type) {
	case longrein.Thread:
		s.state.Cwd = b.Cwd
	case longrein.Turn:
		s.noteTurn(b)
	case longrein.Asked:
		s.state.Opening = false
		s.live.step, s.live.said = r.Seq, nil
	case longrein.Appended:
		s.noteItem(r.Seq, b)
	case longrein.Answered:
		s.noteAnswer(b)
	case longrein.Notes:
		s.state.Notes = s.state.Notes.With(b)
	case longrein.LimitHit:
		s.state.Clamped = s.state.Clamped || b.Name == limit.TurnsConsidered.Name && s.turnsWanted() > s.turnsAllowed()
	}
}

// Keep returns what has been noted.
func (s *Strategy) Keep() json.RawMessage {
	kept, err := json.Marshal(s.state)
	if err != nil {
		return nil // nothing in it can fail; a loaded thread would begin its memory anew
	}
	s.live.kept = kept
	return kept
}

// Notes returns the thread's documents.
func (s *Strategy) Notes() memory.Notes { return s.state.Notes }

func (s *Strategy) noteWindow(w longrein.Window) {
	if len(w.Kept) > 0 && !bytes.Equal(w.Kept, s.live.kept) {
		kept := state{Cwd: s.state.Cwd}
		if json.Unmarshal(w.Kept, &kept) == nil {
			if !sound(kept.Rows) {
				kept.Rows = nil
			}
			s.state = kept
		}
	}
	s.live = live{}
	head := w.Head[min(w.Fresh, len(w.Head)):]
	if len(s.state.Rows) == 0 {
		s.adopt(w, head)
	}
	if f, ok := s.foldedIn(head); ok {
		s.forget(f - s.o.Limits.Int(limit.TurnsConsidered))
	}
}

// mostTurns is far beyond what a thread can have. A damaged log may say more.
const mostTurns = 1 << 40 // fixed: see above

// sound reports whether the turns are numbered one after the other.
func sound(rows []row) bool {
	for i, r := range rows {
		if n := rows[0].N + i; r.N != n || n < 1 || n > mostTurns {
			return false
		}
	}
	return true
}

// forget leaves out the turns up to n: no summary will need them.
func (s *Strategy) forget(n int) {
	for len(s.state.Rows) > 1 && s.state.Rows[0].N <= n {
		s.state.Rows = s.state.Rows[1:]
	}
}

func (s *Strategy) noteTurn(t longrein.Turn) {
	if t.State == longrein.TurnStarted {
		s.state.Opening = true
		return
	}
	s.state.Opening = false
	if r := s.running(); r != nil {
		r.End = t.State
	}
}

// running returns the newest turn, nil when there is none.
func (s *Strategy) running() *row {
	if n := len(s.state.Rows); n > 0 {
		return &s.state.Rows[n-1]
	}
	return nil
}

// noteItem takes an item in. What the model made counts once its response is
// whole.
func (s *Strategy) noteItem(seq int64, a longrein.Appended) {
	if m, ok := a.Item.(longrein.Message); ok && a.Input != 0 {
		s.noteInput(seq, m.Text)
	}
	if r := s.running(); r != nil {
		r.Last = seq
	}
	switch it := a.Item.(type) {
	case longrein.ToolOutput:
		s.noteOutput(it)
	default:
		if a.Step == s.live.step && longrein.FromModel(it) {
			s.live.said = append(s.live.said, it)
		}
	}
}

// noteInput begins a turn, unless one runs and this is a steer. A turn that was
// begun again without a word of the user goes on with the one before.
func (s *Strategy) noteInput(seq int64, text string) {
	points := keyPoints(text, s.o.Limits.Int(limit.TurnSummaryAsked))
	if s.state.Opening || len(s.state.Rows) == 0 {
		s.state.Opening = false
		s.state.Rows = append(s.state.Rows, row{N: s.last() + 1, Seq: seq})
		if s.state.First == "" {
			s.state.First = points
		}
	}
	s.running().asks(points, s.o.Limits.Int(limit.TurnSummaryAsked))
}

// noteAnswer takes in what a response said, now that it is whole.
func (s *Strategy) noteAnswer(a longrein.Answered) {
	if a.Step != s.live.step {
		return
	}
	for _, it := range s.live.said {
		s.noteSaid(it)
	}
	s.live.said = nil
}

func (s *Strategy) noteSaid(it longrein.Item) {
	r := s.running()
	if r == nil {
		return
	}
	switch it := it.(type) {
	case longrein.Message:
		r.answers(it.Text, s.o.Limits.Int(limit.TurnSummaryAnswer))
	case longrein.ToolCall:
		r.calls(it.Name, s.o.Limits.Int(limit.TurnSummaryFiles))
		s.noteCall(it)
	}
}
