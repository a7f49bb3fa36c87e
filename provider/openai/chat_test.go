package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/provider/stream"
)

// read plays chunks to a reader for the answer to request, then the end.
func read(t *testing.T, rd stream.Reader, done bool, chunks ...string) []longrein.ModelEvent {
	t.Helper()
	var out []longrein.ModelEvent
	for _, c := range chunks {
		events, err := rd.Event(gjson.Parse(c))
		if err != nil {
			t.Fatalf("%s: %v", c, err)
		}
		out = append(out, events...)
	}
	return append(out, rd.End(done)...)
}

func itemsOf(events []longrein.ModelEvent) (items []longrein.Item, end longrein.Finished) {
	for _, ev := range events {
		switch ev := ev.(type) {
		case longrein.ItemDone:
			items = append(items, ev.Item)
		case longrein.Finished:
			end = ev
		}
	}
	return items, end
}

// piece is a chunk with this delta.
func piece(delta string) string { return `{"choices":[{"index":0,"delta":` + delta + `}]}` }

// callPiece is a chunk with this element of tool_calls.
func callPiece(call string) string { return piece(`{"tool_calls":[` + call + `]}`) }

const stops = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`

func chatRequest() longrein.Request {
	return longrein.Request{Model: "m", Wire: longrein.WireChat, Body: []byte(
		`{"model":"m","tools":[{"type":"function","function":{"name":"f"}},{"type":"function","function":{"name":"g"}}],"messages":[]}`)}
}

func TestChatCallsOfEveryDialect(t *testing.T) {
	f := func(id, args string) longrein.ToolCall { return longrein.ToolCall{ID: id, Name: "f", Args: args} }
	g := func(id, args string) longrein.ToolCall { return longrein.ToolCall{ID: id, Name: "g", Args: args} }
	for name, c := range map[string]struct {
		chunks []string
		want   []longrein.ToolCall // an id "*" stands for any
	}{
		"names and arguments in pieces": {[]string{
			callPiece(`{"index":0,"id":"a","function":{"name":"exec_"}}`), callPiece(`{"index":0,"function":{"name":"command","arguments":"{\"x\""}}`),
			callPiece(`{"index":0,"function":{"arguments":":1}"}}`),
		}, []longrein.ToolCall{{ID: "a", Name: "exec_command", Args: `{"x":1}`}}},
		"pieces of two calls by turns": {[]string{
			callPiece(`{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}`), callPiece(`{"index":1,"id":"b","function":{"name":"g","arguments":"{"}}`),
			callPiece(`{"index":0,"function":{"arguments":"}"}}`), callPiece(`{"index":1,"function":{"arguments":"}"}}`),
		}, []longrein.ToolCall{f("a", "{}"), g("b", "{}")}},
		"every call has index 0 and its own id": {[]string{
			callPiece(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`), callPiece(`{"index":0,"id":"b","function":{"name":"f","arguments":""}}`),
			callPiece(`{"index":0,"id":"","function":{"name":"","arguments":"{\"x\":1}"}}`),
		}, []longrein.ToolCall{f("a", "{}"), f("b", `{"x":1}`)}},
		"every call has index 0 and none has an id": {[]string{
			callPiece(`{"index":0,"function":{"name":"f","arguments":"{\"x\":1}"}}`), callPiece(`{"index":0,"id":null,"function":{"name":"f","arguments":"{\"x\":2}"}}`),
		}, []longrein.ToolCall{f("*", `{"x":1}`), f("*", `{"x":2}`)}},
		"calls without index in one chunk": {[]string{
			callPiece(`{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"g","arguments":"{}"}}`),
		}, []longrein.ToolCall{f("a", "{}"), g("b", "{}")}},
		"id and name repeated in every piece": {[]string{
			callPiece(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}`), callPiece(`{"index":0,"id":"a","function":{"name":"f","arguments":"1}"}}`),
			callPiece(`{"index":0,"id":"a","function":{"name":"f","arguments":""}}`),
		}, []longrein.ToolCall{f("a", `{"x":1}`)}},
		"another id in every piece, the name in the first alone": {[]string{
			callPiece(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}`), callPiece(`{"index":0,"id":"b","function":{"arguments":"1}"}}`),
		}, []longrein.ToolCall{f("a", `{"x":1}`)}},
		"arguments as an object": {[]string{
			callPiece(`{"index":0,"id":"a","function":{"name":"f","arguments":{"x": [1, 2]}}}`),
		}, []longrein.ToolCall{f("a", `{"x":[1,2]}`)}},
		"no arguments":    {[]string{callPiece(`{"index":0,"id":"a","function":{"name":"f","arguments":null}}`)}, []longrein.ToolCall{f("a", "{}")}},
		"an empty name":   {[]string{callPiece(`{"index":0,"id":"a","function":{"name":"","arguments":"{}"}}`)}, []longrein.ToolCall{{ID: "a", Args: "{}"}}},
		"broken JSON":     {[]string{callPiece(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x"}}`)}, []longrein.ToolCall{f("a", `{"x`)}},
		"not streamed":    {[]string{`{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}}]}`}, []longrein.ToolCall{f("a", "{}")}},
		"written in tags": {[]string{piece(`{"content":"<tool_call>\n{\"name\":\"f\",\"arguments\":{\"x\":1}}\n</tool_call>\n<tool_call>{\"name\":\"g\",\"arguments\":\"{}\"}"}`)}, []longrein.ToolCall{f("*", `{"x":1}`), g("*", "{}")}},
		"written as JSON": {[]string{piece("{\"content\":\"```json\\n{\\\"name\\\":\\\"f\\\",\\\"parameters\\\":{}}\\n```\"}")}, []longrein.ToolCall{f("*", "{}")}},
		"in the thoughts": {[]string{piece(`{"reasoning":"so <tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>"}`)}, []longrein.ToolCall{f("*", "{}")}},
	} {
		t.Run(name, func(t *testing.T) {
			items, end := itemsOf(read(t, newChat(provider.Endpoint{}, chatRequest()), true, append(c.chunks, stops)...))
			got := callsIn(items)
			for i := range min(len(got), len(c.want)) {
				if c.want[i].ID == "*" && got[i].ID != "" {
					got[i].ID = "*"
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if end.Stop != longrein.StopTools {
				t.Errorf("it stopped for %q, want %q", end.Stop, longrein.StopTools)
			}
		})
	}
}

func callsIn(items []longrein.Item) (out []longrein.ToolCall) {
	for _, it := range items {
		if c, ok := it.(longrein.ToolCall); ok {
			out = append(out, c)
		}
	}
	return out
}

func TestMadeUpIDsDiffer(t *testing.T) {
	items, _ := itemsOf(read(t, newChat(provider.Endpoint{}, chatRequest()), true,
		callPiece(`{"index":0,"function":{"name":"f","arguments":"{}"}}`), callPiece(`{"index":1,"function":{"name":"f","arguments":"{}"}}`), stops))
	if calls := callsIn(items); len(calls) != 2 || calls[0].ID == calls[1].ID {
		t.Errorf("the calls are %v", calls)
	}
}

func TestChatTextOfEveryDialect(t *testing.T) {
	for name, c := range map[string]struct {
		chunks        []string
		thought, text string
	}{
		"reasoning_content":           {[]string{piece(`{"reasoning_content":"hm","content":null}`), piece(`{"content":"ok"}`)}, "hm", "ok"},
		"reasoning":                   {[]string{piece(`{"reasoning":"hm"}`), piece(`{"content":"ok"}`)}, "hm", "ok"},
		"thinking":                    {[]string{piece(`{"thinking":"hm","content":"ok"}`)}, "hm", "ok"},
		"reasoning twice over":        {[]string{piece(`{"reasoning_content":"hm","reasoning":"hm"}`), piece(`{"content":"ok"}`)}, "hm", "ok"},
		"think tags":                  {[]string{piece(`{"content":"<think>\nhm\n</think>\n\nok"}`)}, "hm", "ok"},
		"think tags in pieces":        {[]string{piece(`{"content":" <th"}`), piece(`{"content":"ink>h"}`), piece(`{"content":"m</thi"}`), piece(`{"content":"nk"}`), piece(`{"content":"> o"}`), piece(`{"content":"k"}`)}, "hm", "ok"},
		"almost a closing tag":        {[]string{piece(`{"content":"<think>a </thi"}`), piece(`{"content":"s> b</think>ok"}`)}, "a </this> b", "ok"},
		"a think tag left open":       {[]string{piece(`{"content":"<think>hm</th"}`)}, "hm</th", ""},
		"tags further on are text":    {[]string{piece(`{"content":"ok <think>x</think>"}`)}, "", "ok <think>x</think>"},
		"the beginning of a tag":      {[]string{piece(`{"content":"<th"}`)}, "", "<th"},
		"another tag":                 {[]string{piece(`{"content":"<thing/>"}`)}, "", "<thing/>"},
		"content in parts":            {[]string{piece(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"ok"}]}`)}, "hm", "ok"},
		"a call of an unknown tool":   {[]string{piece(`{"content":"<tool_call>{\"name\":\"x\",\"arguments\":{}}</tool_call>"}`)}, "", `<tool_call>{"name":"x","arguments":{}}</tool_call>`},
		"JSON that is no call":        {[]string{piece(`{"content":"{\"name\":\"f\"}"}`)}, "", `{"name":"f"}`},
		"a call in the middle":        {[]string{piece(`{"content":"like {\"name\":\"f\",\"arguments\":{}}"}`)}, "", `like {"name":"f","arguments":{}}`},
		"a role and nothing but it":   {[]string{piece(`{"role":"assistant","content":""}`)}, "", ""},
		"a chunk with no choices":     {[]string{`{"choices":[]}`, `{"object":"ping"}`, `[1]`, piece(`{"content":"ok"}`)}, "", "ok"},
		"characters outside of ASCII": {[]string{piece(`{"content":"\u4e16"}`), piece(`{"content":"界 \ud83d\ude00"}`)}, "", "世界 😀"},
	} {
		t.Run(name, func(t *testing.T) {
			events := read(t, newChat(provider.Endpoint{}, chatRequest()), true, append(c.chunks, stops)...)
			items, _ := itemsOf(events)
			var thought, text string
			for _, it := range items {
				switch it := it.(type) {
				case longrein.Reasoning:
					thought += it.Text
				case longrein.Message:
					text += it.Text
				default:
					t.Errorf("there is %v", it)
				}
			}
			if thought != c.thought || text != c.text {
				t.Errorf("got %q after %q, want %q after %q", text, thought, c.text, c.thought)
			}
		})
	}
}

func TestChatEnds(t *testing.T) {
	reason := func(r string) string { return `{"choices":[{"delta":{"content":"x"},"finish_reason":"` + r + `"}]}` }
	call := callPiece(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`)
	for name, c := range map[string]struct {
		chunks []string
		done   bool
		want   longrein.Stop // "" for a response that is not whole
	}{
		"stop":                          {[]string{reason("stop")}, true, longrein.StopEnd},
		"stop without [DONE]":           {[]string{reason("stop")}, false, longrein.StopEnd},
		"[DONE] without a reason":       {[]string{piece(`{"content":"x"}`)}, true, longrein.StopEnd},
		"[DONE] alone":                  {nil, true, ""},
		"nothing":                       {nil, false, ""},
		"text and then nothing":         {[]string{piece(`{"content":"x"}`)}, false, ""},
		"length":                        {[]string{reason("length")}, true, longrein.StopMaxOutput},
		"a filter":                      {[]string{reason("content_filter")}, true, longrein.StopRefused},
		"a refusal":                     {[]string{piece(`{"refusal":"no"}`), stops}, true, longrein.StopRefused},
		"tool_calls without any":        {[]string{reason("tool_calls")}, true, longrein.StopEnd},
		"stop with calls":               {[]string{call, stops}, true, longrein.StopTools},
		"no reason, but calls":          {[]string{call}, true, longrein.StopTools},
		"calls and then the connection": {[]string{call}, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, end := itemsOf(read(t, newChat(provider.Endpoint{}, chatRequest()), c.done, c.chunks...))
			if end.Stop != c.want {
				t.Errorf("it stopped for %q, want %q", end.Stop, c.want)
			}
		})
	}
}

