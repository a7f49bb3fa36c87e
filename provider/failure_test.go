package provider_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider"
)

func newHTTP(t *testing.T, spec provider.Transport) *http.Client {
	t.Helper()
	client, err := provider.NewHTTP(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// ask sends a request as an adapter does and returns what came of it.
func ask(t *testing.T, spec provider.Transport, base string) (string, *longrein.ModelError) {
	t.Helper()
	ep := provider.Endpoint{Name: "local", BaseURL: base, HTTP: newHTTP(t, spec), Limits: spec.Limits}
	resp, err := ep.Client().Post(base+"/responses?key=query-secret", "application/json", strings.NewReader("{}"))
	if err != nil {
		return "", provider.Failure(ep, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return "", provider.Failure(ep, err)
	case resp.StatusCode != http.StatusOK:
		return "", provider.Refusal(ep, resp.StatusCode, resp.Header, body)
	}
	return string(body), nil
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func hello(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }

// discard keeps a server's complaints about its clients out of the output.
var discard = log.New(io.Discard, "", 0)

// serveTLS serves with a certificate for the host that ends at that time.
func serveTLS(t *testing.T, host string, ends time.Time) *httptest.Server {
	t.Helper()
	return serveTLSWith(t, hello, host, ends)
}

func serveTLSWith(t *testing.T, h http.HandlerFunc, host string, ends time.Time) *httptest.Server {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true,
		NotBefore: ends.Add(-24 * time.Hour), NotAfter: ends,
	}
	if ip := net.ParseIP(host); ip != nil {
		tmpl.IPAddresses = []net.IP{ip}
	} else {
		tmpl.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(h)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.EnableHTTP2 = true
	s.Config.ErrorLog = discard
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// caFile writes the server's certificate where ca_file can name it.
func caFile(t *testing.T, s *httptest.Server) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ca.pem")
	block := &pem.Block{Type: "CERTIFICATE", Bytes: s.TLS.Certificates[0].Certificate[0]}
	if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestFailureOfRealConnections(t *testing.T) {
	soon := time.Now().Add(time.Hour)
	unknown := serveTLS(t, "127.0.0.1", soon)
	wrongHost := serveTLS(t, "example.com", soon)
	expired := serveTLS(t, "127.0.0.1", time.Now().Add(-time.Hour))
	plain := serve(t, hello)
	page := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "<!doctype html><title>Router</title>")
	})
	moved := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://api.example.com/v1/responses?key=query-secret", http.StatusMovedPermanently)
	})
	short := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, "half")
	})
	long := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, 2<<20)) })
	silent := accept(t, func(c net.Conn) { io.Copy(io.Discard, c) })
	small := limit.Set{"response": 1 << 20}
	hasty := limit.Set{"connect": 200, "first-byte": 200}

	for name, c := range map[string]struct {
		spec provider.Transport
		base string
		kind longrein.ErrorKind
		say  string
	}{
		"an authority that nobody knows": {base: unknown.URL, kind: longrein.ErrNetwork, say: "ca_file"},
		"a certificate for another host": {spec: provider.Transport{CAFile: caFile(t, wrongHost)}, base: wrongHost.URL, kind: longrein.ErrNetwork, say: "another name"},
		"an old certificate":             {spec: provider.Transport{CAFile: caFile(t, expired)}, base: expired.URL, kind: longrein.ErrNetwork, say: "expired"},
		"https to a server of http":      {base: strings.Replace(plain.URL, "http:", "https:", 1), kind: longrein.ErrNetwork, say: "http://"},
		"nobody there":                   {base: "http://127.0.0.1:1", kind: longrein.ErrNetwork, say: "is the server running"},
		"a redirect":                     {base: moved.URL, kind: longrein.ErrNotFound, say: "https://api.example.com/v1"},
		"an answer that breaks off":      {base: short.URL, kind: longrein.ErrStreamCut, say: "before the answer was whole"},
		"a server that leaves TLS alone": {spec: provider.Transport{Limits: hasty}, base: "https://" + silent, kind: longrein.ErrNetwork, say: "limit connect"},
		"a server that does not answer":  {spec: provider.Transport{Limits: hasty}, base: "http://" + silent, kind: longrein.ErrIdle, say: "limit first-byte"},
		"an answer without end":          {spec: provider.Transport{Limits: small}, base: long.URL, kind: longrein.ErrLimit, say: "limit response"},
	} {
		t.Run(name, func(t *testing.T) {
			_, got := ask(t, c.spec, c.base)
			if got == nil {
				t.Fatal("no error")
			}
			if got.Kind != c.kind || !strings.Contains(got.Text, c.say) || !strings.HasPrefix(got.Text, "local: ") {
				t.Errorf("%s %q, want %s with %q", got.Kind, got.Text, c.kind, c.say)
			}
			if all := fmt.Sprint(got, got.Err); strings.Contains(all, "secret") {
				t.Errorf("the query shows: %s", all)
			}
		})
	}
	if body, err := ask(t, provider.Transport{CAFile: caFile(t, unknown)}, unknown.URL); err != nil || body != "hello" {
		t.Errorf("with ca_file: %q, %v", body, err)
	}
	if body, err := ask(t, provider.Transport{}, page.URL); err != nil || !strings.Contains(body, "Router") {
		t.Errorf("a page with 200 is for the adapter to see: %q, %v", body, err)
	}
}

func TestFailureOfErrors(t *testing.T) {
	known := &longrein.ModelError{Kind: longrein.ErrTooLong, Text: "known"}
	var syntax *json.SyntaxError
	errors.As(json.Unmarshal([]byte("{x"), &struct{}{}), &syntax)
	for name, c := range map[string]struct {
		err  error
		kind longrein.ErrorKind
		say  string
	}{
		"one that is known":   {fmt.Errorf("sdk: %w", known), longrein.ErrTooLong, "known"},
		"no such host":        {&net.OpError{Op: "dial", Err: &net.DNSError{Name: "api.exmaple.com", IsNotFound: true}}, longrein.ErrNetwork, `no host "api.exmaple.com"`},
		"a broken look-up":    {&net.DNSError{Name: "api.example.com", Err: "server misbehaving"}, longrein.ErrNetwork, "server misbehaving"},
		"a deadline":          {&url.Error{Op: "Post", URL: "http://x/?key=query-secret", Err: context.DeadlineExceeded}, longrein.ErrNetwork, "took too long"},
		"a proxy":             {&net.OpError{Op: "proxyconnect", Err: errors.New("no route")}, longrein.ErrNetwork, "proxy"},
		"no JSON":             {fmt.Errorf("event: %w", syntax), longrein.ErrStreamCut, "not JSON"},
		"a reset of HTTP/2":   {errors.New("stream error: stream ID 5; INTERNAL_ERROR; received from peer"), longrein.ErrStreamCut, "INTERNAL_ERROR"},
		"what nobody foresaw": {&url.Error{Op: "Post", URL: "http://x/?key=query-secret", Err: errors.New("tohu wabohu")}, longrein.ErrNetwork, "tohu wabohu"},
	} {
		t.Run(name, func(t *testing.T) {
			got := provider.Failure(local, c.err)
			if got.Kind != c.kind || !strings.Contains(got.Text, c.say) {
				t.Errorf("%s %q, want %s with %q", got.Kind, got.Text, c.kind, c.say)
			}
			if all := fmt.Sprint(got, got.Err); strings.Contains(all, "secret") {
				t.Errorf("the query shows: %s", all)
			}
		})
	}
}
