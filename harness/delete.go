package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/index"
	"github.com/longrein/longrein/snapshot"
)

// Removal says what goes when threads are deleted, and what does not.
type Removal struct {
	Threads []index.Entry
	Bytes   int64 // of their logs
	Notes   int64 // bytes
	// Forks go on from one of the threads, and keep what they share with it.
	Forks []index.Entry
	// Open threads were asked for too; somebody writes to them, so they stay.
	Open []index.Entry
}

// PlanDelete says what deleting the threads with these ids would do.
func (h *Harness) PlanDelete(ctx context.Context, ids ...string) (*Removal, error) {
	all, err := h.List(ctx, index.Query{All: true})
	if err != nil {
		return nil, err
	}
	r := &Removal{}
	for _, e := range all {
		switch goes := slices.Contains(ids, e.ID); {
		case goes && h.store.Busy(e.ID):
			r.Open = append(r.Open, e)
		case goes:
			r.Threads = append(r.Threads, e)
			r.Bytes += e.Size
			notes, err := sizeOf(h.NotesFolder(e.ID))
			if err != nil {
				return nil, err
			}
			r.Notes += notes.Bytes
		}
	}
	for _, e := range all {
		if parent := (index.Entry{ID: e.Parent}); e.Parent != "" && !has(r.Threads, e) && has(r.Threads, parent) {
			r.Forks = append(r.Forks, e)
		}
	}
	return r, nil
}

func has(threads []index.Entry, e index.Entry) bool {
	return slices.ContainsFunc(threads, func(t index.Entry) bool { return t.ID == e.ID })
}

// Expired returns the threads that the settings keep no longer, the newest first:
// not those that are open, and none with a name unless the settings say so.
func (h *Harness) Expired(ctx context.Context, now time.Time) ([]index.Entry, error) {
	keep := h.opts.Settings.Threads
	var out []index.Entry
	for _, part := range []struct {
		archived bool
		age      time.Duration
	}{{false, keep.Keep}, {true, keep.ArchivedKeep}} {
		if part.age == 0 {
			continue
		}
		found, err := h.List(ctx, index.Query{Archived: part.archived, Until: now.Add(-part.age)})
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return slices.DeleteFunc(out, func(e index.Entry) bool {
		return keep.KeepNamed && e.Name != "" || h.store.Busy(e.ID)
	}), nil
}

// Delete deletes threads for good: their logs, snapshots, notes and what the index
// has of them. It returns the ids of those that are gone; one that somebody opened
// meanwhile stays, and the error says so. What nothing refers to any more is given
// back by [Harness.Collect].
func (h *Harness) Delete(ctx context.Context, r *Removal) (gone []string, err error) {
	var ids []string
	for _, e := range r.Threads {
		ids = append(ids, e.ID)
	}
	stores, err := h.allSnapshots()
	if err != nil {
		h.opts.Notify("snapshots of the files stay: " + err.Error())
	}
	if err := h.handOver(ctx, stores, r.Forks); err != nil {
		return nil, err
	}
	errs := []error{h.store.Remove(ids...)}
	for _, id := range ids {
		if _, err := h.store.Find(id); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		gone = append(gone, id)
		errs = append(errs, h.leave(ctx, stores, id))
	}
	_, err = h.Reindex(ctx, index.Quick, nil)
	return gone, errors.Join(append(errs, err)...)
}

// leave removes what lies beside the log of a thread that is gone.
func (h *Harness) leave(ctx context.Context, stores []*snapshot.Store, id string) error {
	var errs []error
	for _, s := range stores {
		if err := s.Drop(ctx, id); err != nil {
			errs = append(errs, fmt.Errorf("thread %s is deleted, but not all of its snapshots: %w", id, err))
		}
	}
	if err := os.RemoveAll(h.NotesFolder(id)); err != nil {
		errs = append(errs, fmt.Errorf("thread %s is deleted, but not all of its notes: %w", id, err))
	}
	return errors.Join(errs...)
}

// handOver keeps for forks the snapshots of the records that they share, so that
// they can still be undone.
func (h *Harness) handOver(ctx context.Context, stores []*snapshot.Store, forks []index.Entry) error {
	for _, f := range forks {
		trees, err := h.sharedTrees(f)
		if err != nil {
			return err
		}
		for _, s := range stores {
			if len(trees[s.Root()]) == 0 {
				continue
			}
			if err := keepEach(ctx, s, f.ID, trees[s.Root()]); err != nil {
				h.opts.Notify(fmt.Sprintf("what thread %s shares cannot all be undone there any more: %v", f.ID, err))
			}
		}
	}
	return nil
}

// keepEach keeps snapshots for a thread, and where one of them is gone the others.
func keepEach(ctx context.Context, s *snapshot.Store, id string, trees []string) error {
	err := s.Keep(ctx, id, trees...)
	if err == nil {
		return nil
	}
	for _, t := range trees {
		_ = s.Keep(ctx, id, t) // the error above says what is wrong
	}
	return err
}

// sharedTrees are the snapshots among the records that a fork shares, by folder.
func (h *Harness) sharedTrees(fork index.Entry) (map[string][]string, error) {
	trees := map[string][]string{}
	add := func(root string, names ...string) {
		for _, t := range names {
			if t != "" && !slices.Contains(trees[root], t) {
				trees[root] = append(trees[root], t)
			}
		}
	}
	for r, err := range h.store.Read(fork.ID) {
		switch {
		case damaged(err):
			continue
		case err != nil:
			return nil, err
		case r.Seq > fork.ForkSeq:
			return trees, nil
		}
		switch b := r.Body.(type) {
		case longrein.Snapshot:
			add(b.Root, b.Tree)
		case longrein.Undone:
			add(b.Root, b.From, b.To)
		}
	}
	return trees, nil
}

// allSnapshots returns every store of snapshots, none where there is no folder with
// any.
func (h *Harness) allSnapshots() ([]*snapshot.Store, error) {
	return snapshot.All(h.snapshotsDir(), snapshot.Options{Limits: h.opts.Settings.Limits})
}
