package sim

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/sim/internal/talk"
)

func TestBuiltinScriptsPlayToTheirEnd(t *testing.T) {
	want := map[string]int{ // requests until the answer; demo lists its files once more
		"sim:demo": 202, "sim:read200": 201, "sim:echo": 1, "sim:refuse": 1,
		"sim:long200": 201, "sim:deep90": 91, "sim:long-output": 2, "sim:bad-args": 6, "sim:parallel": 3,
	}
	for model, steps := range want {
		for _, wire := range talk.Wires {
			t.Run(model+" on "+string(wire), func(t *testing.T) {
				t.Parallel()
				m := New(Options{})
				c := talk.New(wire, model, "hello")
				run := func(c longrein.ToolCall) string {
					return talk.RunTool(c) + " good arguments 100000 two three four"
				}
				n, last := 0, talk.Response{}
				for last.Done.Stop != longrein.StopEnd && last.Done.Stop != longrein.StopRefused && n < 300 {
					last = c.Step(t, m, run)
					n++
				}
				if n != steps {
					t.Errorf("answered after %d requests, want %d; last text %q", n, steps, last.Text())
				}
				if !strings.Contains(last.Text(), "simulated") {
					t.Errorf("the answer does not say that it is simulated: %q", last.Text())
				}
			})
		}
	}
}

func TestAScriptCanBeginAsABuiltInOne(t *testing.T) {
	m := New(Options{Script: mustParse(t, "like long-output\nforget 100%\nstep\n call more {}\nanswer {{script}} ends")})
	c := talk.New(longrein.WireChat, "m", "go")
	run := func(longrein.ToolCall) string { return "100000" }
	for range 2 {
		c.Step(t, m, run)
	}
	if r := c.Step(t, m, run); len(r.Calls()) != 1 || r.Calls()[0].Name != "more" {
		t.Errorf("after the built-in steps comes %q", r.Text())
	}
	if got := c.Step(t, m, run).Text(); !strings.HasPrefix(got, "test ends\n") {
		t.Errorf("the answer is %q", got)
	}
}

func TestUnknownToolIsCalledForEver(t *testing.T) {
	m := New(Options{})
	c := talk.New(longrein.WireResponses, "sim:unknown-tool", "go")
	if n, last := c.Play(t, m, 100); n != 100 || len(last.Calls()) != 1 {
		t.Errorf("after %d steps it made %d calls, want 1", n, len(last.Calls()))
	}
}

func TestEchoAnswersWithTheNewestWordsOfTheUser(t *testing.T) {
	m := New(Options{})
	c := talk.New(longrein.WireChat, "sim:echo", "say this")
	c.Items = append(c.Items, longrein.Message{Role: longrein.RoleUser, Text: "<environment>\ncwd: /\n</environment>"})
	if got := talk.Ask(t, m, c.Request()).Text(); !strings.HasPrefix(got, "say this\n") {
		t.Errorf("text = %q, want it to begin with the prompt", got)
	}
}

// A window that has lost its older items, wherever it was cut, is answered with
// the same step.
func TestTheStepIsFoundWithOlderItemsGone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		wire := rapid.SampledFrom(talk.Wires).Draw(rt, "wire")
		steps := rapid.IntRange(1, 25).Draw(rt, "steps")
		m := New(Options{})
		c := talk.New(wire, "sim:read200", "read them")
		for range steps {
			c.Step(t, m, talk.RunTool)
		}
		whole := talk.Ask(t, m, c.Request())
		kept := rapid.IntRange(1, steps).Draw(rt, "kept steps") * 2
		c.Items = append(c.Items[:1:1], c.Items[len(c.Items)-kept:]...)
		cut := talk.Ask(t, m, c.Request())
		want := fmt.Sprintf("sim_1_%d_", steps+1)
		if id := cut.Calls()[0].ID; !strings.Contains(id, want) || whole.Calls()[0].Args != cut.Calls()[0].Args {
			rt.Fatalf("after %d steps, %d items kept: call %s %s, want %s %s", steps, kept, id, cut.Calls()[0].Args, want, whole.Calls()[0].Args)
		}
	})
}

