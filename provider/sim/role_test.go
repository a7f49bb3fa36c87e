package sim

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/patch"
	"github.com/longrein/longrein/provider/sim/internal/talk"
)

// twenty is a script that finds codes in its outputs.
const twenty = "needles 40 code-\\d+\nrepeat 20\nstep\n call look {\"n\": {{i}}}\nend\nanswer {{needles}}"

// notes stands in for what a harness does with a summarizer's calls.
type notes map[string]string

// apply does the changes of an apply_patch call, or says why not.
func (n notes) apply(c longrein.ToolCall) error {
	var args struct{ Patch string }
	if err := json.Unmarshal([]byte(c.Args), &args); err != nil {
		return err
	}
	p, err := patch.Parse(args.Patch)
	if err != nil {
		return err
	}
	for _, ch := range p.Changes {
		switch ch.Kind {
		case patch.Add:
			n[ch.Path] = ch.Text
		case patch.Delete:
			delete(n, ch.Path)
		case patch.Update:
			if n[ch.Path], err = patch.Apply(n[ch.Path], ch.Hunks); err != nil {
				return err
			}
		}
	}
	return nil
}

// instruct is the item that makes a summarizer's fork.
func (n notes) instruct(index ...string) longrein.Item {
	text := "role: summarizer\nKeep the notes.\n"
	if main, ok := n["MAIN.md"]; ok {
		text += "<document name=\"MAIN.md\">\n" + main + "</document>\n"
	} else {
		text += "Nothing was summarised yet.\n"
	}
	return roleChange(text + "New items:\n" + strings.Join(index, "\n"))
}

func roleChange(text string) longrein.Item {
	return says(longrein.RoleUser, longrein.Fragment{Tag: longrein.TagRole, Text: text}.Rendered())
}

// forked is a fork of c that begins with one more item.
func forked(c *talk.Conversation, it longrein.Item) *talk.Conversation {
	f := *c
	f.Items = append(c.Items[:len(c.Items):len(c.Items)], it)
	return &f
}

// code is the output of a step's call: a code each.
func code(c longrein.ToolCall) string { return "found code-" + strings.Trim(c.Args, `{}"n: `) + "\n" }

func TestASummarizerNotesEachNewFactOnce(t *testing.T) {
	for _, wire := range talk.Wires {
		t.Run(string(wire), func(t *testing.T) {
			m := New(Options{Script: mustParse(t, twenty)})
			c := talk.New(wire, "m", "go on; code-99 is the first")
			n := notes{}
			for i := range 4 {
				c.Step(t, m, code)
				c.Step(t, m, code)
				r := talk.Ask(t, m, forked(c, n.instruct("#7 a call", fmt.Sprintf("#%d an output", 10*(i+1)))).Request())
				if len(r.Calls()) != 1 || r.Calls()[0].Name != "apply_patch" || !strings.HasSuffix(r.Text(), "\nNOTES DONE") {
					t.Fatalf("it answers %q with the calls %v", r.Text(), r.Calls())
				}
				if err := n.apply(r.Calls()[0]); err != nil {
					t.Fatal(err)
				}
			}
			s := mustParse(t, twenty)
			want := "# Notes of the simulated summarizer\n\n- code-99 [#10]\n- code-1 [#10]\n- code-2 [#10]\n- code-3 [#20]\n- code-4 [#20]\n" +
				"- code-5 [#30]\n- code-6 [#30]\n- code-7 [#40]\n- code-8 [#40]\n- worked through steps up to 8 (" + s.marker(place{1, 8}) + ") [#40]\n"
			if d := cmp.Diff(want, n["MAIN.md"]); d != "" {
				t.Errorf("MAIN.md (-want +got):\n%s", d)
			}
		})
	}
}

