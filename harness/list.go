package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/index"
)

// List returns the threads that q asks for, the newest first.
func (h *Harness) List(ctx context.Context, q index.Query) ([]index.Entry, error) {
	x, err := h.index()
	if err != nil {
		return nil, err
	}
	defer x.Close()
	if _, err := x.Sync(ctx, index.Quick); err != nil {
		return nil, err
	}
	return x.List(ctx, q)
}

// Reindex compares the index with the logs and says what it found; with
// index.Rebuild it reads them all anew.
func (h *Harness) Reindex(ctx context.Context, depth index.Depth) (index.Report, error) {
	x, err := h.index()
	if err != nil {
		return index.Report{}, err
	}
	r, err := x.Sync(ctx, depth)
	return r, errors.Join(err, x.Close())
}

// index opens the index in the data folder, or one in memory when that takes no
// writes.
func (h *Harness) index() (*index.Index, error) {
	o := index.Options{
		Limits: h.opts.Settings.Limits,
		Warn:   h.opts.Notify,
		Logs: index.Logs{
			FS:   os.DirFS(filepath.Join(h.store.Root, "threads")),
			Read: h.store.From,
		},
	}
	x, err := index.Open(h.store.Root, o)
	if err == nil {
		return x, nil
	}
	h.opts.Notify("the index cannot be used, so every log is looked at: " + err.Error())
	return index.Open("", o)
}

// Record appends one record to a thread's log.
func (h *Harness) Record(id string, b longrein.Body) error {
	log, _, err := h.store.Open(id)
	if err != nil {
		return err
	}
	_, err = log.Append(time.Now(), true, b)
	return errors.Join(err, log.Close())
}

// Find returns the id of the thread that ref names: a whole id or the beginning
// of one. With an empty ref it is the thread that was worked on last, in folder
// if there is one there.
func (h *Harness) Find(ctx context.Context, ref, folder string) (string, error) {
	if ref != "" {
		return h.store.Find(ref)
	}
	for _, q := range []index.Query{{Cwd: folder, Limit: 1}, {Limit: 1}} {
		entries, err := h.List(ctx, q)
		if err != nil {
			return "", err
		}
		if len(entries) > 0 {
			return entries[0].ID, nil
		}
	}
	return "", fmt.Errorf("there are no threads in %s yet: %w", h.store.Root, fs.ErrNotExist)
}
