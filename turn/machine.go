package turn

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
	"github.com/longrein/longrein/limit"
)

// Options is what a machine is told once. The zero value works, with a strategy
// that always carries on.
type Options struct {
	Strategy longrein.Strategy // a [longrein.Keeper] is this machine's alone
	Limits   limit.Set
	// Stays says that the process goes on when a turn has ended, so that work
	// beside the turn may begin then.
	Stays bool
	// Snapshots says that the files are to be remembered as they were before a
	// turn's first call that may change something, and as they are at its end.
	Snapshots bool
	// ReadOnly reports whether running the call again would do no harm. Nil
	// goes by the tool's spec.
	ReadOnly func(longrein.ToolCall) bool
}

// Machine is the loop's state. It is not safe for concurrent use.
type Machine struct {
	opts   Options
	keeper longrein.Keeper // the strategy, when it is one; else one that keeps nothing
	state  assemble.State
	last   longrein.Record
	phase  phase

	turns   int  // begun so far
	running bool // a turn
	ended   longrein.TurnState
	pending []longrein.Waiting
	total   longrein.Totals

	forks   []*fork
	gone    []longrein.Fork           // that ended while a request was out
	orphans bool                      // forks of a process that is gone
	runs    map[longrein.ForkRole]int // the highest number of each role's forks
	beside  longrein.Totals           // of all forks
	notes   int                       // version
	restore []restore
	pins    []longrein.Pinned

	step         int64 // the request that is out, or was last
	steps        int   // in this turn
	calls        []*call
	ids          map[string]bool // of calls, ever seen since the window began
	futile       int             // steps in a row in which no call could be run, since Load
	windows      int             // begun in a row without an answer, as far as was loaded
	answered     bool            // the request with number step, and nothing was said since
	stop         longrein.Stop   // of that answer
	interrupting bool
	loaded       bool           // and not yet looked at for what a damaged log has lost
	refused      bool           // the context, as too long
	manual       bool           // the user wants a new window
	wanted       bool           // by the strategy: the window that the survey is for
	why          string         // of that window; empty: the survey is for what the turn is about to see
	outside      *Surveyed      // what the last survey found, until the inputs are taken
	current      bool           // the model knows what is outside, as this turn found it
	snapped      bool           // before this turn's first change
	ending       *longrein.Turn // the end of the turn, once its snapshot is there
	out          Out
}

// phase says which answer the machine waits for.
type phase int

const (
	idle phase = iota
	surveying
	asking
	working  // tools run
	holding  // for a fork
	snapping // files are remembered
)

// New returns a machine for an empty log.
func New(o Options) *Machine {
	keeper, ok := o.Strategy.(longrein.Keeper)
	if !ok {
		keeper = &forgetful{Strategy: o.Strategy}
	}
	return &Machine{opts: o, keeper: keeper, ids: map[string]bool{}}
}

// Load folds records of the log, in order: the first one, then those from the
// last window record on, or all. It makes nothing and starts nothing.
func (m *Machine) Load(records ...longrein.Record) error {
	m.loaded = true
	defer func() { m.orphans = len(m.forks) > 0 }()
	for _, r := range records {
		if err := m.fold(r); err != nil {
			return fmt.Errorf("load record %d: %w", r.Seq, err)
		}
	}
	return nil
}

// State returns the window as it stands, for looking at.
func (m *Machine) State() *assemble.State { return &m.state }

// Running reports whether a turn is under way.
func (m *Machine) Running() bool { return m.running }

// Resting reports whether nothing is under way that Handle waits for: no turn
// runs, or the one that does was cut off and not picked up again.
func (m *Machine) Resting() bool { return m.phase == idle }

// Owed reports whether there is work that Resume would go on with.
func (m *Machine) Owed() bool {
	return m.running || len(m.pending) > 0 ||
		m.ended == longrein.TurnInterrupted || m.ended == longrein.TurnFailed
}

// Begin makes a log's first records. The settings hold from the first window on.
func (m *Machine) Begin(now time.Time, t longrein.Thread, s longrein.Settings) Out {
	m.out = Out{}
	m.emit(now, t)
	m.emit(now, s)
	return m.out
}

// Handle takes one message in. Its records carry the time now, in UTC and whole
// milliseconds, as the log keeps it.
func (m *Machine) Handle(now time.Time, msg Message) Out {
	m.out = Out{}
	if m.orphans {
		m.dropForks(now, "the process ended while it ran")
	}
	switch msg := msg.(type) {
	case Submit:
		m.input(now, msg.Text, longrein.InputSubmit)
	case Steer:
		m.input(now, msg.Text, longrein.InputSteer)
	case Interrupt:
		m.interrupt(now)
	case Resume:
		m.resume(now)
	case Change:
		m.emit(now, msg.Settings)
		m.out.Sync = true
	case Warn:
		m.emit(now, msg.Warning)
	case Surveyed:
		m.surveyed(now, msg)
	case Response:
		m.response(now, msg)
	case ToolDone:
		m.toolDone(now, msg)
	case ForkResponse:
		m.forkResponse(now, msg)
	case Looked:
		m.looked(now, msg)
	case Pin:
		m.emit(now, msg.Pinned)
		m.out.Sync = true
	case Renew:
		m.renewNow(now)
	case Snapped:
		m.remembered(now, msg)
	case Rollback:
		m.rollback(now, msg)
	case Undo:
		m.undone(now, msg)
	case Leave:
		m.dropForks(now, "the process ended while it ran")
	case Approval:
		m.approval(now, msg)
	}
	return m.out
}

