package crashtest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/rollout"
	"github.com/longrein/longrein/strategy/background"
	"github.com/longrein/longrein/strategy/compact"
	"github.com/longrein/longrein/strategy/pack"
	"github.com/longrein/longrein/strategy/recent"
	"github.com/longrein/longrein/turn"
)

// worker is one thread, as package thread drives it but without goroutines, and
// what is known of it beside its log.
type worker struct {
	id, path string // of its log, once that was opened
	strategy string
	limits   limit.Set
	say      script
	clock    *time.Time

	log    *rollout.Log
	m      *turn.Machine
	broken error // why the log took no more
	todo   []*effect

	records []longrein.Record // as the log gives them back; the last ones may never have reached it
	acked   int64             // the number of the last record that was acknowledged
	begun   int64             // its own first record
	forked  bool
	ran     map[int64]int   // how often a call ran that is not read-only, by its record's number
	over    map[int64]bool  // calls whose output was acknowledged
	wants   []want          // after each record
	lame    bool            // records of its log are damaged
	fold    *assemble.State // of all records; nil: what a machine must know is not noted
}

// effect is something that the machine waits for.
type effect struct {
	turn.Effect
	stopped bool
	asked   longrein.Approval // that waits for an answer
}

// want is what a machine must know after a record.
type want struct {
	window  int
	tokens  int
	next    longrein.Settings
	entries []longrein.Entry
}

func wanted(s *assemble.State) want {
	return want{s.Window.N, s.Tokens(), s.Next, s.Entries()}
}

func newWorker(id, strategy string, limits limit.Set, say script, clock *time.Time) *worker {
	return &worker{
		id: id, strategy: strategy, limits: limits, say: say, clock: clock, begun: 1,
		ran: map[int64]int{}, over: map[int64]bool{}, fold: &assemble.State{}, wants: []want{{}},
	}
}

// strategies are those that a life may have.
var strategies = []string{"background", "compact", "pack", "recent"}

func (w *worker) machine() *turn.Machine {
	o := turn.Options{Limits: w.limits, Stays: true, Snapshots: true}
	switch w.strategy {
	case "background":
		o.Strategy = background.New(background.Options{Limits: w.limits, Fixed: true})
	case "compact":
		o.Strategy = compact.New(compact.Options{Limits: w.limits})
	case "pack":
		o.Strategy = pack.New(pack.Options{Limits: w.limits})
	default:
		o.Strategy = recent.Strategy{Limits: w.limits}
	}
	return turn.New(o)
}

// tell hands the machine a message.
func (w *worker) tell(m turn.Message) error {
	*w.clock = w.clock.Add(time.Millisecond)
	return w.apply(w.m.Handle(*w.clock, m))
}

// apply writes records, and then notes the effects that depend on them. A log
// that fails leaves the worker broken; the error is something that must not be.
func (w *worker) apply(out turn.Out) error {
	if len(out.Records) > 0 {
		bodies := make([]longrein.Body, len(out.Records))
		for i, r := range out.Records {
			bodies[i] = r.Body
			if err := w.expect(r); err != nil {
				return err
			}
		}
		written, err := w.log.Append(out.Records[0].Time, out.Sync, bodies...)
		if err != nil {
			w.broken = err
			return nil
		}
		if written[0].Seq != out.Records[0].Seq {
			return fmt.Errorf("the log gave record %d the number %d", out.Records[0].Seq, written[0].Seq)
		}
		if out.Sync {
			w.acknowledge()
		}
	}
	return w.start(out.Effects)
}

// expect notes a record that is about to be written, as the log will give it back.
func (w *worker) expect(r longrein.Record) error {
	raw, err := longrein.MarshalBody(r.Body)
	if err != nil {
		return err
	}
	if r.Body, err = longrein.UnmarshalBody(r.Type(), raw); err != nil {
		return err
	}
	w.records = append(w.records, r)
	if w.fold == nil {
		return nil
	}
	if err := refold(w.fold, r); err != nil {
		return err
	}
	w.wants = append(w.wants, wanted(w.fold))
	return nil
}

// acknowledge notes that all records are durable, and what follows.
func (w *worker) acknowledge() {
	for _, r := range w.records[w.acked:] {
		switch b := r.Body.(type) {
		case longrein.ToolRun:
			if b.State == longrein.ToolFinished {
				w.over[w.callAt(b.CallID, r.Seq)] = true
			}
		case longrein.Appended:
			if out, ok := b.Item.(longrein.ToolOutput); ok {
				w.over[w.callAt(out.CallID, r.Seq)] = true
			}
		}
	}
	w.acked = int64(len(w.records))
}

// callAt returns the number of the record that made the call which is known by id
// at a record.
func (w *worker) callAt(id string, at int64) int64 {
	for _, r := range slices.Backward(w.records[:at]) {
		if a, ok := r.Body.(longrein.Appended); ok {
			if c, ok := a.Item.(longrein.ToolCall); ok && c.ID == id {
				return r.Seq
			}
		}
	}
	return 0
}

var (
	errOver  = errors.New("a call runs again whose output was acknowledged")
	errTwice = errors.New("a call that is not read-only runs twice")
)

func (w *worker) start(effects []turn.Effect) error {
	for _, e := range effects {
		switch e := e.(type) {
		case turn.Rest, turn.Answer:
			continue
		case turn.Cancel:
			w.cancel(func(e turn.Effect) bool { _, fork := e.(turn.AskFork); return !fork })
			continue
		case turn.CancelFork:
			w.cancel(func(o turn.Effect) bool { a, ok := o.(turn.AskFork); return ok && a.Fork == e.Fork })
			continue
		case turn.Run:
			if err := w.run(e); err != nil {
				return err
			}
		case turn.Ask:
			if err := paired(w.m.State().Entries(), w.lame); err != nil {
				return err
			}
		}
		w.todo = append(w.todo, &effect{Effect: e})
	}
	return nil
}

