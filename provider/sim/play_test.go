package sim

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/longrein/longrein"
)

func TestBuiltinScriptsPlayToTheirEnd(t *testing.T) {
	want := map[string]int{ // requests until the answer; demo lists its files once more
		"sim:demo": 202, "sim:read200": 201, "sim:echo": 1, "sim:refuse": 1,
		"sim:long-output": 2, "sim:bad-args": 6, "sim:parallel": 3,
	}
	for model, steps := range want {
		for _, wire := range wires {
			t.Run(model+" on "+string(wire), func(t *testing.T) {
				t.Parallel()
				m := New(Options{})
				c := talk(wire, model, "hello")
				run := func(c longrein.ToolCall) string {
					return runTool(c) + " good arguments 100000 two three four"
				}
				n, last := 0, response{}
				for last.done.Stop != longrein.StopEnd && last.done.Stop != longrein.StopRefused && n < 300 {
					last = c.step(t, m, run)
					n++
				}
				if n != steps {
					t.Errorf("answered after %d requests, want %d; last text %q", n, steps, last.text())
				}
				if !strings.Contains(last.text(), "simulated") {
					t.Errorf("the answer does not say that it is simulated: %q", last.text())
				}
			})
		}
	}
}

func TestUnknownToolIsCalledForEver(t *testing.T) {
	m := New(Options{})
	c := talk(longrein.WireResponses, "sim:unknown-tool", "go")
	if n, last := c.play(t, m, 100); n != 100 || len(last.calls()) != 1 {
		t.Errorf("after %d steps it made %d calls, want 1", n, len(last.calls()))
	}
}

func TestEchoAnswersWithTheNewestWordsOfTheUser(t *testing.T) {
	m := New(Options{})
	c := talk(longrein.WireChat, "sim:echo", "say this")
	c.items = append(c.items, longrein.Message{Role: longrein.RoleUser, Text: "<environment>\ncwd: /\n</environment>"})
	if got := ask(t, m, c.request()).text(); !strings.HasPrefix(got, "say this\n") {
		t.Errorf("text = %q, want it to begin with the prompt", got)
	}
}

// A window that has lost its older items, wherever it was cut, is answered with
// the same step.
func TestTheStepIsFoundWithOlderItemsGone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		wire := rapid.SampledFrom(wires).Draw(rt, "wire")
		steps := rapid.IntRange(1, 40).Draw(rt, "steps")
		m := New(Options{})
		c := talk(wire, "sim:read200", "read them")
		for range steps {
			c.step(t, m, runTool)
		}
		whole := ask(t, m, c.request())
		kept := rapid.IntRange(1, steps).Draw(rt, "kept steps") * 2
		c.items = append(c.items[:1:1], c.items[len(c.items)-kept:]...)
		cut := ask(t, m, c.request())
		want := fmt.Sprintf("sim_1_%d_", steps+1)
		if id := cut.calls()[0].ID; !strings.Contains(id, want) || whole.calls()[0].Args != cut.calls()[0].Args {
			rt.Fatalf("after %d steps, %d items kept: call %s %s, want %s %s", steps, kept, id, cut.calls()[0].Args, want, whole.calls()[0].Args)
		}
	})
}

func TestAMarkerInASummaryIsEnough(t *testing.T) {
	m := New(Options{})
	s, err := Builtin("read200")
	if err != nil {
		t.Fatal(err)
	}
	c := talk(longrein.WireMessages, "sim:read200", "read them")
	c.items = append(c.items, longrein.Message{Role: longrein.RoleUser, Text: "<carried_over>\nlast call: " + s.marker(place{1, 77}) + "\n</carried_over>"})
	if id := ask(t, m, c.request()).calls()[0].ID; !strings.HasPrefix(id, "toolu_sim_1_78_") {
		t.Errorf("call %s, want step 78", id)
	}
}

