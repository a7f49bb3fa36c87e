package wire_test

import (
	"fmt"
	"log"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/wire"
)

// A request is opened once, grows by groups, and is closed.
func Example() {
	head := wire.Head{
		Base:     "Be brief.",
		Settings: longrein.Settings{Model: "small", Wire: longrein.WireChat},
	}
	enc, err := wire.For(head.Settings.Wire)
	if err != nil {
		log.Fatal(err)
	}
	entries := []longrein.Entry{
		{Item: longrein.Message{Role: longrein.RoleUser, Text: "How many files are here?"}},
		{Step: 3, Item: longrein.ToolCall{ID: "c1", Name: "list_files", Args: `{}`}},
		{Step: 3, Item: longrein.ToolOutput{CallID: "c1", Text: "go.mod", Status: longrein.OutputOK}},
	}
	body := enc.Open(nil, head)
	for g := range wire.Groups(entries) {
		body = append(body, ',', '\n')
		body = enc.Group(body, head, g)
	}
	fmt.Printf("%s\n", enc.Close(body, head))
	// Output:
	// {"model":"small","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"system","content":"Be brief."},
	// {"role":"user","content":"How many files are here?"},
	// {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"list_files","arguments":"{}"}}]},
	// {"role":"tool","tool_call_id":"c1","content":"go.mod"}]}
}
