package providertest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/longrein/longrein"
)

// serve starts a server that answers by h, and returns a model that asks it.
func (s suite) serve(t *testing.T, h http.HandlerFunc) longrein.Model {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return s.model(srv.URL + "/v1")
}

// stream answers with these bytes as a stream of events.
func stream(answer []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		_, _ = w.Write(answer)
	}
}

// refuse answers with an error status.
func refuse(status int, contentType, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// hang answers with these bytes and then waits until the client has gone.
func hang(answer []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		stream(answer)(w, r)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
}

// response is everything that a stream came to.
type response struct {
	Items  []longrein.Item
	Done   longrein.Finished
	deltas map[longrein.DeltaKind]string
	names  []string
}

// ask collects a stream. It fails the test if the sequence does not end with
// the one event or the one error that it should end with.
func ask(t *testing.T, m longrein.Model, r longrein.Request) (response, error) {
	t.Helper()
	return askIn(context.Background(), t, m, r)
}

func askIn(ctx context.Context, t *testing.T, m longrein.Model, r longrein.Request) (response, error) {
	t.Helper()
	out := response{deltas: map[longrein.DeltaKind]string{}}
	var last error
	over := false
	for ev, err := range m.Stream(ctx, r) {
		if over {
			t.Fatalf("the stream went on after its end with %v, %v", ev, err)
		}
		if over = err != nil; over {
			last = err
			continue
		}
		over = out.take(ev)
	}
	if !over {
		t.Fatal("the stream ended without a Finished and without an error")
	}
	return out, last
}

// take adds an event and reports whether it is the last.
func (r *response) take(ev longrein.ModelEvent) bool {
	switch ev := ev.(type) {
	case longrein.Delta:
		r.deltas[ev.Kind] += ev.Text
		if ev.Name != "" {
			r.names = append(r.names, ev.Name)
		}
	case longrein.ItemDone:
		r.Items = append(r.Items, ev.Item)
	case longrein.Finished:
		r.Done = ev
		return true
	}
	return false
}
