package harness

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// NewStrategy makes the strategy of that name, one of [Strategies], as the
// settings have it for a thread with that id. It is for replays: the thread need
// not be there.
func (h *Harness) NewStrategy(name, id string) (longrein.Strategy, error) {
	if !slices.Contains(Strategies(), name) {
		return nil, fmt.Errorf("there is no strategy %q; there are %s", name, strings.Join(Strategies(), ", "))
	}
	set := *h.opts.Settings
	set.Strategy = name
	named := Harness{opts: h.opts, store: h.store}
	named.opts.Settings, named.opts.Strategy = &set, nil
	s, _ := named.remember(h.store, id)
	return s, nil
}

// Model returns the model that the settings name, and how it is asked.
func (h *Harness) Model(ctx context.Context) (longrein.Model, longrein.Settings, error) {
	c, err := h.choose(ctx, longrein.Settings{})
	return c.model, c.settings, err
}
