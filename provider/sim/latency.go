package sim

import (
	"context"
	"time"
)

// Latency models the time that a provider takes. The zero value takes none.
type Latency struct {
	Base   time.Duration // before anything else
	Input  int           // tokens a second that are read when the cache has them not, 0 for at once
	Output int           // tokens a second that are written, 0 for at once
}

// first is the time to the first token, for a prompt with so many tokens that
// are not in the cache.
func (l Latency) first(uncached int64) time.Duration {
	return l.Base + rate(uncached, l.Input)
}

func rate(tokens int64, perSecond int) time.Duration {
	if perSecond <= 0 {
		return 0
	}
	return time.Duration(float64(tokens) / float64(perSecond) * float64(time.Second))
}

// sleep waits for d, or for ctx to end.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
