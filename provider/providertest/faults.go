package providertest

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
)

// fails asks a server that answers by h and returns how that fails.
func (s suite) fails(t *testing.T, h http.HandlerFunc) *longrein.ModelError {
	t.Helper()
	_, err := ask(t, s.serve(t, h), s.request())
	return modelError(t, err)
}

func modelError(t *testing.T, err error) *longrein.ModelError {
	t.Helper()
	var m *longrein.ModelError
	if !errors.As(err, &m) {
		t.Fatalf("the error is %v, want a *longrein.ModelError", err)
	}
	if m.Text == "" {
		t.Error("the error has no text")
	}
	return m
}

// cutAnywhere ends the recorded answers after each of their events, and inside
// each.
func (s suite) cutAnywhere(t *testing.T) {
	for name, want := range map[string]response{"answer": s.wantAnswer(), "calls": s.wantCalls()} {
		all := events(Answer(t, s.wire, name))
		for i := range all {
			whole := bytes.Join(all[:i], nil)
			half := append(bytes.Clone(whole), all[i][:len(all[i])/2]...)
			for _, answer := range [][]byte{whole, half} {
				s.cutOrWhole(t, fmt.Sprintf("%s cut in event %d", name, i), answer, want)
			}
		}
	}
}

func (s suite) cutOrWhole(t *testing.T, name string, answer []byte, want response) {
	t.Helper()
	got, err := ask(t, s.serve(t, stream(answer)), s.request())
	if err != nil {
		if m := modelError(t, err); m.Kind != longrein.ErrStreamCut {
			t.Errorf("%s: the error is %s (%s), want %s", name, m.Kind, m.Text, longrein.ErrStreamCut)
		}
		return
	}
	got.Done.Usage = want.Done.Usage // may come after the end
	if diff := cmp.Diff(want, got, shown); diff != "" {
		t.Errorf("%s: it counts as whole, but (-want +got):\n%s", name, diff)
	}
}

func (s suite) brokenConnection(t *testing.T) {
	first := events(Answer(t, s.wire, "answer"))[0]
	m := s.fails(t, func(w http.ResponseWriter, r *http.Request) {
		stream(first)(w, r)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	if m.Kind != longrein.ErrStreamCut || !m.Retryable() {
		t.Errorf("the error is %s (%s), want %s", m.Kind, m.Text, longrein.ErrStreamCut)
	}
}

func (s suite) refusals(t *testing.T) {
	const js = "application/json"
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		kind   longrein.ErrorKind
		status int
		wait   time.Duration
		field  string
	}{
		"a web page with status 200": {answer: refuse(200, "text/html", "<!doctype html><title>Sign in</title>"), kind: longrein.ErrNotAnAPI, status: 200},
		"a web page in disguise":     {answer: refuse(200, "text/event-stream", "\n <html><title>Hi</title>"), kind: longrein.ErrNotAnAPI, status: 200},
		"an error with status 200":   {answer: refuse(200, js, `{"error":{"message":"no credit","code":402}}`), kind: longrein.ErrQuota},
		"too many requests": {
			answer: refuse(429, js, s.errorBody("rate_limit_error", "slow down"), "Retry-After", "7"),
			kind:   longrein.ErrRateLimited, status: 429, wait: 7 * time.Second,
		},
		"a server error":   {answer: refuse(500, js, s.errorBody("api_error", "oops")), kind: longrein.ErrOverloaded, status: 500},
		"a bad gateway":    {answer: refuse(502, "text/html", "<html><title>502 Bad Gateway</title></html>"), kind: longrein.ErrOverloaded, status: 502},
		"an empty error":   {answer: refuse(503, "text/plain", ""), kind: longrein.ErrOverloaded, status: 503},
		"a wrong key":      {answer: refuse(401, js, s.errorBody("authentication_error", "invalid x-api-key")), kind: longrein.ErrAuth, status: 401},
		"an unknown path":  {answer: refuse(404, "text/plain", "404 page not found"), kind: longrein.ErrNotFound, status: 404},
		"too long a input": {answer: refuse(400, js, s.tooLong()), kind: longrein.ErrTooLong, status: 400},
		"an unknown field": {
			answer: refuse(400, js, s.errorBody("invalid_request_error", "Unknown parameter: 'prompt_cache_key'.")),
			kind:   longrein.ErrBadRequest, status: 400, field: "prompt_cache_key",
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := s.fails(t, c.answer)
			if m.Kind != c.kind || c.status != 0 && m.Status != c.status || m.RetryAfter != c.wait || m.Field != c.field {
				t.Errorf("got %s, status %d, wait %v, field %q (%s); want %s, %d, %v, %q",
					m.Kind, m.Status, m.RetryAfter, m.Field, m.Text, c.kind, c.status, c.wait, c.field)
			}
		})
	}
}

// errorBody is an error as the wire's owner writes it.
func (s suite) errorBody(kind, message string) string {
	if s.wire == longrein.WireMessages {
		return fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_01"}`, kind, message)
	}
	return fmt.Sprintf(`{"error":{"message":%q,"type":%q,"param":null,"code":null}}`, message, kind)
}

func (s suite) tooLong() string {
	if s.wire == longrein.WireMessages {
		return s.errorBody("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")
	}
	return `{"error":{"message":"Your input exceeds the context window of this model.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}`
}

func (s suite) refusalEvents(t *testing.T) {
	for name, kind := range map[string]longrein.ErrorKind{
		"overloaded": longrein.ErrOverloaded, "too-long": longrein.ErrTooLong,
	} {
		if m := s.fails(t, stream(Answer(t, s.wire, name))); m.Kind != kind {
			t.Errorf("the event %s is %s (%s), want %s", name, m.Kind, m.Text, kind)
		}
	}
}

func (s suite) nobody(t *testing.T) {
	_, err := ask(t, s.model("http://127.0.0.1:1/v1"), s.request())
	if m := modelError(t, err); m.Kind != longrein.ErrNetwork || !m.Retryable() {
		t.Errorf("the error is %s (%s), want %s", m.Kind, m.Text, longrein.ErrNetwork)
	}
}

func (s suite) keyStaysSecret(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"in an error answer": refuse(401, "application/json", s.errorBody("authentication_error", "Incorrect API key provided: "+Key)),
		"in plain text":      refuse(400, "text/plain", "bad header Bearer "+Key),
		"in a web page":      refuse(200, "text/html", "<html><title>"+Key+"</title>"),
		"in an event":        stream([]byte("data: " + s.errorBody("server_error", "key "+Key) + "\n\n")),
	} {
		if m := s.fails(t, h); strings.Contains(m.Text, Key) || m.Err != nil && strings.Contains(m.Err.Error(), Key) {
			t.Errorf("%s: the key is in the error", name)
		}
	}
}
