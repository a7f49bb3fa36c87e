package pack

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/turn"
)

// checker is a *testing.T or a *rapid.T.
type checker interface {
	Helper()
	Fatalf(format string, args ...any)
}

// thread is a turn machine with turn packing, and all that is outside of it. It
// checks every request.
type thread struct {
	t      checker
	o      Options
	s      *Strategy
	m      *turn.Machine
	now    time.Time
	log    []longrein.Record
	asks   []turn.Ask
	runs   []turn.Run
	bodies map[int][]byte // last request of each window
	calls  int
	// What has happened that counts turns no longer alone.
	refusals, renewed bool
}

func begun(t checker, o Options, window int) *thread {
	th := &thread{t: t, o: o, now: time.UnixMilli(1_800_000_000_000).UTC(), bodies: map[int][]byte{}}
	th.s = New(o)
	th.m = turn.New(turn.Options{Strategy: th.s})
	th.apply(th.m.Begin(th.now, longrein.Thread{ID: "t", Cwd: "/src", Base: "Be good.", Format: longrein.LogFormat}, longrein.Settings{
		Provider: "sim", Model: "sim:test", Wire: longrein.WireResponses, ContextWindow: window,
		Tools: []longrein.ToolSpec{{Name: "look", Description: "Look.", Schema: []byte(`{"type":"object"}`), ReadOnly: true}},
	}))
	return th
}

func limits(t checker, pairs ...any) limit.Set {
	t.Helper()
	var s limit.Set
	for i := 0; i < len(pairs); i += 2 {
		var err error
		if s, err = s.With(pairs[i].(string), int64(pairs[i+1].(int))); err != nil {
			t.Fatalf("%v", err)
		}
	}
	return s
}

func (th *thread) tell(m turn.Message) {
	th.now = th.now.Add(time.Millisecond)
	th.apply(th.m.Handle(th.now, m))
}

func (th *thread) apply(out turn.Out) {
	th.t.Helper()
	th.log = append(th.log, out.Records...)
	for _, e := range out.Effects {
		switch e := e.(type) {
		case turn.Ask:
			th.check(e.Request)
			th.asks = append(th.asks, e)
		case turn.Run:
			th.runs = append(th.runs, e)
		case turn.Survey:
			th.tell(turn.Surveyed{Entries: []longrein.Entry{{Item: longrein.Fragment{
				Tag: longrein.TagEnvironment, Role: longrein.RoleUser, Text: "cwd: /src",
			}}}})
		}
	}
}

// check fails when a request does not begin with the window's last one, or calls
// and outputs do not pair.
func (th *thread) check(r longrein.Request) {
	th.t.Helper()
	n := th.m.State().Window.N
	if last := th.bodies[n]; last != nil && !bytes.HasPrefix(r.Body, bytes.TrimSuffix(last, []byte("]}"))) {
		th.t.Fatalf("a request does not begin with the one before:\n%s\n%s", last, r.Body)
	}
	th.bodies[n] = bytes.Clone(r.Body)
	checkPairs(th.t, th.entries())
}

// checkPairs fails when a response's calls are not answered directly after it, in
// order.
func checkPairs(t checker, entries []longrein.Entry) {
	t.Helper()
	var open []string
	for _, e := range entries {
		switch it := e.Item.(type) {
		case longrein.ToolCall:
			open = append(open, it.ID)
		case longrein.ToolOutput:
			if len(open) == 0 || open[0] != it.CallID || it.Text == "" {
				t.Fatalf("output %q of %s where %v were open", it.Text, it.CallID, open)
			}
			open = open[1:]
		default:
			if len(open) > 0 {
				t.Fatalf("%v while %v have no output", it, open)
			}
		}
	}
	if len(open) > 0 {
		t.Fatalf("calls without an output: %v", open)
	}
}

func (th *thread) reply(stop longrein.Stop, items ...longrein.Item) {
	th.t.Helper()
	ask := th.asks[0]
	th.asks = th.asks[1:]
	th.tell(turn.Response{Step: ask.Step, Items: items, Done: longrein.Finished{Stop: stop}})
}

func (th *thread) refused() {
	ask := th.asks[0]
	th.asks = th.asks[1:]
	th.tell(turn.Response{Step: ask.Step, Err: &longrein.ModelError{Kind: longrein.ErrTooLong, Text: "too long"}})
}

