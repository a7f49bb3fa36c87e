package turn

import (
	"fmt"
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
	if len(m.state.Entries()) == 0 { // the thread's first turn, or it was taken back to before that
		m.survey("start")
		return
	}
	m.safePoint(now)
}

// safePoint is where a response is whole and every call answered: inputs are
// taken, a window begins if one is due, and the next request goes out.
func (m *Machine) safePoint(now time.Time) {
	if m.interrupting {
		m.interrupted(now)
		return
	}
	if m.running {
		if m.unlooked() {
			m.glance()
			return
		}
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

// takeInputs turns what waits into items, after what has changed outside and before
// the skills that they mention.
func (m *Machine) takeInputs(now time.Time) {
	outside := m.outside
	m.outside = nil
	if outside != nil {
		m.show(now, outside.Changes)
	}
	for _, w := range m.due() {
		m.emit(now, longrein.Appended{
			Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: w.Text}},
			Input: w.Seq,
		})
	}
	if outside != nil {
		m.show(now, outside.Skills)
	}
}

// due are the inputs that can be taken now: everything that a new turn finds, and
// steers while it runs.
func (m *Machine) due() []longrein.Waiting {
	return slices.DeleteFunc(slices.Clone(m.pending), func(w longrein.Waiting) bool {
		return m.steps > 0 && w.Mode != longrein.InputSteer
	})
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
