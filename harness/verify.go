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
			if asked, ok := r.Body.(longrein.Asked); ok && !yield(rebuild(&s, r.Seq, asked)) {
				return
			}
			if err := s.Add(r); err != nil && !yield(Check{}, fmt.Errorf("record %d: %w", r.Seq, err)) {
				return
			}
		}
	}
}

func rebuild(s *assemble.State, seq int64, asked longrein.Asked) (Check, error) {
	c := Check{Seq: seq, Window: asked.Window, Logged: asked.Hash}
	_, built, err := s.Request()
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
	at, err := h.request(id, seq)
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

// request returns the last request's record up to seq.
func (h *Harness) request(id string, seq int64) (int64, error) {
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
