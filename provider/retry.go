package provider

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Retry returns m, asked again when it fails in a way that may pass. Between two
// attempts it yields a [longrein.Retrying]; what the failed one yielded is void.
// The pauses double from the limit retry-pause on, eight short ones first; a
// server that asks for a longer pause gets it, up to the limit retry-after,
// beyond which the error is yielded at once. So is any error that asking again
// does not change, and the last one when the tries are used up.
func Retry(m longrein.Model, limits limit.Set) longrein.Model {
	return &retry{model: m, limits: limits}
}

type retry struct {
	model   longrein.Model
	limits  limit.Set
	reached atomic.Bool // the server has answered, be it with an error
}

func (r *retry) Stream(ctx context.Context, req longrein.Request) iter.Seq2[longrein.ModelEvent, error] {
	return func(yield func(longrein.ModelEvent, error) bool) {
		for attempt := 1; ; attempt++ {
			err := r.attempt(ctx, req, yield)
			if err == nil {
				return
			}
			again, err := r.plan(ctx, attempt, err)
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(again, nil) {
				return
			}
			if !sleep(ctx, again.Wait) {
				yield(nil, ctx.Err())
				return
			}
		}
	}
}

// attempt streams once. It returns nil when the response is whole or yield has
// had enough.
func (r *retry) attempt(ctx context.Context, req longrein.Request, yield func(longrein.ModelEvent, error) bool) error {
	for ev, err := range r.model.Stream(ctx, req) {
		if err != nil {
			return err
		}
		r.reached.Store(true)
		_, last := ev.(longrein.Finished)
		if !yield(ev, nil) || last {
			return nil
		}
	}
	return &longrein.ModelError{Kind: longrein.ErrStreamCut, Text: "the response ended before it was whole"}
}

// plan decides what follows a failed attempt: another one, or the error that
// the caller gets.
func (r *retry) plan(ctx context.Context, attempt int, err error) (longrein.Retrying, error) {
	var m *longrein.ModelError
	var never forGood
	if ctx.Err() != nil || !errors.As(err, &m) || !m.Retryable() || errors.As(err, &never) {
		return longrein.Retrying{}, err
	}
	tries := r.tries(err)
	if attempt >= tries {
		return longrein.Retrying{}, err
	}
	if longest := r.limits.Duration(limit.RetryAfter); m.RetryAfter > longest {
		e := *m
		e.Text += fmt.Sprintf("; %v is longer than %v (limit retry-after), so it was not waited for", m.RetryAfter, longest)
		return longrein.Retrying{}, &e
	}
	wait := max(jitter(r.pause(attempt)), m.RetryAfter)
	return longrein.Retrying{Attempt: attempt, Max: tries, Wait: wait, Cause: err}, nil
}

// tries is how often a request is sent that failed with err: not so often to a
// server that was never reached.
func (r *retry) tries(err error) int {
	tries := r.limits.Int(limit.Retries)
	var none noContact
	if !errors.As(err, &none) {
		r.reached.Store(true)
		return tries
	}
	if r.reached.Load() {
		return tries
	}
	return min(tries, r.limits.Int(limit.FirstRetries))
}

// pause returns the time between failed attempt n, from 1, and the next.
func (r *retry) pause(n int) time.Duration {
	d, longest := r.limits.Duration(limit.RetryPause), r.limits.Duration(limit.RetryPauseShort)
	if short := r.limits.Int(limit.ShortPauses); n > short {
		d, n = longest, n-short+1
		longest = r.limits.Duration(limit.RetryPauseLong)
	}
	for ; n > 1 && d < longest; n-- {
		d *= 2
	}
	return min(d, longest)
}

// jitter moves d by up to a tenth, so that many clients do not return at once.
func jitter(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.9 + 0.2*rand.Float64()))
}

// sleep waits for d and reports whether ctx lasted that long.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
