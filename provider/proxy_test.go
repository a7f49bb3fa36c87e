package provider_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider"
)

// socks is a SOCKS5 proxy that sends every connection to one address and
// reports the host it was asked for.
func socks(t *testing.T, to string) (address string, asked <-chan string) {
	t.Helper()
	hosts := make(chan string, 10)
	return accept(t, func(c net.Conn) {
		host, err := socksHost(c)
		if err != nil {
			return
		}
		hosts <- host
		pipe(c, to)
	}), hosts
}

// socksHost plays the proxy's part up to the point where bytes pass through.
func socksHost(c net.Conn) (string, error) {
	hello := make([]byte, 2)
	if _, err := io.ReadFull(c, hello); err != nil {
		return "", err
	}
	if _, err := io.CopyN(io.Discard, c, int64(hello[1])); err != nil {
		return "", err
	}
	c.Write([]byte{5, 0})
	head := make([]byte, 5) // version, connect, 0, kind of address, length of name
	if _, err := io.ReadFull(c, head); err != nil {
		return "", err
	}
	if head[3] != 3 {
		return "", fmt.Errorf("kind of address %d is no name", head[3])
	}
	rest := make([]byte, int(head[4])+2)
	if _, err := io.ReadFull(c, rest); err != nil {
		return "", err
	}
	c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	n := len(rest) - 2
	return fmt.Sprintf("%s:%d", rest[:n], binary.BigEndian.Uint16(rest[n:])), nil
}

// tunnel is an HTTP proxy that knows CONNECT, like socks.
func tunnel(t *testing.T, to string, status int) (address string, asked <-chan string) {
	t.Helper()
	hosts := make(chan string, 10)
	return accept(t, func(c net.Conn) {
		r, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		hosts <- r.Method + " " + r.Host
		fmt.Fprintf(c, "HTTP/1.1 %d %s\r\n\r\n", status, http.StatusText(status))
		if status == http.StatusOK {
			pipe(c, to)
		}
	}), hosts
}

func accept(t *testing.T, handle func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { defer c.Close(); handle(c) }()
		}
	}()
	return l.Addr().String()
}

func pipe(c net.Conn, to string) {
	up, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer up.Close()
	go func() { defer up.Close(); io.Copy(up, c) }()
	io.Copy(c, up)
}

func TestSOCKSProxyLooksUpTheName(t *testing.T) {
	server := serve(t, hello)
	for _, scheme := range []string{"socks5", "socks5h"} {
		address, asked := socks(t, server.Listener.Addr().String())
		body, failure := ask(t, provider.Transport{Proxy: scheme + "://" + address}, "http://no.such.host.invalid:1234")
		if failure != nil || body != "hello" {
			t.Fatalf("%s: %q, %v", scheme, body, failure)
		}
		if got := <-asked; got != "no.such.host.invalid:1234" {
			t.Errorf("%s: the proxy was asked for %q", scheme, got)
		}
	}
}

func TestHTTPProxy(t *testing.T) {
	server := serveTLS(t, "no.such.host.invalid", time.Now().Add(time.Hour))
	address, asked := tunnel(t, server.Listener.Addr().String(), http.StatusOK)
	spec := provider.Transport{Proxy: "http://" + address, CAFile: caFile(t, server)}
	body, failure := ask(t, spec, "https://no.such.host.invalid")
	if failure != nil || body != "hello" {
		t.Fatalf("%q, %v", body, failure)
	}
	if got := <-asked; got != "CONNECT no.such.host.invalid:443" {
		t.Errorf("the proxy was asked for %q", got)
	}
}

func TestProxyFailures(t *testing.T) {
	closed := serve(t, hello)
	closed.Close()
	gone := closed.Listener.Addr().String()
	locked, _ := tunnel(t, "", http.StatusProxyAuthRequired)
	silent := accept(t, func(c net.Conn) { io.Copy(io.Discard, c) })
	soon, err := limit.Set{}.With("connect", 200)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		proxy, say string
	}{
		"an HTTP proxy that does not run":  {"http://" + gone, "through the proxy"},
		"a SOCKS proxy that does not run":  {"socks5h://user:word@" + gone, "through the proxy"},
		"a proxy that wants a password":    {"http://" + locked, "407 Proxy Authentication Required"},
		"a SOCKS proxy that never answers": {"socks5h://" + silent, "limit connect"},
		"an HTTP proxy that never answers": {"http://" + silent, "limit connect"},
	} {
		t.Run(name, func(t *testing.T) {
			_, got := ask(t, provider.Transport{Proxy: c.proxy, Limits: soon}, "https://no.such.host.invalid/v1")
			if got == nil || got.Kind != longrein.ErrNetwork || !strings.Contains(got.Text, c.say) {
				t.Fatalf("%v, want %q", got, c.say)
			}
			if strings.Contains(fmt.Sprint(got, got.Err), "word") && !strings.Contains(c.say, "word") {
				t.Errorf("the password shows: %v", got)
			}
		})
	}
}

