package turn

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// call is a tool call of the current step.
type call struct {
	longrein.ToolCall
	seq    int64 // of its record
	state  callState
	output longrein.ToolOutput
	futile bool
}

type callState int

const (
	waiting  callState = iota // not started
	started                   // runs, or ran when the process died
	finished                  // has an output that the window does not show yet
	recorded                  // its output is an item
)

func (m *Machine) call(id string) *call {
	for _, c := range m.calls {
		if c.ID == id {
			return c
		}
	}
	return nil
}

func (m *Machine) foldTool(t longrein.ToolRun) {
	c := m.call(t.CallID)
	if c == nil {
		return
	}
	switch t.State {
	case longrein.ToolStarted:
		c.state = started
	case longrein.ToolFinished:
		c.state = finished
		if t.Output != nil {
			c.output = *t.Output
		}
	}
}

// work starts the calls that may run now: parallel ones beside each other, any
// other alone, all in order. When none is left it is a safe point.
func (m *Machine) work(now time.Time) {
	m.phase = working
	m.refuseSurplus(now)
	m.showOutputs(now)
	if m.interrupting {
		m.stopWaiting(now)
	}
	most := m.opts.Limits.Int(limit.ParallelCalls)
	running, alone := m.inFlight()
	for _, c := range m.calls {
		if c.state != waiting {
			continue
		}
		parallel := m.parallel(c)
		if alone || running >= most || (!parallel && running > 0) {
			break
		}
		if m.opts.Snapshots && !m.snapped && !m.readOnly(c.ToolCall) {
			if running == 0 {
				m.snap(longrein.SnapshotBefore)
				return
			}
			break
		}
		m.start(now, c)
		running++
		alone = !parallel
	}
	if running == 0 {
		m.worked(now)
	}
}

// worked ends the step.
func (m *Machine) worked(now time.Time) {
	if m.allFutile() {
		m.futile++
	} else {
		m.futile = 0
	}
	m.safePoint(now)
}

func (m *Machine) allFutile() bool {
	for _, c := range m.calls {
		if !c.futile {
			return false
		}
	}
	return len(m.calls) > 0
}

func (m *Machine) inFlight() (n int, alone bool) {
	for _, c := range m.calls {
		if c.state == started {
			n++
			alone = alone || !m.parallel(c)
		}
	}
	return n, alone
}

func (m *Machine) start(now time.Time, c *call) {
	m.emit(now, longrein.ToolRun{CallID: c.ID, State: longrein.ToolStarted})
	m.out.Sync = true // a call is durable before its tool runs
	m.effect(Run{Call: c.ToolCall, Key: fmt.Sprintf("%s/%d", m.state.Thread.ID, c.seq)})
}

// spec returns the tool's spec as the model was told it. A tool that is not
// there may run beside others: it only says so.
func (m *Machine) spec(name string) longrein.ToolSpec {
	for _, t := range m.state.Window.Settings.Tools {
		if t.Name == name {
			return t
		}
	}
	return longrein.ToolSpec{Name: name, Parallel: true, ReadOnly: true}
}

// parallel reports whether the call may run beside others: its tool says so, or
// the call itself changes nothing.
func (m *Machine) parallel(c *call) bool {
	return m.spec(c.Name).Parallel || m.readOnly(c.ToolCall)
}

func (m *Machine) readOnly(c longrein.ToolCall) bool {
	if m.opts.ReadOnly != nil {
		return m.opts.ReadOnly(c)
	}
	return m.spec(c.Name).ReadOnly
}

// refuseSurplus answers the calls beyond what one response may hold.
func (m *Machine) refuseSurplus(now time.Time) {
	most := m.opts.Limits.Int(limit.Calls)
	surplus := slices.Clone(m.calls[min(most, len(m.calls)):])
	surplus = slices.DeleteFunc(surplus, func(c *call) bool { return c.state != waiting })
	if len(surplus) == 0 {
		return
	}
	m.emit(now, m.opts.Limits.Hit(limit.Calls, "tool calls of one response that were not run", int64(len(surplus)), ""))
	for _, c := range surplus {
		m.settle(now, c, longrein.OutputRefused, fmt.Sprintf("Not run: one response may hold %d tool calls.", most))
	}
}

// toolDone takes an output in. It is recorded as an item when every call before
// it has its own, and kept safe until then.
func (m *Machine) toolDone(now time.Time, d ToolDone) {
	c := m.call(d.Result.Output.CallID)
	if m.phase != working || c == nil || c.state != started {
		return
	}
	for _, h := range d.Result.Limits {
		m.emit(now, h)
	}
	c.futile = d.Futile
	c.state, c.output = finished, d.Result.Output
	m.out.Sync = true
	m.showOutputs(now)
	if c.state == finished {
		m.keep(now, c)
	}
	m.work(now)
}

// showOutputs records the finished outputs in call order, up to the first call
// that is still open.
func (m *Machine) showOutputs(now time.Time) {
	for _, c := range m.calls {
		if c.state == recorded {
			continue
		}
		if c.state != finished {
			return
		}
		m.emit(now, longrein.Appended{Entry: longrein.Entry{Step: m.step, Item: c.output}})
	}
}

// keep records an output that cannot be shown yet. The record has a copy of its
// own: it is read outside of the loop while the machine goes on.
func (m *Machine) keep(now time.Time, c *call) {
	output := c.output
	m.emit(now, longrein.ToolRun{CallID: c.ID, State: longrein.ToolFinished, Output: &output})
}

// settle gives a call an output of the harness's own.
func (m *Machine) settle(now time.Time, c *call, status longrein.OutputStatus, text string) {
	c.state = finished
	c.output = longrein.ToolOutput{CallID: c.ID, Text: text, Status: status}
	m.showOutputs(now)
	if c.state == finished {
		m.keep(now, c)
	}
}

// stopWaiting answers the calls that an interrupt kept from starting.
func (m *Machine) stopWaiting(now time.Time) {
	for _, c := range m.calls {
		if c.state == waiting {
			m.settle(now, c, longrein.OutputInterrupted, "Not run: the turn was interrupted before this call began.")
		}
	}
}

// approval records a question or an answer, and hands an answer on.
func (m *Machine) approval(now time.Time, a Approval) {
	m.emit(now, a.Approval)
	if a.State != longrein.ApprovalAsked {
		m.out.Sync = true
		m.effect(Answer{Approval: a.Approval})
	}
}

func refusedField(err error) string {
	var me *longrein.ModelError
	if errors.As(err, &me) {
		return me.Field
	}
	return ""
}