func TestASummaryWithoutNewFactsReplacesTheProgressLine(t *testing.T) {
	m := New(Options{Script: mustParse(t, "repeat 9\nstep\n call look {}\nend\nanswer x")})
	c := talk.New(longrein.WireChat, "m", "go")
	n := notes{}
	for range 5 {
		c.Step(t, m, talk.RunTool)
		if err := n.apply(talk.Ask(t, m, forked(c, n.instruct()).Request()).Calls()[0]); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Count(n["MAIN.md"], worked); got != 1 || !strings.Contains(n["MAIN.md"], worked+"5 (") {
		t.Errorf("MAIN.md = %q, want one line of progress, to step 5", n["MAIN.md"])
	}
}

// Whatever a user makes of MAIN.md, the next summary applies to it.
func TestASummaryFitsAnyDocument(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "- code-1", "- x [#3]", " b", worked + "2 [#3]"}), 0, 6).Draw(rt, "lines")
		before := strings.Join(lines, "\n") + "\n"
		if strings.Count(before, worked) > 1 {
			rt.Skip("a line that is there twice is no place")
		}
		m := New(Options{Script: mustParse(t, twenty)})
		c := talk.New(longrein.WireResponses, "m", "go")
		c.Step(t, m, code)
		c.Step(t, m, code)
		n := notes{"MAIN.md": before}
		if err := n.apply(talk.Ask(t, m, forked(c, n.instruct("#9 x")).Request()).Calls()[0]); err != nil {
			rt.Skipf("%v", err) // two places that are alike
		}
		for _, want := range []string{"- code-1", "- code-2 [#9]", worked + "2 (sim_1_2_"} {
			if got := strings.Count(n["MAIN.md"], want); got != max(1, strings.Count(before, want)) {
				rt.Fatalf("MAIN.md = %q has %q %d times", n["MAIN.md"], want, got)
			}
		}
	})
}

// A fork neither takes the worker's steps nor moves them.
func TestForksMoveNoScript(t *testing.T) {
	for _, wire := range talk.Wires {
		m := New(Options{Script: mustParse(t, twenty)})
		c := talk.New(wire, "m", "go")
		for i := range 3 {
			f := forked(c, notes{}.instruct("#1 x"))
			r := f.Step(t, m, talk.RunTool)
			f.Items = append(f.Items, says(longrein.RoleUser, "<memory_hint>\ngo on\n</memory_hint>"))
			again := talk.Ask(t, m, f.Request())
			for _, text := range []string{r.Text(), r.Calls()[0].ID, again.Text()} {
				if at, _ := mustParse(t, twenty).newest([]byte(text)); at != (place{}) {
					t.Errorf("%s: %q has a place marker", wire, text)
				}
			}
			if len(again.Calls()) != 0 || !strings.Contains(again.Text(), "role summarizer") {
				t.Errorf("%s: asked again it says %q", wire, again.Text())
			}
			if id := c.Step(t, m, code).Calls()[0].ID; !strings.Contains(id, fmt.Sprintf("sim_1_%d_", i+1)) {
				t.Errorf("%s: the worker's call is %s, want step %d", wire, id, i+1)
			}
		}
	}
}

func TestAFactIsNotedWithTheRecordThatHoldsIt(t *testing.T) {
	m := New(Options{Script: mustParse(t, twenty)})
	for _, wire := range talk.Wires {
		c := talk.New(wire, "m", "go  on,\ncode-50 is the first")
		c.Step(t, m, code)
		c.Step(t, m, code)
		n := notes{}
		item := n.instruct("#3 user: go on, code-50…", `#6 look {"n": 1} -> ok, 13 bytes`, `#9 look {"n": 2} -> ok, 13 bytes`, "#11 assistant: code-7")
		if wire == longrein.WireMessages { // its clients send the arguments as they like
			item = n.instruct("#3 user: go on, code-50…", `#6 look {"n":1} -> ok`, `#9 look {"n":2} -> ok`, "#11 assistant: code-7")
		}
		if err := n.apply(talk.Ask(t, m, forked(c, item).Request()).Calls()[0]); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"- code-50 [#3]\n", "- code-1 [#6]\n", "- code-2 [#9]\n", ") [#11]\n"} {
			if !strings.Contains(n["MAIN.md"], want) {
				t.Errorf("%s: MAIN.md = %q, want %q in it", wire, n["MAIN.md"], want)
			}
		}
	}
}

func TestAWindowOfNotesAloneGoesOnWhereTheyEnd(t *testing.T) {
	m := New(Options{Script: mustParse(t, twenty)})
	c := talk.New(longrein.WireMessages, "m", "go")
	for range 7 {
		c.Step(t, m, code)
	}
	n := notes{}
	if err := n.apply(talk.Ask(t, m, forked(c, n.instruct("#1 x")).Request()).Calls()[0]); err != nil {
		t.Fatal(err)
	}
	c.Items = append(c.Items[:1:1], says(longrein.RoleUser, longrein.Fragment{Tag: longrein.TagNotes, Text: n["MAIN.md"]}.Rendered()))
	if id := talk.Ask(t, m, c.Request()).Calls()[0].ID; !strings.HasPrefix(id, "toolu_sim_1_8_") {
		t.Errorf("call %s, want step 8", id)
	}
}

