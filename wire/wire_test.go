package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/internal/testkit"
)

func TestRequestsAreAsDocumented(t *testing.T) {
	local := head(longrein.WireChat)
	local.Settings.Dialect = longrein.Dialect{
		Server: "vllm", Omit: []string{"parallel_tool_calls", "reasoning_effort"}, SystemRole: true,
		DigitIDs: true, EchoReasoning: "reasoning_content", MaxTokensField: "max_tokens",
	}
	openai := head(longrein.WireChat)
	openai.Settings.Dialect.Server = "openai"
	for name, h := range map[string]Head{
		"responses": head(longrein.WireResponses), "chat": openai, "chat-local": local, "messages": head(longrein.WireMessages),
	} {
		t.Run(name, func(t *testing.T) {
			got := body(h, session(h.Settings.Wire), 5, 6)
			testkit.Golden(t, name+".json", indented(t, got))
		})
	}
}

// indented lays b out for reading, having checked that it is compact.
func indented(t *testing.T, b []byte) []byte {
	t.Helper()
	var compact, out bytes.Buffer
	if err := json.Compact(&compact, b); err != nil {
		t.Fatalf("the body is not JSON: %v\n%s", err, b)
	}
	if h := bytes.ReplaceAll(b, []byte(`{"cmd": "cat a"}`), []byte(`{"cmd":"cat a"}`)); !bytes.Equal(h, compact.Bytes()) {
		t.Errorf("the body is not compact:\n%s", b)
	}
	if err := json.Indent(&out, b, "", "  "); err != nil {
		t.Fatal(err)
	}
	return append(out.Bytes(), '\n')
}

func TestStreamIsAskedForEarly(t *testing.T) {
	for _, w := range wires {
		if b := body(head(w), session(w)); !bytes.HasPrefix(b, []byte(`{"model":"m-1","stream":true,`)) {
			t.Errorf("%s begins with %.60s", w, b)
		}
	}
}

func TestEmptyHead(t *testing.T) {
	for w, want := range map[longrein.Wire]string{
		longrein.WireResponses: `{"model":"m","stream":true,"store":false,"input":[]}`,
		longrein.WireChat:      `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[]}`,
		longrein.WireMessages:  `{"model":"m","stream":true,"max_tokens":32000,"messages":[]}`,
	} {
		h := Head{Settings: longrein.Settings{Model: "m", Wire: w}}
		if got := string(body(h, nil)); got != want {
			t.Errorf("%s: got %s, want %s", w, got, want)
		}
	}
}

func TestOmittedFieldsAreLeftOutAndTheListStays(t *testing.T) {
	for _, w := range wires {
		h := head(w)
		var all map[string]json.RawMessage
		if err := json.Unmarshal(body(h, nil), &all); err != nil {
			t.Fatal(err)
		}
		for name := range all {
			h.Settings.Dialect.Omit = append(h.Settings.Dialect.Omit, name)
		}
		var left map[string]json.RawMessage
		if err := json.Unmarshal(body(h, nil), &left); err != nil {
			t.Fatal(err)
		}
		if left["model"] == nil || left["stream"] == nil || left["input"] == nil && left["messages"] == nil {
			t.Errorf("%s: only %d fields are left: %v", w, len(left), left)
		}
		for _, gone := range []string{"tools", "store", "reasoning", "include", "thinking", "stream_options", "system"} {
			if left[gone] != nil {
				t.Errorf("%s: %s is still there", w, gone)
			}
		}
	}
}

func TestReasoningGoesOnlyToItsOwnWireAndModel(t *testing.T) {
	raw := json.RawMessage(`{"type":"thinking","thinking":"psst","signature":"c2ln"}`)
	answer := longrein.Entry{Step: 1, Item: longrein.Message{Role: longrein.RoleAssistant, Text: "ok"}}
	for _, w := range wires {
		for _, from := range wires {
			for _, model := range []string{"m-1", "m-2"} {
				h := head(w)
				h.Settings.Dialect.EchoReasoning = "reasoning"
				r := longrein.Reasoning{Text: "psst", Wire: from, Model: model, Raw: raw}
				b := body(h, []longrein.Entry{{Step: 1, Item: r}, answer})
				want := from == w && model == "m-1"
				if got := bytes.Contains(b, []byte("psst")); got != want {
					t.Errorf("reasoning of %s on %s sent to m-1 on %s: got %v, want %v", model, from, w, got, want)
				}
			}
		}
	}
}

