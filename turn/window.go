package turn

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// survey asks for the initial context of a new window.
func (m *Machine) survey(why string) {
	m.why = why
	m.phase = surveying
	m.effect(Survey{Window: true, Inputs: m.dueTexts()})
}

// surveyed takes in what is outside.
func (m *Machine) surveyed(now time.Time, s Surveyed) {
	if m.phase != surveying {
		return
	}
	for _, w := range s.Warnings {
		m.emit(now, w)
	}
	switch {
	case m.interrupting:
		m.interrupted(now)
	case m.why == "":
		m.glanced(now, s)
	case s.Err != nil:
		m.fail(now, longrein.ErrInternal, s.Err.Error())
	default:
		m.edits(now, s.Edits)
		m.window(now, s)
	}
}

// window begins the window that the survey was made for, unless the strategy wants
// none any more.
func (m *Machine) window(now time.Time, s Surveyed) {
	m.current = true
	m.outside = &Surveyed{Skills: s.Skills}
	if !m.wanted {
		manual := m.manual // this window is not the one that was asked for
		m.beginWindow(now, s, m.old(), nil)
		m.manual = manual
		m.safePoint(now)
		return
	}
	m.wanted = false
	v := m.view()
	v.Surveyed, v.Todo = true, s.Todo
	switch move := m.keeper.Decide(v).(type) {
	case longrein.NewWindow:
		m.renewed(now, s, move)
	default:
		m.keepOn(now, move)
	}
}

// renewed begins the window that the strategy wants.
func (m *Machine) renewed(now time.Time, s Surveyed, move longrein.NewWindow) {
	m.log(now, move.Log)
	m.why = move.Why
	if len(move.Cut) == 0 && !move.Told {
		move.Cut = m.unsaid(m.old(), move.Head)
	}
	m.beginWindow(now, s, move.Head, move.Cut)
	m.safePoint(now)
}

// keepOn goes on in the window that there is, since the strategy wants no new one
// any more.
func (m *Machine) keepOn(now time.Time, move longrein.Move) {
	switch {
	case m.make(now, move):
	case m.refused:
		m.fail(now, longrein.ErrTooLong, m.tooSmall())
	default:
		m.ask(now)
	}
}

// beginWindow records the window. What runs beside the old one ends with it.
func (m *Machine) beginWindow(now time.Time, s Surveyed, head []longrein.Entry, cuts []longrein.LimitHit) {
	m.dropForks(now, "its window has ended")
	head, lost := whole(current(head))
	if lost > 0 {
		m.emit(now, longrein.Warning{Text: fmt.Sprintf("%d tool calls or outputs had lost the other half; they are shown as lost, or left out", lost)})
	}
	m.wanted = false
	w := m.checkpoint(m.why)
	w.Boundary = m.last.Seq
	w.Head = append(slices.Clone(s.Entries), m.withPins(head)...)
	w.Fresh = len(s.Entries)
	m.emit(now, w)
	_, unshown := m.pinned()
	for _, h := range slices.Concat(s.Hits, cuts, unshown) {
		m.emit(now, h)
	}
}

// current is a head without what told of changes outside: the initial context before
// it says how things are, and a difference from how they were is wrong there.
func current(head []longrein.Entry) []longrein.Entry {
	return slices.DeleteFunc(slices.Clone(head), func(e longrein.Entry) bool {
		f, ok := e.Item.(longrein.Fragment)
		return ok && f.Tag != longrein.TagSkill && slices.Contains(outsideTags, f.Tag)
	})
}

// checkpoint is a window record without a head: what the thread has come to.
func (m *Machine) checkpoint(why string) longrein.Window {
	return longrein.Window{
		N:        m.state.Window.N + 1,
		Why:      why,
		Settings: m.state.Next,
		Scale:    m.state.Scale(),
		Turns:    m.turns,
		Steps:    m.steps,
		Running:  m.running,
		Snapped:  m.snapped,
		Ended:    m.ended,
		Total:    m.total,
		Forks:    maps.Clone(m.runs),
		Beside:   m.beside,
		Pending:  m.pending,
		Notes:    m.notes,
		Pins:     m.pins,
		Kept:     m.keeper.Keep(),
	}
}

// old returns everything the model sees but the initial context.
func (m *Machine) old() []longrein.Entry {
	all := m.state.Entries()
	return all[min(m.state.Window.Fresh, len(all)):]
}