func TestADeciderResetsFromHalf(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"less than half":         {"no longer needed, by rules: 9000 of 20000 tokens (45%)", "CARRY ON"},
		"half":                   {"no longer needed, by rules: 10000 of 20000 tokens (50%)", "RESET"},
		"all":                    {"no longer needed, by rules: 20,000 of 20,000 tokens (100%)", "RESET"},
		"a fraction":             {"no longer needed, by rules: 1 of 2 tokens (49.6%)", "CARRY ON"},
		"a share that is absent": {"no breakdown", "CARRY ON"},
	}
	for name, tt := range tests {
		for _, wire := range talk.Wires {
			c := forked(talk.New(wire, "sim:echo", "go"), roleChange("role: decider\n"+tt.text+"\nAnswer."))
			r := talk.Ask(t, New(Options{}), c.Request())
			if !strings.HasSuffix(r.Text(), "\n"+tt.want) || !strings.Contains(r.Text(), "simulated model") || len(r.Calls()) != 0 {
				t.Errorf("%s on %s: %q, want %s", name, wire, r.Text(), tt.want)
			}
		}
	}
}

func TestWhatIsNoFork(t *testing.T) {
	role := roleChange("role: decider\n")
	tests := map[string][]longrein.Item{
		"a user's message after it":   {role, says(longrein.RoleUser, "go")},
		"a message that quotes it":    {says(longrein.RoleUser, "why <role_change>\nrole: decider\n</role_change> here?")},
		"an answer that is it":        {says(longrein.RoleAssistant, "<role_change>\nrole: decider\n</role_change>")},
		"an element of another name":  {says(longrein.RoleUser, "<notes>\nrole: decider\n</notes>")},
		"an element of two names":     {says(longrein.RoleUser, "<role_change>\nrole: decider\n</notes>")},
		"a role that is not the last": {role, says(longrein.RoleAssistant, "x"), says(longrein.RoleUser, "x")},
	}
	for name, items := range tests {
		for _, wire := range talk.Wires {
			c := talk.New(wire, "sim:read200", "go")
			c.Items = append(c.Items, items...)
			if r := talk.Ask(t, New(Options{}), c.Request()); len(r.Calls()) != 1 {
				t.Errorf("%s on %s: it answers %q, want the script's step", name, wire, r.Text())
			}
		}
	}
}

func TestARoleThatIsNotPlayedSaysSo(t *testing.T) {
	c := forked(talk.New(longrein.WireChat, "sim:echo", "go"), roleChange("role: dreamer\nWhat is it?"))
	if got := talk.Ask(t, New(Options{}), c.Request()).Text(); !strings.HasPrefix(got, `The simulated model does not play the role "dreamer"`) {
		t.Errorf("text = %q", got)
	}
}

func TestRolesThatAreNotPlayedWell(t *testing.T) {
	tests := map[string]struct {
		play  string
		role  string
		check func(r talk.Response) bool
	}{
		"it fails":              {"summarizer fail", "summarizer", func(r talk.Response) bool { return longrein.KindOf(r.Err) == longrein.ErrOverloaded }},
		"the decider fails":     {"decider fail", "decider", func(r talk.Response) bool { return r.Err != nil }},
		"the other role is not": {"decider fail", "summarizer", func(r talk.Response) bool { return r.Err == nil }},
		"it writes outside": {"summarizer outside", "summarizer", func(r talk.Response) bool {
			return len(r.Calls()) == 3 && strings.Contains(r.Calls()[0].Args, "../x") && strings.Contains(r.Calls()[1].Args, "TODO.md") && strings.Contains(r.Calls()[2].Args, "LEDGER.md")
		}},
		"it deletes":      {"summarizer delete-main", "summarizer", func(r talk.Response) bool { return strings.Contains(r.Calls()[0].Args, "Delete File: MAIN.md") }},
		"it writes a lot": {"summarizer huge 500000", "summarizer", func(r talk.Response) bool { return len(r.Calls()[0].Args) > 500_000 }},
		"it does nothing": {"summarizer nothing", "summarizer", func(r talk.Response) bool {
			return len(r.Calls()) == 0 && !strings.Contains(r.Text(), "NOTHING TO ADD") && !strings.Contains(r.Text(), "NOTES DONE")
		}},
		"it calls tools": {"decider tools", "decider", func(r talk.Response) bool { return r.Calls()[0].Name == "exec_command" }},
		"it speaks another language": {"decider foreign", "decider", func(r talk.Response) bool {
			return !strings.Contains(r.Text(), "RESET") && !strings.Contains(r.Text(), "CARRY ON")
		}},
		"it quotes":     {"decider quoting", "decider", func(r talk.Response) bool { return strings.Contains(r.Text(), "say RESET here") }},
		"it resets":     {"decider always", "decider", func(r talk.Response) bool { return strings.HasSuffix(r.Text(), "\nRESET") }},
		"it carries on": {"decider never", "decider", func(r talk.Response) bool { return strings.HasSuffix(r.Text(), "\nCARRY ON") }},
	}
	for name, tt := range tests {
		for _, wire := range talk.Wires {
			m := New(Options{Script: mustParse(t, tt.play+"\n"+twenty)})
			c := talk.New(wire, "m", "go")
			c.Step(t, m, code)
			item := roleChange("role: " + tt.role + "\nno longer needed, by rules: 1 of 2 tokens (50%)")
			if r := talk.Ask(t, m, forked(c, item).Request()); !tt.check(r) {
				t.Errorf("%s on %s: %v %q %.300v", name, wire, r.Err, r.Text(), r.Calls())
			}
			if r := c.Step(t, m, code); len(r.Calls()) != 1 {
				t.Errorf("%s on %s: the worker's next step is %q", name, wire, r.Text())
			}
		}
	}
}

