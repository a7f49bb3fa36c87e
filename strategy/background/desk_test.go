package background

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
)

// desk is a strategy with the thread that it has noted, for asking it what it
// makes of contexts of any size. A token is a byte here.
type desk struct {
	*testing.T
	s       *Strategy
	set     longrein.Settings
	now     time.Time
	last    int64
	window  int
	turn    int
	entries []longrein.Entry
}

// overhead is what no window of a desk can be without.
const overhead = 500

// sat is a desk in a window of 128,000 tokens whose first request had so many.
func sat(t *testing.T, o Options, head int) *desk {
	t.Helper()
	d := &desk{T: t, s: New(o), now: time.UnixMilli(1_800_000_000_000).UTC(), window: 1}
	d.set = longrein.Settings{ContextWindow: 128_000}
	d.note(longrein.Thread{ID: "t"})
	d.note(d.set)
	d.note(longrein.Window{N: 1, Fresh: 1})
	d.entries = []longrein.Entry{fragment(longrein.TagEnvironment, "cwd: /src")}
	d.begin()
	d.add(longrein.Message{Role: longrein.RoleUser, Text: "the task"})
	d.asked(head)
	return d
}

func (d *desk) note(b longrein.Body) int64 {
	d.last++
	d.s.Note(longrein.Record{Seq: d.last, Time: d.now, Body: b})
	return d.last
}

func (d *desk) begin() {
	d.turn++
	d.note(longrein.Turn{N: d.turn, State: longrein.TurnStarted})
}

// add appends items to the context, all of one step.
func (d *desk) add(items ...longrein.Item) {
	step := d.last + 1
	for _, it := range items {
		e := longrein.Entry{Item: it}
		if m, ok := it.(longrein.Message); !ok || m.Role != longrein.RoleUser {
			e.Step = step
		}
		e.Seq = d.note(longrein.Appended{Entry: e})
		d.entries = append(d.entries, e)
	}
}

// reads appends a call and its output of so many bytes.
func (d *desk) reads(n int) {
	id := fmt.Sprintf("c%d", d.last)
	d.add(longrein.ToolCall{ID: id, Name: "read_file", Args: id},
		longrein.ToolOutput{CallID: id, Text: strings.Repeat("x", n), Status: longrein.OutputOK})
}

func (d *desk) asked(tokens int) {
	d.note(longrein.Asked{Turn: d.turn, Window: d.window, Tokens: tokens})
}

// tokens is how large the context is.
func (d *desk) tokens() int { return overhead + longrein.View{Size: size}.Sum(d.entries) }

func size(e longrein.Entry) int { return len(ledger.Shown([]longrein.Entry{e})) - 1 }

func (d *desk) view(tokens int) longrein.View {
	return longrein.View{
		Now: d.now, Last: d.last, Settings: d.set, Window: d.window, Turn: d.turn,
		Entries: d.entries, Fresh: 1, Tokens: tokens, Overhead: overhead, Size: size,
	}
}

// at makes the move for a context of so many tokens.
func (d *desk) at(tokens int) longrein.Move { return d.make(d.s.Decide(d.view(tokens))) }

// make records what a move leads to.
func (d *desk) make(m longrein.Move) longrein.Move {
	switch m := m.(type) {
	case longrein.CarryOn:
		d.noteAll(m.Log)
	case longrein.Hold:
		d.noteAll(m.Log)
	case longrein.NewWindow:
		d.noteAll(m.Log)
	case longrein.StartFork:
		d.noteAll(m.Log)
		for _, p := range m.Forks {
			d.note(longrein.Fork{
				Role: p.Role, N: p.N, Window: d.window, State: longrein.ForkStarted, From: d.last, At: len(d.entries),
				Head: p.Head,
			})
		}
	}
	return m
}

func (d *desk) noteAll(bodies []longrein.Body) {
	for _, b := range bodies {
		d.note(b)
	}
}

// answered lets a fork answer, and returns what it leads to; it is recorded.
func (d *desk) answered(name string, round int, items ...longrein.Item) longrein.Reply {
	d.Helper()
	f, ok := d.s.live.fork(name)
	if !ok {
		d.Fatalf("%s does not run", name)
	}
	b := longrein.Branch{Fork: f.Fork, Now: d.now, Shared: d.entries, Round: round}
	for _, it := range items {
		b.Own = append(b.Own, longrein.Entry{Step: 1, Item: it})
	}
	r := d.s.Reply(b)
	if _, ok := r.(longrein.Look); ok {
		b.Looked = true
		r = d.s.Reply(b)
	}
	if end, ok := r.(longrein.End); ok {
		d.noteAll(end.Log)
		f.State = end.State
		d.note(f.Fork)
	}
	return r
}

// ends lets a fork end without an answer.
func (d *desk) ends(name string, state longrein.ForkState) {
	d.Helper()
	f, ok := d.s.live.fork(name)
	if !ok {
		d.Fatalf("%s does not run", name)
	}
	f.State = state
	d.note(f.Fork)
}

// started names the forks that a move starts.
func started(m longrein.Move) string {
	var names []string
	if s, ok := m.(longrein.StartFork); ok {
		for _, p := range s.Forks {
			names = append(names, longrein.Fork{Role: p.Role, N: p.N}.Name())
		}
	}
	return strings.Join(names, " ")
}

// wantStarted fails unless the move for so many tokens starts just these forks.
func (d *desk) wantStarted(tokens int, want string) {
	d.Helper()
	if got := started(d.at(tokens)); got != want {
		d.Errorf("at %d tokens %q is started, want %q", tokens, got, want)
	}
}

func speak(text string) longrein.Message {
	return longrein.Message{Role: longrein.RoleAssistant, Text: text}
}

func patches(lines ...string) longrein.ToolCall {
	text := "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch"
	return longrein.ToolCall{ID: "p", Name: "apply_patch", Args: fmt.Sprintf(`{"patch":%q}`, text)}
}

// logged returns the first body of type T that a move records.
func logged[T longrein.Body](m longrein.Move) (found T, ok bool) {
	var log []longrein.Body
	switch m := m.(type) {
	case longrein.CarryOn:
		log = m.Log
	case longrein.Hold:
		log = m.Log
	case longrein.StartFork:
		log = m.Log
	case longrein.NewWindow:
		log = m.Log
	}
	for _, b := range log {
		if v, ok := b.(T); ok {
			return v, true
		}
	}
	return found, false
}
