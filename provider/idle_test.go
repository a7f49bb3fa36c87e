package provider_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider"
)

func TestAnUnusedConnectionIsKeptOnlySoLong(t *testing.T) {
	var opened atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(hello))
	closed := make(chan struct{}, 4)
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		switch s {
		case http.StateNew:
			opened.Add(1)
		case http.StateClosed:
			closed <- struct{}{}
		}
	}
	server.Start()
	defer server.Close()
	ep := provider.Endpoint{HTTP: newHTTP(t, provider.Transport{Proxy: "direct", Limits: limit.Set{limit.IdleConnection.Name: 300}})}
	get := func() {
		t.Helper()
		resp, err := ep.Client().Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Fatal(err)
		}
	}
	get()
	get()
	if n := opened.Load(); n != 1 {
		t.Errorf("%d connections were opened for two requests in a row", n)
	}
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Fatal("an unused connection is kept")
	}
	get()
	if n := opened.Load(); n != 2 {
		t.Errorf("%d connections were opened, want a new one after the first was given up", n)
	}
}
