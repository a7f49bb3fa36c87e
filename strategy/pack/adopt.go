package pack

import "github.com/longrein/longrein"

// adopt makes turns of a window that another strategy has begun. A turn begins
// where the user speaks and no call or output stands directly before; so a steer
// in the middle of work begins none. What several messages in a row say is one
// turn's.
func (s *Strategy) adopt(w longrein.Window, head []longrein.Entry) {
	s.state.Opening = w.Running && w.Steps == 0
	for i, e := range head {
		if e.Seq > 0 {
			s.adoptEntry(e, i == 0 || opens(head[i-1].Item))
		}
	}
	s.state.Opening = w.Running && w.Steps == 0
	done := min(w.Turns, mostTurns)
	if s.state.Opening {
		done--
	}
	for i := range s.state.Rows { // the newest is the thread's newest
		s.state.Rows[i].N += max(done-len(s.state.Rows), 0)
	}
}

// opens reports whether a user's message after the item begins a turn.
func opens(before longrein.Item) bool {
	switch it := before.(type) {
	case longrein.Message:
		return it.Role == longrein.RoleAssistant
	case longrein.Fragment:
		return true
	}
	return false
}

func (s *Strategy) adoptEntry(e longrein.Entry, opening bool) {
	if m, ok := e.Item.(longrein.Message); ok && m.Role == longrein.RoleUser {
		s.state.Opening = opening
		s.noteInput(e.Seq, m.Text)
	}
	r := s.running()
	if r == nil {
		return
	}
	r.Last, r.End = e.Seq, longrein.TurnEnded
	if out, ok := e.Item.(longrein.ToolOutput); ok {
		s.noteOutput(out)
	} else if longrein.FromModel(e.Item) {
		s.noteSaid(e.Item)
	}
}
