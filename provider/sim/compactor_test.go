package sim

import (
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/sim/internal/talk"
)

const compactRole = "role: compactor\nWrite the summary."

func TestACompactorSumsUpEveryFactThatItSees(t *testing.T) {
	for _, wire := range talk.Wires {
		m := New(Options{Script: mustParse(t, twenty)})
		c := talk.New(wire, "m", "go on; code-99 is the first")
		c.Step(t, m, code)
		c.Step(t, m, code)
		text := talk.Ask(t, m, forked(c, roleChange(compactRole)).Request()).Text()
		for _, want := range []string{"- code-99\n", "- code-1\n", "- code-2\n", worked + "2 (sim_1_2_"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the summary %q lacks %q", wire, text, want)
			}
		}
		c.Items = append(c.Items[:1:1], says(longrein.RoleUser, longrein.Fragment{Tag: longrein.TagCompacted, Text: text}.Rendered()))
		if id := talk.Ask(t, m, c.Request()).Calls()[0].ID; !strings.Contains(id, "sim_1_3_") {
			t.Errorf("%s: call %s after a window of the summary alone, want step 3", wire, id)
		}
	}
}

func TestACompactorForgetsFromEachSummaryAnew(t *testing.T) {
	m := New(Options{Script: mustParse(t, twenty), Forget: Forget{Percent: 50}})
	c := talk.New(longrein.WireResponses, "m", "go")
	last := 10
	for i := range 4 {
		for range 5 - min(i, 1)*4 {
			c.Step(t, m, code)
		}
		text := talk.Ask(t, m, forked(c, roleChange(compactRole)).Request()).Text()
		n := strings.Count(text, "- code-")
		if n > last {
			t.Errorf("summary %d has %d facts, the one before had %d", i, n, last)
		}
		last = n + 1 // the next step brings one
		c.Items = append(c.Items[:1:1], says(longrein.RoleUser, longrein.Fragment{Tag: longrein.TagCompacted, Text: text}.Rendered()))
	}
	if last > 4 {
		t.Errorf("%d facts are left of 8 after four summaries that forget half", last-1)
	}
}

func TestAProviderSealsItsSummary(t *testing.T) {
	m := New(Options{Script: mustParse(t, twenty)})
	c := talk.New(longrein.WireResponses, "m", "go on; code-99 is the first")
	c.Step(t, m, code)
	c.Step(t, m, code)
	ask := func(raw string) talk.Response {
		return talk.Ask(t, m, forked(c, longrein.Opaque{Raw: []byte(raw)}).Request())
	}
	made, ok := ask(`{"type":"compaction_trigger"}`).Items[0].(longrein.Opaque)
	if !ok || made.Wire != longrein.WireResponses || made.Model != "m" || strings.Contains(string(made.Raw), "code-99") {
		t.Fatalf("made %s for the %s wire, want an item that cannot be read", made.Raw, made.Wire)
	}
	c.Items = c.Items[:1]
	if id := ask(string(made.Raw)).Calls()[0].ID; !strings.Contains(id, "sim_1_3_") {
		t.Errorf("call %s after the summary alone, want step 3", id)
	}
	c.Items = append(c.Items, longrein.Opaque{Raw: []byte(strings.Replace(string(made.Raw), "sim.", "sim.x", 1))})
	for _, err := range m.Stream(t.Context(), c.Request()) {
		if err == nil || !strings.Contains(err.Error(), "could not be verified") {
			t.Errorf("a forged item is taken (%v)", err)
		}
	}
}
