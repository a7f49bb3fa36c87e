package providertest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
)

// cancelled ends the context before the request, before the first byte, and in
// mid-stream.
func (s suite) cancelled(t *testing.T) {
	first := events(Answer(t, s.wire, "answer"))[:3]
	for name, h := range map[string]http.HandlerFunc{
		"before the first byte": hang(nil),
		"in mid-stream":         hang(join(first)),
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			m := s.serve(t, func(w http.ResponseWriter, r *http.Request) {
				context.AfterFunc(r.Context(), cancel) // no test may hang
				go cancel()
				h(w, r)
			})
			if _, err := askIn(ctx, t, m, s.request()); !errors.Is(err, context.Canceled) {
				t.Errorf("the error is %v, want %v", err, context.Canceled)
			}
		})
	}
	t.Run("before the request", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		m := s.serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") })
		if _, err := askIn(ctx, t, m, s.request()); !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v, want %v", err, context.Canceled)
		}
	})
}

func join(parts [][]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// stopEarly leaves the loop at the first event; the server must see the client go.
func (s suite) stopEarly(t *testing.T) {
	gone := make(chan struct{})
	answer := events(Answer(t, s.wire, "answer"))
	m := s.serve(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(gone)
		hang(join(answer[:len(answer)-2]))(w, r)
	})
	for _, err := range m.Stream(context.Background(), s.request()) {
		if err != nil {
			t.Error(err)
		}
		break
	}
	<-gone
}

func (s suite) reuse(t *testing.T) {
	var connections atomic.Int32
	srv := httptest.NewUnstartedServer(stream(Answer(t, s.wire, "answer")))
	srv.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	srv.Start()
	t.Cleanup(srv.Close)
	m := s.model(srv.URL + "/v1")
	for range 5 {
		if _, err := ask(t, m, s.request()); err != nil {
			t.Fatal(err)
		}
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("five requests used %d connections, want 1", n)
	}
}

func (s suite) concurrent(t *testing.T) {
	m := s.serve(t, func(w http.ResponseWriter, r *http.Request) {
		name := "answer"
		if r.ContentLength > int64(len(s.request().Body)) {
			name = "calls"
		}
		stream(Answer(t, s.wire, name))(w, r)
	})
	var wg sync.WaitGroup
	for i := range 16 {
		r, want := s.request(), s.wantAnswer()
		if i%2 == 1 {
			r.Body, want = append(r.Body, ' '), s.wantCalls()
		}
		wg.Go(func() { s.same(t, m, r, want) })
	}
	wg.Wait()
}

// same may be called from any goroutine.
func (s suite) same(t *testing.T, m longrein.Model, r longrein.Request, want response) {
	var got response
	got.deltas = map[longrein.DeltaKind]string{}
	for ev, err := range m.Stream(context.Background(), r) {
		if err != nil {
			t.Error(err)
			return
		}
		got.take(ev)
	}
	if diff := cmp.Diff(want, got, shown); diff != "" {
		t.Errorf("the stream came to (-want +got):\n%s", diff)
	}
}
