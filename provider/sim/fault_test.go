package sim

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/sim/internal/talk"
)

func TestParseFault(t *testing.T) {
	tests := map[string]Fault{
		"429": {Kind: FaultStatus, Status: 429, Request: 1, Times: 1},
		"429 at request 3 times 2 retry-after 1s": {Kind: FaultStatus, Status: 429, Request: 3, Times: 2, Wait: time.Second},
		"500 at step 10 times 8":                  {Kind: FaultStatus, Status: 500, Step: 10, Times: 8},
		"cut every 20":                            {Kind: FaultCut, Every: 20},
		"slow at step 5 after 20s":                {Kind: FaultSlow, Step: 5, Times: 1, Wait: 20 * time.Second},
		"html":                                    {Kind: FaultHTML, Status: 200, Request: 1, Times: 1},
		"html 502 at request 2":                   {Kind: FaultHTML, Status: 502, Request: 2, Times: 1},
	}
	for text, want := range tests {
		got, err := ParseFault(text)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%s: %v\n%s", text, err, d)
		}
	}
	for _, bad := range []string{"", "200", "explode", "429 at", "429 at noon 3", "cut every 0", "cut times x", "slow after 30", "slow after -1s", "429 now"} {
		if f, err := ParseFault(bad); err == nil {
			t.Errorf("%q is read as %+v, want an error", bad, f)
		}
	}
}