// works has the worker make a step with one call, which gives out.
func (th *thread) works(call longrein.ToolCall, out longrein.ToolOutput) {
	th.t.Helper()
	th.calls++
	call.ID = fmt.Sprintf("c%d", th.calls)
	out.CallID = call.ID
	if out.Status == "" {
		out.Status = longrein.OutputOK
	}
	th.reply(longrein.StopTools, call)
	th.runs = th.runs[1:]
	th.tell(turn.ToolDone{Result: longrein.ToolResult{Output: out}})
}

func (th *thread) looks(bytes int) {
	th.t.Helper()
	th.works(longrein.ToolCall{Name: "look", Args: "{}"}, longrein.ToolOutput{Text: strings.Repeat("seen it ", bytes/8+1)})
}

// turns plays n turns of a request and an answer each.
func (th *thread) turns(n int) {
	th.t.Helper()
	for range n {
		k := th.past() + 1
		th.tell(turn.Submit{Text: fmt.Sprintf("request %d", k)})
		th.reply(longrein.StopEnd, say(fmt.Sprintf("answer %d", k)))
	}
}

// past is how many turns have begun.
func (th *thread) past() int { return th.s.last() }

func say(text string) longrein.Message {
	return longrein.Message{Role: longrein.RoleAssistant, Text: text}
}

func (th *thread) entries() []longrein.Entry { return th.m.State().Entries() }

// fragment returns the text of the window's only fragment with that tag, "" for
// none.
func (th *thread) fragment(tag longrein.Tag) (text string) {
	th.t.Helper()
	for _, e := range th.entries() {
		if f, ok := e.Item.(longrein.Fragment); ok && f.Tag == tag {
			if text != "" {
				th.t.Fatalf("two fragments %s", tag)
			}
			text = f.Text
		}
	}
	return text
}

// whole returns the numbers of the requests that the model sees as messages.
func (th *thread) whole() (all []int) {
	for _, e := range th.entries() {
		n := 0
		if m, ok := e.Item.(longrein.Message); ok && m.Role == longrein.RoleUser {
			if _, err := fmt.Sscanf(m.Text, "request %d", &n); err == nil {
				all = append(all, n)
			}
		}
	}
	return all
}

// hits counts the limit records of one name.
func (th *thread) hits(l *limit.Limit) (n int) {
	for _, r := range th.log {
		if h, ok := r.Body.(longrein.LimitHit); ok && h.Name == l.Name {
			n++
		}
	}
	return n
}

// loaded returns a machine and a strategy that have read the log from its last
// window record on.
func (th *thread) loaded() (*turn.Machine, *Strategy) {
	th.t.Helper()
	records := th.log
	for i, r := range slices.Backward(th.log) {
		if _, ok := r.Body.(longrein.Window); ok {
			records = append([]longrein.Record{th.log[0]}, th.log[i:]...)
			break
		}
	}
	s := New(th.o)
	m := turn.New(turn.Options{Strategy: s})
	if err := m.Load(records...); err != nil {
		th.t.Fatalf("load: %v", err)
	}
	return m, s
}

// restart kills the process and loads the log.
func (th *thread) restart() {
	th.t.Helper()
	if live, loaded := th.s.Keep(), func() []byte { _, s := th.loaded(); return s.Keep() }(); !bytes.Equal(live, loaded) {
		th.t.Fatalf("memory differs:\nlive   %s\nloaded %s", live, loaded)
	}
	th.m, th.s = th.loaded()
	th.asks, th.runs = nil, nil
	th.tell(turn.Resume{})
}

// verify rebuilds every request from the log and compares its hash.
func (th *thread) verify() {
	th.t.Helper()
	var s assemble.State
	for _, r := range th.log {
		if asked, ok := r.Body.(longrein.Asked); ok {
			if _, again, err := s.Request(); err != nil || again.Hash != asked.Hash {
				th.t.Fatalf("record %d: rebuilt hash %s, logged %s (%v)", r.Seq, again.Hash, asked.Hash, err)
			}
		}
		if err := s.Add(r); err != nil {
			th.t.Fatalf("record %d: %v", r.Seq, err)
		}
	}
}
