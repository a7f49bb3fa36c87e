package background

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/memory"
)

// state is what a thread has come to over its windows; the window record keeps it.
type state struct {
	Ledger   ledger.Ledger `json:"ledger"`
	Notes    memory.Notes  `json:"notes"`
	Boundary int64         `json:"boundary"` // last record that the notes cover
	Runs     runs          `json:"runs"`
	Failures int           `json:"failures,omitempty"`  // summaries in a row
	Turn     int           `json:"turn,omitempty"`      // that began last
	WokeTurn int           `json:"woke_turn,omitempty"` // in which the forks were woken last
	Lead     int           `json:"lead,omitempty"`      // tokens that the context grows by while a summary is made
	Worker   spending      `json:"worker"`
	Forks    spending      `json:"forks"`
	Answered time.Time     `json:"answered,omitzero"` // when the worker was, last
}

// runs counts forks.
type runs struct {
	Summarizers int `json:"summarizers"`
	Deciders    int `json:"deciders"`
	Probers     int `json:"probers,omitempty"`
}

// raise has the next forks get numbers that none had, also not in what the thread
// was taken back from.
func (r *runs) raise(used map[longrein.ForkRole]int) {
	r.Summarizers = max(r.Summarizers, used[longrein.RoleSummarizer])
	r.Deciders = max(r.Deciders, used[longrein.RoleDecider])
	r.Probers = max(r.Probers, used[longrein.RoleProber])
}

// live is what belongs to the present window only.
type live struct {
	window  int
	began   int64 // record of the window
	head    int   // tokens of its first request, 0 before that
	first   int64 // step of that request
	tokens  int   // of the last request
	level   int   // tokens at the last wake-up
	woke    int64 // step of the request that these are of
	settle  bool  // the next request's size is the level
	forks   []running
	verdict *longrein.Verdict
	asked   *longrein.Reset // a reset that was requested
	waits   bool            // it has been said that the reset waits
	late    bool            // a summary has ended since it was asked for
	putOff  bool            // it has been said that the budget puts a wake-up off
	warned  bool            // it has been said that summaries fail
	exam    exam
	refused int // tokens at which a reset was refused last
	kept    []byte
}

// running is a fork under way, with the notes as it found them.
type running struct {
	longrein.Fork
	base   memory.Notes
	tokens int // of the worker's last request before it
}

func (l *live) running(role longrein.ForkRole) bool {
	for _, f := range l.forks {
		if f.Role == role {
			return true
		}
	}
	return false
}

func (l *live) fork(name string) (running, bool) {
	for _, f := range l.forks {
		if f.Name() == name {
			return f, true
		}
	}
	return running{}, false
}

// wanted reports whether a reset is on its way.
func (l *live) wanted() bool { return l.verdict != nil || l.asked != nil }

// Note folds a record.
func (s *Strategy) Note(r longrein.Record) {
	if w, ok := r.Body.(longrein.Window); ok {
		s.noteWindow(r.Seq, w)
	}
	s.state.Ledger.Note(r, s.o.Limits)
	switch b := r.Body.(type) {
	case longrein.Asked:
		s.noteAsked(r.Seq, b)
	case longrein.Answered:
		s.noteAnswered(r.Time, b)
	case longrein.Fork:
		s.noteFork(b)
	case longrein.Beside:
		if a, ok := b.Body.(longrein.Answered); ok {
			s.state.Forks.add(a.Usage, a.Cost)
		}
	case longrein.Notes:
		s.noteNotes(b)
	case longrein.Verdict:
		if b.Reset && b.Ignored == "" && b.Window == s.live.window {
			s.live.verdict = &b
		}
	case longrein.Reset:
		s.noteReset(b)
	case longrein.Turn:
		s.state.Turn, s.state.WokeTurn = b.N, cmp.Or(s.state.WokeTurn, b.N)
	case longrein.LimitHit:
		s.noteLimit(b)
	}
}