func TestReasoningThatLedToNothingIsLeftOut(t *testing.T) {
	raw := json.RawMessage(`{"type":"reasoning","encrypted_content":"psst"}`)
	asked := longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: "go on"}}
	for _, w := range []longrein.Wire{longrein.WireResponses, longrein.WireMessages} {
		h := head(w)
		thought := longrein.Entry{Step: 1, Item: longrein.Reasoning{Wire: w, Model: h.Settings.Model, Raw: raw}}
		if b := body(h, []longrein.Entry{asked, thought, asked}); bytes.Contains(b, []byte("psst")) {
			t.Errorf("%s: reasoning is sent without what must follow it:\n%s", w, b)
		}
	}
}

func TestMessagesTakeAtMostFourBreakpoints(t *testing.T) {
	h := head(longrein.WireMessages)
	for _, base := range []string{"", h.Base} {
		h.Base = base
		b := body(h, session(longrein.WireMessages), 5, 6)
		if n := bytes.Count(b, []byte(`"cache_control"`)); n != 3 {
			t.Errorf("with base %q there are %d breakpoints, want 1 for the head and 2 for the groups", base, n)
		}
	}
}

func TestMarkGoesIntoTheLastBlock(t *testing.T) {
	enc := encoder(longrein.WireMessages)
	for name, c := range map[string]struct{ entry, want string }{
		"text":        {"hi", `{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}`},
		"like an end": {`"}]}`, `{"role":"user","content":[{"type":"text","text":"\"}]}","cache_control":{"type":"ephemeral"}}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			e := longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: c.entry}}
			g := enc.Group(nil, head(longrein.WireMessages), []longrein.Entry{e})
			if got := string(enc.Mark(nil, g)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestGroupsAnswerInCallOrder(t *testing.T) {
	var got [][]string
	for g := range Groups(session(longrein.WireChat)) {
		var names []string
		for _, e := range g {
			names = append(names, nameOf(e.Item))
		}
		got = append(got, names)
	}
	want := [][]string{
		{"project_instructions"},
		{"environment"},
		{"user"},
		{"reasoning", "assistant"},
		{"reasoning", "assistant", "call_a", "functions.exec:1", "call_c"},
		{"to call_a", "to functions.exec:1", "to call_c"},
		{"user"},
		{"assistant", "reasoning"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}

func nameOf(it longrein.Item) string {
	switch it := it.(type) {
	case longrein.Message:
		return string(it.Role)
	case longrein.ToolCall:
		return it.ID
	case longrein.ToolOutput:
		return "to " + it.CallID
	case longrein.Fragment:
		return string(it.Tag)
	}
	return longrein.Kind(it)
}

func TestArgumentsAreAlwaysAnObject(t *testing.T) {
	for args, want := range map[string]string{
		`{"a": 1}`:          `{"a": 1}`,
		"":                  `{}`,
		"  \n":              `{}`,
		`[1]`:               `{"_raw":"[1]"}`,
		`null`:              `{"_raw":"null"}`,
		`{"a":`:             `{"_raw":"{\"a\":"}`,
		`{} {}`:             `{"_raw":"{} {}"}`,
		"{\"a\":\"\xff\"}":  "{\"a\":\"\uFFFD\"}",
		`{"a":"<b> & \""}`:  `{"a":"<b> & \""}`,
		"<tool>\x01</tool>": `{"_raw":"<tool>\u0001</tool>"}`,
	} {
		if got := jsonObject(args); got != want {
			t.Errorf("jsonObject(%q) = %s, want %s", args, got, want)
		}
	}
}

func TestIDsThatServersTake(t *testing.T) {
	if got := digitID("call_a"); len(got) != 9 || strings.Trim(got, "0123456789") != "" || got != digitID("call_a") {
		t.Errorf("digitID gives %q", got)
	}
	if got := digitID("123456789"); got != "123456789" {
		t.Errorf("an id of nine digits becomes %q", got)
	}
	for _, id := range []string{"toolu_01-A", "call_x"} {
		if got := wordID(id); got != id {
			t.Errorf("wordID(%q) = %q", id, got)
		}
	}
	if got := wordID("functions.exec:1"); strings.ContainsAny(got, ".:") || got == wordID("functions.exec:2") {
		t.Errorf("wordID gives %q", got)
	}
}

func TestUnknownWire(t *testing.T) {
	if _, err := For("grpc"); err == nil || !strings.Contains(err.Error(), "grpc") {
		t.Errorf("For(grpc) = %v", err)
	}
}