func TestAMarkerInASummaryIsEnough(t *testing.T) {
	m := New(Options{})
	s, err := Builtin("read200")
	if err != nil {
		t.Fatal(err)
	}
	c := talk.New(longrein.WireMessages, "sim:read200", "read them")
	c.Items = append(c.Items, longrein.Message{Role: longrein.RoleUser, Text: "<carried_over>\nlast call: " + s.marker(place{1, 77}) + "\n</carried_over>"})
	if id := talk.Ask(t, m, c.Request()).Calls()[0].ID; !strings.HasPrefix(id, "toolu_sim_1_78_") {
		t.Errorf("call %s, want step 78", id)
	}
}

func TestMarkersInOutputsAndOfOtherScriptsAreNotBelieved(t *testing.T) {
	m := New(Options{})
	c := talk.New(longrein.WireResponses, "sim:read200", "see sim_9_150_0000 and sim_99999999999_1_")
	c.Step(t, m, func(longrein.ToolCall) string {
		s, _ := Builtin("read200")
		return "a file that holds " + s.marker(place{5, 199})
	})
	if id := talk.Ask(t, m, c.Request()).Calls()[0].ID; !strings.HasPrefix(id, "call_sim_1_2_") {
		t.Errorf("call %s, want step 2", id)
	}
}

func TestAfterItsEndAScriptBeginsAgain(t *testing.T) {
	m := New(Options{Script: mustParse(t, "step\n call exec_command {\"command\": \"ls\"}\nanswer done")})
	c := talk.New(longrein.WireChat, "any-name", "first")
	c.Play(t, m, 10)
	c.Items = append(c.Items, longrein.Message{Role: longrein.RoleUser, Text: "again"})
	r := c.Step(t, m, talk.RunTool)
	if id := r.Calls()[0].ID; !strings.HasPrefix(id, "call_sim_2_1_") {
		t.Errorf("call %s, want play 2 step 1", id)
	}
}

func TestCallIDsAreNeverUsedTwice(t *testing.T) {
	m := New(Options{})
	c := talk.New(longrein.WireResponses, "sim:demo", "go")
	c.Play(t, m, 300)
	c.Items = append(c.Items, longrein.Message{Role: longrein.RoleUser, Text: "again"})
	c.Play(t, m, 60)
	seen := map[string]bool{}
	for _, it := range c.Items {
		call, ok := it.(longrein.ToolCall)
		if !ok {
			continue
		}
		if seen[call.ID] {
			t.Errorf("call id %s was used twice", call.ID)
		}
		if len(call.ID) > 64 {
			t.Errorf("call id %s has %d characters, want at most 64", call.ID, len(call.ID))
		}
		seen[call.ID] = true
	}
}

func TestALostListOfFilesIsAskedForAgain(t *testing.T) {
	m := New(Options{})
	c := talk.New(longrein.WireResponses, "sim:demo", "go")
	for range 13 {
		c.Step(t, m, talk.RunTool)
	}
	for i := len(c.Items) - 1; i > 0; i-- { // the newest call and output stay
		if _, ok := c.Items[i].(longrein.ToolCall); ok {
			c.Items = append(c.Items[:1:1], c.Items[i:]...)
			break
		}
	}
	before := c.Items[1].(longrein.ToolCall).ID
	listed := c.Step(t, m, talk.RunTool)
	if !strings.Contains(listed.Calls()[0].Args, "find .") {
		t.Fatalf("calls = %v, want the list", listed.Calls())
	}
	s, _ := Builtin("demo")
	at, _ := s.newest([]byte(before))
	r := c.Step(t, m, talk.RunTool)
	if got, _ := s.newest([]byte(r.Calls()[0].ID)); got.step != at.step+1 {
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
			c := talk.New(longrein.WireResponses, "m", "go")
			c.Step(t, m, func(longrein.ToolCall) string { return tt.output })
			r := c.Step(t, m, func(longrein.ToolCall) string { return "fine" })
			got := r.Text()
			for _, call := range r.Calls() {
				got += call.Name + " "
			}
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if len(r.Calls()) > 0 {
				if r = c.Step(t, m, talk.RunTool); !strings.HasPrefix(r.Text(), "good") {
					t.Errorf("after asking again: %q, want the answer", r.Text())
				}
			}
		})
	}
}

