package harness

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
	"github.com/longrein/longrein/memory"
	"github.com/longrein/longrein/notes"
	"github.com/longrein/longrein/turn"
)

// Outlook is the window that a thread's strategy would begin next, and what it
// rests on.
type Outlook struct {
	Strategy string
	assemble.Next
	Cuts  []longrein.LimitHit
	Notes memory.Notes // when the window begins
	// Forced says that the strategy sees no need for a window now, so that this is
	// the one it would begin if the context were all that fits.
	Forced bool
	// Asked are the forks whose answers the window waits for. Stand-ins answered
	// them: a summarizer had nothing to add, a compactor's summary says nothing.
	Asked []longrein.ForkRole
	// Stale says why the initial context is not as it is outside now; empty when it
	// is.
	Stale string
}

// Outlook plays what would happen if the next window of a thread began now, or with
// at not 0, had begun in place of its last request up to that record. Nothing is
// asked, run or recorded. The strategy is the one of that name, "" for the thread's
// own.
func (h *Harness) Outlook(ctx context.Context, id string, at int64, strategy string) (Outlook, error) {
	records, err := h.upTo(id, at)
	if err != nil {
		return Outlook{}, err
	}
	f := foresight{records: records, limits: h.opts.Settings.Limits}
	set, window := standing(records)
	if strategy == "" {
		strategy = set.Strategy
	}
	if !slices.Contains(Strategies(), strategy) {
		strategy = h.opts.Settings.Strategy
	}
	f.strategy = func() (longrein.Strategy, error) { return h.NewStrategy(strategy, id) }
	var stale string
	f.survey = func(s longrein.Strategy) (out turn.Surveyed) {
		out, stale = h.outside(ctx, id, at, window, s)
		return out
	}
	o, err := f.look()
	o.Strategy, o.Stale = strategy, stale
	return o, err
}

// upTo returns what a machine needs to stand where it stood before the last request
// up to the record at, 0 for where it stands now.
func (h *Harness) upTo(id string, at int64) ([]longrein.Record, error) {
	if at == 0 {
		tail, err := h.store.Tail(id)
		if err != nil {
			return nil, err
		}
		return records(tail), nil
	}
	at, err := h.requestUpTo(id, at)
	if err != nil {
		return nil, err
	}
	var out []longrein.Record
	for r, err := range h.store.Read(id) {
		switch {
		case damaged(err):
		case err != nil:
			return nil, err
		case r.Seq >= at:
			return out, nil
		default:
			out = append(out, r)
		}
	}
	return out, nil
}

// standing returns the settings that the next window begins with, and the present
// one.
func standing(records []longrein.Record) (set longrein.Settings, w longrein.Window) {
	for _, r := range records {
		switch b := r.Body.(type) {
		case longrein.Settings:
			set = b
		case longrein.Window:
			set, w = b.Settings, b
		}
	}
	return set, w
}

// outside is the initial context as it is now. Of a past moment, and where the
// thread's folder is gone, it is what the window of then began with.
func (h *Harness) outside(ctx context.Context, id string, at int64, w longrein.Window, strategy longrein.Strategy) (turn.Surveyed, string) {
	then := turn.Surveyed{Entries: w.Head[:min(w.Fresh, len(w.Head))], Todo: todoOf(w)}
	if at != 0 {
		return then, "as it was when that window began"
	}
	if info, err := os.Stat(h.opts.Cwd); err != nil || !info.IsDir() {
		return then, "as it was when this window began: the thread's folder cannot be looked at"
	}
	s := h.lookout(h.reader(id, strategy), w.Settings).survey(ctx, turn.Survey{Window: true})
	if s.Err != nil {
		return then, "as it was when this window began: " + s.Err.Error()
	}
	return s, ""
}

// reader is the notebook of a thread whose strategy has been loaded, for looking
// alone: nothing that is missing in the folder is put there.
func (h *Harness) reader(id string, strategy longrein.Strategy) *notebook {
	book := &notebook{folder: notes.Folder{Dir: h.NotesFolder(id), Limits: h.opts.Settings.Limits}, told: map[string]bool{}, level: true}
	_, book.kept = strategy.(interface{ Notes() memory.Notes })
	if _, err := os.Stat(book.folder.Dir); err == nil {
		book.learn(strategy)
	}
	return book
}

// todoOf is the worker's own document as a window's head shows it.
func todoOf(w longrein.Window) string {
	for _, e := range w.Head {
		if f, ok := e.Item.(longrein.Fragment); ok && f.Tag == longrein.TagTodo {
			return f.Text
		}
	}
	return ""
}

// Said returns the newest item of a thread's log that has all of a text, whether the
// model sees it or not; false when there is none. Case and blanks do not matter.
func (h *Harness) Said(id, text string) (found assemble.Passage, ok bool, err error) {
	for r, err := range h.store.Read(id) {
		if damaged(err) {
			continue
		}
		if err != nil {
			return found, ok, err
		}
		a, is := r.Body.(longrein.Appended)
		if !is {
			continue
		}
		a.Seq = r.Seq
		if f := assemble.Find([]assemble.Passage{assemble.PassageOf(a.Entry)}, text); len(f.Whole) > 0 {
			found, ok = f.Whole[0], true
		}
	}
	return found, ok, nil
}

// Began is how a window began.
type Began struct {
	Seq    int64  `json:"seq"` // of its record
	Window int    `json:"window"`
	Why    string `json:"why"`
}

// WindowsBetween lists the windows that began after one record and before another,
// 0 for the log's end.
func (h *Harness) WindowsBetween(id string, after, before int64) ([]Began, error) {
	out := []Began{}
	for r, err := range h.store.From(id, after) {
		if damaged(err) {
			continue
		}
		if err != nil {
			return out, err
		}
		if before != 0 && r.Seq >= before {
			break
		}
		if w, ok := r.Body.(longrein.Window); ok {
			out = append(out, Began{r.Seq, w.N, w.Why})
		}
	}
	return out, nil
}

// RequestOf returns the record of a request by its place: with turn and step, the
// step of that turn; with one of them 0, the turn's last or the thread's.
func (h *Harness) RequestOf(id string, turn, step int) (seq int64, err error) {
	n := 0
	for r, err := range h.store.Read(id) {
		if damaged(err) {
			continue
		}
		if err != nil {
			return 0, err
		}
		a, ok := r.Body.(longrein.Asked)
		if !ok || turn != 0 && a.Turn != turn {
			continue
		}
		n++
		seq = r.Seq
		if n == step {
			return seq, nil
		}
	}
	switch {
	case n == 0:
		return 0, fmt.Errorf("thread %s has made no request in turn %d", id, turn)
	case step > n && turn != 0:
		return 0, fmt.Errorf("turn %d of thread %s has %d steps", turn, id, n)
	case step > n:
		return 0, fmt.Errorf("thread %s has %d steps", id, n)
	}
	return seq, nil
}
