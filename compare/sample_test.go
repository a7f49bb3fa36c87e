package compare

import (
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/strategy/background"
	"github.com/longrein/longrein/strategy/compact"
	"github.com/longrein/longrein/strategy/pack"
	"github.com/longrein/longrein/strategy/recent"
)

// tools are two of a worker's, as far as a replay needs them.
var sampleTools = []longrein.ToolSpec{
	{Name: "exec_command", Description: "Run a command.", Schema: []byte(`{"type":"object","properties":{"command":{"type":"string"}}}`)},
	{Name: "apply_patch", Description: "Change files.", Schema: []byte(`{"type":"object","properties":{"patch":{"type":"string"}}}`)},
}

// script writes the records of a session.
type script struct {
	records []longrein.Record
	now     time.Time
	turns   int
	calls   int
}

func newScript() *script {
	s := &script{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	set := longrein.Settings{
		Provider: "openai", Model: "gpt-5.4", Wire: longrein.WireResponses, ContextWindow: 128_000, Tools: sampleTools,
	}
	s.add(longrein.Thread{ID: "019e0000-0000-7000-8000-000000000001", Cwd: "/src", Format: longrein.LogFormat, Base: "You are a careful worker."})
	s.add(set)
	s.add(longrein.Window{N: 1, Settings: set, Fresh: 1, Head: []longrein.Entry{{Item: longrein.Fragment{
		Tag: longrein.TagEnvironment, Role: longrein.RoleUser, Text: "cwd: /src",
	}}}})
	return s
}

func (s *script) add(b longrein.Body) int64 {
	n := int64(len(s.records) + 1)
	s.now = s.now.Add(10 * time.Millisecond)
	s.records = append(s.records, longrein.Record{Seq: n, Time: s.now, Body: b})
	return n
}

// ask has the user begin a turn.
func (s *script) ask(text string) {
	s.turns++
	s.now = s.now.Add(30 * time.Second)
	in := s.add(longrein.Input{Text: text, Mode: longrein.InputSubmit})
	s.add(longrein.Turn{N: s.turns, State: longrein.TurnStarted})
	s.add(longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: text}}, Input: in})
}

func (s *script) steer(text string) {
	in := s.add(longrein.Input{Text: text, Mode: longrein.InputSteer})
	s.add(longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: text}}, Input: in})
}

// step is a response that says something and runs commands, with their outputs.
func (s *script) step(said string, commands ...[2]string) {
	step := s.add(longrein.Asked{Turn: s.turns, Window: 1})
	item := func(it longrein.Item) {
		s.add(longrein.Appended{Entry: longrein.Entry{Step: step, Item: it}})
	}
	if said != "" {
		item(longrein.Message{Role: longrein.RoleAssistant, Text: said})
	}
	stop := longrein.StopEnd
	first := s.calls
	for _, c := range commands {
		s.calls++
		stop = longrein.StopTools
		item(longrein.ToolCall{ID: fmt.Sprintf("call_%d", s.calls), Name: "exec_command", Args: fmt.Sprintf(`{"command":%q}`, c[0])})
	}
	s.now = s.now.Add(2 * time.Second)
	s.add(longrein.Answered{Step: step, Stop: stop})
	for i, c := range commands {
		s.now = s.now.Add(100 * time.Millisecond)
		item(longrein.ToolOutput{CallID: fmt.Sprintf("call_%d", first+i+1), Text: c[1], Status: longrein.OutputOK})
	}
}

// end ends the turn with the model's last word.
func (s *script) end(said string) {
	s.step(said)
	s.add(longrein.Turn{N: s.turns, State: longrein.TurnEnded})
}

func (s *script) session(t interface{ Fatal(...any) }) *Session {
	out, err := Read("sample", s.all())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (s *script) all() iter.Seq2[longrein.Record, error] {
	return func(yield func(longrein.Record, error) bool) {
		for _, r := range s.records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// long is a session of so many steps whose outputs have so many bytes each, in
// turns of fifty steps. Each step uses a value from long ago.
func long(steps, bytes int) *script {
	s := newScript()
	for n := range steps {
		if n%50 == 0 {
			if n > 0 {
				s.end("This part is done.")
			}
			s.ask(fmt.Sprintf("Go through the modules of part %d, and never touch the generated files.", n/50))
		}
		out := source(n, bytes)
		s.step(fmt.Sprintf("Next is module_%d, whose port I saw to be %d.", n, 10_000+max(n-40, 0)),
			[2]string{fmt.Sprintf("cat src/pkg%d/module_%d.go", n%37, n), out})
	}
	s.end("All parts are done.")
	return s
}

// source is a text of so many bytes that reads like a file.
func source(n, bytes int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package pkg%d\n\n// listens on port = %d\n", n%37, 10_000+n)
	for i := 0; b.Len() < bytes; i++ {
		fmt.Fprintf(&b, "func handle%d(ctx context.Context, req *Request) (*Response, error) {\n\treturn s.forward(ctx, req.ID, %d)\n}\n", i*7+n, i*n)
	}
	return b.String()[:bytes]
}

// strategies are those that every law is tried with.
var strategies = map[string]func() longrein.Strategy{
	"recent":     func() longrein.Strategy { return recent.Strategy{} },
	"compact":    func() longrein.Strategy { return compact.New(compact.Options{Folder: "/notes"}) },
	"pack":       func() longrein.Strategy { return pack.New(pack.Options{Folder: "/notes"}) },
	"background": func() longrein.Strategy { return background.New(background.Options{Folder: "/notes"}) },
}

func profile(t interface{ Fatal(...any) }, name string) Profile {
	p, err := ParseProfile(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestALongSessionIsReplayedToItsEnd(t *testing.T) {
	s := long(300, 4_000).session(t)
	for name, make := range strategies {
		for _, p := range []string{"openai", "anthropic", "none"} {
			r, err := Replay(t.Context(), s, Options{Strategy: make(), Profile: profile(t, p), Window: 40_000})
			if err != nil {
				t.Fatal(err)
			}
			if r.Failed != "" || r.Steps != s.Steps || r.Windows < 2 {
				t.Errorf("%s, %s: %d of %d steps in %d windows: %s", name, p, r.Steps, s.Steps, r.Windows, r.Failed)
			}
			all := r.All()
			t.Logf("%s %s: %+v windows %d in %d cached %d written %d out %d cost %.3f (%.3f) hit %.3f stall %v peak %d breaks %d time %v answers %v limits %v all %+v", name, p, r.Requests, r.Windows, r.Usage.Input, r.Usage.Cached, r.Usage.CacheWrite, r.Usage.Output, r.Cost, r.ForkCost, r.HitShare, r.Stall, r.Peak, r.Breaks, r.Time, r.Answers, r.Limits, all)
		}
	}
}