func (s *Strategy) noteWindow(seq int64, w longrein.Window) {
	if len(w.Kept) > 0 && !bytes.Equal(w.Kept, s.live.kept) {
		var kept state
		err := json.Unmarshal(w.Kept, &kept)
		if other := (*json.UnmarshalTypeError)(nil); err == nil || errors.As(err, &other) {
			s.state = kept // of another strategy as much as it has in common: ledger and notes
		}
	}
	s.state.Runs.raise(w.Forks)
	s.live = live{window: w.N, began: seq}
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

// noteAsked learns how large the context was when the window began and when the
// forks were woken.
func (s *Strategy) noteAsked(step int64, a longrein.Asked) {
	if s.live.head == 0 {
		s.live.head, s.live.first, s.live.settle = a.Tokens, step, true
	}
	if s.live.settle {
		s.live.level, s.live.woke, s.live.settle = a.Tokens, step, false
	}
}

// noteAnswered puts the provider's count of a request in the place of the estimate:
// else what the estimate was wrong by would pass for growth.
func (s *Strategy) noteAnswered(now time.Time, a longrein.Answered) {
	s.state.Answered = now
	s.state.Worker.add(a.Usage, a.Cost)
	if !a.Usage.Reported || a.Usage.Input <= 0 {
		return
	}
	if a.Step == s.live.first {
		s.live.head = int(a.Usage.Input)
	}
	if a.Step == s.live.woke {
		s.live.level = int(a.Usage.Input)
	}
}

func (s *Strategy) noteFork(f longrein.Fork) {
	switch {
	case f.State == longrein.ForkStarted:
		s.noteStart(f)
		return
	case f.State == longrein.ForkSkipped:
		s.woken()
		return
	case f.State == longrein.ForkStale:
		s.state.Forks.add(f.Usage, f.Cost)
		return
	}
	for i, g := range s.live.forks {
		if g.Name() == f.Name() {
			s.learnLead(g, f)
			s.live.forks = append(s.live.forks[:i:i], s.live.forks[i+1:]...)
			break
		}
	}
	switch f.Role {
	case longrein.RoleSummarizer:
		s.noteSummary(f)
	case longrein.RoleProber:
		if f.State != longrein.ForkFinished {
			s.live.exam = exam{over: true} // the rules have to do
		}
	}
}

func (s *Strategy) noteStart(f longrein.Fork) {
	s.live.forks = append(s.live.forks, running{f, s.state.Notes, s.live.tokens})
	switch f.Role {
	case longrein.RoleSummarizer:
		s.state.Runs.Summarizers = f.N
		s.live.putOff = false
		s.woken()
	case longrein.RoleDecider:
		s.state.Runs.Deciders = f.N
	case longrein.RoleProber:
		s.state.Runs.Probers = f.N
	}
}

// woken begins the wait for the next wake-up.
func (s *Strategy) woken() {
	s.live.settle = true
	s.state.WokeTurn = s.state.Turn
}

// learnLead learns by how much the context grows while a summary is made. A later
// one that was faster counts only little by little.
func (s *Strategy) learnLead(begun running, end longrein.Fork) {
	if end.Role == longrein.RoleSummarizer && end.State == longrein.ForkFinished && begun.tokens > 0 {
		s.state.Lead = max(s.live.tokens-begun.tokens, s.state.Lead*3/4)
	}
}

// noteSummary counts failures in a row. A run that was dropped because its window
// or its process ended is none.
func (s *Strategy) noteSummary(f longrein.Fork) {
	switch f.State {
	case longrein.ForkFinished:
		s.state.Failures = 0
		s.live.late = s.live.asked != nil
	case longrein.ForkFailed:
		s.state.Failures++
	case longrein.ForkDropped:
		if f.Millis >= s.o.Limits.Of(limit.ForkTime) {
			s.state.Failures++
		}
	}
}

func (s *Strategy) noteNotes(n longrein.Notes) {
	s.state.Notes = s.state.Notes.With(n)
	if gone(n) {
		s.state.Boundary = 0 // nothing covers what is in the context
	}
	if n.Boundary > s.state.Boundary && n.Window == s.live.window {
		s.state.Boundary = n.Boundary
	}
}

// gone reports whether a version takes MAIN.md away, as only a user does.
func gone(n longrein.Notes) bool {
	return slices.ContainsFunc(n.Changed, func(d longrein.Document) bool {
		return d.Name == longrein.MainDocument && strings.TrimSpace(d.Text) == ""
	})
}

func (s *Strategy) noteReset(r longrein.Reset) {
	if r.Window != s.live.window {
		return
	}
	switch r.Phase {
	case longrein.ResetRequested:
		s.live.asked = &r
	case longrein.ResetWaiting:
		s.live.waits = true
	case longrein.ResetExamined:
		s.noteExam(r)
	case longrein.ResetRefused:
		s.live.asked, s.live.verdict, s.live.waits, s.live.late = nil, nil, false, false
		s.live.refused = r.Before
	}
}

func (s *Strategy) noteLimit(h longrein.LimitHit) {
	switch h.Name {
	case limit.MemoryBudget.Name:
		s.live.putOff = true
	case limit.SummaryTries.Name:
		s.live.warned = true
	}
}

// Notes returns the thread's notes.
func (s *Strategy) Notes() memory.Notes { return s.state.Notes }