func TestProxyOfTheEnvironment(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"} {
		t.Setenv(name, "")
		t.Setenv(strings.ToLower(name), "")
	}
	t.Setenv("https_proxy", "proxy.example:3128")
	t.Setenv("ALL_PROXY", "socks5h://all.example:1080")
	t.Setenv("NO_PROXY", "corp.example, .inner.example,10.0.0.0/8,192.0.2.7,port.example:8443")
	for target, want := range map[string]string{
		"https://api.example.com/v1":     "http://proxy.example:3128",
		"http://api.example.com/v1":      "socks5h://all.example:1080",
		"http://localhost:11434/v1":      "",
		"http://127.0.0.1:8080/v1":       "",
		"http://[::1]:8080/v1":           "",
		"https://corp.example":           "",
		"https://ai.corp.example":        "",
		"https://notcorp.example":        "http://proxy.example:3128",
		"https://ai.inner.example":       "",
		"https://10.2.3.4":               "",
		"https://192.0.2.7":              "",
		"https://192.0.2.8":              "http://proxy.example:3128",
		"https://port.example:8443":      "",
		"https://port.example":           "http://proxy.example:3128",
		"https://api.example.com:444/v1": "http://proxy.example:3128",
	} {
		t.Run(target, func(t *testing.T) {
			if got := provider.ProxyFor(t, provider.Transport{}, target); got != want {
				t.Errorf("proxy = %q, want %q", got, want)
			}
		})
	}
	t.Setenv("NO_PROXY", "*")
	if got := provider.ProxyFor(t, provider.Transport{}, "https://api.example.com"); got != "" {
		t.Errorf("NO_PROXY=* and yet %q", got)
	}
	if got := provider.ProxyFor(t, provider.Transport{Proxy: "http://own.example:1"}, "http://127.0.0.1:80"); got != "http://own.example:1" {
		t.Errorf("an explicit proxy is for loopback too, got %q", got)
	}
	if got := provider.ProxyFor(t, provider.Transport{Proxy: "direct"}, "http://api.example.com"); got != "" {
		t.Errorf("direct, and yet %q", got)
	}
}

func TestTransportSettingsThatCannotBe(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "")
	for name, c := range map[string]struct {
		spec provider.Transport
		say  string
	}{
		"a proxy of another kind": {provider.Transport{Proxy: "ftp://user:word@x:1"}, `no proxy of the kind "ftp"`},
		"a proxy that is no URL":  {provider.Transport{Proxy: "http://user:word@x:port"}, "not a URL"},
		"no CA file":              {provider.Transport{CAFile: "/nowhere/ca.pem"}, "ca_file: open /nowhere/ca.pem"},
		"a CA file of no sense":   {provider.Transport{CAFile: write(t, "no pem", 0o600)}, "holds no certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := provider.NewHTTP(c.spec)
			if err == nil || !strings.Contains(err.Error(), c.say) || strings.Contains(err.Error(), "word") {
				t.Errorf("error = %v, want %q", err, c.say)
			}
		})
	}
	t.Setenv("HTTPS_PROXY", "gopher://x")
	if _, err := provider.NewHTTP(provider.Transport{}); err == nil || !strings.Contains(err.Error(), "HTTPS_PROXY") {
		t.Errorf("error = %v, want one that names the variable", err)
	}
}

func TestRequestsSpeakForLongrein(t *testing.T) {
	got := make(chan http.Header, 1)
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) { got <- r.Header })
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("User-Agent", "SomeSDK/Go 1.0")
	r.Header.Set("X-Stainless-Os", "Linux")
	resp, err := newHTTP(t, provider.Transport{Version: "1.2.3"}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	h := <-got
	if h.Get("User-Agent") != "longrein/1.2.3" || h.Get("X-Stainless-Os") != "" {
		t.Errorf("header = %v", h)
	}
}

func TestHTTP2(t *testing.T) {
	server := serveTLS(t, "127.0.0.1", time.Now().Add(time.Hour))
	resp, err := newHTTP(t, provider.Transport{CAFile: caFile(t, server)}).Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.ProtoMajor != 2 {
		t.Errorf("spoke %s", resp.Proto)
	}
}

func TestAResponseMayTakeLongerThanConnecting(t *testing.T) {
	slow := func(w http.ResponseWriter, _ *http.Request) {
		for range 8 {
			io.WriteString(w, "x")
			w.(http.Flusher).Flush()
			time.Sleep(100 * time.Millisecond)
		}
	}
	limits := limit.Set{"connect": 500}
	secure := serveTLSWith(t, slow, "127.0.0.1", time.Now().Add(time.Hour))
	plain := serve(t, slow)
	proxy, _ := socks(t, plain.Listener.Addr().String())
	for name, c := range map[string]struct {
		spec provider.Transport
		base string
	}{
		"over HTTP/1":        {provider.Transport{Limits: limits}, plain.URL},
		"over HTTP/2":        {provider.Transport{Limits: limits, CAFile: caFile(t, secure)}, secure.URL},
		"over a SOCKS proxy": {provider.Transport{Limits: limits, Proxy: "socks5h://" + proxy}, "http://no.such.host.invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if body, err := ask(t, c.spec, c.base); err != nil || body != "xxxxxxxx" {
				t.Errorf("%q, %v", body, err)
			}
		})
	}
}

func TestErrorAnswersAreReadInPart(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		w.Write(make([]byte, 1<<20))
	})
	resp, err := newHTTP(t, provider.Transport{}).Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if want := limit.ErrorBody.Default; err != nil || int64(len(body)) != want {
		t.Errorf("read %d bytes, %v, want %d", len(body), err, want)
	}
}
