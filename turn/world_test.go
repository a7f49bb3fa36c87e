package turn

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
)

// checker is a *testing.T or a *rapid.T.
type checker interface {
	Helper()
	Fatalf(format string, args ...any)
}

// world plays everything outside a machine: it keeps the log, answers effects
// when told to, and forgets what was not durable when it crashes.
type world struct {
	t          checker
	opts       Options
	m          *Machine
	log        []longrein.Record
	durable    int
	now        time.Time
	asks       []Ask
	runs       []Run
	forks      []AskFork
	looks      []Look
	edit       []longrein.Document // what a user made of the notes, for the next look
	surveys    int
	glance     func(Survey) Surveyed // answers at once what a turn asks; nil: as a window's survey
	glances    []Surveyed
	goesBack   bool // a random play may take the thread back
	snaps      []Snap
	stopped    bool                     // the survey that is under way
	ran        map[string]int           // tool runs by call id
	bodies     map[int][]byte           // last body of each window
	sent       int                      // entries of the last one
	forkBodies map[string][]byte        // last body of each fork
	tear       int                      // of the next batch only so many records are written, before a crash; -1: all
	torn       bool                     // the last batch
	keeper     func() longrein.Strategy // a new one for each machine; nil: that of opts
}

var settings = longrein.Settings{
	Provider: "sim", Model: "sim:test", Wire: longrein.WireResponses, ContextWindow: 4000,
	Tools: []longrein.ToolSpec{
		{Name: "look", Description: "Look.", Schema: []byte(`{"type":"object"}`), Parallel: true, ReadOnly: true},
		{Name: "do", Description: "Do.", Schema: []byte(`{"type":"object"}`)},
	},
}

func newWorld(t checker, o Options) *world { return keptWorld(t, o, nil) }

// keptWorld is a world whose strategy remembers.
func keptWorld(t checker, o Options, keeper func() longrein.Strategy) *world {
	w := &world{
		t: t, opts: o, keeper: keeper, now: time.UnixMilli(1_800_000_000_000).UTC(),
		ran: map[string]int{}, bodies: map[int][]byte{}, forkBodies: map[string][]byte{}, tear: -1,
		glance: func(Survey) Surveyed { return Surveyed{} },
	}
	w.m = New(w.options())
	w.apply(w.m.Begin(w.now, longrein.Thread{ID: "t", Base: "Be good.", Format: longrein.LogFormat}, settings))
	w.durable = len(w.log) // without its first records there is no thread
	return w
}

func (w *world) options() Options {
	o := w.opts
	if w.keeper != nil {
		o.Strategy = w.keeper()
	}
	return o
}

func (w *world) tell(m Message) {
	w.now = w.now.Add(time.Millisecond)
	w.apply(w.m.Handle(w.now, m))
}

func (w *world) apply(out Out) {
	w.torn = w.tear >= 0 && len(out.Records) > 0
	if w.torn {
		w.log = append(w.log, out.Records[:min(w.tear, len(out.Records))]...)
		w.tear = -1
		clear(w.bodies) // the last request on record may not have been sent
		w.crash(len(w.log))
		return
	}
	w.log = append(w.log, out.Records...)
	if out.Sync {
		w.durable = len(w.log)
	}
	for _, e := range out.Effects {
		switch e := e.(type) {
		case Ask:
			w.checkRequest(e.Request)
			w.asks = append(w.asks, e)
		case Run:
			w.checkDurable(e.Call)
			w.checkFirstRun(e.Call)
			w.runs = append(w.runs, e)
			w.ran[e.Call.ID]++
		case Survey:
			if !e.Window && w.glance != nil {
				w.glances = append(w.glances, w.glance(e))
				continue
			}
			w.surveys++
		case Snap:
			w.snaps = append(w.snaps, e)
		case Cancel:
			w.stopped = w.surveys > 0
		case AskFork:
			w.checkFork(e)
			w.forks = append(w.forks, e)
		case Look:
			w.looks = append(w.looks, e)
		}
	}
	for len(w.glances) > 0 {
		s := w.glances[0]
		w.glances = w.glances[1:]
		w.tell(s)
	}
}

// survey answers the waiting surveys.
func (w *world) survey() {
	for w.surveys > 0 {
		w.surveys--
		if w.stopped {
			w.stopped = false
			w.tell(Surveyed{Err: context.Canceled})
			continue
		}
		w.tell(Surveyed{Entries: []longrein.Entry{{Item: longrein.Fragment{
			Tag: longrein.TagEnvironment, Role: longrein.RoleUser, Text: "cwd: /src",
		}}}})
	}
}

// snap answers the waiting snapshots.
func (w *world) snap() {
	for len(w.snaps) > 0 {
		s := w.snaps[0]
		w.snaps = w.snaps[1:]
		w.tell(Snapped{Snapshot: longrein.Snapshot{When: s.When, Turn: s.Turn, Tree: "ab"}})
	}
}

