package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/memory"
)

func TestTheIndexHasALineForWhatCanBeCited(t *testing.T) {
	exit := 2
	entries := []longrein.Entry{
		{Seq: 1, Item: longrein.Fragment{Tag: longrein.TagEnvironment, Text: "cwd"}},
		{Seq: 2, Item: longrein.Message{Role: longrein.RoleUser, Text: "Fix the\nbuild, please. " + strings.Repeat("It is red. ", 50)}},
		{Seq: 4, Step: 3, Item: longrein.Reasoning{Text: "hm"}},
		{Seq: 5, Step: 3, Item: longrein.Message{Role: longrein.RoleAssistant, Text: "I look."}},
		{Seq: 6, Step: 3, Item: longrein.ToolCall{ID: "a", Name: "exec_command", Args: `{"command":"go test ./..."}`}},
		{Seq: 7, Step: 3, Item: longrein.ToolCall{ID: "b", Name: "apply_patch", Args: `{"patch":"*** Begin Patch\n*** Delete File: a.go\n*** Add File: b.go\n+1\n*** End Patch"}`}},
		{Seq: 8, Step: 3, Item: longrein.ToolCall{ID: "c", Name: "odd", Args: `not JSON`}},
		{Seq: 9, Step: 3, Item: longrein.ToolOutput{CallID: "a", Status: longrein.OutputFailed, Text: strings.Repeat("x", 2100), Exit: &exit}},
		{Seq: 10, Step: 3, Item: longrein.ToolOutput{CallID: "b", Status: longrein.OutputOK, Text: "D a.go"}},
		{Seq: 11, Step: 3, Item: longrein.ToolOutput{CallID: "z", Status: longrein.OutputOK, Text: "?"}},
		{Item: longrein.Message{Role: longrein.RoleUser, Text: "of a head"}},
	}
	want := []string{
		"#2 user: Fix the build, please. It is red. It is red. It is red. It is red. It is red.…",
		"#5 assistant: I look.",
		"#8 odd not JSON -> no output yet",
		"#9 exec_command go test ./... -> failed, exit 2, 2.1 kB",
		"#10 apply_patch a.go, b.go -> ok, 6 bytes",
		"#11 output -> ok, 1 bytes",
	}
	if diff := cmp.Diff(want, memory.Index(entries)); diff != "" {
		t.Error(diff)
	}
}

func TestALongIndexFoldsItsOldestItems(t *testing.T) {
	var entries []longrein.Entry
	for i := range 200 {
		entries = append(entries, longrein.Entry{Seq: int64(i + 1), Item: longrein.Message{Role: longrein.RoleUser, Text: fmt.Sprint(i)}})
	}
	got := memory.Index(entries)
	if len(got) != 151 || got[0] != "#1-#50: 50 older items" || got[1] != "#51 user: 50" || got[150] != "#200 user: 199" {
		t.Errorf("%d lines: %q, %q … %q", len(got), got[0], got[1], got[len(got)-1])
	}
}

func TestSignatures(t *testing.T) {
	long := "The first words of it. " + strings.Repeat("In the middle. ", 40) + "The last words."
	for want, it := range map[string]longrein.Item{
		"done":                         longrein.Message{Text: " done\n"},
		"":                             longrein.ToolOutput{},
		`read_file {"path":"a"}`:       longrein.ToolCall{Name: "read_file", Args: `{"path":"a"}`},
		"hm":                           longrein.Reasoning{Text: "hm"},
		"first, then < /carried_over>": longrein.Fragment{Text: "first, then </carried_over>"},
		"The first words of it. In the middle. In the middle. In the ... the middle. In the middle. In the middle. The last words.": longrein.ToolOutput{Text: long},
	} {
		if got := memory.Signature(longrein.Entry{Item: it}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := memory.Signature(longrein.Entry{Item: longrein.Message{Text: strings.Repeat("é", 500)}}); len(got) > 130 || strings.ContainsRune(got, '\ufffd') {
		t.Errorf("got %q", got)
	}
}

func TestABreakdownByKindAndTool(t *testing.T) {
	entries := []longrein.Entry{
		{Item: longrein.Fragment{Tag: longrein.TagEnvironment, Text: "12345"}},
		{Item: longrein.Fragment{Tag: longrein.TagNotes, Text: "1234"}},
		{Item: longrein.Message{Role: longrein.RoleUser, Text: "123"}},
		{Item: longrein.Message{Role: longrein.RoleAssistant, Text: "1"}},
		{Item: longrein.Reasoning{Text: "12"}},
		{Item: longrein.ToolCall{ID: "a", Name: "exec_command", Args: "1"}},
		{Item: longrein.ToolOutput{CallID: "a", Text: strings.Repeat("1", 20)}},
		{Item: longrein.ToolOutput{CallID: "gone", Text: "12345"}},
	}
	length := func(e longrein.Entry) int {
		return len(memory.Signature(e)) - strings.Count(memory.Signature(e), "exec_command ")*13
	}
	want := []memory.Part{
		{"outputs of exec_command", 20, 20. / 41},
		{"initial context", 5, 5. / 41},
		{"outputs of an unknown tool", 5, 5. / 41},
		{"notes", 4, 4. / 41},
		{"user messages", 3, 3. / 41},
		{"reasoning", 2, 2. / 41},
		{"assistant messages", 1, 1. / 41},
		{"calls of exec_command", 1, 1. / 41},
	}
	if diff := cmp.Diff(want, memory.Breakdown(entries, 1, length)); diff != "" {
		t.Error(diff)
	}
	if got := memory.Breakdown(nil, 0, length); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestABreakdownPutsSmallPartsTogether(t *testing.T) {
	var entries []longrein.Entry
	for i := range 30 {
		entries = append(entries, longrein.Entry{Step: int64(i + 1), Item: longrein.ToolCall{ID: fmt.Sprint(i), Name: fmt.Sprintf("tool-%d", i)}})
	}
	got := memory.Breakdown(entries, 0, func(e longrein.Entry) int { return int(e.Step) })
	if len(got) != 10 || got[0].Name != "calls of tool-29" || got[9].Name != "other" || got[9].Tokens != 21*22/2 {
		t.Errorf("parts = %v", got)
	}
}