// Case 8 of the contract of background memory.
func TestChatUsageOfEveryDialect(t *testing.T) {
	for name, c := range map[string]struct {
		chunk string
		want  longrein.Usage
	}{
		"OpenAI":     {`{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":8},"completion_tokens_details":{"reasoning_tokens":3}}}`, longrein.Usage{Input: 10, Cached: 8, Output: 5, Reasoning: 3, Reported: true}},
		"DeepSeek":   {`{"usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_cache_hit_tokens":8,"prompt_cache_miss_tokens":2}}`, longrein.Usage{Input: 10, Cached: 8, Output: 5, Reported: true}},
		"Moonshot":   {`{"choices":[{"delta":{},"usage":{"prompt_tokens":10,"completion_tokens":5,"cached_tokens":8}}]}`, longrein.Usage{Input: 10, Cached: 8, Output: 5, Reported: true}},
		"OpenRouter": {`{"usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":6,"cache_write_tokens":2}}}`, longrein.Usage{Input: 10, Cached: 6, CacheWrite: 2, Output: 5, Reported: true}},
		"Groq":       {`{"choices":[],"x_groq":{"usage":{"prompt_tokens":10,"completion_tokens":5}}}`, longrein.Usage{Input: 10, Output: 5, Reported: true}},
		"llama.cpp":  {`{"usage":{"prompt_tokens":10,"completion_tokens":5},"timings":{"cache_n":8,"prompt_n":2}}`, longrein.Usage{Input: 10, Cached: 8, Output: 5, Reported: true}},
		"none":       {`{"choices":[],"usage":null}`, longrein.Usage{}},
	} {
		t.Run(name, func(t *testing.T) {
			_, end := itemsOf(read(t, newChat(provider.Endpoint{}, chatRequest()), true, stops, c.chunk))
			if diff := cmp.Diff(c.want, end.Usage); diff != "" {
				t.Errorf("usage (-want +got):\n%s", diff)
			}
		})
	}
}

