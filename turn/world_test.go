package turn

import (
	"bytes"
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
	t       checker
	opts    Options
	m       *Machine
	log     []longrein.Record
	durable int
	now     time.Time
	asks    []Ask
	runs    []Run
	surveys int
	ran     map[string]int // tool runs by call id
	once    map[string]int // the same by window and call id
	bodies  map[int][]byte // last body of each window
}

var settings = longrein.Settings{
	Provider: "sim", Model: "sim:test", Wire: longrein.WireResponses, ContextWindow: 4000,
	Tools: []longrein.ToolSpec{
		{Name: "look", Description: "Look.", Schema: []byte(`{"type":"object"}`), Parallel: true, ReadOnly: true},
		{Name: "do", Description: "Do.", Schema: []byte(`{"type":"object"}`)},
	},
}

func newWorld(t checker, o Options) *world {
	w := &world{
		t: t, opts: o, m: New(o), now: time.UnixMilli(1_800_000_000_000).UTC(),
		ran: map[string]int{}, once: map[string]int{}, bodies: map[int][]byte{},
	}
	w.apply(w.m.Begin(w.now, longrein.Thread{ID: "t", Base: "Be good.", Format: longrein.LogFormat}, settings))
	w.durable = len(w.log) // without its first records there is no thread
	return w
}

func (w *world) tell(m Message) {
	w.now = w.now.Add(time.Millisecond)
	w.apply(w.m.Handle(w.now, m))
}

func (w *world) apply(out Out) {
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
			w.runs = append(w.runs, e)
			w.ran[e.Call.ID]++
			w.once[fmt.Sprintf("%d/%s", w.m.State().Window.N, e.Call.ID)]++
		case Survey:
			w.surveys++
		}
	}
}

// survey answers the waiting surveys.
func (w *world) survey() {
	for ; w.surveys > 0; w.surveys-- {
		w.tell(Surveyed{Entries: []longrein.Entry{{Item: longrein.Fragment{
			Tag: longrein.TagEnvironment, Role: longrein.RoleUser, Text: "cwd: /src",
		}}}})
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
	w.asks, w.runs, w.surveys = nil, nil, 0
	w.m = New(w.opts)
	if err := w.m.Load(tail(w.log)...); err != nil {
		w.t.Fatalf("load after crash: %v", err)
	}
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

// checkRequest fails when a request does not extend the window's last one, when
// its hash is not the logged one, or when a call and its output do not pair.
func (w *world) checkRequest(r longrein.Request) {
	w.t.Helper()
	asked := w.log[len(w.log)-1].Body.(longrein.Asked)
	if last := w.bodies[asked.Window]; last != nil && !bytes.HasPrefix(r.Body, bytes.TrimSuffix(last, []byte("]}"))) {
		w.t.Fatalf("window %d: a request does not begin with the one before:\n%s\n%s", asked.Window, last, r.Body)
	}
	w.bodies[asked.Window] = bytes.Clone(r.Body)
	w.checkPairs(w.m.State().Entries())
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

func ended(w *world) string { return fmt.Sprint(w.m.Ended()) }
