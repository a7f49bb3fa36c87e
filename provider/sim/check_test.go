package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider/sim/internal/talk"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func timeout(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithTimeout(t.Context(), d)
}

func TestWhatAProviderRefuses(t *testing.T) {
	call := longrein.ToolCall{ID: "c1", Name: "a", Args: "{}"}
	output := longrein.ToolOutput{CallID: "c1", Text: "x"}
	user := says(longrein.RoleUser, "go")
	tests := map[string]struct {
		items []longrein.Item
		want  string // "" for an answer
		wires []longrein.Wire
	}{
		"a whole pair":                     {[]longrein.Item{user, call, output}, "", talk.Wires},
		"a call without an output":         {[]longrein.Item{user, call}, "No tool output found for tool call c1", talk.Wires},
		"an output without a call":         {[]longrein.Item{user, output}, "No tool call found", talk.Wires},
		"an output before its call":        {[]longrein.Item{user, output, call}, "No tool call found", talk.Wires},
		"two outputs of one call":          {[]longrein.Item{user, call, output, output}, "No tool call found", talk.Wires},
		"words between call and output":    {[]longrein.Item{user, call, user, output}, "No tool output found", talk.Wires[1:]},
		"words between, where they may be": {[]longrein.Item{user, call, user, output}, "", talk.Wires[:1]},
		"an empty block of text":           {[]longrein.Item{says(longrein.RoleUser, "")}, "non-empty", talk.Wires[2:]},
		"reasoning that was never sent":    {[]longrein.Item{user, longrein.Reasoning{Raw: json.RawMessage(`{"type":"reasoning","id":"r","summary":[],"encrypted_content":"sim.x"}`)}}, "could not be verified", talk.Wires[:1]},
		"thinking without a signature":     {[]longrein.Item{user, longrein.Reasoning{Raw: json.RawMessage(`{"type":"thinking","thinking":"x"}`)}}, "Invalid `signature`", talk.Wires[2:]},
	}
	for name, tt := range tests {
		for _, wire := range tt.wires {
			t.Run(name+" on "+string(wire), func(t *testing.T) {
				c := talk.New(wire, "sim:echo", "")
				c.Items = tt.items
				err := talk.Ask(t, New(Options{}), c.Request()).Err
				if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
					t.Errorf("error = %v, want %q", err, tt.want)
				}
			})
		}
	}
}

func TestReasoningMustComeBackUnchanged(t *testing.T) {
	for _, wire := range []longrein.Wire{longrein.WireResponses, longrein.WireMessages} {
		m := New(Options{Script: mustParse(t, everything(t))})
		c := talk.New(wire, "m", "go")
		c.Step(t, m, talk.RunTool)
		r := c.Items[1].(longrein.Reasoning)
		if err := talk.Ask(t, m, c.Request()).Err; err != nil {
			t.Errorf("%s: unchanged: %v", wire, err)
		}
		r.Raw = json.RawMessage(strings.Replace(string(r.Raw), "look", "LOOK", 1))
		c.Items[1] = r
		if err := talk.Ask(t, m, c.Request()).Err; err == nil {
			t.Errorf("%s: changed reasoning is taken", wire)
		}
	}
}