// post sends one request over HTTP.
func post(t *testing.T, url string, wire longrein.Wire, body []byte) (*http.Response, string, error) {
	t.Helper()
	paths := map[longrein.Wire]string{
		longrein.WireResponses: "/v1/responses", longrein.WireChat: "/v1/chat/completions", longrein.WireMessages: "/v1/messages",
	}
	resp, err := http.Post(url+paths[wire], "application/json", strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	return resp, string(got), err
}

func TestFaultsOverHTTPAndInProcess(t *testing.T) {
	type want struct {
		status int
		body   string // part of the body
		cut    bool
		kind   longrein.ErrorKind
	}
	tests := map[string]want{
		"429 retry-after 2s": {429, "injected HTTP 429", false, longrein.ErrRateLimited},
		"500":                {500, "injected HTTP 500", false, longrein.ErrOverloaded},
		"529":                {529, "injected HTTP 529", false, longrein.ErrOverloaded},
		"401":                {401, "injected HTTP 401", false, longrein.ErrAuth},
		"402":                {402, "injected HTTP 402", false, longrein.ErrQuota},
		"too-long":           {400, "", false, longrein.ErrTooLong},
		"cut":                {200, "data: ", true, longrein.ErrStreamCut},
		"garbage":            {200, "this is no JSON", false, longrein.ErrStreamCut},
		"failed":             {200, "failed in the middle", false, longrein.ErrOverloaded},
		"html 502":           {502, "<!DOCTYPE html>", false, longrein.ErrNotAnAPI},
	}
	for text, want := range tests {
		for _, wire := range talk.Wires {
			t.Run(text+" on "+string(wire), func(t *testing.T) {
				f, err := ParseFault(text)
				if err != nil {
					t.Fatal(err)
				}
				c := talk.New(wire, "sim:echo", "go")
				m := New(Options{Faults: []Fault{f}})
				srv := httptest.NewServer(m.Handler())
				defer srv.Close()
				resp, body, err := post(t, srv.URL, wire, c.Body(true))
				if resp.StatusCode != want.status || !strings.Contains(body, want.body) || (err != nil) != want.cut {
					t.Errorf("got %d, error %v, %s", resp.StatusCode, err, body)
				}
				if f.Wait > 0 && resp.Header.Get("Retry-After") != "2" {
					t.Errorf("Retry-After = %q, want 2", resp.Header.Get("Retry-After"))
				}
				if resp, body, err = post(t, srv.URL, wire, c.Body(true)); resp.StatusCode != 200 || err != nil || !strings.Contains(body, "simulated") {
					t.Errorf("the next request: %d, %v, %s", resp.StatusCode, err, body)
				}
				local := New(Options{Faults: []Fault{f}})
				if err := talk.Ask(t, local, c.Request()).Err; longrein.KindOf(err) != want.kind {
					t.Errorf("in process: %v, kind %s, want %s", err, longrein.KindOf(err), want.kind)
				}
				if err := talk.Ask(t, local, c.Request()).Err; err != nil {
					t.Errorf("in process, the next request: %v", err)
				}
			})
		}
	}
}

func TestFaultsStrikeTheChosenRequests(t *testing.T) {
	tests := map[string]string{ // faults of a script, and which of eight requests they struck
		"fault 500 at request 3 times 2": "..xx....",
		"fault 500 at step 2 times 3":    ".xxx....",
		"fault 500 every 3":              "..x..x..",
		"fault 500\nfault 429 at step 1": "xx......",
		"":                               "........",
	}
	for text, want := range tests {
		m := New(Options{Script: mustParse(t, text+"\nrepeat 20\nstep\n call a {}\nend\nanswer x")})
		c := talk.New(longrein.WireResponses, "m", "go")
		got := ""
		for range 8 {
			if r := talk.Ask(t, m, c.Request()); r.Err != nil {
				got += "x"
				continue
			}
			got += "."
			c.Step(t, New(Options{Script: mustParse(t, "repeat 20\nstep\n call a {}\nend\nanswer x")}), talk.RunTool)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestAPromptAboveTheWindowIsRefused(t *testing.T) {
	words := map[longrein.Wire]string{
		longrein.WireResponses: "exceeds the context window", longrein.WireChat: "maximum context length is 500 tokens", longrein.WireMessages: "prompt is too long",
	}
	for _, wire := range talk.Wires {
		m := New(Options{Window: 500})
		c := talk.New(wire, "sim:echo", text(1000))
		if err := talk.Ask(t, m, c.Request()).Err; err != nil {
			t.Errorf("%s: a prompt that fits: %v", wire, err)
		}
		c.Items[0] = says(longrein.RoleUser, text(3000))
		err := talk.Ask(t, m, c.Request()).Err
		if longrein.KindOf(err) != longrein.ErrTooLong || !strings.Contains(err.Error(), words[wire]) {
			t.Errorf("%s: %v, want %q", wire, err, words[wire])
		}
	}
}

func TestLatency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, _ := ParseFault("slow at request 3 after 20s")
		m := New(Options{Latency: Latency{Base: time.Second, Input: 100, Output: 10}, Faults: []Fault{slow}})
		c := talk.New(longrein.WireResponses, "sim:echo", text(4000))
		for i := range 3 {
			start, first := time.Now(), time.Duration(-1)
			var usage longrein.Usage
			for e, err := range m.Stream(t.Context(), c.Request()) {
				if err != nil {
					t.Fatal(err)
				}
				if first < 0 {
					first = time.Since(start)
				}
				if f, ok := e.(longrein.Finished); ok {
					usage = f.Usage
				}
			}
			want := time.Second + time.Duration(usage.Input-usage.Cached)*10*time.Millisecond
			if i == 2 {
				want = 20 * time.Second
			}
			if first != want {
				t.Errorf("request %d: first event after %v, want %v", i+1, first, want)
			}
			if rest := time.Since(start) - first; rest < time.Duration(usage.Output-1)*100*time.Millisecond {
				t.Errorf("request %d: %d tokens took %v", i+1, usage.Output, rest)
			}
		}
	})
}

func TestStreamEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Options{Latency: Latency{Base: time.Hour}})
		ctx, stop := timeout(t, time.Second)
		defer stop()
		for _, err := range m.Stream(ctx, talk.New(longrein.WireChat, "sim:echo", "go").Request()) {
			if !errors.Is(err, ctx.Err()) || err == nil {
				t.Errorf("error = %v, want the context's", err)
			}
		}
	})
}
