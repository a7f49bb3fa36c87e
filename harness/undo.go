package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/snapshot"
	"github.com/longrein/longrein/thread"
	"github.com/longrein/longrein/timeline"
	"github.com/longrein/longrein/turn"
)

// Undo is an undo, or a redo, that is ready to be made.
type Undo struct {
	timeline.Undo
	snapshot.Plan
	// Blind is set when nobody knows how the last turn left the files, because it was
	// cut off: what a user has changed since cannot be told from what it did.
	Blind bool

	store  *snapshot.Store
	thread string
	from   string // snapshot of what is there now
}

// ErrFolderGone means that the folder is no longer there whose files are to be put
// back.
var ErrFolderGone = errors.New("the folder is gone")

// PlanUndo says what an undo would do to the files. It takes a snapshot of what is
// there, so that all of it can be taken back.
func (h *Harness) PlanUndo(ctx context.Context, id string, u timeline.Undo) (*Undo, error) {
	if _, err := os.Stat(u.Root); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: turn %d changed files in %s; move it back there", ErrFolderGone, u.Turn, u.Root)
	}
	store, err := h.snapshots(u.Root)
	if err != nil {
		return nil, err
	}
	now, err := store.Take(ctx, id)
	if err != nil {
		return nil, err
	}
	out := &Undo{Undo: u, store: store, thread: id, from: now.Tree}
	spans := make([]snapshot.Span, len(u.Spans))
	for i, s := range u.Spans {
		spans[i] = snapshot.Span(s)
		if s.After == "" {
			spans[i].After, out.Blind = now.Tree, true
		}
	}
	out.Plan, err = store.Plan(ctx, spans...)
	return out, err
}

// Undo puts the files back as the plan says and records it in the thread, which no
// turn may run in: the error is [thread.ErrBusy] then. Without force a file that
// somebody else changed is a [*snapshot.ConflictError], and nothing is done. What
// could not be done is in the record as well.
func (h *Harness) Undo(ctx context.Context, t *thread.Thread, u *Undo, force bool) (snapshot.Restored, error) {
	if err := resting(ctx, t); err != nil {
		return snapshot.Restored{}, err
	}
	done, err := u.store.Restore(ctx, u.Plan, force)
	if err != nil && len(done.Changed) == 0 {
		return done, err
	}
	to, takeErr := u.store.Take(ctx, u.thread)
	return done, errors.Join(err, takeErr, t.Undo(ctx, turn.Undo{Undone: longrein.Undone{
		Turn: u.Turn, From: u.from, To: to.Tree, Root: u.Root, Redo: u.Redo, Partial: err != nil,
		Changed: done.Changed, Lasting: u.Lasting,
	}}))
}

func resting(ctx context.Context, t *thread.Thread) (err error) {
	look := t.Look(ctx, func(m *turn.Machine) {
		if !m.Resting() {
			err = thread.ErrBusy
		}
	})
	return errors.Join(look, err)
}

// Diff returns what a turn with both snapshots did to files, as a unified diff, and
// the limit that cut it, if one did.
func (h *Harness) Diff(ctx context.Context, t timeline.Turn) (string, *longrein.LimitHit, error) {
	store, err := h.snapshots(t.Root)
	if err != nil {
		return "", nil, err
	}
	return store.Diff(ctx, t.Before, t.After)
}

// CheckSnapshots reads all snapshots of all folders. The error says what is wrong.
func (h *Harness) CheckSnapshots(ctx context.Context) error {
	stores, err := snapshot.All(h.snapshotsDir(), snapshot.Options{Limits: h.opts.Settings.Limits})
	for _, s := range stores {
		err = errors.Join(err, s.Check(ctx))
	}
	return err
}