// view is what the strategy is shown.
func (m *Machine) view() longrein.View {
	v := m.state.View(m.last, m.refused)
	v.Turn, v.Waiting = m.turns, len(m.pending)
	v.Idle, v.Manual = !m.running, m.manual
	v.Overhead += m.pinnedSize()
	return v
}

// unsaid reports what a strategy left out without a word.
func (m *Machine) unsaid(old, head []longrein.Entry) []longrein.LimitHit {
	size := m.view().Size
	gone := 0
	for _, e := range old {
		gone += size(e)
	}
	for _, e := range head {
		gone -= size(e)
	}
	if gone <= 0 {
		return nil
	}
	h := m.opts.Limits.Hit(limit.CarriedShare, "what the strategy "+m.opts.Strategy.Name()+" left out", int64(gone), "the thread's log; longrein threads show")
	h.CutUnit = string(limit.Tokens)
	return []longrein.LimitHit{h}
}

// renew begins a new window when the settings have changed or the strategy wants
// one, and reports whether the next request has to wait.
func (m *Machine) renew(now time.Time) bool {
	if !reflect.DeepEqual(sent(m.state.Window.Settings), sent(m.state.Next)) {
		m.survey("settings changed: " + changes(m.state.Window.Settings, m.state.Next))
		return true
	}
	if m.loaded {
		m.loaded = false
		if _, lost := whole(m.state.Entries()); lost > 0 {
			m.survey("a damaged log had lost a tool call or its output")
			return true
		}
	}
	return m.make(now, m.keeper.Decide(m.view()))
}

// make makes a strategy's move and reports whether the next request has to wait.
func (m *Machine) make(now time.Time, move longrein.Move) bool {
	switch move := move.(type) {
	case longrein.CarryOn:
		m.log(now, move.Log)
	case longrein.StartFork:
		m.log(now, move.Log)
		m.startForks(now, move.Forks)
		if !move.Hold {
			return false
		}
		return m.hold(now) || m.make(now, m.keeper.Decide(m.view())) // they failed at once
	case longrein.Hold:
		m.log(now, move.Log)
		return m.hold(now)
	case longrein.NewWindow:
		if most := m.opts.Limits.Of(limit.FutileWindows); int64(m.windows) >= most {
			m.bounded(now, limit.FutileWindows, m.tooSmall())
			return true
		}
		m.log(now, move.Log)
		m.wanted = true
		m.survey(move.Why)
		return true
	case longrein.Fail:
		m.log(now, move.Log)
		m.manual = false
		m.fail(now, move.Kind, move.Text)
		return true
	}
	return false
}

// renewNow asks the strategy for a new window. A turn that runs takes it at its
// next safe point.
func (m *Machine) renewNow(now time.Time) {
	if m.state.Window.N == 0 {
		return // there is nothing that a window could be made of
	}
	m.manual = true
	if m.phase == idle && !m.running {
		m.phase = working
		m.safePoint(now)
	}
}

// hold lets the worker wait while a fork runs.
func (m *Machine) hold(now time.Time) bool {
	m.release(now)
	if len(m.forks) == 0 {
		return false
	}
	m.phase = holding
	return true
}

// idle lets the strategy begin forks when the turn has ended.
func (m *Machine) idle(now time.Time) {
	if move, ok := m.keeper.Decide(m.view()).(longrein.StartFork); ok {
		m.log(now, move.Log)
		m.startForks(now, move.Forks)
	}
}

// tooSmall says why windows that begin again and again do not help.
func (m *Machine) tooSmall() string {
	set, v := m.state.Next, m.view()
	if set.ContextWindow == 0 {
		return fmt.Sprintf("the provider refuses about %d tokens as too long, after %d new windows in a row", v.Tokens, m.windows)
	}
	return fmt.Sprintf("%d new windows in a row did not make the context fit: the window of %s has %d tokens (%s), base instructions, tools, initial context and pinned items alone take about %d, and max_output_tokens is %d",
		m.windows, set.Model, set.ContextWindow, set.ContextSource, v.Overhead, set.MaxOutput)
}

// settled comes to rest after a window that was asked for between two turns.
func (m *Machine) settled(now time.Time) {
	m.manual = false
	m.phase = idle
	m.release(now)
	if len(m.pending) > 0 {
		m.begin(now)
		return
	}
	m.effect(Rest{})
}

// renewRefused is renew for a context that the provider refused as too long.
func (m *Machine) renewRefused(now time.Time) bool {
	m.refused = true
	return m.renew(now)
}
