package providertest

import (
	"bytes"
	"embed"
	"encoding/json"
	"testing"

	"github.com/longrein/longrein"
)

//go:embed testdata
var answers embed.FS

// Answer returns a recorded answer of wire w: "answer", "calls", "overloaded" or
// "too-long".
func Answer(t testing.TB, w longrein.Wire, name string) []byte {
	t.Helper()
	b, err := answers.ReadFile("testdata/" + string(w) + "/" + name + ".sse")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// events cuts an answer into its events, each with its blank line.
func events(answer []byte) [][]byte {
	parts := bytes.SplitAfter(answer, []byte("\n\n"))
	return parts[:len(parts)-1]
}

func (s suite) request() longrein.Request {
	body := map[longrein.Wire]string{
		longrein.WireResponses: `{"model":"m-1","stream":true,"input":[]}`,
		longrein.WireChat:      `{"model":"m-1","stream":true,"messages":[]}`,
		longrein.WireMessages:  `{"model":"m-1","stream":true,"max_tokens":100,"messages":[]}`,
	}
	return longrein.Request{Thread: "t", Model: "m-1", Wire: s.wire, Body: []byte(body[s.wire])}
}

func (s suite) path() string {
	return map[longrein.Wire]string{
		longrein.WireResponses: "/v1/responses",
		longrein.WireChat:      "/v1/chat/completions",
		longrein.WireMessages:  "/v1/messages",
	}[s.wire]
}

// said is the text of the recorded plain answer.
const said = `Grüße, 世界. <b> & "so"`

func (s suite) wantAnswer() response {
	u := longrein.Usage{Input: 120, Cached: 64, Output: 9, Reported: true}
	if s.wire == longrein.WireMessages {
		u.CacheWrite = 16
	}
	return response{
		Items: []longrein.Item{longrein.Message{Role: longrein.RoleAssistant, Text: said}},
		Done:  longrein.Finished{Usage: u, Model: "m-1-2026", Stop: longrein.StopEnd},
	}
}

func (s suite) wantCalls() response {
	u := longrein.Usage{Input: 2048, Cached: 1920, Output: 77, Reasoning: 40, Reported: true}
	ids := [2]string{"call_AbCdEfGhIjKlMnOpQrStUvWx", "call_ZyXwVuTsRqPoNmLkJiHgFeDc"}
	if s.wire == longrein.WireMessages {
		u.CacheWrite = 100
		ids = [2]string{"toolu_01AbCdEfGhIjKlMnOpQrStUv", "toolu_01ZyXwVuTsRqPoNmLkJiHgFe"}
	}
	raw := map[longrein.Wire]json.RawMessage{
		longrein.WireResponses: json.RawMessage(`{"id":"rs_01","type":"reasoning","summary":[{"type":"summary_text","text":"Look at both files."}],"encrypted_content":"gAAAAABnZW5jcnlwdGVk"}`),
		longrein.WireMessages:  json.RawMessage(`{"type":"thinking","thinking":"Look at both files.","signature":"EqQBCgIYAhIM"}`),
	}
	return response{
		Items: []longrein.Item{
			longrein.Reasoning{Text: "Look at both files.", Wire: s.wire, Model: "m-1", Raw: raw[s.wire]},
			longrein.Message{Role: longrein.RoleAssistant, Text: "I look."},
			longrein.ToolCall{ID: ids[0], Name: "read_file", Args: `{"path":"a.txt"}`},
			longrein.ToolCall{ID: ids[1], Name: "read_file", Args: `{"path":"b.txt"}`},
		},
		Done: longrein.Finished{Usage: u, Model: "m-1-2026", Stop: longrein.StopTools},
	}
}
