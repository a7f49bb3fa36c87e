package sim

import (
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	aopt "github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/google/go-cmp/cmp"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/longrein/longrein"
)

// The owners' clients read from HTTP what Stream gives in process.

const everything = `step
 think I look first. «ünïcode» and 日本語, long enough to come in more than one piece of text.
 say I look at two things, and say so in a sentence that is longer than one piece.
 call exec_command {"command": "printf '%s\n' \"a\\tb\" <&>"}
 call list_files {}
step
 call read_file {"path": "a"}
answer The end, in one more sentence that is longer than a single piece of text can be.`

// plainItems drops what only Stream knows of reasoning.
func plainItems(items []longrein.Item) []longrein.Item {
	out := make([]longrein.Item, 0, len(items))
	for _, it := range items {
		if r, ok := it.(longrein.Reasoning); ok {
			it = longrein.Reasoning{Text: r.Text, Raw: r.Raw}
		}
		out = append(out, it)
	}
	return out
}

type sdk func(t *testing.T, url string, body []byte) response

var sdks = map[longrein.Wire]sdk{
	longrein.WireResponses: askResponses,
	longrein.WireChat:      askChat,
	longrein.WireMessages:  askMessages,
}

func TestTheOwnersClientsReadTheStreams(t *testing.T) {
	script := mustParse(t, everything)
	for _, wire := range wires {
		t.Run(string(wire), func(t *testing.T) {
			local := New(Options{Script: script})
			srv := httptest.NewServer(New(Options{Script: script}).Handler())
			defer srv.Close()
			c := talk(wire, "sim:test", "go")
			c.marks = true
			for range 3 {
				body := c.body(true)
				got := sdks[wire](t, srv.URL, body)
				want := c.step(t, local, runTool)
				if d := cmp.Diff(plainItems(want.items), plainItems(got.items)); d != "" {
					t.Errorf("items (-stream +http):\n%s", d)
				}
				if d := cmp.Diff(want.done.Usage, got.done.Usage); d != "" {
					t.Errorf("usage (-stream +http):\n%s", d)
				}
				if got.done.Stop != want.done.Stop {
					t.Errorf("stop = %q, want %q", got.done.Stop, want.done.Stop)
				}
			}
		})
	}
}

