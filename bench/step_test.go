package bench

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/provider/openai"
	"github.com/longrein/longrein/rollout"
	"github.com/longrein/longrein/thread"
	"github.com/longrein/longrein/turn"
)

// server answers every request with one call of cat, and notes when the response
// ended and when the next request had arrived.
type server struct {
	mu       sync.Mutex
	n        int
	most     int // requests, after which it says done
	ended    time.Time
	gaps     []time.Duration // from the end of a response to the next request, whole
	bodySize int
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, err := io.Copy(io.Discard, r.Body)
	arrived := time.Now()
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.n > 0 {
		s.gaps = append(s.gaps, arrived.Sub(s.ended))
	}
	s.n++
	s.bodySize = int(n)
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, response(s.n, s.n >= s.most))
	s.ended = time.Now()
}

// response is a stream in the Responses format: a call, or the last word.
func response(n int, last bool) string {
	item := fmt.Sprintf(`{"type":"function_call","id":"fc_%d","call_id":"call_%d","name":"cat","arguments":"{\"path\":\"small.txt\"}","status":"completed"}`, n, n)
	if last {
		item = `{"type":"message","id":"msg","role":"assistant","status":"completed","content":[{"type":"output_text","text":"done","annotations":[]}]}`
	}
	var b strings.Builder
	event := func(kind, data string) { fmt.Fprintf(&b, "event: %s\ndata: {\"type\":%q,%s}\n\n", kind, kind, data) }
	event("response.created", `"response":{"id":"r","status":"in_progress","output":[]}`)
	event("response.output_item.added", `"output_index":0,"item":`+item)
	event("response.output_item.done", `"output_index":0,"item":`+item)
	event("response.completed", `"response":{"id":"r","status":"completed","model":"m","output":[`+item+`],"usage":{"input_tokens":1000,"input_tokens_details":{"cached_tokens":900},"output_tokens":10,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":1010}}`)
	return b.String()
}

// cat prints a file, in this process, and notes how long it took.
type cat struct {
	dir  string
	mu   sync.Mutex
	took []time.Duration
}

func (c *cat) Known(longrein.ToolCall) bool { return true }

func (c *cat) Run(_ context.Context, call longrein.ToolCall) longrein.ToolResult {
	start := time.Now()
	b, err := os.ReadFile(filepath.Join(c.dir, "small.txt"))
	text, status := string(b), longrein.OutputOK
	if err != nil {
		text, status = err.Error(), longrein.OutputFailed
	}
	c.mu.Lock()
	c.took = append(c.took, time.Since(start))
	c.mu.Unlock()
	return longrein.ToolResult{Output: longrein.ToolOutput{CallID: call.ID, Text: text, Status: status}}
}

// BenchmarkStep runs one window of 2,000 steps, about 200,000 tokens, over real
// HTTP, with the log on disk and durable. It reports the time from the end of a
// response to the next request read whole, less the tool's own time, around step
// 10 and step 2,000.
func BenchmarkStep(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		const steps = 2010
		dir := b.TempDir()
		line := "a line of a small file that cat prints, as files have\n"
		if err := os.WriteFile(filepath.Join(dir, "small.txt"), []byte(strings.Repeat(line, 5)), 0o600); err != nil {
			b.Fatal(err)
		}
		s := &server{most: steps}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		h := &http.Server{Handler: s}
		go func() { _ = h.Serve(l) }()
		tools := &cat{dir: dir}
		t := newThread(b, dir, "http://"+l.Addr().String()+"/v1", tools)
		b.StartTimer()
		if err := t.Submit(b.Context(), "go"); err != nil {
			b.Fatal(err)
		}
		if err := t.Wait(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := t.Close(); err != nil {
			b.Fatal(err)
		}
		_ = h.Close()
		report(b, s, tools)
		b.StartTimer()
	}
}

func newThread(b *testing.B, dir, url string, tools *cat) *thread.Thread {
	b.Helper()
	client, err := provider.NewHTTP(provider.Transport{Proxy: "direct"})
	if err != nil {
		b.Fatal(err)
	}
	id := uuid.Must(uuid.NewV7()).String()
	store := &rollout.Store{Root: dir}
	log, err := store.Create(id)
	if err != nil {
		b.Fatal(err)
	}
	ep := provider.Endpoint{Name: "bench", BaseURL: url, Wire: longrein.WireResponses, HTTP: client}
	t := thread.New(thread.Options{
		ID: id, Machine: turn.New(turn.Options{}), Log: log, Now: time.Now,
		Model:  provider.Retry(provider.Watchdog(openai.NewResponses(ep), nil), nil),
		Tools:  func(longrein.Ask) thread.Tools { return tools },
		Survey: func(context.Context, turn.Survey) turn.Surveyed { return turn.Surveyed{} },
	})
	err = t.Begin(b.Context(), longrein.Thread{ID: id, Format: longrein.LogFormat}, longrein.Settings{
		Provider: "bench", Model: "m", Wire: longrein.WireResponses,
		Tools: []longrein.ToolSpec{{Name: "cat", Description: "Print a file.", Schema: []byte(`{"type":"object"}`), Parallel: true, ReadOnly: true}},
	})
	if err != nil {
		b.Fatal(err)
	}
	return t
}

// report gives the medians of the steps around two places.
func report(b *testing.B, s *server, tools *cat) {
	b.Helper()
	own := make([]time.Duration, len(s.gaps))
	for i, gap := range s.gaps {
		own[i] = gap - tools.took[i]
	}
	median := func(d []time.Duration) float64 {
		d = slices.Sorted(slices.Values(d))
		return float64(d[len(d)/2]) / 1e6
	}
	b.ReportMetric(median(own[4:16]), "ms/step-10")
	b.ReportMetric(median(own[len(own)-200:]), "ms/step-2000")
	b.ReportMetric(float64(s.bodySize), "body-bytes")
}
