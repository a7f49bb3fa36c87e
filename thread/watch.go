package thread

import (
	"context"
	"iter"
	"sync"

	"github.com/longrein/longrein"
)

// Watch yields the thread's events after record number after, as they happen,
// until ctx ends or the thread is closed. A watcher that falls behind by more
// than limit.WatchQueue loses passing events and reads the records it missed
// from the log; it never holds the thread up. It is to be iterated once: until
// that ends, or the thread does, its queue is kept.
func (t *Thread) Watch(ctx context.Context, after int64) iter.Seq[longrein.Event] {
	w := t.hub.join()
	return func(yield func(longrein.Event) bool) {
		defer t.hub.leave(w)
		seen := after
		if !t.replay(&seen, yield) {
			return
		}
		for {
			events, lost, ok := w.next(ctx)
			if lost && !t.replay(&seen, yield) {
				return
			}
			for _, e := range events {
				if e.Seq != 0 && e.Seq <= seen {
					continue
				}
				seen = max(seen, e.Seq)
				if !yield(e) {
					return
				}
			}
			if !ok {
				return
			}
		}
	}
}

// replay yields the records after seen from the log, and moves seen on.
func (t *Thread) replay(seen *int64, yield func(longrein.Event) bool) bool {
	if t.opts.Replay == nil {
		return true
	}
	for r, err := range t.opts.Replay(*seen) {
		if err != nil {
			continue // what is damaged cannot be shown; doctor names it
		}
		*seen = r.Seq
		if !yield(longrein.EventOf(t.opts.ID, r)) {
			return false
		}
	}
	return true
}

// hub hands events to watchers. Its lock guards the queues only.
type hub struct {
	limit    int
	mu       sync.Mutex
	watchers map[*watcher]struct{} // nil before the first one
	early    []longrein.Event      // for the first one
	closed   bool
}

type watcher struct {
	mu     sync.Mutex
	queue  []longrein.Event
	lost   bool // records
	closed bool
	wake   chan struct{}
}

func (h *hub) join() *watcher {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := &watcher{wake: make(chan struct{}, 1), closed: h.closed}
	if h.watchers == nil {
		h.watchers = map[*watcher]struct{}{}
		w.queue, h.early = h.early, nil
	}
	h.watchers[w] = struct{}{}
	return w
}

func (h *hub) leave(w *watcher) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.watchers, w)
}

func (h *hub) publish(e longrein.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watchers == nil && len(h.early) < h.limit {
		h.early = append(h.early, e)
	}
	for w := range h.watchers {
		w.push(e, h.limit)
	}
}

func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for w := range h.watchers {
		w.close()
	}
}

func (w *watcher) push(e longrein.Event, most int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) >= most {
		w.lost = w.lost || e.Seq != 0
		return
	}
	w.queue = append(w.queue, e)
	w.signal()
}

func (w *watcher) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.signal()
}

func (w *watcher) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// next waits for events. Lost says that records came after them that did not fit;
// ok is false when no more will come.
func (w *watcher) next(ctx context.Context) (events []longrein.Event, lost, ok bool) {
	for {
		w.mu.Lock()
		events, lost, closed := w.queue, w.lost, w.closed
		w.queue, w.lost = nil, false
		w.mu.Unlock()
		if len(events) > 0 || lost || closed {
			return events, lost, !closed
		}
		select {
		case <-w.wake:
		case <-ctx.Done():
			return nil, false, false
		}
	}
}