func askResponses(t *testing.T, url string, body []byte) response {
	client := openai.NewClient(option.WithBaseURL(url+"/v1"), option.WithAPIKey("k"), option.WithMaxRetries(0))
	s := client.Responses.NewStreaming(t.Context(), responses.ResponseNewParams{}, option.WithRequestBody("application/json", body))
	var out response
	deltas := ""
	for s.Next() {
		e := s.Current()
		switch e.Type {
		case "response.output_text.delta":
			deltas += e.Delta
		case "response.completed":
			u := e.Response.Usage
			out.done.Usage = longrein.Usage{
				Input: u.InputTokens, Cached: u.InputTokensDetails.CachedTokens, CacheWrite: u.InputTokensDetails.CacheWriteTokens,
				Output: u.OutputTokens, Reasoning: u.OutputTokensDetails.ReasoningTokens, Reported: true,
			}
			out.items = responsesItems(e.Response.Output)
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	if deltas != out.text() {
		t.Errorf("deltas = %q, want %q", deltas, out.text())
	}
	out.done.Stop = longrein.StopEnd
	if len(out.calls()) > 0 {
		out.done.Stop = longrein.StopTools
	}
	return out
}

func responsesItems(items []responses.ResponseOutputItemUnion) []longrein.Item {
	var out []longrein.Item
	for _, it := range items {
		switch it.Type {
		case "reasoning":
			out = append(out, longrein.Reasoning{Text: it.Summary[0].Text, Raw: json.RawMessage(it.RawJSON())})
		case "message":
			out = append(out, longrein.Message{Role: longrein.RoleAssistant, Text: it.Content[0].Text})
		case "function_call":
			out = append(out, longrein.ToolCall{ID: it.CallID, Name: it.Name, Args: it.Arguments.OfString})
		}
	}
	return out
}

func askChat(t *testing.T, url string, body []byte) response {
	client := openai.NewClient(option.WithBaseURL(url+"/v1"), option.WithAPIKey("k"), option.WithMaxRetries(0))
	s := client.Chat.Completions.NewStreaming(t.Context(), openai.ChatCompletionNewParams{}, option.WithRequestBody("application/json", body))
	acc := openai.ChatCompletionAccumulator{}
	thought, u := "", openai.CompletionUsage{}
	for s.Next() {
		chunk := s.Current()
		if !acc.AddChunk(chunk) {
			t.Fatal("the accumulator refuses a chunk")
		}
		if chunk.JSON.Usage.Valid() {
			u = chunk.Usage // the accumulator knows fewer fields
		}
		for _, c := range chunk.Choices {
			thought += str([]byte(c.Delta.JSON.ExtraFields["reasoning_content"].Raw()))
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	var out response
	if thought != "" {
		out.items = append(out.items, longrein.Reasoning{Text: thought})
	}
	msg := acc.Choices[0].Message
	if msg.Content != "" {
		out.items = append(out.items, longrein.Message{Role: longrein.RoleAssistant, Text: msg.Content})
	}
	for _, c := range msg.ToolCalls {
		out.items = append(out.items, longrein.ToolCall{ID: c.ID, Name: c.Function.Name, Args: c.Function.Arguments})
	}
	out.done.Usage = longrein.Usage{
		Input: u.PromptTokens, Cached: u.PromptTokensDetails.CachedTokens, CacheWrite: u.PromptTokensDetails.CacheWriteTokens,
		Output: u.CompletionTokens, Reasoning: u.CompletionTokensDetails.ReasoningTokens, Reported: true,
	}
	out.done.Stop = map[string]longrein.Stop{"stop": longrein.StopEnd, "tool_calls": longrein.StopTools}[acc.Choices[0].FinishReason]
	return out
}

func askMessages(t *testing.T, url string, body []byte) response {
	client := anthropic.NewClient(aopt.WithoutEnvironmentDefaults(), aopt.WithBaseURL(url), aopt.WithAPIKey("k"), aopt.WithMaxRetries(0))
	s := client.Messages.NewStreaming(t.Context(), anthropic.MessageNewParams{}, aopt.WithRequestBody("application/json", body))
	var msg anthropic.Message
	for s.Next() {
		if err := msg.Accumulate(s.Current()); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	var out response
	for _, b := range msg.Content {
		switch b.Type {
		case "thinking":
			raw := thought{text: b.Thinking, seal: b.Signature}.raw(longrein.WireMessages)
			out.items = append(out.items, longrein.Reasoning{Text: b.Thinking, Raw: raw})
		case "text":
			out.items = append(out.items, longrein.Message{Role: longrein.RoleAssistant, Text: b.Text})
		case "tool_use":
			out.items = append(out.items, longrein.ToolCall{ID: b.ID, Name: b.Name, Args: string(b.Input)})
		}
	}
	u := msg.Usage
	out.done.Usage = longrein.Usage{
		Input:  u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens,
		Cached: u.CacheReadInputTokens, CacheWrite: u.CacheCreationInputTokens, Output: u.OutputTokens, Reported: true,
		Reasoning: u.OutputTokensDetails.ThinkingTokens,
	}
	out.done.Stop = map[anthropic.StopReason]longrein.Stop{"end_turn": longrein.StopEnd, "tool_use": longrein.StopTools}[msg.StopReason]
	return out
}

func TestTheOwnersClientsListTheModels(t *testing.T) {
	srv := httptest.NewServer(New(Options{Window: 16000}).Handler())
	defer srv.Close()
	o := openai.NewClient(option.WithBaseURL(srv.URL+"/v1"), option.WithAPIKey("k"))
	page, err := o.Models.List(t.Context())
	if err != nil || len(page.Data) != len(Builtins()) {
		t.Fatalf("openai: %d models, %v; want %d", len(page.Data), err, len(Builtins()))
	}
	a := anthropic.NewClient(aopt.WithoutEnvironmentDefaults(), aopt.WithBaseURL(srv.URL), aopt.WithAPIKey("k"))
	models, err := a.Models.List(t.Context(), anthropic.ModelListParams{})
	if err != nil || len(models.Data) != len(page.Data) || models.Data[0].ID != page.Data[0].ID {
		t.Fatalf("anthropic: %d models, %v; want %d", len(models.Data), err, len(page.Data))
	}
}
