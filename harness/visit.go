package harness

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/memory"
	"github.com/longrein/longrein/notes"
	"github.com/longrein/longrein/rollout"
	"github.com/longrein/longrein/thread"
	"github.com/longrein/longrein/turn"
)

// Visit opens a thread for taking it back, or for recording what was done to its
// files. No model is needed, its settings stay as they are, and no turn can run.
func (h *Harness) Visit(ctx context.Context, id string) (*thread.Thread, error) {
	log, tail, err := h.store.Open(id)
	if err != nil {
		return nil, err
	}
	t, err := h.visit(id, log, tail)
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	return t, nil
}

func (h *Harness) visit(id string, log *rollout.Log, tail *rollout.Tail) (*thread.Thread, error) {
	for _, w := range tail.Warnings {
		h.opts.Notify(w)
	}
	strategy, err := h.strategyOf(id, tail.Records)
	if err != nil {
		return nil, err
	}
	m := turn.New(turn.Options{Strategy: strategy, Limits: h.opts.Settings.Limits})
	if err := m.Load(records(tail)...); err != nil {
		return nil, err
	}
	return thread.New(thread.Options{
		ID: id, Machine: m, Log: log, Model: nobody{}, Limits: h.opts.Settings.Limits,
		Now:    func() time.Time { return time.Now().UTC() },
		Notes:  h.bookOf(id, strategy),
		Survey: func(context.Context, turn.Survey) turn.Surveyed { return turn.Surveyed{Err: errVisit} },
		Snap:   h.camera(id).snap,
		Tools:  func(longrein.Ask) thread.Tools { return nothing{} },
	}), nil
}

// bookOf is the notebook of a thread whose strategy has been loaded.
func (h *Harness) bookOf(id string, strategy longrein.Strategy) *notebook {
	book := &notebook{folder: notes.Folder{Dir: h.NotesFolder(id), Limits: h.opts.Settings.Limits}, told: map[string]bool{}}
	_, book.kept = strategy.(interface{ Notes() memory.Notes })
	book.learn(strategy)
	return book
}

var errVisit = errors.New("the thread is only visited; resume it to go on")

// nobody is the model of a visited thread.
type nobody struct{}

func (nobody) Stream(context.Context, longrein.Request) iter.Seq2[longrein.ModelEvent, error] {
	return func(yield func(longrein.ModelEvent, error) bool) { yield(nil, errVisit) }
}

// nothing is its tools.
type nothing struct{}

func (nothing) Run(_ context.Context, call longrein.ToolCall) longrein.ToolResult {
	return longrein.ToolResult{Output: longrein.ToolOutput{CallID: call.ID, Text: errVisit.Error(), Status: longrein.OutputRefused}}
}

func (nothing) Known(longrein.ToolCall) bool { return false }
