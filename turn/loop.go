package turn

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// input records what the user typed before anyone is told that it was taken.
func (m *Machine) input(now time.Time, text string, mode longrein.InputMode) {
	m.emit(now, longrein.Input{Text: text, Mode: mode})
	m.out.Sync = true
	m.resume(now)
}

// begin starts a turn.
func (m *Machine) begin(now time.Time) {
	m.emit(now, longrein.Turn{N: m.turns + 1, State: longrein.TurnStarted})
	m.interrupting = false
	m.proceed(now)
}

// proceed goes on to the next request.
func (m *Machine) proceed(now time.Time) {
	if m.state.Window.N == 0 {
		m.survey("start")
		return
	}
	m.safePoint(now)
}

// survey asks for the initial context of a new window.
func (m *Machine) survey(why string) {
	m.why = why
	m.phase = surveying
	m.effect(Survey{})
}

// surveyed begins the window that the survey was made for.
func (m *Machine) surveyed(now time.Time, s Surveyed) {
	if m.phase != surveying {
		return
	}
	for _, w := range s.Warnings {
		m.emit(now, w)
	}
	if m.interrupting {
		m.interrupted(now)
		return
	}
	if s.Err != nil {
		m.fail(now, longrein.ErrInternal, s.Err.Error())
		return
	}
	m.edits(now, s.Edits)
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
	head, lost := whole(head)
	if lost > 0 {
		m.emit(now, longrein.Warning{Text: fmt.Sprintf("%d tool calls or outputs had lost the other half; they are shown as lost, or left out", lost)})
	}
	m.wanted = false
	m.emit(now, longrein.Window{
		N:        m.state.Window.N + 1,
		Why:      m.why,
		Boundary: m.last.Seq,
		Settings: m.state.Next,
		Head:     append(slices.Clone(s.Entries), m.withPins(head)...),
		Fresh:    len(s.Entries),
		Scale:    m.state.Scale(),
		Turns:    m.turns,
		Steps:    m.steps,
		Running:  m.running,
		Total:    m.total,
		Beside:   m.beside,
		Pending:  m.pending,
		Notes:    m.notes,
		Pins:     m.pins,
		Kept:     m.keeper.Keep(),
	})
	_, unshown := m.pinned()
	for _, h := range slices.Concat(s.Hits, cuts, unshown) {
		m.emit(now, h)
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

// safePoint is where a response is whole and every call answered: inputs are
// taken, a window begins if one is due, and the next request goes out.
func (m *Machine) safePoint(now time.Time) {
	if m.interrupting {
		m.interrupted(now)
		return
	}
	if m.running {
		m.takeInputs(now)
		m.takeRestores(now)
		if m.limited(now) {
			return
		}
	}
	if m.renew(now) {
		return
	}
	m.ask(now)
}

// takeInputs turns what waits into items: everything that a new turn finds, and
// steers while it runs.
func (m *Machine) takeInputs(now time.Time) {
	for _, w := range slices.Clone(m.pending) {
		if m.steps > 0 && w.Mode != longrein.InputSteer {
			continue
		}
		m.emit(now, longrein.Appended{
			Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: w.Text}},
			Input: w.Seq,
		})
	}
}

// limited ends a turn that has reached one of its bounds.
func (m *Machine) limited(now time.Time) bool {
	steps := m.opts.Limits.Of(limit.TurnSteps)
	futile := m.opts.Limits.Of(limit.FutileSteps)
	switch {
	case int64(m.steps) >= steps:
		m.bounded(now, limit.TurnSteps, fmt.Sprintf("the turn made %d requests without coming to an end", m.steps))
	case int64(m.futile) >= futile:
		m.bounded(now, limit.FutileSteps, fmt.Sprintf("the model made %d steps in a row whose tool calls could not be run", m.futile))
	default:
		return false
	}
	return true
}

func (m *Machine) bounded(now time.Time, l *limit.Limit, what string) {
	m.emit(now, m.opts.Limits.Hit(l, what, 0, ""))
	m.fail(now, longrein.ErrLimit, fmt.Sprintf("%s (limit %s = %d); longrein resume goes on from here", what, l.Name, m.opts.Limits.Of(l)))
}

