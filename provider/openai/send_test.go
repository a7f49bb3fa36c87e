package openai

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/internal/testkit"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/provider/providertest"
)

// request returns the HTTP request that a model sends, as it is on the wire.
func request(t *testing.T, model func(provider.Endpoint) longrein.Model, change func(*provider.Endpoint)) []byte {
	t.Helper()
	var sent bytes.Buffer
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		r.Host = "127.0.0.1"
		_ = r.Write(&sent)
	}))
	defer srv.Close()
	ep := endpoint(t, srv.URL+"/v1", longrein.WireChat)
	ep.Header = http.Header{"X-Title": {"a", "b"}, "Accept-Language": {"en"}}
	ep.Query = url.Values{"api-version": {"2026-01-01"}}
	if change != nil {
		change(&ep)
	}
	for range model(ep).Stream(context.Background(), longrein.Request{Body: []byte(`{"model":"m"}`)}) {
		continue // it ends at once: the answer is empty
	}
	return bytes.ReplaceAll(sent.Bytes(), []byte("\r\n"), []byte("\n"))
}

func TestRequestsAreAsDocumented(t *testing.T) {
	testkit.Golden(t, "responses.http", request(t, NewResponses, nil))
	testkit.Golden(t, "chat.http", request(t, NewChat, nil))
}

func TestALocalServerNeedsNoKey(t *testing.T) {
	sent := request(t, NewChat, func(ep *provider.Endpoint) { ep.Key = nil })
	if bytes.Contains(sent, []byte("Authorization")) {
		t.Errorf("there is an Authorization header:\n%s", sent)
	}
}

func TestAnEndpointsOwnHeaderWins(t *testing.T) {
	sent := request(t, NewChat, func(ep *provider.Endpoint) { ep.Header = http.Header{"Authorization": {"Basic abc"}} })
	if n := bytes.Count(sent, []byte("Authorization: Basic abc\n")); n != 1 || bytes.Contains(sent, []byte("Bearer")) {
		t.Errorf("the Authorization header is not the endpoint's:\n%s", sent)
	}
}

func TestAResponseOverTheLimitEndsTheTurn(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := io.WriteString(w, "data: "+piece(`{"content":"and so on"}`)+"\n\n"); err != nil {
				return
			}
		}
	}))
	defer srv.Close()
	limits := limit.Set{limit.Response.Name: 1 << 20}
	client, err := provider.NewHTTP(provider.Transport{Proxy: "direct", Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	ep := provider.Endpoint{BaseURL: srv.URL, HTTP: client, Limits: limits}
	for _, err = range NewChat(ep).Stream(context.Background(), longrein.Request{}) {
		continue
	}
	if longrein.KindOf(err) != longrein.ErrLimit {
		t.Errorf("the error is %v, want one of the limit response", err)
	}
}

// BenchmarkSend compares what the SDK adds to a request of 800 kB with the same
// request by net/http alone.
func BenchmarkSend(b *testing.B) {
	answer := providertest.Answer(b, longrein.WireResponses, "answer")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = w.Write(answer)
	}))
	defer srv.Close()
	r := longrein.Request{Body: append([]byte(`{"model":"m","stream":true,"input":"`), bytes.Repeat([]byte("0123456789abcdef"), 50_000)...)}
	ep := endpoint(b, srv.URL+"/v1", longrein.WireResponses)
	b.Run("SDK", func(b *testing.B) {
		m := NewResponses(ep)
		b.ReportAllocs()
		for b.Loop() {
			for _, err := range m.Stream(b.Context(), r) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("nothing but HTTP", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			resp, err := ep.HTTP.Post(srv.URL, "application/json", bytes.NewReader(r.Body))
			if err != nil {
				b.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	})
}