// run notes that a call has begun to have its effect.
func (w *worker) run(e turn.Run) error {
	c := e.Call
	at := w.callAt(c.ID, int64(len(w.records)))
	switch {
	case e.Key != fmt.Sprintf("%s/%d", w.id, at):
		return fmt.Errorf("the call of record %d of thread %s has the key %s", at, w.id, e.Key)
	case at == 0 || at > w.acked:
		return fmt.Errorf("the call %s runs before it is durable", c.ID)
	case w.over[at]:
		return fmt.Errorf("%w: record %d, %s", errOver, at, c.Name)
	case readOnly(c.Name):
		return nil
	}
	if w.ran[at]++; w.ran[at] > 1 {
		return fmt.Errorf("%w: record %d, %s", errTwice, at, c.Name)
	}
	return nil
}

func (w *worker) cancel(which func(turn.Effect) bool) {
	for _, e := range w.todo {
		if which(e.Effect) {
			e.stopped = true
		}
	}
}

// paired fails when a call has no output behind it, or an output no call before
// it, or those of a step are not in the calls' order unless anyOrder is set.
func paired(entries []longrein.Entry, anyOrder bool) error {
	var open []string
	for _, e := range entries {
		switch it := e.Item.(type) {
		case longrein.ToolCall:
			open = append(open, it.ID)
		case longrein.ToolOutput:
			i := slices.Index(open, it.CallID)
			if i < 0 || i > 0 && !anyOrder {
				return fmt.Errorf("a request has an output of %s where %v are open", it.CallID, open)
			}
			open = slices.Delete(open, i, i+1)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("a request has calls without an output: %v", open)
	}
	return nil
}

// answer lets one of the effects come to its end.
func (w *worker) answer(i int, blobs bool) error {
	e := w.todo[i]
	if !e.stopped && w.asks(e) {
		return w.decide(e)
	}
	w.todo = slices.Delete(w.todo, i, i+1)
	if e.stopped {
		return w.tell(stopped(e.Effect))
	}
	switch e := e.Effect.(type) {
	case turn.Survey:
		return w.tell(w.say.survey(e))
	case turn.Snap:
		return w.tell(turn.Snapped{Snapshot: longrein.Snapshot{When: e.When, Turn: e.Turn, Root: "/src", Tree: fmt.Sprintf("%040x", w.say.IntN(9))}})
	case turn.Ask:
		return w.tell(w.say.answer(e))
	case turn.Run:
		return w.tell(w.say.output(e.Call, blobs))
	case turn.AskFork:
		return w.tell(w.say.besides(e))
	case turn.Look:
		return w.tell(turn.Looked{Fork: e.Fork})
	}
	return fmt.Errorf("nobody answers %T", e.Effect)
}

// asks reports whether a tool waits for a yes, or asks for one now.
func (w *worker) asks(e *effect) bool {
	run, ok := e.Effect.(turn.Run)
	if ok && e.asked.State == "" && w.say.oneIn(6) {
		e.asked = longrein.Approval{CallID: run.Call.ID, Tool: run.Call.Name, Action: "do it", Reason: "it may change something"}
	}
	return ok && e.asked.CallID != "" && e.asked.State != longrein.ApprovalAllowed
}

// decide asks for the approval, or gives it.
func (w *worker) decide(e *effect) error {
	e.asked.State = map[longrein.ApprovalState]longrein.ApprovalState{
		"": longrein.ApprovalAsked, longrein.ApprovalAsked: longrein.ApprovalAllowed,
	}[e.asked.State]
	return w.tell(turn.Approval{Approval: e.asked})
}

// heir is the worker as a process finds it that has opened its log.
func (w *worker) heir(log *rollout.Log, tail *rollout.Tail, r *rand.Rand) (*worker, error) {
	n := tail.LastSeq
	clock := w.clock.Add(time.Second)
	h := &worker{
		id: w.id, path: w.path, strategy: w.strategy, limits: w.limits, say: script{r}, clock: &clock, begun: w.begun,
		log: log, records: w.records[:n:n], wants: w.wants[:min(n+1, int64(len(w.wants)))], acked: w.acked,
		ran: maps.Clone(w.ran), over: maps.Clone(w.over),
	}
	h.m = h.machine()
	return h, h.m.Load(loadable(tail)...)
}

// loadable returns the records that a machine is to load.
func loadable(tail *rollout.Tail) []longrein.Record {
	if len(tail.Records) > 0 && tail.Records[0].Seq == 1 {
		return tail.Records
	}
	return append([]longrein.Record{{Seq: 1, Body: tail.Thread}}, tail.Records...)
}

// refold adds a record to a state from which every request must come again as it
// was sent.
func refold(s *assemble.State, r longrein.Record) error {
	var asked, again longrein.Asked
	var err error
	switch b := r.Body.(type) {
	case longrein.Asked:
		asked = b
		_, again, err = s.Request()
	case longrein.Beside:
		if a, ok := b.Body.(longrein.Asked); ok {
			asked = a
			_, again, err = s.BranchRequest(b.Fork)
		}
	}
	if err != nil || asked.Hash != again.Hash {
		return fmt.Errorf("record %d: the request cannot be made again from the log: %v", r.Seq, err)
	}
	return s.Add(r)
}

// refold folds the records anew, after some of them were lost.
func (w *worker) refold() error {
	w.fold = &assemble.State{}
	for _, r := range w.records {
		if err := refold(w.fold, r); err != nil {
			return err
		}
	}
	return nil
}