// renew begins a new window when the settings have changed or the strategy wants
// one, and reports whether the next request has to wait.
func (m *Machine) renew(now time.Time) bool {
	if !reflect.DeepEqual(m.state.Window.Settings, m.state.Next) {
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

// ask sends the next request, if a turn runs that needs one.
func (m *Machine) ask(now time.Time) {
	if !m.running {
		m.settled(now)
		return
	}
	req, asked, err := m.state.Request()
	if err != nil {
		m.fail(now, longrein.ErrInternal, err.Error())
		return
	}
	asked.Turn = m.turns
	r := m.emit(now, asked)
	m.phase = asking
	m.out.Sync = true
	m.effect(Ask{Step: r.Seq, Request: req})
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

// response records an answer that arrived whole and runs its calls.
func (m *Machine) response(now time.Time, r Response) {
	if m.phase != asking || r.Step != m.step {
		return
	}
	if r.Err != nil {
		m.broken(now, r)
		return
	}
	m.record(now, r, r.Items, r.Done.Stop)
	switch {
	case len(m.calls) > 0:
		m.release(now) // the prefix is in the provider's cache now
		m.work(now)
	case r.Done.Stop == longrein.StopPaused || m.steered():
		m.release(now)
		m.safePoint(now)
	default:
		m.finish(now, r)
	}
}

// finish ends the turn with the model's last word.
func (m *Machine) finish(now time.Time, r Response) {
	switch {
	case r.Done.Stop == longrein.StopMaxOutput:
		m.emit(now, longrein.Warning{Text: "the answer was cut by the model's output limit; set max_output_tokens or ask it to go on"})
	case r.Done.Stop == longrein.StopRefused:
		m.emit(now, longrein.Warning{Text: "the model, or a filter of its provider, declined to answer"})
	case len(r.Items) == 0:
		m.emit(now, longrein.Warning{Text: "the model answered with nothing"})
	}
	m.end(now, longrein.Turn{N: m.turns, State: longrein.TurnEnded})
}

// record appends a response's items and then its usage, which makes it whole.
func (m *Machine) record(now time.Time, r Response, items []longrein.Item, stop longrein.Stop) {
	for _, it := range items {
		m.emit(now, longrein.Appended{Entry: longrein.Entry{Step: r.Step, Item: m.distinct(it)}})
	}
	m.emit(now, m.usage(r, stop))
}

// usage is the record that makes a response whole.
func (m *Machine) usage(r Response, stop longrein.Stop) longrein.Answered {
	return longrein.Answered{
		Step:        r.Step,
		Usage:       r.Done.Usage,
		Cost:        m.state.Window.Settings.Price.Cost(r.Done.Usage),
		Model:       r.Done.Model,
		Stop:        stop,
		FirstMillis: r.FirstMillis,
		Millis:      r.Millis,
		Retries:     r.Retries,
	}
}

// distinct gives a call an id that the window has not seen; some servers begin
// anew with every response.
func (m *Machine) distinct(it longrein.Item) longrein.Item {
	c, ok := it.(longrein.ToolCall)
	if !ok {
		return it
	}
	if c.ID == "" {
		c.ID = fmt.Sprintf("call_%d_%d", m.step, len(m.calls))
	}
	for id, n := c.ID, 2; m.ids[c.ID]; n++ {
		c.ID = fmt.Sprintf("%s_%d_%d", id, m.step, n)
	}
	return c
}

// steered reports whether the user has said something to the running turn.
func (m *Machine) steered() bool {
	return slices.ContainsFunc(m.pending, func(w longrein.Waiting) bool {
		return w.Mode == longrein.InputSteer
	})
}

// broken handles a response that did not arrive whole.
func (m *Machine) broken(now time.Time, r Response) {
	if m.interrupting {
		m.keepText(now, r)
		m.interrupted(now)
		return
	}
	kind := longrein.KindOf(r.Err)
	switch {
	case kind == longrein.ErrTooLong && m.renewRefused(now):
	case m.adapt(now, r.Err):
	default:
		m.fail(now, kind, r.Err.Error())
	}
}

// renewRefused is renew for a context that the provider refused as too long.
func (m *Machine) renewRefused(now time.Time) bool {
	m.refused = true
	return m.renew(now)
}

// keepText records what the model had said before it was interrupted. Calls that
// never ran and reasoning that leads to nothing are not kept.
func (m *Machine) keepText(now time.Time, r Response) {
	var said []longrein.Item
	for _, it := range r.Items {
		if msg, ok := it.(longrein.Message); ok && strings.TrimSpace(msg.Text) != "" {
			said = append(said, msg)
		}
	}
	if len(said) > 0 {
		m.record(now, r, said, longrein.StopInterrupted)
	}
}

// optional names the request fields that a server may refuse and that the work
// does not depend on.
var optional = []string{
	"stream_options", "parallel_tool_calls", "prompt_cache_key", "tool_choice",
	"reasoning", "reasoning_effort", "include", "store", "max_completion_tokens",
	"thinking", "output_config",
}

// adapt leaves a field out that the server refuses, in a new window, and reports
// whether it did.
func (m *Machine) adapt(now time.Time, err error) bool {
	field := refusedField(err)
	if !slices.Contains(optional, field) || slices.Contains(m.state.Window.Settings.Dialect.Omit, field) {
		return false
	}
	set := m.state.Next
	set.Dialect.Omit = append(slices.Clone(set.Dialect.Omit), field)
	m.emit(now, set)
	m.emit(now, longrein.Warning{Text: fmt.Sprintf("the server refuses the field %q; going on without it", field)})
	m.survey("the server refuses the field " + field)
	return true
}
