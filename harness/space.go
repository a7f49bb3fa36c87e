package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"github.com/longrein/longrein/index"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/rollout"
)

// Usage is what threads have on the disk.
type Usage struct {
	Store     rollout.Usage  `json:"store"`
	Snapshots rollout.Amount `json:"snapshots"` // of folders; Files counts those
	Notes     rollout.Amount `json:"notes"`
	Index     rollout.Amount `json:"index"`
}

// Total is all of it, in bytes.
func (u Usage) Total() int64 {
	return u.Store.Total().Bytes + u.Snapshots.Bytes + u.Notes.Bytes + u.Index.Bytes
}

// Usage counts what threads have on the disk.
func (h *Harness) Usage(ctx context.Context) (u Usage, err error) {
	if u.Store, err = h.store.Usage(ctx); err != nil {
		return u, err
	}
	stores, err := h.allSnapshots()
	if err != nil {
		h.opts.Notify("snapshots are not counted: " + err.Error())
	}
	for _, s := range stores {
		n, err := s.Size()
		if err != nil {
			return u, err
		}
		u.Snapshots.Files++
		u.Snapshots.Bytes += n
	}
	if u.Notes, err = sizeOf(filepath.Dir(h.NotesFolder("x"))); err != nil {
		return u, err
	}
	files, _, err := index.Files(h.store.Root)
	if err != nil {
		return u, err
	}
	u.Index.Files = len(files)
	u.Index.Bytes, err = index.Size(files)
	return u, err
}

// NotesSize is what a thread's notes have on the disk.
func (h *Harness) NotesSize(id string) (rollout.Amount, error) { return sizeOf(h.NotesFolder(id)) }

// sizeOf counts the files of a folder, which need not be there.
func sizeOf(dir string) (a rollout.Amount, err error) {
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return ignoreGone(err)
		}
		info, err := e.Info()
		if err != nil {
			return ignoreGone(err)
		}
		a.Files++
		a.Bytes += info.Size()
		return nil
	})
	return a, err
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Collected is the space that was given back, or would be.
type Collected struct {
	Store     rollout.Collected `json:"store"`
	Snapshots int64             `json:"snapshots"` // bytes; 0 when nothing is done, since only doing it tells
	Notes     rollout.Amount    `json:"notes"`     // of threads that are gone
	Index     int64             `json:"index"`     // bytes
	// Left says what could not be done.
	Left []string `json:"left,omitempty"`
}

// Freed is all of it, in bytes.
func (c Collected) Freed() int64 {
	return c.Store.Freed().Bytes + c.Snapshots + c.Notes.Bytes + c.Index
}

// Collect gives back what no thread needs: content and snapshots that no log refers
// to, what was kept of deleted threads for forks that are gone, notes without a
// thread, old versions of the index and the room in its file. Threads may be worked
// on meanwhile.
func (h *Harness) Collect(ctx context.Context, o rollout.CollectOptions) (c Collected, err error) {
	if c.Store, err = h.store.Collect(ctx, o); err != nil {
		return c, err
	}
	for _, step := range []func(context.Context, *Collected, bool) error{h.collectSnapshots, h.collectNotes, h.collectIndex} {
		if err := step(ctx, &c, o.DryRun); ctx.Err() != nil {
			return c, ctx.Err()
		} else if err != nil {
			c.Left = append(c.Left, err.Error())
		}
	}
	return c, nil
}

func (h *Harness) collectSnapshots(ctx context.Context, c *Collected, dry bool) error {
	stores, err := h.allSnapshots()
	for _, s := range stores {
		if dry {
			break
		}
		freed, e := s.Collect(ctx)
		c.Snapshots += max(freed, 0) // a store that is packed anew may have grown
		err = errors.Join(err, e)
	}
	return err
}

// collectNotes removes the notes of threads that have no log. One that is beginning
// may have notes first, so young ones stay.
func (h *Harness) collectNotes(_ context.Context, c *Collected, dry bool) error {
	dir := filepath.Dir(h.NotesFolder("x"))
	folders, err := os.ReadDir(dir)
	if err != nil {
		return ignoreGone(err)
	}
	before := time.Now().Add(-h.opts.Settings.Limits.Duration(limit.CollectGrace))
	for _, f := range folders {
		info, err := f.Info()
		if err != nil || !f.IsDir() || !info.ModTime().Before(before) || uuid.Validate(f.Name()) != nil {
			continue
		}
		if _, err := h.store.Find(f.Name()); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		a, err := sizeOf(filepath.Join(dir, f.Name()))
		if err == nil && !dry {
			err = os.RemoveAll(filepath.Join(dir, f.Name()))
		}
		if err != nil {
			return fmt.Errorf("notes of a thread that is gone: %w", err)
		}
		c.Notes.Files += a.Files
		c.Notes.Bytes += a.Bytes
	}
	return nil
}

func (h *Harness) collectIndex(ctx context.Context, c *Collected, dry bool) error {
	_, stale, err := index.Files(h.store.Root)
	if err != nil {
		return err
	}
	if c.Index, err = index.Size(stale); err != nil || dry {
		return err
	}
	for _, f := range stale {
		err = errors.Join(err, ignoreGone(os.Remove(f)))
	}
	return errors.Join(err, h.Fresh(ctx, func(x *index.Index) error {
		freed, err := x.Compact(ctx)
		c.Index += freed
		return err
	}))
}

// tidied is the file whose time says when threads were last looked at for their age.
const tidied = "tidied"

// Tidy deletes the threads that the settings keep no longer, if there are such
// settings and it has not been done for a day, and gives their space back. It returns
// nil when there was nothing to do.
func (h *Harness) Tidy(ctx context.Context, now time.Time) (*Removal, error) {
	keep, mark := h.opts.Settings.Threads, filepath.Join(h.store.Root, tidied)
	if keep.Keep == 0 && keep.ArchivedKeep == 0 {
		return nil, nil
	}
	if info, err := os.Stat(mark); err == nil && now.Sub(info.ModTime()) < 24*time.Hour { // fixed: ages are in days; gc does it at once
		return nil, nil
	}
	if err := os.MkdirAll(h.store.Root, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		return nil, err
	}
	if err := os.Chtimes(mark, now, now); err != nil {
		return nil, err
	}
	r, err := h.Expire(ctx, now, false)
	if err != nil || len(r.Threads) == 0 {
		return nil, err
	}
	_, err = h.Collect(ctx, rollout.CollectOptions{})
	return r, err
}

// Expire deletes the threads that the settings keep no longer, and says which; with
// dry it only says so.
func (h *Harness) Expire(ctx context.Context, now time.Time, dry bool) (*Removal, error) {
	old, err := h.Expired(ctx, now)
	if err != nil || len(old) == 0 {
		return &Removal{}, err
	}
	ids := make([]string, len(old))
	for i, e := range old {
		ids[i] = e.ID
	}
	r, err := h.PlanDelete(ctx, ids...)
	if err != nil || dry {
		return r, err
	}
	gone, err := h.Delete(ctx, r)
	r.Threads = keepOnly(r.Threads, gone)
	return r, err
}

// keepOnly returns the threads with these ids.
func keepOnly(threads []index.Entry, ids []string) (out []index.Entry) {
	for _, id := range ids {
		for _, e := range threads {
			if e.ID == id {
				out = append(out, e)
			}
		}
	}
	return out
}