func TestMarkersInOutputsAndOfOtherScriptsAreNotBelieved(t *testing.T) {
	m := New(Options{})
	c := talk(longrein.WireResponses, "sim:read200", "see sim_9_150_0000 and sim_99999999999_1_")
	c.step(t, m, func(longrein.ToolCall) string {
		s, _ := Builtin("read200")
		return "a file that holds " + s.marker(place{5, 199})
	})
	if id := ask(t, m, c.request()).calls()[0].ID; !strings.HasPrefix(id, "call_sim_1_2_") {
		t.Errorf("call %s, want step 2", id)
	}
}

func TestAfterItsEndAScriptBeginsAgain(t *testing.T) {
	m := New(Options{Script: mustParse(t, "step\n call exec_command {\"command\": \"ls\"}\nanswer done")})
	c := talk(longrein.WireChat, "any-name", "first")
	c.play(t, m, 10)
	c.items = append(c.items, longrein.Message{Role: longrein.RoleUser, Text: "again"})
	r := c.step(t, m, runTool)
	if id := r.calls()[0].ID; !strings.HasPrefix(id, "call_sim_2_1_") {
		t.Errorf("call %s, want play 2 step 1", id)
	}
}

func TestCallIDsAreNeverUsedTwice(t *testing.T) {
	for _, wire := range wires {
		m := New(Options{})
		c := talk(wire, "sim:demo", "go")
		c.play(t, m, 300)
		c.items = append(c.items, longrein.Message{Role: longrein.RoleUser, Text: "again"})
		c.play(t, m, 300)
		seen := map[string]bool{}
		for _, it := range c.items {
			call, ok := it.(longrein.ToolCall)
			if ok && seen[call.ID] {
				t.Errorf("%s: call id %s was used twice", wire, call.ID)
			}
			if ok && len(call.ID) > 64 {
				t.Errorf("%s: call id %s has %d characters, want at most 64", wire, call.ID, len(call.ID))
			}
			seen[call.ID] = ok
		}
	}
}

func TestALostListOfFilesIsAskedForAgain(t *testing.T) {
	m := New(Options{})
	c := talk(longrein.WireResponses, "sim:demo", "go")
	for range 13 {
		c.step(t, m, runTool)
	}
	for i := len(c.items) - 1; i > 0; i-- { // the newest call and output stay
		if _, ok := c.items[i].(longrein.ToolCall); ok {
			c.items = append(c.items[:1:1], c.items[i:]...)
			break
		}
	}
	before := c.items[1].(longrein.ToolCall).ID
	listed := c.step(t, m, runTool)
	if !strings.Contains(listed.calls()[0].Args, "find .") {
		t.Fatalf("calls = %v, want the list", listed.calls())
	}
	s, _ := Builtin("demo")
	at, _ := s.newest([]byte(before))
	r := c.step(t, m, runTool)
	if got, _ := s.newest([]byte(r.calls()[0].ID)); got.step != at.step+1 {
		t.Errorf("after the list comes step %d, want %d", got.step, at.step+1)
	}
}

func TestExpectationsAndUnknownOutcomes(t *testing.T) {
	const script = "step\n call a {}\n call b {}\n expect fine\nanswer good"
	tests := map[string]struct {
		options string
		output  string
		want    string // of the next response: text or tool names
	}{
		"what was expected":                    {"", "fine", "good"},
		"what was not expected":                {"", "bad", "simulated model: expected the outputs of step 1 to match fine"},
		"an unknown outcome, passed over":      {"", "The outcome is unknown.", "good"},
		"an unknown outcome, asked again":      {"on-unknown ask again\n", "interrupted", "a b"},
		"an unknown outcome in the own words":  {"unknown lost it\non-unknown ask again\n", "we lost it", "a b"},
		"a long output that quotes the words":  {"on-unknown ask again\n", strings.Repeat("x ", 600) + "interrupted fine", "good"},
		"an output with the word in a program": {"on-unknown ask again\nunknown ^never$\n", "interrupted fine", "good"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := New(Options{Script: mustParse(t, tt.options+script)})
			c := talk(longrein.WireResponses, "m", "go")
			c.step(t, m, func(longrein.ToolCall) string { return tt.output })
			r := c.step(t, m, func(longrein.ToolCall) string { return "fine" })
			got := r.text()
			for _, call := range r.calls() {
				got += call.Name + " "
			}
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if len(r.calls()) > 0 {
				if r = c.step(t, m, runTool); !strings.HasPrefix(r.text(), "good") {
					t.Errorf("after asking again: %q, want the answer", r.text())
				}
			}
		})
	}
}