// reply answers the request that is out.
func (w *world) reply(stop longrein.Stop, items ...longrein.Item) {
	ask := w.asks[0]
	w.asks = w.asks[1:]
	w.tell(Response{Step: ask.Step, Items: items, Done: longrein.Finished{
		Stop: stop, Usage: longrein.Usage{Input: int64(len(ask.Request.Body) / 4), Output: 10, Reported: true},
	}})
}

func (w *world) breaks(err error, items ...longrein.Item) {
	ask := w.asks[0]
	w.asks = w.asks[1:]
	w.tell(Response{Step: ask.Step, Items: items, Err: err})
}

// forkSays answers a fork's request that is out, and all looks that follow.
func (w *world) forkSays(i int, items ...longrein.Item) {
	ask := w.forks[i]
	w.forks = slices.Delete(w.forks, i, i+1)
	w.tell(ForkResponse{Fork: ask.Fork, Response: Response{Step: ask.Step, Items: items, Done: longrein.Finished{
		Stop: longrein.StopEnd, Usage: longrein.Usage{Input: int64(len(ask.Request.Body) / 4), Output: 10, Reported: true},
	}}})
	w.look()
}

func (w *world) forkBreaks(i int, err error) {
	ask := w.forks[i]
	w.forks = slices.Delete(w.forks, i, i+1)
	w.tell(ForkResponse{Fork: ask.Fork, Response: Response{Step: ask.Step, Err: err}})
}

// look answers the waiting looks.
func (w *world) look() {
	for len(w.looks) > 0 {
		l := w.looks[0]
		w.looks = w.looks[1:]
		edits := w.edit
		w.edit = nil
		w.tell(Looked{Fork: l.Fork, Edits: edits})
	}
}

// checkFork fails when a fork's request is not the worker's, or the fork's own
// one before, with something more.
func (w *world) checkFork(e AskFork) {
	w.t.Helper()
	shared, own, ok := w.m.State().Branch(e.Fork)
	if !ok || len(own) == 0 {
		w.t.Fatalf("%s is asked and is none, or has no instruction", e.Fork)
	}
	w.checkPairs(slices.Concat(shared, own))
	last := w.forkBodies[e.Fork]
	if last == nil && w.sent <= len(shared) && !w.headed(e.Fork) { // else the worker has sent more since
		last = w.bodies[w.m.State().Window.N]
	}
	if last != nil {
		w.checkGrowth(last, e.Request.Body)
	}
	w.forkBodies[e.Fork] = bytes.Clone(e.Request.Body)
}

// headed reports whether a fork began with other entries than the worker's.
func (w *world) headed(name string) bool {
	for _, r := range slices.Backward(w.log) {
		if f, ok := r.Body.(longrein.Fork); ok && f.Name() == name {
			return len(f.Head) > 0
		}
	}
	return false
}

// finish ends the i-th running tool.
func (w *world) finish(i int, status longrein.OutputStatus, text string) {
	r := w.runs[i]
	w.runs = slices.Delete(w.runs, i, i+1)
	w.tell(ToolDone{Result: longrein.ToolResult{Output: longrein.ToolOutput{CallID: r.Call.ID, Text: text, Status: status}}})
}

// crash kills the process: what was not durable may be lost from any point on,
// and everything that ran is gone.
func (w *world) crash(keep int) {
	w.log = w.log[:max(keep, w.durable)]
	w.asks, w.runs, w.surveys, w.stopped = nil, nil, 0, false
	w.forks, w.looks, w.snaps, w.glances = nil, nil, nil, nil
	clear(w.forkBodies)
	w.m = w.loaded(tail(w.log))
}

// loaded returns a machine that has read the records.
func (w *world) loaded(records []longrein.Record) *Machine {
	w.t.Helper()
	m := New(w.options())
	if err := m.Load(records...); err != nil {
		w.t.Fatalf("load: %v", err)
	}
	return m
}

// tail is what opening a log reads: the first record, and all from the last
// window record on.
func tail(log []longrein.Record) []longrein.Record {
	for i, r := range slices.Backward(log) {
		if _, ok := r.Body.(longrein.Window); ok {
			return append([]longrein.Record{log[0]}, log[i:]...)
		}
	}
	return log
}

// checkDurable fails when a tool runs whose call could still be lost.
func (w *world) checkDurable(c longrein.ToolCall) {
	w.t.Helper()
	for _, r := range w.log[:w.durable] {
		if a, ok := r.Body.(longrein.Appended); ok && a.Item == longrein.Item(c) {
			return
		}
	}
	w.t.Fatalf("the call %s runs before it is durable", c.ID)
}