func TestASlowSummarizerNeedsItsRounds(t *testing.T) {
	m := New(Options{Roles: []Role{{Name: longrein.RoleSummarizer, Act: ActSlow, N: 4, Times: 1}}})
	c := talk.New(longrein.WireResponses, "sim:read200", "go")
	for run, want := range []string{"read_file read_file read_file apply_patch ", "apply_patch "} {
		f, got := forked(c, notes{}.instruct("#1 x")), ""
		for done := false; !done; {
			r := f.Step(t, m, talk.RunTool)
			got += r.Calls()[0].Name + " "
			done = strings.HasSuffix(r.Text(), signalDone)
		}
		if got != want {
			t.Errorf("run %d called %s, want %s", run+1, got, want)
		}
	}
}

func TestADeciderCanCallToolsForEver(t *testing.T) {
	m := New(Options{Script: mustParse(t, "decider tools times 1\n"+twenty)})
	f := forked(talk.New(longrein.WireMessages, "m", "go"), roleChange("role: decider\n"))
	if n, _ := f.Play(t, m, 20); n != 20 {
		t.Errorf("it ended after %d answers", n)
	}
}

func TestARewriteHoldsWhatIsVisible(t *testing.T) {
	m := New(Options{Script: mustParse(t, "summarizer rewrite\n"+twenty)})
	c := talk.New(longrein.WireChat, "m", "go")
	c.Step(t, m, code)
	n := notes{"MAIN.md": "anything\n\n- code-7 [#2]\n"}
	if err := n.apply(talk.Ask(t, m, forked(c, n.instruct("#9 x")).Request()).Calls()[0]); err != nil {
		t.Fatal(err)
	}
	want := "# Notes of the simulated summarizer\n\n- code-1 [#9]\n- code-7 [#9]\n- worked"
	if !strings.HasPrefix(n["MAIN.md"], want) || strings.Contains(n["MAIN.md"], "anything") {
		t.Errorf("MAIN.md = %q", n["MAIN.md"])
	}
}

func TestForgettingIsAFixedCoin(t *testing.T) {
	noted := func(options string, steps int) string {
		m := New(Options{Script: mustParse(t, options+"\nneedles 900 code-\\d+\nrepeat 9\nstep\ncall a {}\nend\nanswer x")})
		var b strings.Builder
		for i := range 900 {
			fmt.Fprintf(&b, "code-%d\n", i)
		}
		c := talk.New(longrein.WireChat, "m", b.String())
		for range steps {
			c.Step(t, m, talk.RunTool)
		}
		text, _, _ := strings.Cut(talk.Ask(t, m, forked(c, notes{}.instruct()).Request()).Calls()[0].Args, worked)
		return text
	}
	tests := map[string]struct{ least, most int }{
		"forget 0%": {900, 900}, "forget 100%": {0, 0}, "forget 10%": {770, 850}, "forget 50% seed 3": {390, 510},
	}
	for options, want := range tests {
		text := noted(options, 0)
		got := strings.Count(text, "- code-")
		if got < want.least || got > want.most || text != noted(options, 0) {
			t.Errorf("%s: %d of 900 are noted, want %d to %d and the same again", options, got, want.least, want.most)
		}
	}
	if half := noted("forget 50%", 1); half == noted("forget 50% seed 4", 1) || half == noted("forget 50%", 2) {
		t.Error("seed and step choose nothing")
	}
}

