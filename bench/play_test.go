package bench

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/provider/sim"
	"github.com/longrein/longrein/provider/sim/longtask"
)

// run is a long task as it is to be played.
type run struct {
	shape  longtask.Shape
	window int
	// wire is one to talk over HTTP on; empty asks the model in this process.
	wire     longrein.Wire
	strategy string   // empty: background
	set      []string // settings, as flag -c takes them
	sim      sim.Options
}

// played is a run at its end.
type played struct {
	run
	task   longtask.Task
	h      *harness.Harness
	thread string
	seen   []sim.Seen // by the time of arrival
	shares []float64  // of what a fork has in common with the worker, read from the cache
}

// play runs a long task in this process, with the whole harness and real tools.
func play(tb testing.TB, r run) *played {
	tb.Helper()
	dir := tb.TempDir()
	task, err := r.shape.Write(dir, "files")
	if err != nil {
		tb.Fatal(err)
	}
	p := &played{run: r, task: task}
	w := &watch{parts: map[string]int{}}
	p.h = harness.New(p.options(tb, dir, w))
	p.live(tb)
	p.seen = w.requests()
	for _, s := range p.seen {
		if part := w.parts[s.Hash]; part > 0 {
			p.shares = append(p.shares, min(1, float64(s.Usage.Cached)/float64(part)))
		}
	}
	return p
}

// live runs the task to its end.
func (p *played) live(tb testing.TB) {
	tb.Helper()
	ctx := context.Background()
	t, err := p.h.Start(ctx)
	if err != nil {
		tb.Fatal(err)
	}
	p.thread = t.ID()
	if err := t.Submit(ctx, p.task.Prompt); err != nil {
		tb.Fatal(err)
	}
	if err := t.Wait(ctx); err != nil {
		tb.Fatal(err)
	}
	if err := t.Close(); err != nil {
		tb.Fatal(err)
	}
}

func (p *played) options(tb testing.TB, dir string, w *watch) harness.Options {
	tb.Helper()
	o := p.sim
	o.Window, o.Done = p.window, w.done
	m := sim.New(o)
	set := append(p.priced(), p.set...)
	from := "embedded"
	if p.wire != "" {
		server := httptest.NewServer(w.handler(m.Handler()))
		tb.Cleanup(server.Close)
		from = "here"
		set = append(set, "providers.here.base_url="+server.URL+"/v1", "providers.here.wire="+string(p.wire))
	}
	flags := []config.Flag{
		{Name: "-m", Value: p.task.Model},
		{Name: "--sandbox", Value: "full"},
		{Name: "--approval", Value: "never"},
		{Name: "--strategy", Value: cmp.Or(p.strategy, "background")},
	}
	for _, s := range set {
		flags = append(flags, config.Flag{Name: "-c", Value: s})
	}
	if p.wire != "" {
		flags = append(flags, config.Flag{Name: "-p", Value: from})
	}
	settings, err := config.Load(config.Options{
		Home: tb.TempDir(), Cwd: dir, Env: os.Environ(), Strategies: harness.Strategies(), Flags: flags,
	})
	if err != nil {
		tb.Fatal(err)
	}
	h := harness.Options{Settings: settings, Cwd: dir, Version: "bench", Env: os.Environ()}
	if p.wire == "" {
		h.Model = provider.Retry(tee{m, w}, settings.Limits)
	}
	return h
}

// priced are the settings of the model: its window, and the prices of the peers'
// measurements.
func (p *played) priced() []string {
	model := fmt.Sprintf("models.%q.", p.task.Model)
	return []string{
		fmt.Sprintf("%scontext_window=%d", model, p.window),
		fmt.Sprintf("%sinput_price=%g", model, prices.Input),
		fmt.Sprintf("%scached_price=%g", model, prices.Cached),
		fmt.Sprintf("%soutput_price=%g", model, prices.Output),
	}
}

// watch sees all requests on their way to the simulated model. Of each fork's it
// notes how many tokens it has in common with the worker's newest one.
type watch struct {
	mu     sync.Mutex
	seen   []sim.Seen
	worker []byte
	parts  map[string]int // tokens, by the body's hash
}

func (w *watch) done(s sim.Seen) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, s)
}

// requests returns what was seen in the order in which it arrived.
func (w *watch) requests() []sim.Seen {
	slices.SortFunc(w.seen, func(a, b sim.Seen) int { return cmp.Compare(a.Number, b.Number) })
	return w.seen
}

// body takes a request in. Where its cache may end is no part of a prompt.
func (w *watch) body(sent []byte) {
	b := bytes.ReplaceAll(sent, []byte(`,"cache_control":{"type":"ephemeral"}`), nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	if !bytes.Contains(b, []byte("<"+string(longrein.TagRole)+">")) {
		w.worker = b
		return
	}
	n := 0
	for n < min(len(b), len(w.worker)) && b[n] == w.worker[n] {
		n++
	}
	if n*2 > len(w.worker) { // otherwise a new window has begun since
		w.parts[hash(sent)] = n / 4
	}
}

// tee shows a model's requests to a watch.
type tee struct {
	longrein.Model
	watch *watch
}

func (t tee) Stream(ctx context.Context, r longrein.Request) iter.Seq2[longrein.ModelEvent, error] {
	t.watch.body(r.Body)
	return t.Model.Stream(ctx, r)
}

func (w *watch) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		if len(body) > 0 {
			w.body(body)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(rw, r)
	})
}
