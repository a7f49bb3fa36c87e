// Package clients tests that the clients of the API owners read what the
// simulated model serves. They are large, so they stay out of its own tests.
package clients

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	aopt "github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/google/go-cmp/cmp"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/sim"
	"github.com/longrein/longrein/provider/sim/internal/talk"
)

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

type sdk func(t *testing.T, url string, body []byte) talk.Response

var sdks = map[longrein.Wire]sdk{
	longrein.WireResponses: askResponses,
	longrein.WireChat:      askChat,
	longrein.WireMessages:  askMessages,
}

func TestTheOwnersClientsReadTheStreams(t *testing.T) {
	text, err := os.ReadFile("../testdata/everything.sim")
	if err != nil {
		t.Fatal(err)
	}
	script, err := sim.ParseScript("everything", text)
	if err != nil {
		t.Fatal(err)
	}
	for _, wire := range talk.Wires {
		t.Run(string(wire), func(t *testing.T) {
			local := sim.New(sim.Options{Script: script})
			srv := httptest.NewServer(sim.New(sim.Options{Script: script}).Handler())
			defer srv.Close()
			c := talk.New(wire, "sim:test", "go")
			c.Marks = true
			for range 3 {
				body := c.Body(true)
				got := sdks[wire](t, srv.URL, body)
				want := c.Step(t, local, talk.RunTool)
				if d := cmp.Diff(plainItems(want.Items), plainItems(got.Items)); d != "" {
					t.Errorf("items (-stream +http):\n%s", d)
				}
				if d := cmp.Diff(want.Done.Usage, got.Done.Usage); d != "" {
					t.Errorf("usage (-stream +http):\n%s", d)
				}
				if got.Done.Stop != want.Done.Stop {
					t.Errorf("stop = %q, want %q", got.Done.Stop, want.Done.Stop)
				}
			}
		})
	}
}

func askResponses(t *testing.T, url string, body []byte) talk.Response {
	client := openai.NewClient(option.WithBaseURL(url+"/v1"), option.WithAPIKey("k"), option.WithMaxRetries(0))
	s := client.Responses.NewStreaming(t.Context(), responses.ResponseNewParams{}, option.WithRequestBody("application/json", body))
	var out talk.Response
	deltas := ""
	for s.Next() {
		e := s.Current()
		switch e.Type {
		case "response.output_text.delta":
			deltas += e.Delta
		case "response.completed":
			u := e.Response.Usage
			out.Done.Usage = longrein.Usage{
				Input: u.InputTokens, Cached: u.InputTokensDetails.CachedTokens, CacheWrite: u.InputTokensDetails.CacheWriteTokens,
				Output: u.OutputTokens, Reasoning: u.OutputTokensDetails.ReasoningTokens, Reported: true,
			}
			out.Items = responsesItems(e.Response.Output)
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	if deltas != out.Text() {
		t.Errorf("deltas = %q, want %q", deltas, out.Text())
	}
	out.Done.Stop = longrein.StopEnd
	if len(out.Calls()) > 0 {
		out.Done.Stop = longrein.StopTools
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

func askChat(t *testing.T, url string, body []byte) talk.Response {
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
			thought += reasoning(t, c.Delta.JSON.ExtraFields["reasoning_content"].Raw())
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	var out talk.Response
	if thought != "" {
		out.Items = append(out.Items, longrein.Reasoning{Text: thought})
	}
	msg := acc.Choices[0].Message
	if msg.Content != "" {
		out.Items = append(out.Items, longrein.Message{Role: longrein.RoleAssistant, Text: msg.Content})
	}
	for _, c := range msg.ToolCalls {
		out.Items = append(out.Items, longrein.ToolCall{ID: c.ID, Name: c.Function.Name, Args: c.Function.Arguments})
	}
	out.Done.Usage = longrein.Usage{
		Input: u.PromptTokens, Cached: u.PromptTokensDetails.CachedTokens, CacheWrite: u.PromptTokensDetails.CacheWriteTokens,
		Output: u.CompletionTokens, Reasoning: u.CompletionTokensDetails.ReasoningTokens, Reported: true,
	}
	out.Done.Stop = map[string]longrein.Stop{"stop": longrein.StopEnd, "tool_calls": longrein.StopTools}[acc.Choices[0].FinishReason]
	return out
}

// reasoning decodes a field that the client does not know, "" when absent.
func reasoning(t *testing.T, raw string) string {
	t.Helper()
	if raw == "" {
		return ""
	}
	var text string
	if err := json.Unmarshal([]byte(raw), &text); err != nil {
		t.Fatal(err)
	}
	return text
}

func askMessages(t *testing.T, url string, body []byte) talk.Response {
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
	var out talk.Response
	for _, b := range msg.Content {
		switch b.Type {
		case "thinking":
			raw := json.RawMessage(b.RawJSON())
			out.Items = append(out.Items, longrein.Reasoning{Text: b.Thinking, Raw: raw})
		case "text":
			out.Items = append(out.Items, longrein.Message{Role: longrein.RoleAssistant, Text: b.Text})
		case "tool_use":
			out.Items = append(out.Items, longrein.ToolCall{ID: b.ID, Name: b.Name, Args: string(b.Input)})
		}
	}
	u := msg.Usage
	out.Done.Usage = longrein.Usage{
		Input:  u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens,
		Cached: u.CacheReadInputTokens, CacheWrite: u.CacheCreationInputTokens, Output: u.OutputTokens, Reported: true,
		Reasoning: u.OutputTokensDetails.ThinkingTokens,
	}
	out.Done.Stop = map[anthropic.StopReason]longrein.Stop{"end_turn": longrein.StopEnd, "tool_use": longrein.StopTools}[msg.StopReason]
	return out
}

func TestTheOwnersClientsListTheModels(t *testing.T) {
	srv := httptest.NewServer(sim.New(sim.Options{Window: 16000}).Handler())
	defer srv.Close()
	o := openai.NewClient(option.WithBaseURL(srv.URL+"/v1"), option.WithAPIKey("k"))
	page, err := o.Models.List(t.Context())
	if err != nil || len(page.Data) != len(sim.Builtins()) {
		t.Fatalf("openai: %d models, %v; want %d", len(page.Data), err, len(sim.Builtins()))
	}
	a := anthropic.NewClient(aopt.WithoutEnvironmentDefaults(), aopt.WithBaseURL(srv.URL), aopt.WithAPIKey("k"))
	models, err := a.Models.List(t.Context(), anthropic.ModelListParams{})
	if err != nil || len(models.Data) != len(page.Data) || models.Data[0].ID != page.Data[0].ID {
		t.Fatalf("anthropic: %d models, %v; want %d", len(models.Data), err, len(page.Data))
	}
}