// emit makes a record and folds it at once.
func (m *Machine) emit(now time.Time, b longrein.Body) longrein.Record {
	r := longrein.Record{Seq: m.last.Seq + 1, Time: now.UTC().Truncate(time.Millisecond), Body: b}
	if err := m.fold(r); err != nil {
		// Only a window of an unknown wire can do this, and settings are
		// checked before they come here.
		panic(fmt.Sprintf("turn: a record of its own does not fold: %v", err))
	}
	m.out.Records = append(m.out.Records, r)
	return r
}

func (m *Machine) effect(e Effect) { m.out.Effects = append(m.out.Effects, e) }

// fold is the only place that changes what follows from the log.
func (m *Machine) fold(r longrein.Record) error {
	m.last = r
	switch b := r.Body.(type) {
	case longrein.Turn:
		m.foldTurn(b)
	case longrein.Input:
		m.pending = append(m.pending, longrein.Waiting{Seq: r.Seq, Input: b})
	case longrein.Appended:
		m.foldItem(b)
	case longrein.ToolRun:
		m.foldTool(b)
	case longrein.Asked:
		m.step, m.answered, m.calls = r.Seq, false, nil
		m.steps++
	case longrein.Answered:
		m.foldAnswer(b)
	case longrein.Window:
		m.foldWindow(b)
	case longrein.Fork:
		m.foldFork(r, b)
	case longrein.Beside:
		m.foldBeside(r.Seq, b)
	case longrein.Notes:
		m.notes = b.Version
	case longrein.Pinned:
		m.foldPinned(r.Seq, b)
	case longrein.Snapshot:
		m.snapped = m.snapped || b.When == longrein.SnapshotBefore && b.Turn == m.turns
	}
	m.keeper.Note(r)
	return m.state.Add(r)
}

func (m *Machine) foldTurn(t longrein.Turn) {
	m.turns = t.N
	m.running = t.State == longrein.TurnStarted
	m.ended = ""
	if !m.running {
		m.ended = t.State
		m.calls, m.interrupting = nil, false
		return
	}
	m.steps, m.futile, m.windows = 0, 0, 0
	m.answered, m.current, m.snapped = false, false, false
}

func (m *Machine) foldWindow(w longrein.Window) {
	m.turns, m.steps, m.running, m.total = w.Turns, w.Steps, w.Running, w.Total
	m.step, m.answered = 0, false
	m.pending = append([]longrein.Waiting(nil), w.Pending...)
	m.beside, m.notes, m.pins = w.Beside, w.Notes, w.Pins
	m.calls, m.ids, m.forks = nil, map[string]bool{}, nil
	m.windows++
	m.refused, m.manual = false, false
	m.snapped, m.ended = w.Snapped, w.Ended
	m.runs = maps.Clone(w.Forks)
	for _, e := range w.Head {
		if c, ok := e.Item.(longrein.ToolCall); ok {
			m.ids[c.ID] = true
		}
	}
}

func (m *Machine) foldAnswer(a longrein.Answered) {
	m.answered, m.stop, m.refused = true, a.Stop, false
	m.windows = 0
	m.total.Requests++
	m.total.Usage = m.total.Usage.Add(a.Usage)
	m.total.Cost += a.Cost
}

func (m *Machine) foldItem(a longrein.Appended) {
	if a.Input != 0 {
		m.take(a.Input)
	}
	switch it := a.Item.(type) {
	case longrein.Message, longrein.Fragment:
		m.answered = m.answered && longrein.FromModel(it)
	case longrein.ToolCall:
		m.ids[it.ID] = true
		m.calls = append(m.calls, &call{ToolCall: it, seq: m.last.Seq})
	case longrein.ToolOutput:
		if c := m.call(it.CallID); c != nil {
			c.state, c.output = recorded, it
		}
	}
}

// take removes an input that has become an item from those that wait.
func (m *Machine) take(seq int64) {
	m.restore = slices.DeleteFunc(m.restore, func(r restore) bool { return r.seq == seq })
	for i, w := range m.pending {
		if w.Seq == seq {
			m.pending = append(m.pending[:i:i], m.pending[i+1:]...)
			return
		}
	}
}

// fail ends the turn with an error; between two turns it warns.
func (m *Machine) fail(now time.Time, kind longrein.ErrorKind, text string) {
	if !m.running {
		m.emit(now, longrein.Warning{Text: text})
		m.settled(now)
		return
	}
	m.end(now, longrein.Turn{
		N: m.turns, State: longrein.TurnFailed,
		Error: &longrein.TurnError{Kind: kind, Text: text},
	})
}

// end ends the turn, when its files have been remembered, and begins the next one
// when input waits.
func (m *Machine) end(now time.Time, t longrein.Turn) {
	m.wanted, m.outside = false, nil
	if m.snapped && m.ending == nil {
		m.ending = &t
		m.snap(longrein.SnapshotAfter)
		return
	}
	m.ending = nil
	m.phase = idle
	m.emit(now, t)
	m.out.Sync = true
	if t.State == longrein.TurnEnded && len(m.pending) > 0 {
		m.begin(now)
		return
	}
	if t.State == longrein.TurnEnded && m.manual {
		m.renewNow(now)
		return
	}
	if t.State == longrein.TurnEnded && m.opts.Stays {
		m.idle(now)
	}
	if m.opts.Stays {
		m.release(now) // else the process would end before the answer that it pays for
	}
	m.effect(Rest{})
}