func TestChatErrorsInTheStream(t *testing.T) {
	for chunk, want := range map[string]longrein.ErrorKind{
		`{"error":{"code":429,"message":"Rate limit exceeded"},"choices":[{"delta":{},"finish_reason":"error"}]}`: longrein.ErrRateLimited,
		`{"error":{"code":502,"message":"Upstream died"}}`:                                                        longrein.ErrOverloaded,
		`{"error":"model runner has unexpectedly stopped"}`:                                                       longrein.ErrOverloaded,
	} {
		_, err := newChat(provider.Endpoint{}, chatRequest()).Event(gjson.Parse(chunk))
		if got := longrein.KindOf(err); err == nil || got != want {
			t.Errorf("%s is %s (%v), want %s", chunk, got, err, want)
		}
	}
}

func FuzzChatReader(f *testing.F) {
	f.Add(piece(`{"content":"<think>a</think>b"}`) + "\n" + callPiece(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`) + "\n" + stops)
	f.Add(piece(`{"content":"<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call><tool_call>"}`) + "\n" + stops)
	f.Fuzz(func(t *testing.T, stream string) { sane(t, newChat(provider.Endpoint{}, chatRequest()), stream) })
}

func FuzzResponsesReader(f *testing.F) {
	f.Add(`{"type":"response.output_item.done","item":{"type":"function_call","name":"f"}}` + "\n" + `{"type":"response.completed"}`)
	f.Add(`{"type":"response.completed","response":{"output":[{"type":"message","content":[{"text":"x"}]},{"type":"reasoning","encrypted_content":"x"}]}}`)
	f.Fuzz(func(t *testing.T, stream string) {
		sane(t, newResponses(provider.Endpoint{}, longrein.Request{}), stream)
	})
}

// sane plays lines to a reader and checks what holds of all that it returns.
func sane(t *testing.T, rd stream.Reader, lines string) {
	var all []longrein.ModelEvent
	for line := range strings.Lines(lines) {
		if !gjson.Valid(line) {
			continue
		}
		events, err := rd.Event(gjson.Parse(line))
		if err != nil {
			return
		}
		all = append(all, events...)
	}
	all = append(all, rd.End(true)...)
	for _, ev := range all {
		done, ok := ev.(longrein.ItemDone)
		if !ok {
			continue
		}
		switch it := done.Item.(type) {
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
}
