package harness

import (
	"errors"
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
	"github.com/longrein/longrein/rollout"
)

// Check is one request that was rebuilt from the log.
type Check struct {
	Seq    int64  `json:"seq"`
	Fork   string `json:"fork,omitempty"` // whose it is, "" for the worker's
	Window int    `json:"window"`
	Logged string `json:"logged"` // hash of what was sent
	Built  string `json:"built"`  // hash of what the log gives
}

// OK reports whether the log gives the bytes that were sent.
func (c Check) OK() bool { return c.Logged == c.Built }

// Verify rebuilds every request of a thread from its log and yields each with
// both hashes. Damaged lines are yielded as errors, and the rest follows.
func (h *Harness) Verify(id string) func(yield func(Check, error) bool) {
	return func(yield func(Check, error) bool) {
		var s assemble.State
		for r, err := range h.store.Read(id) {
			if err != nil {
				if !yield(Check{}, err) {
					return
				}
				continue
			}
			if fork, asked, ok := request(r.Body); ok && !yield(rebuild(&s, r.Seq, fork, asked)) {
				return
			}
			if err := s.Add(r); err != nil && !yield(Check{}, fmt.Errorf("record %d: %w", r.Seq, err)) {
				return
			}
		}
	}
}

// request returns what announces a request, and the fork whose it is.
func request(b longrein.Body) (fork string, asked longrein.Asked, ok bool) {
	if own, beside := b.(longrein.Beside); beside {
		fork, b = own.Fork, own.Body
	}
	asked, ok = b.(longrein.Asked)
	return fork, asked, ok
}

func rebuild(s *assemble.State, seq int64, fork string, asked longrein.Asked) (Check, error) {
	c := Check{Seq: seq, Fork: fork, Window: asked.Window, Logged: asked.Hash}
	again := s.Request
	if fork != "" {
		again = func() (longrein.Request, longrein.Asked, error) { return s.BranchRequest(fork) }
	}
	_, built, err := again()
	if err != nil {
		return c, fmt.Errorf("rebuild request %d: %w", seq, err)
	}
	c.Built = built.Hash
	return c, nil
}

// Moment is what a model saw with one request, or would see with the next.
type Moment struct {
	State *assemble.State
	// Seq is the request's record, 0 for a request that was not made yet.
	Seq int64
	// Answered is what came of it or, for a request not made yet, of the one
	// before; nil when there is no answer.
	Answered *longrein.Answered
}

// At returns the state of a thread just before its last request up to record seq
// was sent; with seq 0, before the one that would come next.
func (h *Harness) At(id string, seq int64) (Moment, error) {
	if seq == 0 {
		return h.next(id)
	}
	at, err := h.requestUpTo(id, seq)
	if err != nil {
		return Moment{}, err
	}
	m := Moment{State: &assemble.State{}, Seq: at}
	for r, err := range h.store.Read(id) {
		switch {
		case damaged(err):
			continue
		case err != nil:
			return m, err
		case r.Seq < at:
			if err := m.State.Add(r); err != nil {
				return m, err
			}
			continue
		}
		if a, ok := r.Body.(longrein.Answered); ok && a.Step == at {
			m.Answered = &a
			break
		}
	}
	return m, nil
}

// requestUpTo returns the last request's record up to seq.
func (h *Harness) requestUpTo(id string, seq int64) (int64, error) {
	at := int64(0)
	for r, err := range h.store.Read(id) {
		if damaged(err) {
			continue
		}
		if err != nil {
			return 0, err
		}
		if r.Seq > seq {
			break
		}
		if _, ok := r.Body.(longrein.Asked); ok {
			at = r.Seq
		}
	}
	if at == 0 {
		return 0, fmt.Errorf("thread %s had made no request by record %d", id, seq)
	}
	return at, nil
}

// next folds the tail only.
func (h *Harness) next(id string) (Moment, error) {
	tail, err := h.store.Tail(id)
	if err != nil {
		return Moment{}, err
	}
	m := Moment{State: &assemble.State{}}
	for _, r := range records(tail) {
		if err := m.State.Add(r); err != nil {
			return m, err
		}
		if a, ok := r.Body.(longrein.Answered); ok {
			m.Answered = &a
		}
	}
	return m, nil
}

func damaged(err error) bool {
	var d *rollout.ErrDamaged
	return errors.As(err, &d)
}
