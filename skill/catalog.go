package skill

import (
	"context"
	"slices"
	"sync"

	"github.com/longrein/longrein/limit"
)

// Catalog finds skills and keeps what it read of them. The zero value is ready for
// use, by several goroutines too. One that looks at the same roots each time does
// the least work.
type Catalog struct {
	mu    sync.Mutex
	kept  cache
	last  *Found
	state []seen
}

// Look returns the skills below the roots as they are now. It reads what has changed
// since the last look and asks for the state of everything else; when nothing has
// changed it returns the same Found again. Its only error is the context's.
func (c *Catalog) Look(ctx context.Context, roots []Root, limits limit.Set) (*Found, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := walk{ctx: ctx, limits: limits, old: c.kept, now: newCache(), visited: map[string]string{}}
	for _, r := range roots {
		w.through(r)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.kept = w.now
	if c.last == nil || !slices.Equal(c.state, w.state) {
		c.last, c.state = w.found(), w.state
	}
	return c.last, nil
}

// Find is one look, of which nothing is kept.
func Find(ctx context.Context, roots []Root, limits limit.Set) (*Found, error) {
	return new(Catalog).Look(ctx, roots, limits)
}
