package wire

import (
	"encoding/json"
	"slices"

	"github.com/longrein/longrein"
)

var wires = []longrein.Wire{longrein.WireResponses, longrein.WireChat, longrein.WireMessages}

func encoder(w longrein.Wire) Encoder {
	enc, err := For(w)
	if err != nil {
		panic(err)
	}
	return enc
}

// body writes a whole request as package assemble does, with the groups whose
// indexes are in marked marked.
func body(h Head, entries []longrein.Entry, marked ...int) []byte {
	enc := encoder(h.Settings.Wire)
	b := enc.Open(nil, h)
	n := 0
	for g := range Groups(entries) {
		group := enc.Group(nil, h, g)
		if len(group) == 0 {
			continue
		}
		if b[len(b)-1] != '[' {
			b = append(b, ',')
		}
		if slices.Contains(marked, n) {
			group = enc.Mark(nil, group)
		}
		b = append(b, group...)
		n++
	}
	return enc.Close(b, h)
}

// head is a window's head with everything set.
func head(w longrein.Wire) Head {
	return Head{
		Thread: "0198f1e2-0000-7000-8000-000000000001",
		Base:   "You work in <this> folder & keep at it.",
		Settings: longrein.Settings{
			Model: "m-1", Wire: w, Effort: "high", MaxOutput: 8000,
			Tools: []longrein.ToolSpec{
				{
					Name: "exec_command", Description: "Runs a shell command.",
					Schema: json.RawMessage(`{"type":"object","properties":{"cmd":{"type":"string"}},"required":["cmd"]}`),
				},
				{Name: "update_plan", Description: "Sets the plan."},
			},
		},
	}
}

// session has everything that can happen: fragments, unicode, parallel calls
// answered out of order, reasoning of this and of another model, a refused
// output, garbled arguments, a response that was cut after its reasoning.
func session(w longrein.Wire) []longrein.Entry {
	reasoning := longrein.Reasoning{
		Text: "Look first.", Wire: w, Model: "m-1",
		Raw: json.RawMessage(`{"type":"thinking","thinking":"Look first.","signature":"c2ln"}`),
	}
	other := reasoning
	other.Model = "m-0"
	return []longrein.Entry{
		{Item: longrein.Fragment{Tag: longrein.TagInstructions, Role: longrein.RoleDeveloper, Text: "Use tabs."}},
		{Item: longrein.Fragment{Tag: longrein.TagEnvironment, Role: longrein.RoleUser, Text: "cwd: /tmp/π"}},
		{Item: longrein.Message{Role: longrein.RoleUser, Text: "Füge \"日本語\" 👩‍👩‍👧 ein\n\tund bad \xff\xfe bytes\x00\u2028"}},
		{Step: 4, Item: other},
		{Step: 4, Item: longrein.Message{Role: longrein.RoleAssistant, Text: " \n"}},
		{Step: 5, Item: reasoning},
		{Step: 5, Item: longrein.Message{Role: longrein.RoleAssistant, Text: "I look at both files.\n"}},
		{Step: 5, Item: longrein.ToolCall{ID: "call_a", Name: "exec_command", Args: `{"cmd": "cat a"}`}},
		{Step: 5, Item: longrein.ToolCall{ID: "functions.exec:1", Name: "exec_command", Args: `{"cmd":"cat b`}},
		{Step: 5, Item: longrein.ToolCall{ID: "call_c", Name: "update_plan", Args: "{}"}},
		{Step: 5, Item: longrein.ToolOutput{CallID: "call_c", Text: "refused by the user", Status: longrein.OutputRefused}},
		{Step: 5, Item: longrein.ToolOutput{CallID: "call_a", Text: "a\n", Status: longrein.OutputOK}},
		{Step: 5, Item: longrein.ToolOutput{CallID: "functions.exec:1", Text: "arguments are not JSON", Status: longrein.OutputFailed}},
		{Item: longrein.Message{Role: longrein.RoleUser, Text: "go on"}},
		{Step: 9, Item: longrein.Message{Role: longrein.RoleAssistant, Text: "Done. "}},
		{Step: 9, Item: reasoning},
	}
}
