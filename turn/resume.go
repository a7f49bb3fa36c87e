package turn

import (
	"time"

	"github.com/longrein/longrein"
)

// interrupt asks everything that runs to end; the turn ends when it has. A turn
// that a crash cut off does not run.
func (m *Machine) interrupt(now time.Time) {
	if m.phase == idle || m.interrupting || m.ending != nil {
		return
	}
	m.interrupting = true
	m.effect(Cancel{})
	switch m.phase {
	case working:
		m.work(now) // answers the calls that have not begun
	case holding:
		m.dropBound(now)
		m.interrupted(now)
	}
}

// interrupted ends the turn and tells the model so, in its next request. Between
// two turns it ends what a new window was waiting for.
func (m *Machine) interrupted(now time.Time) {
	if !m.running {
		m.interrupting = false
		m.settled(now)
		return
	}
	m.tellOfInterrupt(now)
	m.end(now, longrein.Turn{N: m.turns, State: longrein.TurnInterrupted})
}

func (m *Machine) tellOfInterrupt(now time.Time) {
	if m.state.Window.N > 0 {
		m.emit(now, longrein.Appended{Entry: longrein.Entry{Item: longrein.Fragment{
			Tag: longrein.TagInterrupted, Role: longrein.RoleUser,
			Text: "The user stopped the turn here. A command that was running may have done a part of its work.",
		}}})
	}
}

// resume goes on where the log stops.
func (m *Machine) resume(now time.Time) {
	switch {
	case m.phase != idle: // nothing was cut off
	case m.running:
		m.pickUp(now)
	case m.Owed():
		m.begin(now)
	}
}

// pickUp continues a turn that a crash cut off.
func (m *Machine) pickUp(now time.Time) {
	switch {
	case !m.answered:
		m.proceed(now) // a response that was not recorded whole is asked for again
	case m.stop == longrein.StopInterrupted:
		m.tellOfInterrupt(now)
		m.proceed(now)
	case m.openCalls():
		m.recover(now)
		m.work(now)
	case m.lastWord():
		m.end(now, longrein.Turn{N: m.turns, State: longrein.TurnEnded})
	default:
		m.proceed(now)
	}
}

func (m *Machine) openCalls() bool {
	for _, c := range m.calls {
		if c.state != recorded {
			return true
		}
	}
	return false
}

// lastWord reports whether the model had already said all it wanted to.
func (m *Machine) lastWord() bool {
	return len(m.calls) == 0 && !m.steered() && m.stop != longrein.StopPaused
}

// recover decides about calls that were running when the process died: harmless
// ones run again, the others have an unknown outcome and are never repeated by
// the harness.
func (m *Machine) recover(now time.Time) {
	for _, c := range m.calls {
		if c.state != started {
			continue
		}
		if m.readOnly(c.ToolCall) {
			c.state = waiting
			continue
		}
		m.settle(now, c, longrein.OutputUnknown,
			"Outcome unknown: the process was killed while this call ran. It may have had its effect, in whole, in part, or not at all. Check before you repeat it.")
	}
}
