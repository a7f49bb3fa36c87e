// Package talk holds conversations with a simulated model for its tests: it
// encodes items for each wire, asks, and stands in for the tools. It is not how
// Longrein encodes requests. The types to know are [Conversation] and
// [Response].
package talk

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein"
)

// Wires are all of them.
var Wires = []longrein.Wire{longrein.WireResponses, longrein.WireChat, longrein.WireMessages}

// Conversation is what a test says to a model and what came back.
type Conversation struct {
	Wire   longrein.Wire
	Model  string
	System string
	Key    string // of the prompt cache
	Marks  bool   // set a cache breakpoint at the end
	Max    int    // tokens of output
	Items  []longrein.Item
}

// New returns a conversation that begins with one message of the user.
func New(wire longrein.Wire, model, prompt string) *Conversation {
	return &Conversation{
		Wire: wire, Model: model, Max: 64000, System: "You are a test.",
		Items: []longrein.Item{longrein.Message{Role: longrein.RoleUser, Text: prompt}},
	}
}

// Body encodes the conversation in its wire.
func (c *Conversation) Body(stream bool) []byte {
	head := map[string]any{"model": c.Model, "stream": stream}
	switch c.Wire {
	case longrein.WireResponses:
		head["instructions"], head["input"] = c.System, c.responsesInput()
		head["include"], head["max_output_tokens"] = []string{"reasoning.encrypted_content"}, c.Max
	case longrein.WireChat:
		head["messages"] = append([]any{obj{"role": "system", "content": c.System}}, c.chatMessages()...)
		head["stream_options"], head["max_completion_tokens"] = obj{"include_usage": true}, c.Max
	case longrein.WireMessages:
		head["system"], head["messages"] = c.System, c.messages()
		head["max_tokens"], head["thinking"] = c.Max, obj{"type": "adaptive"}
	}
	if c.Key != "" {
		head["prompt_cache_key"] = c.Key
	}
	b, err := json.Marshal(head)
	if err != nil {
		panic(err)
	}
	return b
}

// Request is the conversation as a request.
func (c *Conversation) Request() longrein.Request {
	return longrein.Request{Thread: "t", Model: c.Model, Wire: c.Wire, Body: c.Body(true)}
}

type obj = map[string]any

func (c *Conversation) responsesInput() []any {
	var out []any
	for _, it := range c.Items {
		switch it := it.(type) {
		case longrein.Message:
			kind := "input_text"
			if it.Role == longrein.RoleAssistant {
				kind = "output_text"
			}
			out = append(out, obj{"type": "message", "role": it.Role, "content": []any{obj{"type": kind, "text": it.Text}}})
		case longrein.Reasoning:
			out = append(out, it.Raw)
		case longrein.Opaque:
			out = append(out, it.Raw)
		case longrein.ToolCall:
			out = append(out, obj{"type": "function_call", "call_id": it.ID, "name": it.Name, "arguments": it.Args})
		case longrein.ToolOutput:
			out = append(out, obj{"type": "function_call_output", "call_id": it.CallID, "output": it.Text})
		}
	}
	return out
}

func (c *Conversation) chatMessages() []any {
	var out []any
	for _, it := range c.Items {
		switch it := it.(type) {
		case longrein.Message:
			out = append(out, obj{"role": it.Role, "content": it.Text})
		case longrein.ToolCall:
			call := obj{"id": it.ID, "type": "function", "function": obj{"name": it.Name, "arguments": it.Args}}
			if n := len(out); n > 0 && out[n-1].(obj)["tool_calls"] != nil {
				out[n-1].(obj)["tool_calls"] = append(out[n-1].(obj)["tool_calls"].([]any), call)
				continue
			}
			out = append(out, obj{"role": "assistant", "content": nil, "tool_calls": []any{call}})
		case longrein.ToolOutput:
			out = append(out, obj{"role": "tool", "tool_call_id": it.CallID, "content": it.Text})
		}
	}
	return out
}

func (c *Conversation) messages() []any {
	var out []any
	role, blocks := "", []any(nil)
	put := func(r string, b any) {
		if r != role && blocks != nil {
			out, blocks = append(out, obj{"role": role, "content": blocks}), nil
		}
		role, blocks = r, append(blocks, b)
	}
	for _, it := range c.Items {
		switch it := it.(type) {
		case longrein.Message:
			put(string(it.Role), obj{"type": "text", "text": it.Text})
		case longrein.Reasoning:
			put("assistant", it.Raw)
		case longrein.ToolCall:
			put("assistant", obj{"type": "tool_use", "id": it.ID, "name": it.Name, "input": object(it.Args)})
		case longrein.ToolOutput:
			put("user", obj{"type": "tool_result", "tool_use_id": it.CallID, "content": it.Text})
		}
	}
	if last, ok := blocks[len(blocks)-1].(obj); ok && c.Marks {
		last["cache_control"] = obj{"type": "ephemeral"}
	}
	return append(out, obj{"role": role, "content": blocks})
}

// Response is what came back of one request.
type Response struct {
	Items []longrein.Item
	Done  longrein.Finished
	Err   error
}

// Text is the first message, "" if there is none.
func (r Response) Text() string {
	for _, it := range r.Items {
		if m, ok := it.(longrein.Message); ok {
			return m.Text
		}
	}
	return ""
}

// Calls are the tool calls, in order.
func (r Response) Calls() []longrein.ToolCall {
	var out []longrein.ToolCall
	for _, it := range r.Items {
		if c, ok := it.(longrein.ToolCall); ok {
			out = append(out, c)
		}
	}
	return out
}

// Ask sends a request in process.
func Ask(t testing.TB, m longrein.Model, r longrein.Request) Response {
	t.Helper()
	var out Response
	for e, err := range m.Stream(t.Context(), r) {
		if err != nil {
			out.Err = err
			return out
		}
		switch e := e.(type) {
		case longrein.ItemDone:
			out.Items = append(out.Items, e.Item)
		case longrein.Finished:
			out.Done = e
		}
	}
	return out
}

// RunTool stands in for the tools.
func RunTool(c longrein.ToolCall) string {
	switch {
	case strings.Contains(c.Args, "find . -name '*.go'"):
		return "a.go\nb/b.go\nb/c.go\n"
	case c.Name == "read_file":
		return "package b\n\nfunc Read() {}\n"
	}
	return fmt.Sprintf("output of %s %s", c.Name, c.Args)
}

// Step asks once, runs the calls, and adds everything to the conversation.
func (c *Conversation) Step(t testing.TB, m longrein.Model, run func(longrein.ToolCall) string) Response {
	t.Helper()
	r := Ask(t, m, c.Request())
	if r.Err != nil {
		t.Fatalf("request with %d items: %v", len(c.Items), r.Err)
	}
	c.Items = append(c.Items, r.Items...)
	for _, call := range r.Calls() {
		c.Items = append(c.Items, longrein.ToolOutput{CallID: call.ID, Text: run(call), Status: longrein.OutputOK})
	}
	return r
}

// Play goes on until the model answers, at most for most steps.
func (c *Conversation) Play(t testing.TB, m longrein.Model, most int) (steps int, last Response) {
	t.Helper()
	for steps < most {
		last = c.Step(t, m, RunTool)
		steps++
		if len(last.Calls()) == 0 {
			return steps, last
		}
	}
	return steps, last
}

// object is what a client sends back for arguments: an object in any case.
func object(args string) json.RawMessage {
	if json.Valid([]byte(args)) {
		return json.RawMessage(args)
	}
	return json.RawMessage("{}")
}
