package thread

import (
	"context"
	"errors"
	"iter"
	"sync"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/turn"
)

// fakeLog keeps records in memory and fails when told to.
type fakeLog struct {
	mu      sync.Mutex
	records []longrein.Record
	fail    error
	closed  bool
}

func (l *fakeLog) Append(now time.Time, _ bool, bodies ...longrein.Body) ([]longrein.Record, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fail != nil {
		return nil, l.fail
	}
	from := len(l.records)
	for _, b := range bodies {
		l.records = append(l.records, longrein.Record{Seq: int64(len(l.records) + 1), Time: now, Body: b})
	}
	return l.records[from:], nil
}

func (l *fakeLog) Close() error {
	l.closed = true
	return nil
}

func (l *fakeLog) after(seq int64) func(func(longrein.Record, error) bool) {
	return func(yield func(longrein.Record, error) bool) {
		l.mu.Lock()
		records := append([]longrein.Record(nil), l.records[seq:]...)
		l.mu.Unlock()
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// fakeModel answers with one script function a request.
type fakeModel struct {
	mu      sync.Mutex
	answers []func(ctx context.Context, yield func(longrein.ModelEvent, error) bool)
}

func (m *fakeModel) Stream(ctx context.Context, _ longrein.Request) iter.Seq2[longrein.ModelEvent, error] {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.answers) == 0 {
		return func(yield func(longrein.ModelEvent, error) bool) {
			yield(nil, errors.New("no answer is left"))
		}
	}
	a := m.answers[0]
	m.answers = m.answers[1:]
	return func(yield func(longrein.ModelEvent, error) bool) { a(ctx, yield) }
}

func answers(items ...longrein.Item) func(context.Context, func(longrein.ModelEvent, error) bool) {
	return func(_ context.Context, yield func(longrein.ModelEvent, error) bool) {
		for _, it := range items {
			if !yield(longrein.ItemDone{Item: it}, nil) {
				return
			}
		}
		yield(longrein.Finished{Stop: longrein.StopEnd}, nil)
	}
}

// hangs says something and then waits for the end of the request.
func hangs(text string) func(context.Context, func(longrein.ModelEvent, error) bool) {
	return func(ctx context.Context, yield func(longrein.ModelEvent, error) bool) {
		if yield(longrein.Delta{Kind: longrein.DeltaText, Text: text}, nil) {
			<-ctx.Done()
			yield(nil, ctx.Err())
		}
	}
}

// fakeTools runs a function for every call.
type fakeTools struct {
	run func(ctx context.Context, c longrein.ToolCall) longrein.ToolResult
	ask longrein.Ask
}

func (f *fakeTools) Run(ctx context.Context, c longrein.ToolCall) longrein.ToolResult {
	return f.run(ctx, c)
}
func (*fakeTools) Known(longrein.ToolCall) bool { return true }

var settings = longrein.Settings{
	Wire: longrein.WireResponses, Model: "m",
	Tools: []longrein.ToolSpec{{Name: "do", Schema: []byte(`{}`)}},
}

type fixture struct {
	*Thread
	log   *fakeLog
	model *fakeModel
	tools *fakeTools
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{log: &fakeLog{}, model: &fakeModel{}, tools: &fakeTools{}}
	f.tools.run = func(context.Context, longrein.ToolCall) longrein.ToolResult {
		return longrein.ToolResult{Output: longrein.ToolOutput{Text: "ok", Status: longrein.OutputOK}}
	}
	f.Thread = New(Options{
		ID: "t", Machine: turn.New(turn.Options{}), Log: f.log, Model: f.model, Now: time.Now,
		Tools:  func(ask longrein.Ask) Tools { f.tools.ask = ask; return f.tools },
		Survey: func(context.Context, turn.Survey) turn.Surveyed { return turn.Surveyed{} },
		Replay: f.log.after,
	})
	if err := f.Begin(t.Context(), longrein.Thread{ID: "t"}, settings); err != nil {
		t.Fatal(err)
	}
	return f
}

// last returns the last record of type T.
func last[T longrein.Body](t *testing.T, l *fakeLog) T {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := len(l.records) - 1; i >= 0; i-- {
		if b, ok := l.records[i].Body.(T); ok {
			return b
		}
	}
	t.Fatalf("no %T in the log", *new(T))
	return *new(T)
}
