package compact

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/memory"
)

// state is what a thread has come to over its windows; the window record keeps it.
type state struct {
	Ledger    ledger.Ledger `json:"ledger"`
	Notes     memory.Notes  `json:"notes"`
	Runs      int           `json:"compactors"`              // so far
	Compacted int           `json:"compacted,omitempty"`     // window that was summed up last
	Steps     int           `json:"steps,omitempty"`         // of the running turn
	Answered  int64         `json:"answered_step,omitempty"` // request that was, last
}

// live is what belongs to the present window only.
type live struct {
	answered int64                // its request that was, last; 0 for none
	run      *longrein.Compaction // that is under way
	refusals int                  // of its requests, as too long
	failed   *longrein.Fork       // what has become of its compactor
	done     *longrein.Compaction // a summary that the next window is for
	opaque   []longrein.Opaque    // what a provider made in its place
	kept     []byte
}

// Note folds a record.
func (s *Strategy) Note(r longrein.Record) {
	if w, ok := r.Body.(longrein.Window); ok {
		s.noteWindow(w)
	}
	s.state.Ledger.Note(r, s.o.Limits)
	switch b := r.Body.(type) {
	case longrein.Turn:
		if b.State == longrein.TurnStarted {
			s.state.Steps = 0
		}
	case longrein.Asked:
		s.state.Steps++
	case longrein.Answered:
		s.state.Answered, s.live.answered = b.Step, b.Step
	case longrein.Notes:
		s.state.Notes = s.state.Notes.With(b)
	case longrein.Compaction:
		s.noteCompaction(b)
	case longrein.Fork:
		if b.Role == longrein.RoleCompactor {
			s.noteFork(b)
		}
	case longrein.Beside:
		s.noteBeside(b)
	}
}

func (s *Strategy) noteWindow(w longrein.Window) {
	if len(w.Kept) > 0 && !bytes.Equal(w.Kept, s.live.kept) {
		var kept state
		err := json.Unmarshal(w.Kept, &kept)
		if other := (*json.UnmarshalTypeError)(nil); err == nil || errors.As(err, &other) {
			s.state = kept // of another strategy as much as it has in common: ledger and notes
		}
	}
	s.state.Runs = max(s.state.Runs, w.Forks[longrein.RoleCompactor])
	s.live = live{}
}

// Keep returns what has been noted.
func (s *Strategy) Keep() json.RawMessage {
	kept, err := json.Marshal(s.state)
	if err != nil {
		return nil // nothing in it can fail; a loaded thread would begin its ledger anew
	}
	s.live.kept = kept
	return kept
}

func (s *Strategy) noteCompaction(c longrein.Compaction) {
	switch c.Status {
	case longrein.CompactionStarted:
		s.live.run, s.live.failed = &c, nil
	case longrein.CompactionCompleted:
		s.live.run, s.live.done = nil, &c
		s.live.refusals = 0
		s.state.Compacted = c.Window
	case longrein.CompactionFailed:
		s.live.run, s.live.failed, s.live.refusals = nil, nil, 0
	}
}

// noteFork learns how a compactor ended. One that was dropped because its time was
// over has failed; otherwise the user, or the end of the process, wanted it so.
func (s *Strategy) noteFork(f longrein.Fork) {
	if f.State == longrein.ForkStarted {
		s.state.Runs = f.N
		return
	}
	if s.live.run == nil || s.live.run.Fork != f.Name() {
		return
	}
	late := f.State == longrein.ForkDropped && f.Millis >= s.o.Limits.Of(limit.ForkTime)
	switch {
	case f.State == longrein.ForkFailed || late:
		s.live.failed = &f
		if f.Kind == longrein.ErrTooLong {
			s.live.refusals++
		}
	case f.State == longrein.ForkDropped:
		s.live.run, s.live.refusals = nil, 0
	}
}

// noteBeside keeps what a provider made.
func (s *Strategy) noteBeside(b longrein.Beside) {
	a, ok := b.Body.(longrein.Appended)
	if !ok || s.live.run == nil || s.live.run.Fork != b.Fork {
		return
	}
	if it, ok := a.Item.(longrein.Opaque); ok && a.Step != 0 {
		s.live.opaque = []longrein.Opaque{it}
	}
}

// Notes returns the thread's notes, of which there is only the ledger's document.
func (s *Strategy) Notes() memory.Notes { return s.state.Notes }
