package turn

import (
	"fmt"
	"slices"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// fork is a run beside the work.
type fork struct {
	longrein.Fork
	began time.Time
	// Of a fork that this process started:
	time  time.Duration   // that it has, in all
	bound bool            // an interrupt ends it
	held  bool            // its first request waits for the worker's with the same prefix
	last  []longrein.Body // recorded when it is dropped
	step  int64           // its request that is out, or was last
	out   bool
	ids   map[string]bool // of its own calls
}

func (m *Machine) fork(name string) *fork {
	for _, f := range m.forks {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

func (m *Machine) foldFork(r longrein.Record, f longrein.Fork) {
	switch f.State {
	case longrein.ForkStarted:
		m.forks = append(m.forks, &fork{Fork: f, began: r.Time, ids: map[string]bool{}})
		if m.runs == nil {
			m.runs = map[longrein.ForkRole]int{}
		}
		m.runs[f.Role] = max(m.runs[f.Role], f.N)
		return
	case longrein.ForkStale:
		m.beside.Usage = m.beside.Usage.Add(f.Usage)
		m.beside.Cost += f.Cost
		m.beside.Requests += f.Requests
	}
	m.forks = slices.DeleteFunc(m.forks, func(g *fork) bool { return g.Name() == f.Name() })
}

func (m *Machine) foldBeside(seq int64, b longrein.Beside) {
	f := m.fork(b.Fork)
	if f == nil {
		return
	}
	switch body := b.Body.(type) {
	case longrein.Appended:
		if c, ok := body.Item.(longrein.ToolCall); ok {
			f.ids[c.ID] = true
		}
	case longrein.Asked:
		f.step = seq
		f.Requests++
	case longrein.Answered:
		f.Usage = f.Usage.Add(body.Usage)
		f.Cost += body.Cost
		m.beside.Requests++
		m.beside.Usage = m.beside.Usage.Add(body.Usage)
		m.beside.Cost += body.Cost
	}
}

// startForks begins runs beside the work. They are held back until the worker's
// own request with the same prefix is answered: then that prefix is in the
// provider's cache, and they read it from there.
func (m *Machine) startForks(now time.Time, plans []longrein.ForkPlan) {
	from, at := m.last.Seq, len(m.state.Entries())
	for _, p := range plans {
		f := longrein.Fork{
			Role: p.Role, N: p.N, Window: m.state.Window.N, State: longrein.ForkStarted,
			From: from, At: at, Head: p.Head, Why: p.Why,
		}
		m.emit(now, f)
		m.besides(now, f.Name(), 0, p.Items)
		begun := m.fork(f.Name())
		begun.time, begun.bound, begun.held, begun.last = p.Time, p.Bound, true, p.Dropped
	}
}

// release sends the forks that were held back.
func (m *Machine) release(now time.Time) {
	for _, f := range slices.Clone(m.forks) {
		if f.held {
			f.held = false
			f.began = now // its time is its own, not the answer's that it waited for
			m.askFork(now, f)
		}
	}
}

func (m *Machine) besides(now time.Time, name string, step int64, items []longrein.Item) {
	for _, it := range items {
		m.emit(now, longrein.Beside{Fork: name, Body: longrein.Appended{Entry: longrein.Entry{Step: step, Item: it}}})
	}
}

// askFork sends a fork's next request, if it may still have one.
func (m *Machine) askFork(now time.Time, f *fork) {
	left := f.time - max(now.Sub(f.began), 0) // a clock that goes backwards gives no extra time
	req, asked, err := m.state.BranchRequest(f.Name())
	switch most := m.opts.Limits.Int(limit.ForkRequests); {
	case err != nil:
		m.endFork(now, f, longrein.ForkFailed, err.Error())
	case left <= 0:
		m.overdue(now, f)
	case f.Requests >= most:
		m.emit(now, m.opts.Limits.Hit(limit.ForkRequests, "requests of "+f.Name(), 0, ""))
		m.endFork(now, f, longrein.ForkFailed, fmt.Sprintf("it had not come to an end after %d requests", f.Requests))
	case m.tooLarge(asked.Tokens):
		f.Kind = longrein.ErrTooLong
		m.endFork(now, f, longrein.ForkFailed, fmt.Sprintf("its request of about %d tokens would not fit into the window of %d", asked.Tokens, m.state.Window.Settings.ContextWindow))
	default:
		asked.Turn = m.turns
		r := m.emit(now, longrein.Beside{Fork: f.Name(), Body: asked})
		f.out = true
		m.out.Sync = true
		m.effect(AskFork{Fork: f.Name(), Step: r.Seq, Request: req, Within: left})
	}
}

// tooLarge reports whether a request leaves no room for an answer.
func (m *Machine) tooLarge(tokens int) bool {
	window := m.state.Window.Settings.ContextWindow
	return window > 0 && tokens+window*m.opts.Limits.Int(limit.ForkReserve)/100 > window
}

// endFork records how a fork ended. One whose request is out is cancelled.
func (m *Machine) endFork(now time.Time, f *fork, state longrein.ForkState, why string) {
	end := f.Fork
	end.State, end.Why = state, why
	end.Millis = max(now.Sub(f.began).Milliseconds(), 0)
	if f.out {
		m.gone = append(m.gone, end)
		m.effect(CancelFork{Fork: f.Name()})
	}
	if state == longrein.ForkDropped {
		m.log(now, f.last)
	}
	m.emit(now, end)
	m.out.Sync = true
}

// dropForks ends all that run.
func (m *Machine) dropForks(now time.Time, why string) {
	for _, f := range slices.Clone(m.forks) {
		m.endFork(now, f, longrein.ForkDropped, why)
	}
	m.orphans = false
}

// dropBound ends the forks that belong to the turn.
func (m *Machine) dropBound(now time.Time) {
	for _, f := range slices.Clone(m.forks) {
		if f.bound {
			m.endFork(now, f, longrein.ForkDropped, "interrupted")
		}
	}
}

// forkResponse takes a fork's answer in.
func (m *Machine) forkResponse(now time.Time, r ForkResponse) {
	f := m.fork(r.Fork)
	if f == nil || !f.out || f.step != r.Step {
		m.stale(now, r)
		return
	}
	f.out = false
	if r.Err != nil {
		m.forkBroken(now, f, r.Err)
		m.unhold(now, f)
		return
	}
	for _, it := range r.Items {
		m.besides(now, r.Fork, r.Step, []longrein.Item{m.forkCall(f, it)})
	}
	m.emit(now, longrein.Beside{Fork: r.Fork, Body: m.usage(r.Response, r.Done.Stop)})
	m.reply(now, f, false)
}

// forkBroken ends a fork whose answer did not arrive whole. One that was cut off by
// the end of its time has not failed.
func (m *Machine) forkBroken(now time.Time, f *fork, err error) {
	if now.Sub(f.began) >= f.time {
		m.overdue(now, f)
		return
	}
	f.Kind = longrein.KindOf(err)
	m.endFork(now, f, longrein.ForkFailed, err.Error())
}

func (m *Machine) overdue(now time.Time, f *fork) {
	m.endFork(now, f, longrein.ForkDropped, fmt.Sprintf("it had not come to an end after %v", f.time))
}

// forkCall gives a call an id of its own.
func (m *Machine) forkCall(f *fork, it longrein.Item) longrein.Item {
	c, ok := it.(longrein.ToolCall)
	if !ok {
		return it
	}
	if c.ID == "" {
		c.ID = fmt.Sprintf("call_%d_%d", f.step, len(f.ids))
	}
	for id, n := c.ID, 2; m.ids[c.ID] || f.ids[c.ID]; n++ {
		c.ID = fmt.Sprintf("%s_%d_%d", id, f.step, n)
	}
	return c
}

// reply does what the strategy makes of a fork's answer.
func (m *Machine) reply(now time.Time, f *fork, looked bool) {
	shared, own, _ := m.state.Branch(f.Name())
	b := longrein.Branch{Fork: f.Fork, Now: now, Shared: shared, Own: own, Round: f.Requests, Looked: looked}
	switch r := m.keeper.Reply(b).(type) {
	case longrein.GoOn:
		m.besides(now, f.Name(), f.step, r.Items)
		m.askFork(now, f)
	case longrein.Look:
		m.effect(Look{Fork: f.Name()})
	case longrein.End:
		m.log(now, r.Log)
		m.endFork(now, f, r.State, r.Why)
	}
	m.unhold(now, f)
}

// looked goes on with a fork once the notes have been compared with their folder.
func (m *Machine) looked(now time.Time, l Looked) {
	m.edits(now, l.Edits)
	for _, w := range l.Warnings {
		m.emit(now, w)
	}
	switch f := m.fork(l.Fork); {
	case f == nil || f.out:
	case l.Err != nil:
		m.endFork(now, f, longrein.ForkFailed, l.Err.Error())
		m.unhold(now, f)
	default:
		m.reply(now, f, true)
	}
}

// edits records what a user made of the notes.
func (m *Machine) edits(now time.Time, changed []longrein.Document) {
	if len(changed) > 0 {
		m.log(now, []longrein.Body{longrein.Notes{By: longrein.ByUser, Changed: changed}})
	}
}

// stale records an answer that came after its fork had ended: it was paid for and
// has no effect.
func (m *Machine) stale(now time.Time, r ForkResponse) {
	i := slices.IndexFunc(m.gone, func(f longrein.Fork) bool { return f.Name() == r.Fork })
	if i < 0 {
		return
	}
	f := m.gone[i]
	m.gone = slices.Delete(m.gone, i, i+1)
	if r.Err != nil {
		return
	}
	f.State, f.Requests = longrein.ForkStale, 1
	f.Usage, f.Cost = r.Done.Usage, m.state.Window.Settings.Price.Cost(r.Done.Usage)
	m.emit(now, f)
}

// unhold asks the strategy again when the worker waits and f has come to its end.
func (m *Machine) unhold(now time.Time, f *fork) {
	if m.phase == holding && !slices.Contains(m.forks, f) {
		m.phase = working
		m.safePoint(now)
	}
}

// log records what a strategy wants to have recorded.
func (m *Machine) log(now time.Time, bodies []longrein.Body) {
	for _, b := range bodies {
		if n, ok := b.(longrein.Notes); ok {
			n.Version = m.notes + 1
			b = n
		}
		m.emit(now, b)
	}
	m.out.Sync = m.out.Sync || len(bodies) > 0
}
