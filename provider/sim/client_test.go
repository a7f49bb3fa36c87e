package sim

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein"
)

var wires = []longrein.Wire{longrein.WireResponses, longrein.WireChat, longrein.WireMessages}

// chat is a conversation that a test holds with a Sim.
type conversation struct {
	wire   longrein.Wire
	model  string
	key    string
	marks  bool // the messages wire's breakpoints
	max    int
	items  []longrein.Item
	system string
}

func talk(wire longrein.Wire, model, prompt string) *conversation {
	return &conversation{
		wire: wire, model: model, max: 64000, system: "You are a test.",
		items: []longrein.Item{longrein.Message{Role: longrein.RoleUser, Text: prompt}},
	}
}

// body encodes the conversation in its wire.
func (c *conversation) body(stream bool) []byte {
	head := map[string]any{"model": c.model, "stream": stream}
	switch c.wire {
	case longrein.WireResponses:
		head["instructions"], head["input"] = c.system, c.responsesInput()
		head["include"], head["max_output_tokens"] = []string{"reasoning.encrypted_content"}, c.max
	case longrein.WireChat:
		head["messages"] = append([]any{obj{"role": "system", "content": c.system}}, c.chatMessages()...)
		head["stream_options"], head["max_completion_tokens"] = obj{"include_usage": true}, c.max
	case longrein.WireMessages:
		head["system"], head["messages"] = c.system, c.messages()
		head["max_tokens"], head["thinking"] = c.max, obj{"type": "adaptive"}
	}
	if c.key != "" {
		head["prompt_cache_key"] = c.key
	}
	b, err := json.Marshal(head)
	if err != nil {
		panic(err)
	}
	return b
}

func (c *conversation) request() longrein.Request {
	return longrein.Request{Thread: "t", Model: c.model, Wire: c.wire, Body: c.body(true)}
}

type obj = map[string]any

func (c *conversation) responsesInput() []any {
	var out []any
	for _, it := range c.items {
		switch it := it.(type) {
		case longrein.Message:
			kind := "input_text"
			if it.Role == longrein.RoleAssistant {
				kind = "output_text"
			}
			out = append(out, obj{"type": "message", "role": it.Role, "content": []any{obj{"type": kind, "text": it.Text}}})
		case longrein.Reasoning:
			out = append(out, it.Raw)
		case longrein.ToolCall:
			out = append(out, obj{"type": "function_call", "call_id": it.ID, "name": it.Name, "arguments": it.Args})
		case longrein.ToolOutput:
			out = append(out, obj{"type": "function_call_output", "call_id": it.CallID, "output": it.Text})
		}
	}
	return out
}

func (c *conversation) chatMessages() []any {
	var out []any
	for _, it := range c.items {
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

func (c *conversation) messages() []any {
	var out []any
	role, blocks := "", []any(nil)
	put := func(r string, b any) {
		if r != role && blocks != nil {
			out, blocks = append(out, obj{"role": role, "content": blocks}), nil
		}
		role, blocks = r, append(blocks, b)
	}
	for _, it := range c.items {
		switch it := it.(type) {
		case longrein.Message:
			put(string(it.Role), obj{"type": "text", "text": it.Text})
		case longrein.Reasoning:
			put("assistant", it.Raw)
		case longrein.ToolCall:
			put("assistant", obj{"type": "tool_use", "id": it.ID, "name": it.Name, "input": json.RawMessage(objectOf(it.Args))})
		case longrein.ToolOutput:
			put("user", obj{"type": "tool_result", "tool_use_id": it.CallID, "content": it.Text})
		}
	}
	if last, ok := blocks[len(blocks)-1].(obj); ok && c.marks {
		last["cache_control"] = obj{"type": "ephemeral"}
	}
	return append(out, obj{"role": role, "content": blocks})
}

// response is what came back of one request.
type response struct {
	items []longrein.Item
	done  longrein.Finished
	err   error
}

func (r response) text() string {
	for _, it := range r.items {
		if m, ok := it.(longrein.Message); ok {
			return m.Text
		}
	}
	return ""
}

func (r response) calls() []longrein.ToolCall {
	var out []longrein.ToolCall
	for _, it := range r.items {
		if c, ok := it.(longrein.ToolCall); ok {
			out = append(out, c)
		}
	}
	return out
}

// ask sends a request in process.
func ask(t testing.TB, m longrein.Model, r longrein.Request) response {
	t.Helper()
	var out response
	for e, err := range m.Stream(t.Context(), r) {
		if err != nil {
			out.err = err
			return out
		}
		switch e := e.(type) {
		case longrein.ItemDone:
			out.items = append(out.items, e.Item)
		case longrein.Finished:
			out.done = e
		}
	}
	return out
}

// runTool stands in for the tools.
func runTool(c longrein.ToolCall) string {
	switch {
	case strings.Contains(c.Args, "find . -name '*.go'"):
		return "a.go\nb/b.go\nb/c.go\n"
	case c.Name == "read_file":
		return "package b\n\nfunc Read() {}\n"
	}
	return fmt.Sprintf("output of %s %s", c.Name, c.Args)
}

// step asks once, runs the calls, and adds everything to the conversation.
func (c *conversation) step(t testing.TB, m longrein.Model, run func(longrein.ToolCall) string) response {
	t.Helper()
	r := ask(t, m, c.request())
	if r.err != nil {
		t.Fatalf("request with %d items: %v", len(c.items), r.err)
	}
	c.items = append(c.items, r.items...)
	for _, call := range r.calls() {
		c.items = append(c.items, longrein.ToolOutput{CallID: call.ID, Text: run(call), Status: longrein.OutputOK})
	}
	return r
}

// play goes on until the model answers, at most for most steps.
func (c *conversation) play(t testing.TB, m longrein.Model, most int) (steps int, last response) {
	t.Helper()
	for steps < most {
		last = c.step(t, m, runTool)
		steps++
		if len(last.calls()) == 0 {
			return steps, last
		}
	}
	return steps, last
}

func mustParse(t testing.TB, text string) *Script {
	t.Helper()
	s, err := ParseScript("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
