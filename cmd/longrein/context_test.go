package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/internal/testkit"
	"github.com/longrein/longrein/memory"
	"github.com/longrein/longrein/tokens"
)

// explained is a thread at three moments: the state before its last request, the
// one of now, and the window that would come next.
func explained(t *testing.T) (before, now *assemble.State, next harness.Outlook) {
	t.Helper()
	set := longrein.Settings{
		Provider: "p", Model: "m", Wire: longrein.WireResponses, ContextWindow: 2000, ContextSource: "settings",
		Tools: []longrein.ToolSpec{{Name: "cat", Description: "Print a file.", Schema: []byte(`{"type":"object"}`)}},
	}
	fragment := func(tag longrein.Tag, text string) longrein.Entry {
		return longrein.Entry{Item: longrein.NewFragment(tag, text)}
	}
	text := strings.Repeat("some text of a file that was read\n", 30)
	initial := []longrein.Entry{fragment(longrein.TagPermissions, "sandbox: full"), fragment(longrein.TagInstructions, "Never push to main."), fragment(longrein.TagEnvironment, "cwd: /src")}
	bodies := []longrein.Body{
		longrein.Thread{ID: "0193f2a0-0000-7000-8000-000000000000", Cwd: "/src", Base: "You do what you are asked."},
		longrein.Window{N: 1, Why: "start", Settings: set, Head: initial, Fresh: 3},
		longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: "Read a and b, and use tabs."}}},
		longrein.Asked{Window: 1, Hash: "h", Tokens: 90},
		longrein.Appended{Entry: longrein.Entry{Step: 4, Item: longrein.ToolCall{ID: "c1", Name: "cat", Args: `{"path":"a"}`}}},
		longrein.Answered{Step: 4},
		longrein.Appended{Entry: longrein.Entry{Step: 4, Item: longrein.ToolOutput{CallID: "c1", Text: text, Status: longrein.OutputOK}}},
		longrein.LimitHit{Name: "tool-output", Value: 16384, Unit: "bytes", What: "output of cat a", Cut: 4711, Where: "read_output"},
		longrein.Asked{Window: 1, Hash: "h", Tokens: 400},
		longrein.Appended{Entry: longrein.Entry{Step: 9, Item: longrein.Message{Role: longrein.RoleAssistant, Text: "a is read."}}},
		longrein.Appended{Entry: longrein.Entry{Step: 9, Item: longrein.ToolCall{ID: "c2", Name: "cat", Args: `{"path":"b"}`}}},
		longrein.Answered{Step: 9},
		longrein.Appended{Entry: longrein.Entry{Step: 9, Item: longrein.ToolOutput{CallID: "c2", Text: text, Status: longrein.OutputOK}}},
	}
	before, now = &assemble.State{}, &assemble.State{}
	for _, r := range testkit.Records(bodies...) {
		if r.Seq < 9 {
			if err := before.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := now.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	all := now.Entries()
	short := all[len(all)-1]
	short.Item = longrein.ToolOutput{CallID: "c2", Text: "some text", Status: longrein.OutputOK}
	next = harness.Outlook{
		Strategy: "background", Stale: "as it was when this window began: the thread's folder cannot be looked at",
		Cuts: []longrein.LimitHit{{Name: "window-carried", Value: 40, Unit: "percent", What: "an older item", Cut: 310, CutUnit: "tokens", Where: "the thread's log"}},
		Next: assemble.Next{
			Summary: true, Covered: 7, Cited: map[int64]bool{7: true},
			Window: longrein.Window{N: 2, Why: "asked for", Settings: set, Fresh: 3, Head: append(initial[:3:3], all[3], fragment(longrein.TagNotes, "a was read"), short)},
		},
		Notes: memory.Notes{}.With(longrein.Notes{Version: 1, Changed: []longrein.Document{{Name: "MAIN.md", Text: "a was read; it was said to use spaces in b"}}}),
	}
	return before, now, next
}

// inColumns fails when a line is wider than a terminal.
func inColumns(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestARequestAsItIsExplained(t *testing.T) {
	_, now, next := explained(t)
	r, err := assemble.Explain(now, tokens.Count)
	if err != nil {
		t.Fatal(err)
	}
	usage := longrein.Usage{Input: 420, Cached: 380, Reported: true}
	var out bytes.Buffer
	printReport(&out, contextReport{Report: r, Reported: &usage, Next: newNextReport(now, next)})
	inColumns(t, out.String())
	testkit.Golden(t, "context/report.txt", out.Bytes())
}

func TestTwoRequestsAsTheyAreCompared(t *testing.T) {
	before, now, next := explained(t)
	renewed := &assemble.State{}
	for _, r := range testkit.Records(longrein.Thread{ID: now.Thread.ID, Base: now.Thread.Base}, next.Window) {
		if err := renewed.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		from, to *assemble.State
		windows  []harness.Began
	}{
		"diff-grown":   {before, now, nil},
		"diff-renewed": {now, renewed, []harness.Began{{Seq: 14, Window: 2, Why: "asked for"}}},
	} {
		d, err := assemble.Compare(c.from, c.to, nil)
		if err != nil {
			t.Fatal(err)
		}
		d.From.Seq = 9
		var out bytes.Buffer
		printDiff(&out, diffReport{
			Thread: now.Thread.ID, Difference: d, Windows: c.windows,
			Removed: changedItems(d.Removed), Added: changedItems(d.Added), Changed: changedItems(d.Changed),
		})
		inColumns(t, out.String())
		testkit.Golden(t, "context/"+name+".txt", out.Bytes())
	}
}

func TestWhatIsSaidOfATextThatSurvivesOrNot(t *testing.T) {
	_, now, next := explained(t)
	for name, c := range map[string]struct {
		text string
		said int64 // in the log
		want reachHow
		now  reachHow
	}{
		"a rule of AGENTS.md":           {"never PUSH to  main", 0, reachWhole, reachWhole},
		"what the user said":            {"use tabs", 3, reachWhole, reachWhole},
		"what only the model said":      {"a is read.", 10, reachNot, reachWhole},
		"what the notes have":           {"use spaces in b", 0, reachNotes, reachNotes},
		"what was said in other words":  {"read a and b, and use spaces", 0, reachPart, reachPart},
		"what nobody said in any words": {"zwölf Boxkämpfer", 0, reachNot, reachNot},
	} {
		r := survival(harness.Moment{State: now}, next, c.text)
		if r.Now.How != c.now || r.After.How != c.want {
			t.Errorf("%s: %s now, %s after; want %s, %s", name, r.Now.How, r.After.How, c.now, c.want)
		}
		if want := c.now == reachWhole && c.want == reachWhole; r.Survives != want {
			t.Errorf("%s: survives %v, want %v", name, r.Survives, want)
		}
		if r.Survives {
			continue
		}
		r.explain(harness.Moment{State: now}, next, c.said)
		if len(r.Why) == 0 || len(r.Put) < 3 {
			t.Errorf("%s: why %q, where to put it %q", name, r.Why, r.Put)
		}
		if c.said == 0 {
			continue
		}
		var out bytes.Buffer
		printSurvives(&out, r)
		inColumns(t, out.String())
		testkit.Golden(t, "context/survives.txt", out.Bytes())
	}
}