func TestParseRoleAndForgetSayWhatIsWrong(t *testing.T) {
	tests := map[string]string{
		"summarizer":               "followed by what it does",
		"summarizer always":        `a summarizer does not "always"`,
		"decider nothing":          `a decider does not "nothing"`,
		"summarizer hang":          "how much is missing",
		"summarizer hang long":     "invalid duration",
		"summarizer hang 30h":      "not between 0 and 24h",
		"summarizer huge 99999999": "no number from 1 to 16777216",
		"summarizer slow 0":        "no number from 1 to 1000",
		"summarizer fail 3":        `"3" is not times and a number`,
		"summarizer fail times 0":  `"0" is no number`,
		"forget":                   "takes a share",
		"forget 10":                "takes a share",
		"forget 101%":              "takes a share",
		"forget 10% seed":          "is not seed and a number",
		"forget 10% seed x":        `the seed "x" is no number`,
	}
	for text, want := range tests {
		_, err := ParseScript("test", []byte(text+"\nanswer x"))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: error = %v, want %q", text, err, want)
		}
	}
	if r, err := ParseRole("summarizer hang 2s times 3"); err != nil || r != (Role{Name: "summarizer", Act: ActHang, Wait: 2 * time.Second, Times: 3}) {
		t.Errorf("role = %+v, %v", r, err)
	}
	if _, err := ParseRole("worker fail"); err == nil || !strings.Contains(err.Error(), "none of the roles compactor, decider, summarizer") {
		t.Errorf("error = %v", err)
	}
}

func TestARoleIsHeldUpInVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Options{Script: mustParse(t, "summarizer hang 90s times 1\n"+twenty), Latency: Latency{Base: time.Second}})
		c := talk.New(longrein.WireResponses, "m", "go")
		for _, want := range []time.Duration{91 * time.Second, time.Second} {
			start := time.Now()
			talk.Ask(t, m, forked(c, notes{}.instruct("#1 x")).Request())
			if got := time.Since(start); got != want {
				t.Errorf("it took %v, want %v", got, want)
			}
		}
	})
}

// Whatever the element holds, the answer says something, and a patch in it is
// one.
func FuzzRoleChange(f *testing.F) {
	f.Add("role: summarizer\n<document name=\"MAIN.md\">\n- x\n</document>\n#1 a -> ok", 0)
	f.Add("role: summarizer\n<document name=\"MAIN.md\">\n\n</document>\n<document name=\"a\">\ncode-1\n</document>", 6)
	f.Add("role: decider\nno longer needed, by rules: 1 of 2 tokens (50%)", 1)
	f.Add("role: prober", 0)
	f.Add(" no role", 0)
	f.Fuzz(func(t *testing.T, text string, n int) {
		o := Options{Script: mustParse(t, twenty)}
		if all := acts[longrein.RoleSummarizer]; n > 0 {
			o.Roles = []Role{{Name: longrein.RoleSummarizer, Act: all[2+n%(len(all)-2)], N: 40}}
		}
		c := talk.New(longrein.WireChat, "m", "code-7")
		c.Items = append(c.Items, roleChange(text))
		r := talk.Ask(t, New(o), c.Request())
		if r.Err != nil || r.Text() == "" && len(r.Calls()) == 0 {
			t.Fatalf("it answers nothing: %v", r.Err)
		}
		for _, call := range r.Calls() {
			var args struct{ Patch string }
			if err := json.Unmarshal([]byte(call.Args), &args); err != nil {
				t.Fatalf("%s: %v", call.Args, err)
			}
			if _, err := patch.Parse(args.Patch); call.Name == "apply_patch" && err != nil {
				t.Fatalf("%s: %v", args.Patch, err)
			}
		}
	})
}

func TestAProberAsksForFactsAndAnswersFromWhatItSees(t *testing.T) {
	script, err := ParseScript("facts", []byte("needles 3 FACT-\\d: \\w+\nanswer ok"))
	if err != nil {
		t.Fatal(err)
	}
	m := New(Options{Script: script})
	old := forked(talk.New(longrein.WireChat, "sim:facts", "FACT-1: one\nFACT-2: two\nFACT-3: three"), roleChange("role: prober\nAsk up to 2 questions"))
	asked := talk.Ask(t, m, old.Request()).Text()
	if strings.Count(asked, "Q: ") != 2 || !strings.Contains(asked, "A: FACT-3: three") {
		t.Fatalf("it asks\n%s", asked)
	}
	head := forked(talk.New(longrein.WireChat, "sim:facts", "FACT-2: two"), roleChange("role: prober\nQ1: Which fact begins with \"FACT-\"?\nQ2: Which fact begins with \"FACT-3: t\"?"))
	answered := talk.Ask(t, m, head.Request()).Text()
	for _, want := range []string{"A1: FACT-2: two", "A2: not known"} {
		if !strings.Contains(answered, want) {
			t.Errorf("it answers\n%s\nwithout %q", answered, want)
		}
	}
}
