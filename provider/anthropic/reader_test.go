package anthropic

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider"
)

func read(t *testing.T, lines ...string) (items []longrein.Item, end longrein.Finished, err error) {
	t.Helper()
	rd := newReader(provider.Endpoint{}, longrein.Request{Model: "m"})
	for _, line := range lines {
		events, err := rd.Event(gjson.Parse(line))
		for _, ev := range events {
			switch ev := ev.(type) {
			case longrein.ItemDone:
				items = append(items, ev.Item)
			case longrein.Finished:
				end = ev
			}
		}
		if err != nil {
			return items, end, err
		}
	}
	return items, end, nil
}

func begins(block string) string {
	return `{"type":"content_block_start","index":0,"content_block":` + block + `}`
}

func grows(delta string) string {
	return `{"type":"content_block_delta","index":0,"delta":` + delta + `}`
}

func because(reason string) string {
	return `{"type":"message_delta","delta":{"stop_reason":"` + reason + `"}}`
}

const (
	blockEnds = `{"type":"content_block_stop","index":0}`
	over      = `{"type":"message_stop"}`
	aCall     = `{"type":"tool_use","id":"toolu_1","name":"f","input":{}}`
)

func TestEnds(t *testing.T) {
	for name, c := range map[string]struct {
		events []string
		want   longrein.Stop
	}{
		"end_turn":               {[]string{because("end_turn"), over}, longrein.StopEnd},
		"a stop sequence":        {[]string{because("stop_sequence"), over}, longrein.StopEnd},
		"tool_use":               {[]string{begins(aCall), blockEnds, because("tool_use"), over}, longrein.StopTools},
		"end_turn with a call":   {[]string{begins(aCall), blockEnds, because("end_turn"), over}, longrein.StopTools},
		"max_tokens":             {[]string{because("max_tokens"), over}, longrein.StopMaxOutput},
		"pause_turn":             {[]string{because("pause_turn"), over}, longrein.StopPaused},
		"refusal":                {[]string{because("refusal"), over}, longrein.StopRefused},
		"a reason of the future": {[]string{because("bored"), over}, longrein.StopEnd},
		"no message_stop":        {[]string{because("end_turn")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if _, end, err := read(t, c.events...); err != nil || end.Stop != c.want {
				t.Errorf("it stopped for %q, %v, want %q", end.Stop, err, c.want)
			}
		})
	}
}

func TestAFullWindowIsTooLong(t *testing.T) {
	_, _, err := read(t, because("model_context_window_exceeded"), over)
	if got := longrein.KindOf(err); got != longrein.ErrTooLong {
		t.Errorf("it is %s (%v), want %s", got, err, longrein.ErrTooLong)
	}
}

func TestBlocks(t *testing.T) {
	thinking := func(raw, text string) []longrein.Item {
		return []longrein.Item{longrein.Reasoning{Text: text, Wire: longrein.WireMessages, Model: "m", Raw: json.RawMessage(raw)}}
	}
	call := func(args string) []longrein.Item {
		return []longrein.Item{longrein.ToolCall{ID: "toolu_1", Name: "f", Args: args}}
	}
	text := []longrein.Item{longrein.Message{Role: longrein.RoleAssistant, Text: "ok"}}
	for name, c := range map[string]struct {
		events []string
		want   []longrein.Item
	}{
		"redacted thinking": {
			[]string{begins(`{"type":"redacted_thinking", "data":"EmwK"}`), blockEnds}, thinking(`{"type":"redacted_thinking","data":"EmwK"}`, ""),
		},
		"thinking that is not shown": {
			[]string{begins(`{"type":"thinking","thinking":"","signature":""}`), grows(`{"type":"signature_delta","signature":"c2ln"}`), blockEnds},
			thinking(`{"type":"thinking","thinking":"","signature":"c2ln"}`, ""),
		},
		"thinking with what JSON escapes": {
			[]string{begins(`{"type":"thinking"}`), grows(`{"type":"thinking_delta","thinking":"<a> & \"b\"\n"}`), grows(`{"type":"signature_delta","signature":"s"}`), blockEnds},
			thinking(`{"type":"thinking","thinking":"<a> & \"b\"\n","signature":"s"}`, "<a> & \"b\"\n"),
		},
		"a call without arguments": {[]string{begins(aCall), blockEnds}, call("{}")},
		"arguments whole at once":  {[]string{begins(`{"type":"tool_use","id":"toolu_1","name":"f","input":{"x": 1}}`), blockEnds}, call(`{"x":1}`)},
		"broken arguments":         {[]string{begins(aCall), grows(`{"type":"input_json_delta","partial_json":"{\"x"}`), blockEnds}, call(`{"x`)},
		"text whole at once":       {[]string{begins(`{"type":"text","text":"ok"}`), blockEnds}, text},
		"a block left open":        {[]string{begins(`{"type":"text","text":""}`), grows(`{"type":"text_delta","text":"ok"}`), over}, text},
		"empty text":               {[]string{begins(`{"type":"text","text":""}`), blockEnds}, nil},
		"a block of another kind":  {[]string{begins(`{"type":"server_tool_use","id":"x","input":{}}`), grows(`{"type":"input_json_delta","partial_json":"{}"}`), blockEnds}, nil},
		"a delta out of nowhere":   {[]string{grows(`{"type":"text_delta","text":"ok"}`), blockEnds}, nil},
		"a delta of another kind":  {[]string{begins(`{"type":"text","text":"ok"}`), grows(`{"type":"citations_delta","citation":{}}`), blockEnds}, text},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := read(t, c.events...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("items (-want +got):\n%s", diff)
			}
		})
	}
}

// Case 8 of the contract of background memory.
func TestUsageCountsAllInput(t *testing.T) {
	_, end, err := read(t,
		`{"type":"message_start","message":{"usage":{"input_tokens":5,"cache_read_input_tokens":70,"cache_creation_input_tokens":25,"output_tokens":1}}}`,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":0,"output_tokens":40,"output_tokens_details":{"thinking_tokens":30}}}`, over)
	want := longrein.Usage{Input: 100, Cached: 70, CacheWrite: 25, Output: 40, Reasoning: 30, Reported: true}
	if err != nil || end.Usage != want {
		t.Errorf("got %+v, %v, want %+v", end.Usage, err, want)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(begins(aCall) + "\n" + grows(`{"type":"input_json_delta","partial_json":"{}"}`) + "\n" + over)
	f.Add(begins(`{"type":"thinking"}`) + "\n" + blockEnds)
	f.Fuzz(func(t *testing.T, lines string) {
		items, _, _ := read(t, strings.Split(lines, "\n")...)
		for _, it := range items {
			switch it := it.(type) {
			case longrein.ToolCall:
				if it.ID == "" || it.Args == "" {
					t.Errorf("a call lacks something: %+v", it)
				}
			case longrein.Reasoning:
				if it.Raw != nil && !json.Valid(it.Raw) {
					t.Errorf("kept reasoning is not JSON: %s", it.Raw)
				}
			}
		}
	})
}
