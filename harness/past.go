package harness

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/environ"
	"github.com/longrein/longrein/memory"
	"github.com/longrein/longrein/thread"
	"github.com/longrein/longrein/timeline"
	"github.com/longrein/longrein/turn"
)

// Timeline returns what happened in a thread, turn by turn. It reads the whole log;
// damaged lines are passed over.
func (h *Harness) Timeline(id string) (*timeline.Timeline, error) {
	t := &timeline.Timeline{}
	for r, err := range h.store.Read(id) {
		switch {
		case damaged(err):
		case err != nil:
			return nil, err
		default:
			t.Note(r)
		}
	}
	return t, nil
}

// Rollback takes a thread back as r says, with its notes, its queue and what it was
// told of the outside. While a turn runs the error is [thread.ErrBusy].
func (h *Harness) Rollback(ctx context.Context, t *thread.Thread, r longrein.Rollback) error {
	then, thenNotes, err := h.machineAt(t.ID(), r.To)
	if err != nil {
		return err
	}
	_, nowNotes, err := h.machineAt(t.ID(), 0)
	if err != nil {
		return err
	}
	return t.Rollback(ctx, turn.Rollback{
		Rollback: r, Window: then.Checkpoint(), Notes: differences(nowNotes, thenNotes),
	})
}

// machineAt returns a machine as it stood after a record, 0 for the last one, and
// the notes of then.
func (h *Harness) machineAt(id string, at int64) (*turn.Machine, memory.Notes, error) {
	records, err := h.recordsTo(id, at)
	if err != nil {
		return nil, memory.Notes{}, err
	}
	strategy, err := h.strategyOf(id, records)
	if err != nil {
		return nil, memory.Notes{}, err
	}
	m := turn.New(turn.Options{Strategy: strategy, Limits: h.opts.Settings.Limits})
	if err := m.Load(records...); err != nil {
		return nil, memory.Notes{}, fmt.Errorf("read thread %s up to record %d: %w", id, at, err)
	}
	var notes memory.Notes
	if k, ok := strategy.(interface{ Notes() memory.Notes }); ok {
		notes = k.Notes()
	}
	return m, notes, nil
}

// strategyOf makes the strategy that the records' thread works with.
func (h *Harness) strategyOf(id string, records []longrein.Record) (longrein.Strategy, error) {
	if h.opts.Strategy != nil {
		return h.opts.Strategy(), nil
	}
	set, _ := standing(records)
	if !slices.Contains(Strategies(), set.Strategy) {
		return h.NewStrategy(h.opts.Settings.Strategy, id)
	}
	return h.NewStrategy(set.Strategy, id)
}

// recordsTo returns what a machine needs that is to stand where the thread stood
// after a record.
func (h *Harness) recordsTo(id string, at int64) ([]longrein.Record, error) {
	if at == 0 {
		tail, err := h.store.Tail(id)
		if err != nil {
			return nil, err
		}
		return records(tail), nil
	}
	var first longrein.Record
	var out []longrein.Record
	for r, err := range h.store.Read(id) {
		switch {
		case damaged(err):
			continue
		case err != nil:
			return nil, err
		case r.Seq > at:
			return out, nil
		}
		switch r.Body.(type) {
		case longrein.Thread:
			first = r
		case longrein.Window:
			out = append(out[:0], first) // it needs nothing else before it
		}
		out = append(out, r)
	}
	return out, nil
}

// differences are the documents that make then of now.
func differences(now, then memory.Notes) (out []longrein.Document) {
	for _, d := range then.Documents() {
		if old, ok := now.Get(d.Name); !ok || old.Text != d.Text {
			out = append(out, d)
		}
	}
	for _, d := range now.Documents() {
		if _, ok := then.Get(d.Name); !ok {
			out = append(out, longrein.Document{Name: d.Name, Deleted: true})
		}
	}
	return out
}

// Fork begins a thread that goes on where another stood after its record at, 0 for
// its last one, and returns its id and that record's number. Nothing is copied, and
// nothing runs until it is resumed. The other thread is not changed and may be
// running.
func (h *Harness) Fork(id string, at int64) (string, int64, error) {
	tail, err := h.store.Tail(id)
	if err != nil {
		return "", 0, err
	}
	if at == 0 {
		at = tail.LastSeq
	}
	child, err := uuid.NewV7()
	if err != nil {
		return "", 0, fmt.Errorf("make a thread id: %w", err)
	}
	git := environ.Git(tail.Thread.Cwd)
	log, _, err := h.store.Fork(id, at, time.Now().UTC(), longrein.Thread{
		ID: child.String(), Cwd: tail.Thread.Cwd, Version: h.opts.Version, Format: longrein.LogFormat,
		Model: tail.Thread.Model, Branch: git.Branch, Commit: git.Commit, Base: tail.Thread.Base,
	})
	if err != nil {
		return "", 0, err
	}
	return child.String(), at, log.Close()
}