func TestOnlyTheCallWithTheUnknownOutcomeIsAskedAgain(t *testing.T) {
	m := New(Options{Script: mustParse(t, "on-unknown ask again\nstep\n call a {}\n call b {}\nanswer good")})
	c := talk(longrein.WireChat, "m", "go")
	c.step(t, m, func(call longrein.ToolCall) string {
		if call.Name == "b" {
			return "The outcome is unknown."
		}
		return "ok"
	})
	if calls := c.step(t, m, runTool).calls(); len(calls) != 1 || calls[0].Name != "b" {
		t.Errorf("calls = %v, want b alone", calls)
	}
}

func TestTheSystemTextCanBeExpected(t *testing.T) {
	m := New(Options{Script: mustParse(t, "system You are a test\nanswer good")})
	for _, wire := range wires {
		c := talk(wire, "m", "go")
		if got := ask(t, m, c.request()).text(); !strings.HasPrefix(got, "good") {
			t.Errorf("%s: with the system text: %q", wire, got)
		}
		c.system = "Another."
		if got := ask(t, m, c.request()).text(); !strings.HasPrefix(got, "simulated model: expected the system text") {
			t.Errorf("%s: without it: %q", wire, got)
		}
	}
}

func TestNeedlesAreRepeatedFromWhatIsVisible(t *testing.T) {
	m := New(Options{Script: mustParse(t, "needles 3 code-\\d+\nneedle the key is (\\w+)\nrepeat 3\nstep\n call a {\"n\": {{i}}}\nend\nanswer {{needles}}")})
	c := talk(longrein.WireMessages, "m", "go")
	for i := range 3 {
		c.step(t, m, func(longrein.ToolCall) string { return fmt.Sprintf("here is code-%d", i) })
	}
	c.items[0] = longrein.Message{Role: longrein.RoleUser, Text: "go on; the key is amber"}
	if got, want := ask(t, m, c.request()).text(), "4 of 4 facts: code-0; code-1; code-2; amber\n"; !strings.HasPrefix(got, want) {
		t.Errorf("text = %q, want %q", got, want)
	}
	c.items = append(c.items[:1:1], c.items[3:]...)
	if got, want := ask(t, m, c.request()).text(), "3 of 4 facts: code-1; code-2; amber\n"; !strings.HasPrefix(got, want) {
		t.Errorf("with a step lost: %q, want %q", got, want)
	}
}

func TestAQuestionAsideTakesNoStep(t *testing.T) {
	m := New(Options{Script: mustParse(t, "when (?i)summari[sz]e\n answer so far\nrepeat 5\nstep\n call a {}\nend\nanswer good")})
	c := talk(longrein.WireResponses, "m", "go")
	c.step(t, m, runTool)
	c.step(t, m, runTool)
	fork := *c
	fork.items = append(c.items[:len(c.items):len(c.items)], longrein.Message{Role: longrein.RoleUser, Text: "Summarize the work."})
	text := ask(t, m, fork.request()).text()
	if !strings.HasPrefix(text, "so far\n") || !strings.Contains(text, "sim_1_2_") {
		t.Errorf("aside = %q, want the answer with the place", text)
	}
	c.items = append(c.items[:1:1], longrein.Message{Role: longrein.RoleAssistant, Text: text})
	if id := ask(t, m, c.request()).calls()[0].ID; !strings.HasPrefix(id, "call_sim_1_3_") {
		t.Errorf("after a window of the summary alone: call %s, want step 3", id)
	}
}