// checkFirstRun fails when a call that may have had an effect runs again, or one
// that has its output.
func (w *world) checkFirstRun(c longrein.ToolCall) {
	w.t.Helper()
	starts := 0
	for _, r := range slices.Backward(w.log) {
		switch b := r.Body.(type) {
		case longrein.ToolRun:
			if b.CallID == c.ID && b.State == longrein.ToolFinished {
				w.t.Fatalf("the call %s runs after it was finished", c.ID)
			}
			if b.CallID == c.ID {
				starts++
			}
		case longrein.Appended:
			if out, ok := b.Item.(longrein.ToolOutput); ok && out.CallID == c.ID {
				w.t.Fatalf("the call %s runs after its output was recorded", c.ID)
			}
			if b.Item == longrein.Item(c) {
				if starts != 1 && c.Name == "do" {
					w.t.Fatalf("the call %s runs for the %d. time", c.ID, starts)
				}
				return
			}
		}
	}
}

// checkRequest fails when a request does not extend the window's last one, when
// its hash is not the logged one, or when a call and its output do not pair.
func (w *world) checkRequest(r longrein.Request) {
	w.t.Helper()
	asked := w.log[len(w.log)-1].Body.(longrein.Asked)
	if last := w.bodies[asked.Window]; last != nil {
		w.checkGrowth(last, r.Body)
	}
	w.bodies[asked.Window] = bytes.Clone(r.Body)
	w.sent = len(w.m.State().Entries())
	if n := bytes.Count(r.Body, cacheMark); n > 4 {
		w.t.Fatalf("a request with %d cache marks", n)
	}
	w.checkPairs(w.m.State().Entries())
}

var cacheMark = []byte(`,"cache_control":{"type":"ephemeral"}`)

// checkGrowth fails when next does not begin with the bytes of last, cache marks
// aside, or has lost the mark at its end.
func (w *world) checkGrowth(last, next []byte) {
	w.t.Helper()
	begin := bytes.TrimSuffix(bytes.ReplaceAll(last, cacheMark, nil), []byte("]}"))
	if !bytes.HasPrefix(bytes.ReplaceAll(next, cacheMark, nil), begin) {
		w.t.Fatalf("a request does not begin with the one before:\n%s\n%s", last, next)
	}
	ends, kept := marks(last), marks(next)
	if n := len(ends); n > 0 && !slices.Contains(kept, ends[n-1]) {
		w.t.Fatalf("the end of the request before has lost its mark:\n%s\n%s", last, next)
	}
}

// marks returns where the cache marks stand in a body, as if there were none
// before them.
func marks(body []byte) (at []int) {
	parts := bytes.Split(body, cacheMark)
	n := 0
	for _, p := range parts[:len(parts)-1] {
		n += len(p)
		at = append(at, n)
	}
	return at
}

func (w *world) checkPairs(entries []longrein.Entry) {
	w.t.Helper()
	var open []string
	for _, e := range entries {
		switch it := e.Item.(type) {
		case longrein.ToolCall:
			open = append(open, it.ID)
		case longrein.ToolOutput:
			if len(open) == 0 || open[0] != it.CallID {
				w.t.Fatalf("output of %s where %v were open", it.CallID, open)
			}
			open = open[1:]
		case longrein.Message:
			if len(open) > 0 {
				w.t.Fatalf("a message while %v have no output", open)
			}
		}
	}
	if len(open) > 0 {
		w.t.Fatalf("a request with calls that have no output: %v", open)
	}
}

// verify rebuilds every request from the log and compares its hash.
func (w *world) verify() {
	w.t.Helper()
	var s assemble.State
	for _, r := range w.log {
		if asked, ok := r.Body.(longrein.Asked); ok {
			_, again, err := s.Request()
			if err != nil || again.Hash != asked.Hash {
				w.t.Fatalf("record %d: rebuilt hash %s, logged %s (%v)", r.Seq, again.Hash, asked.Hash, err)
			}
		}
		if b, ok := r.Body.(longrein.Beside); ok {
			if asked, ok := b.Body.(longrein.Asked); ok {
				_, again, err := s.BranchRequest(b.Fork)
				if err != nil || again.Hash != asked.Hash {
					w.t.Fatalf("record %d of %s: rebuilt hash %s, logged %s (%v)", r.Seq, b.Fork, again.Hash, asked.Hash, err)
				}
			}
		}
		if err := s.Add(r); err != nil {
			w.t.Fatalf("record %d: %v", r.Seq, err)
		}
	}
}

// types lists the log from seq after on, as words.
func (w *world) types(after int) string {
	var out []string
	for _, r := range w.log[after:] {
		s := r.Type()
		switch b := r.Body.(type) {
		case longrein.Turn:
			s += ":" + string(b.State)
		case longrein.ToolRun:
			s += ":" + string(b.State)
		case longrein.Appended:
			s = longrein.Kind(b.Item)
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func toolCall(id, name string) longrein.ToolCall {
	return longrein.ToolCall{ID: id, Name: name, Args: `{}`}
}

func say(text string) longrein.Message {
	return longrein.Message{Role: longrein.RoleAssistant, Text: text}
}

func ended(w *world) string { return fmt.Sprint(w.m.ended) }
