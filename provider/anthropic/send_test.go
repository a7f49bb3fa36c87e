package anthropic

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
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/provider/providertest"
)

// request returns the HTTP request that the model sends, as it is on the wire.
func request(t *testing.T, path string, change func(*provider.Endpoint)) []byte {
	t.Helper()
	var sent bytes.Buffer
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		r.Host = "127.0.0.1"
		_ = r.Write(&sent)
	}))
	defer srv.Close()
	ep := endpoint(t, srv.URL+path)
	if change != nil {
		change(&ep)
	}
	for range New(ep).Stream(context.Background(), longrein.Request{Body: []byte(`{"model":"m"}`)}) {
		continue // it ends at once: the answer is empty
	}
	return bytes.ReplaceAll(sent.Bytes(), []byte("\r\n"), []byte("\n"))
}

func TestRequestIsAsDocumented(t *testing.T) {
	testkit.Golden(t, "messages.http", request(t, "/v1", func(ep *provider.Endpoint) {
		ep.Dialect.Server = "anthropic"
		ep.Header = http.Header{"Anthropic-Beta": {"a-1", "b-2"}}
		ep.Query = url.Values{"beta": {"true"}}
	}))
}

func TestTheVersionMayBePartOfTheBaseURL(t *testing.T) {
	for path, want := range map[string]string{
		"": "/v1/messages", "/": "/v1/messages", "/v1": "/v1/messages", "/v1/": "/v1/messages",
		"/anthropic": "/anthropic/v1/messages", "/api/v1": "/api/v1/messages",
	} {
		if sent := request(t, path, nil); !bytes.HasPrefix(sent, []byte("POST "+want+" HTTP")) {
			t.Errorf("base path %q: %.60s", path, sent)
		}
	}
}

func TestKeys(t *testing.T) {
	older := []byte("X-Api-Key: " + providertest.Key)
	if sent := request(t, "", nil); !bytes.Contains(sent, older) {
		t.Errorf("a compatible server does not get the older header:\n%s", sent)
	}
	sent := request(t, "", func(ep *provider.Endpoint) { ep.Key = nil })
	if bytes.Contains(sent, []byte("Authorization")) || bytes.Contains(sent, []byte("X-Api-Key")) {
		t.Errorf("a local server gets a key that there is not:\n%s", sent)
	}
}

// BenchmarkSend compares what the SDK adds to a request of 800 kB with the same
// request by net/http alone.
func BenchmarkSend(b *testing.B) {
	answer := providertest.Answer(b, longrein.WireMessages, "answer")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = w.Write(answer)
	}))
	defer srv.Close()
	r := longrein.Request{Body: append([]byte(`{"model":"m","stream":true,"messages":"`), bytes.Repeat([]byte("0123456789abcdef"), 50_000)...)}
	ep := endpoint(b, srv.URL)
	b.Run("SDK", func(b *testing.B) {
		m := New(ep)
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
