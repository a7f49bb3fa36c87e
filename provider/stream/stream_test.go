package stream

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider"
)

// lines is the simplest wire there is: each event is {"text":…} or {"over":true}.
var lines = Wire{
	Send: func(ctx context.Context, ep provider.Endpoint, key string, r longrein.Request) (*http.Response, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, ep.BaseURL, bytes.NewReader(r.Body))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", key)
		return Guard(ep)(req, ep.Client().Do)
	},
	Decode: func(resp *http.Response) Decoder { return &lineDecoder{Scanner: bufio.NewScanner(resp.Body)} },
	Reader: func(provider.Endpoint, longrein.Request) Reader { return lineReader{} },
}

type lineDecoder struct{ *bufio.Scanner }

func (d *lineDecoder) Next() bool {
	for d.Scan() {
		if len(d.Data()) > 0 {
			return true
		}
	}
	return false
}

func (d *lineDecoder) Data() []byte { return bytes.TrimPrefix(d.Bytes(), []byte("data: ")) }

type lineReader struct{}

func (lineReader) Event(ev gjson.Result) ([]longrein.ModelEvent, error) {
	if ev.Get("over").Bool() {
		return []longrein.ModelEvent{longrein.Finished{Stop: longrein.StopEnd}}, nil
	}
	return []longrein.ModelEvent{longrein.Delta{Kind: longrein.DeltaText, Text: ev.Get("text").String()}}, nil
}

func (lineReader) End(done bool) []longrein.ModelEvent {
	if !done {
		return nil
	}
	return []longrein.ModelEvent{longrein.Finished{Stop: longrein.StopPaused}}
}

// ask returns the text, the end and the error that a stream comes to.
func ask(ep provider.Endpoint) (text string, end longrein.Finished, err error) {
	for ev, err := range New(ep, lines).Stream(context.Background(), longrein.Request{}) {
		switch ev := ev.(type) {
		case longrein.Delta:
			text += ev.Text
		case longrein.Finished:
			end = ev
		}
		if err != nil {
			return text, end, err
		}
	}
	return text, end, nil
}

func answers(t *testing.T, answer string) provider.Endpoint {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(srv.Close)
	return provider.Endpoint{Name: "test", BaseURL: srv.URL}
}

func TestStreamsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		text   string
		stop   longrein.Stop
		fails  string // part of the error's text
	}{
		"with an event that says so":      {answer: "data: {\"text\":\"a\"}\ndata: {\"over\":true}\ndata: {\"text\":\"b\"}\n", text: "a", stop: longrein.StopEnd},
		"with [DONE]":                     {answer: "data: {\"text\":\"a\"}\ndata: [DONE]\n", text: "a", stop: longrein.StopPaused},
		"too early":                       {answer: "data: {\"text\":\"a\"}\n", text: "a", fails: "before it was whole"},
		"too early, with what is no JSON": {answer: "data: {\ndata: {\n", fails: "2 of its events were not JSON"},
		"before they begin":               {answer: "", fails: "before it was whole"},
		"in an event without end":         {answer: "data: " + strings.Repeat("x", 1<<20), fails: "32 MiB"},
		"in JSON":                         {answer: "\n{\"error\":{\"message\":\"no\"}}", fails: "no"},
	} {
		t.Run(name, func(t *testing.T) {
			text, end, err := ask(answers(t, c.answer))
			if text != c.text || end.Stop != c.stop || (err != nil) != (c.fails != "") {
				t.Errorf("got %q, %q, %v, want %q, %q", text, end.Stop, err, c.text, c.stop)
			}
			if err != nil && !strings.Contains(err.Error(), c.fails) {
				t.Errorf("the error is %q, want %q in it", err, c.fails)
			}
		})
	}
}

func TestABadBaseURLIsNotRepeated(t *testing.T) {
	for _, base := range []string{"", "localhost:8080", "http://user:secret%zz@host", "/v1"} {
		_, _, err := ask(provider.Endpoint{Name: "test", BaseURL: base})
		if longrein.KindOf(err) != longrein.ErrNotFound || strings.Contains(err.Error(), "secret") {
			t.Errorf("base URL %q: %v", base, err)
		}
	}
}

func TestAKeyThatCannotBeHadIsTheError(t *testing.T) {
	ep := answers(t, "data: {\"over\":true}\n")
	missing := &longrein.ModelError{Kind: longrein.ErrAuth, Text: "no key"}
	ep.Key = func(context.Context) (string, error) { return "", missing }
	if _, _, err := ask(ep); !errors.Is(err, missing) {
		t.Errorf("the error is %v, want %v", err, missing)
	}
}

// A server that never closes costs no more than the limit stream-end.
func TestTheEndIsNotWaitedForTooLong(t *testing.T) {
	closed := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(closed)
		_, _ = io.WriteString(w, "data: {\"over\":true}\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	defer srv.Close()
	ep := provider.Endpoint{BaseURL: srv.URL, Limits: limit.Set{limit.StreamEnd.Name: 10}}
	began := time.Now()
	if _, end, err := ask(ep); err != nil || end.Stop != longrein.StopEnd {
		t.Errorf("got %v, %v", end, err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	<-closed
}

func TestCalls(t *testing.T) {
	a := Call("", "f", " ").Item.(longrein.ToolCall)
	b := Call("", "f", "{}").Item.(longrein.ToolCall)
	if a.ID == "" || a.ID == b.ID || a.Args != "{}" {
		t.Errorf("got %+v and %+v", a, b)
	}
	if c := Call("id", "f", `{"x`).Item.(longrein.ToolCall); c.ID != "id" || c.Args != `{"x` {
		t.Errorf("got %+v, want it as it came", c)
	}
}
