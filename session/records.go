package session

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/longrein/longrein"
)

// Records tells the session as a thread's log would: thread, settings, and then
// windows, turns, inputs, items, requests and their usage, with sequence numbers
// from 1 and times that never go back. What the tool did not record stays empty:
// requests have no hash. id is the new thread's.
func (s *Session) Records(id string) iter.Seq[longrein.Record] {
	return func(yield func(longrein.Record) bool) {
		if yield(longrein.Record{Seq: 1, Time: s.Begin(), Body: s.Thread(id)}) {
			s.Rest(1)(yield)
		}
	}
}

// Rest is Records without the first one, for a log in which others come before:
// numbers go on from after.
func (s *Session) Rest(after int64) iter.Seq[longrein.Record] {
	return func(yield func(longrein.Record) bool) {
		w := &writer{s: s, yield: yield, now: s.Begin(), seq: after}
		w.write()
	}
}

// Begin is the time of the first record; 1970 when no time was recorded.
func (s *Session) Begin() time.Time {
	if s.Started.IsZero() {
		return time.Unix(0, 0).UTC()
	}
	return s.Started
}

// Thread is the first record.
func (s *Session) Thread(id string) longrein.Thread {
	return longrein.Thread{
		ID: id, Cwd: s.Cwd, Version: s.Version, Format: longrein.LogFormat, Model: s.Model,
		Branch: s.Branch, Commit: s.Commit, Base: s.Base,
	}
}

// writer turns moments into records.
type writer struct {
	s      *Session
	yield  func(longrein.Record) bool
	done   bool // nobody wants more
	now    time.Time
	seq    int64
	window longrein.Window
	turn   longrein.Turn
	steps  int // of the running turn
	total  longrein.Totals
	fresh  []longrein.Entry // the initial context
	trail  []placed         // what the model sees, see compaction
}

// placed is an entry and the moment it came from, -1 for a head's own.
type placed struct {
	moment int
	longrein.Entry
}

func (w *writer) write() {
	w.emit(w.settings())
	if w.s.Title != "" {
		w.emit(longrein.Renamed{Name: w.s.Title})
	}
	for i, m := range w.s.Moments {
		if w.done {
			return
		}
		if m.Time.After(w.now) {
			w.now = m.Time
		}
		w.moment(i, m.What)
	}
	w.end(TurnEnd{State: longrein.TurnEnded})
	w.ready()
}

func (w *writer) emit(b longrein.Body) int64 {
	if w.done {
		return w.seq
	}
	w.seq++
	w.done = !w.yield(longrein.Record{Seq: w.seq, Time: w.now, Body: b})
	return w.seq
}

func (w *writer) settings() longrein.Settings {
	source := ""
	if w.s.ContextWindow > 0 {
		source = "recorded"
	}
	return longrein.Settings{
		Provider: w.s.Provider, Model: w.s.Model, Wire: w.s.Format.wire(),
		ContextWindow: w.s.ContextWindow, ContextSource: source,
	}
}

func (w *writer) moment(i int, what What) {
	switch what := what.(type) {
	case Input:
		w.input(i, what)
	case Inserted:
		w.inserted(i, what.Fragment)
	case *Step:
		w.step(i, what)
	case Compaction:
		w.compaction(what)
	case Cleared:
		w.emit(longrein.Warning{Text: fmt.Sprintf("outputs that the tool took out of the context here: %d", len(what.Calls))})
	case TurnEnd:
		w.end(what)
	}
}

func (w *writer) input(i int, in Input) {
	mode := longrein.InputSteer
	if !in.Steer {
		mode = longrein.InputSubmit
		w.end(TurnEnd{State: longrein.TurnEnded}) // one on an abandoned branch may have ended elsewhere
	}
	seq := w.emit(longrein.Input{Text: in.Text, Mode: mode})
	if w.turn.State != longrein.TurnStarted {
		w.start()
	}
	w.ready()
	w.append(i, 0, longrein.Message{Role: longrein.RoleUser, Text: in.Text}, seq)
}

// inserted keeps what comes before the first turn for the first window's head.
func (w *writer) inserted(i int, f longrein.Fragment) {
	if w.window.N == 0 && w.turn.State != longrein.TurnStarted {
		w.fresh = append(w.fresh, longrein.Entry{Item: f})
		return
	}
	w.ready()
	w.append(i, 0, f, 0)
}

func (w *writer) start() {
	w.turn = longrein.Turn{N: w.turn.N + 1, State: longrein.TurnStarted}
	w.steps = 0
	w.emit(w.turn)
}

func (w *writer) end(e TurnEnd) {
	if w.turn.State != longrein.TurnStarted {
		return
	}
	w.ready()
	w.turn.State, w.turn.Error = e.State, e.Error
	w.emit(w.turn)
	w.turn.Error = nil
}

// ready begins the first window, which comes before the first item.
func (w *writer) ready() {
	if w.window.N == 0 {
		w.begin("start", slices.Clone(w.fresh), len(w.fresh))
	}
}

func (w *writer) begin(why string, head []longrein.Entry, fresh int) {
	w.window = longrein.Window{
		N: w.window.N + 1, Why: why, Boundary: w.seq, Settings: w.settings(), Head: head, Fresh: fresh,
		Turns: w.turn.N, Steps: w.steps, Running: w.turn.State == longrein.TurnStarted, Total: w.total,
	}
	w.emit(w.window)
}

func (w *writer) append(moment int, step int64, it longrein.Item, input int64) {
	e := longrein.Entry{Step: step, Item: it}
	e.Seq = w.emit(longrein.Appended{Entry: e, Input: input})
	w.trail = append(w.trail, placed{moment, e})
}

func (w *writer) step(i int, s *Step) {
	if w.turn.State != longrein.TurnStarted {
		w.start()
	}
	w.ready()
	asked := w.emit(longrein.Asked{
		Turn: w.turn.N, Window: w.window.N, Model: cmp.Or(s.Model, w.s.Model),
		Tokens: int(s.Usage.Input), Cached: int(s.Usage.Cached),
	})
	for _, it := range s.Items {
		w.append(i, asked, it, 0)
	}
	w.emit(longrein.Answered{Step: asked, Usage: s.Usage, Cost: s.Cost, Model: s.Model, Stop: s.stop()})
	for _, o := range s.Outputs {
		w.append(i, asked, o, 0)
	}
	w.steps++
	w.total.Requests++
	w.total.Usage = w.total.Usage.Add(s.Usage)
	w.total.Cost += s.Cost
}

// stop is why the model stopped, where that is not recorded as far as it shows.
func (s *Step) stop() longrein.Stop {
	switch {
	case s.Stop != "":
		return s.Stop
	case len(s.Outputs) > 0:
		return longrein.StopTools
	}
	return longrein.StopEnd
}

// compaction begins a window with what the tool kept.
func (w *writer) compaction(c Compaction) {
	w.ready()
	head, trail := slices.Clone(w.fresh), []placed(nil)
	fresh := len(head)
	if c.Kept != nil {
		head, fresh = nil, 0
		for _, it := range c.Kept {
			head = append(head, longrein.Entry{Item: it})
		}
	} else if c.Summary != "" {
		head = append(head, longrein.Entry{Item: longrein.NewFragment(TagSummary, c.Summary)})
	}
	for _, p := range w.trail {
		if c.Kept == nil && c.From >= 0 && p.moment >= c.From {
			head, trail = append(head, p.Entry), append(trail, p)
		}
	}
	w.trail = trail
	w.begin("compacted", head, fresh)
}