func TestOnlyTheCallWithTheUnknownOutcomeIsAskedAgain(t *testing.T) {
	m := New(Options{Script: mustParse(t, "on-unknown ask again\nstep\n call a {}\n call b {}\nanswer good")})
	c := talk.New(longrein.WireChat, "m", "go")
	c.Step(t, m, func(call longrein.ToolCall) string {
		if call.Name == "b" {
			return "The outcome is unknown."
		}
		return "ok"
	})
	if calls := c.Step(t, m, talk.RunTool).Calls(); len(calls) != 1 || calls[0].Name != "b" {
		t.Errorf("calls = %v, want b alone", calls)
	}
}

func TestTheSystemTextCanBeExpected(t *testing.T) {
	m := New(Options{Script: mustParse(t, "system You are a test\nanswer good")})
	for _, wire := range talk.Wires {
		c := talk.New(wire, "m", "go")
		if got := talk.Ask(t, m, c.Request()).Text(); !strings.HasPrefix(got, "good") {
			t.Errorf("%s: with the system text: %q", wire, got)
		}
		c.System = "Another."
		if got := talk.Ask(t, m, c.Request()).Text(); !strings.HasPrefix(got, "simulated model: expected the system text") {
			t.Errorf("%s: without it: %q", wire, got)
		}
	}
}

func TestNeedlesAreRepeatedFromWhatIsVisible(t *testing.T) {
	m := New(Options{Script: mustParse(t, "needles 3 code-\\d+\nneedle the key is (\\w+)\nrepeat 3\nstep\n call a {\"n\": {{i}}}\nend\nanswer {{needles}}")})
	c := talk.New(longrein.WireMessages, "m", "go")
	for i := range 3 {
		c.Step(t, m, func(longrein.ToolCall) string { return fmt.Sprintf("here is code-%d", i) })
	}
	c.Items[0] = longrein.Message{Role: longrein.RoleUser, Text: "go on; the key is amber"}
	if got, want := talk.Ask(t, m, c.Request()).Text(), "4 of 4 facts: code-0; code-1; code-2; amber\n"; !strings.HasPrefix(got, want) {
		t.Errorf("text = %q, want %q", got, want)
	}
	c.Items = append(c.Items[:1:1], c.Items[3:]...)
	if got, want := talk.Ask(t, m, c.Request()).Text(), "3 of 4 facts: code-1; code-2; amber\n"; !strings.HasPrefix(got, want) {
		t.Errorf("with a step lost: %q, want %q", got, want)
	}
}

func TestAQuestionAsideTakesNoStep(t *testing.T) {
	m := New(Options{Script: mustParse(t, "when (?i)summari[sz]e\n answer so far\nrepeat 5\nstep\n call a {}\nend\nanswer good")})
	c := talk.New(longrein.WireResponses, "m", "go")
	c.Step(t, m, talk.RunTool)
	c.Step(t, m, talk.RunTool)
	fork := *c
	fork.Items = append(c.Items[:len(c.Items):len(c.Items)], longrein.Message{Role: longrein.RoleUser, Text: "Summarize the work."})
	text := talk.Ask(t, m, fork.Request()).Text()
	if !strings.HasPrefix(text, "so far\n") || !strings.Contains(text, "sim_1_2_") {
		t.Errorf("aside = %q, want the answer with the place", text)
	}
	c.Items = append(c.Items[:1:1], longrein.Message{Role: longrein.RoleAssistant, Text: text})
	if id := talk.Ask(t, m, c.Request()).Calls()[0].ID; !strings.HasPrefix(id, "call_sim_1_3_") {
		t.Errorf("after a window of the summary alone: call %s, want step 3", id)
	}
}

func mustParse(t testing.TB, text string) *Script {
	t.Helper()
	s, err := ParseScript("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// everything is a script with each kind of item.
func everything(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/everything.sim")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWhatAHarnessInsertsIsNoQuestion(t *testing.T) {
	script, err := ParseScript("x", []byte("when (?i)summar\n answer aside\nanswer task"))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"summarize it": "aside", "<summary>\nof a summary\n</summary>": "task"} {
		got := talk.Ask(t, New(Options{Script: script}), talk.New(longrein.WireChat, "sim:x", text).Request()).Text()
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q is answered %q, want %q", text, got, want)
		}
	}
}
