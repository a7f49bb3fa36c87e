package harness

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/index"
	"github.com/longrein/longrein/limit"
)

// List returns the threads that q asks for, the newest first.
func (h *Harness) List(ctx context.Context, q index.Query) ([]index.Entry, error) {
	var found []index.Entry
	err := h.Fresh(ctx, func(x *index.Index) (err error) {
		found, err = x.List(ctx, q)
		return err
	})
	return found, err
}

// Search returns the threads that q asks for and in which all words of text are
// found, the best first; see [index.Index.Search].
func (h *Harness) Search(ctx context.Context, q index.Query, text string) ([]index.Hit, error) {
	var found []index.Hit
	err := h.Fresh(ctx, func(x *index.Index) (err error) {
		found, err = x.Search(ctx, q, text)
		return err
	})
	return found, err
}

// Fresh brings the index up to date and hands it to use.
func (h *Harness) Fresh(ctx context.Context, use func(*index.Index) error) error {
	x, err := h.index(nil)
	if err != nil {
		return err
	}
	if _, err = x.Sync(ctx, index.Quick); err == nil {
		err = use(x)
	}
	return errors.Join(err, x.Close())
}

// Behind says how much of the index was not up to date when a list was made.
type Behind struct {
	Threads, Of int
	// Claimed is set when it is for the caller to bring the rest up to date, by
	// [Harness.Reindex] in a process that stays. Otherwise one is at it.
	Claimed bool
}

// Soon hands the index to use after the limit index-wait, even if it is not up to
// date then; it says how much is behind. It is for screens: a program that acts on a
// list needs all of it.
func (h *Harness) Soon(ctx context.Context, use func(*index.Index) error) (b Behind, err error) {
	x, err := h.index(nil)
	if err != nil {
		return b, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	brief, stop := context.WithTimeout(ctx, h.opts.Settings.Limits.Duration(limit.IndexWait))
	defer stop()
	r, err := x.Sync(brief, index.Quick)
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		b.Threads, b.Of = r.Behind, r.Threads
		if b.Claimed, err = x.Claim(ctx, claim); err != nil {
			return b, err
		}
	case err != nil:
		return b, err
	}
	return b, use(x)
}

// claim is how long a process that makes the index is believed to live after it last
// said so.
const claim = 10 * time.Second // fixed: a second one at it would only do some of the work twice

// Reindex compares the index with the logs and says what it found; with
// index.Rebuild it reads them all anew. Progress is told how many threads of how
// many are up to date; it may be nil.
func (h *Harness) Reindex(ctx context.Context, depth index.Depth, progress func(done, of int)) (index.Report, error) {
	var x *index.Index
	said := time.Time{}
	x, err := h.index(func(done, of int) {
		if now := time.Now(); now.Sub(said) > claim/10 {
			said = now
			_ = x.Extend(ctx, claim) // then another may do some of the work too
		}
		if progress != nil {
			progress(done, of)
		}
	})
	if err != nil {
		return index.Report{}, err
	}
	r, err := x.Sync(ctx, depth)
	return r, errors.Join(err, x.Extend(context.WithoutCancel(ctx), 0), x.Close())
}

// index opens the index in the data folder, or one in memory when that takes no
// writes.
func (h *Harness) index(progress func(done, of int)) (*index.Index, error) {
	o := index.Options{
		Limits:   h.opts.Settings.Limits,
		Warn:     h.opts.Notify,
		Progress: progress,
		Logs: index.Logs{
			FS:     os.DirFS(filepath.Join(h.store.Root, "threads")),
			Read:   h.store.Own,
			Shared: h.shared,
		},
	}
	x, err := index.Open(h.store.Root, o)
	if err == nil {
		return x, nil
	}
	h.opts.Notify("the index cannot be used, so every log is looked at: " + err.Error())
	return index.Open("", o)
}

// shared returns what tells how a fork stood when it began: the input that its
// parent was known by, and the parent's records from its last window on. What cannot
// be read is left out.
func (h *Harness) shared(fork longrein.Thread) iter.Seq[longrein.Record] {
	return func(yield func(longrein.Record) bool) {
		if r, ok := h.firstInput(fork); ok && !yield(r) {
			return
		}
		tail, err := h.store.Tail(fork.ID)
		if err != nil {
			return
		}
		for _, r := range tail.Records {
			if _, again := r.Body.(longrein.Input); !again && r.Seq <= fork.ForkSeq && !yield(r) {
				return
			}
		}
	}
}

// firstInput returns the first input of a fork's parent before the fork. Where that
// has none of its own, or is gone, it is the first one of all.
func (h *Harness) firstInput(fork longrein.Thread) (longrein.Record, bool) {
	for _, records := range []iter.Seq2[longrein.Record, error]{h.store.Own(fork.Parent, 0), h.store.Read(fork.ID)} {
		for r, err := range records {
			if err != nil && !damaged(err) || r.Seq > fork.ForkSeq {
				break
			}
			if _, ok := r.Body.(longrein.Input); ok && err == nil {
				return r, true
			}
		}
	}
	return longrein.Record{}, false
}

// Record appends one record to a thread's log; a name without secrets in it.
func (h *Harness) Record(id string, b longrein.Body) error {
	if r, ok := b.(longrein.Renamed); ok { // names are shown everywhere
		r.Name = h.Redactor().Text(r.Name)
		b = r
	}
	log, _, err := h.store.Open(id)
	if err != nil {
		return err
	}
	_, err = log.Append(time.Now(), true, b)
	return errors.Join(err, log.Close())
}