func TestBadRequestsOverHTTP(t *testing.T) {
	limits, err := limit.Set{}.With(limit.SimRequest.Name, 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(New(Options{Limits: limits}).Handler())
	defer srv.Close()
	tests := map[string]struct {
		body   string
		status int
		want   string
	}{
		"no JSON":          {"{", 400, "could not parse"},
		"no object":        {"[]", 400, "could not parse"},
		"no model":         {"{}", 400, "must provide a model"},
		"an unknown model": {`{"model":"gpt","max_tokens":1}`, 404, "there is no simulated model"},
		"a large request":  {`{"model":"` + strings.Repeat("x", 2000) + `"}`, 413, "larger than 1024 bytes"},
	}
	for name, tt := range tests {
		for _, wire := range talk.Wires {
			resp, body, _ := post(t, srv.URL, wire, []byte(tt.body))
			if resp.StatusCode != tt.status || !strings.Contains(body, tt.want) || !json.Valid([]byte(body)) {
				t.Errorf("%s on %s: %d %s, want %d and %q", name, wire, resp.StatusCode, body, tt.status, tt.want)
			}
			if resp.Header.Get("Longrein-Simulated") != "true" {
				t.Errorf("%s on %s: the answer is not labelled", name, wire)
			}
		}
	}
}

func TestDeepNestingIsRefused(t *testing.T) {
	body := bytes.Repeat([]byte(`{"a":[`), 4<<20)
	for _, wire := range talk.Wires {
		if err := talk.Ask(t, New(Options{}), longrein.Request{Wire: wire, Body: body}).Err; longrein.KindOf(err) != longrein.ErrBadRequest {
			t.Errorf("%s: %v, want a bad request", wire, err)
		}
	}
}

func TestMoreThanFourBreakpointsAreRefused(t *testing.T) {
	block := `{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}`
	body := func(n int) []byte {
		return []byte(`{"model":"sim:echo","max_tokens":100,"messages":[{"role":"user","content":[` + strings.TrimSuffix(strings.Repeat(block+",", n), ",") + `]}]}`)
	}
	for n, ok := range map[int]bool{1: true, 4: true, 5: false} {
		err := talk.Ask(t, New(Options{}), longrein.Request{Wire: longrein.WireMessages, Body: body(n)}).Err
		if (err == nil) != ok {
			t.Errorf("%d breakpoints: %v", n, err)
		}
	}
}

func TestATextLongerThanAskedForIsCut(t *testing.T) {
	for _, wire := range talk.Wires {
		c := talk.New(wire, "sim:echo", text(4000))
		c.Max = 10
		r := talk.Ask(t, New(Options{}), c.Request())
		if r.Done.Stop != longrein.StopMaxOutput || len(r.Text()) != 40 || r.Done.Usage.Output != 10 {
			t.Errorf("%s: stop %q, %d bytes, %d tokens", wire, r.Done.Stop, len(r.Text()), r.Done.Usage.Output)
		}
	}
}

func TestLogTellsOfEachRequest(t *testing.T) {
	var log []Seen
	m := New(Options{Log: func(s Seen) { log = append(log, s) }, Window: 200})
	c := talk.New(longrein.WireResponses, "sim:read200", "go")
	c.Step(t, m, talk.RunTool)
	c.Items = append(c.Items, says(longrein.RoleUser, text(2000)))
	talk.Ask(t, m, c.Request())
	if len(log) != 2 || log[0].Number != 1 || log[0].Step != 1 || log[0].Script != "read200" || log[1].Step != 2 || len(log[0].Hash) != 64 {
		t.Fatalf("log = %+v", log)
	}
	if log[0].Error != "" || log[0].Usage.Input == 0 || log[1].Error == "" || log[1].Items != 4 {
		t.Errorf("log = %+v", log)
	}
	if s := log[1].String(); !strings.Contains(s, "request 2 responses sim:read200 step 1.2") || !strings.Contains(s, "refused") {
		t.Errorf("String = %q", s)
	}
}

func TestLogAndDoneTellOfForksAndTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log, done []Seen
		m := New(Options{
			Log: func(s Seen) { log = append(log, s) }, Done: func(s Seen) { done = append(done, s) },
			Latency: Latency{Base: time.Second, Output: 10},
		})
		start := time.Now()
		c := talk.New(longrein.WireResponses, "sim:read200", "go")
		c.Step(t, m, talk.RunTool)
		talk.Ask(t, m, forked(c, roleChange("role: decider\n")).Request())
		for range m.Stream(t.Context(), c.Request()) {
			break // a client that goes away
		}
		if len(log) != 3 || len(done) != 3 || log[0].Role != "" || log[1].Role != longrein.RoleDecider || log[1].Step != 0 || log[2].Step != 2 {
			t.Fatalf("log = %+v", log)
		}
		if log[0].In != start || !log[0].Out.IsZero() || done[0].Out.Sub(start) < 2*time.Second || done[1].In != done[0].Out {
			t.Errorf("from %v to %v, then from %v", done[0].In, done[0].Out, done[1].In)
		}
		if took := done[2].Out.Sub(done[2].In); took != time.Second {
			t.Errorf("the answer that was left took %v, want 1s", took)
		}
		if s := done[1].String(); !strings.Contains(s, " role decider") {
			t.Errorf("String = %q", s)
		}
	})
}
