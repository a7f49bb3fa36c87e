package main

import (
	"context"
	"fmt"

	"golang.org/x/term"

	"github.com/longrein/longrein/harness"
)

// askNeeds asks the person at the terminal for the variables that the skills in an
// input need. An empty answer leaves one unset; the thread then warns of it, and so
// it does where nobody can be asked.
func (c *cli) askNeeds(ctx context.Context, h *harness.Harness, input string, f runFlags) error {
	if !c.canAsk(f) {
		return nil
	}
	needs, err := h.Needs(ctx, input)
	if err != nil {
		return err
	}
	for _, n := range needs {
		fmt.Fprintf(c.err, "the skill %s needs %s, which is not set; its value, or Enter to go on without: ", printable(n.Skill), printable(n.Variable))
		value, err := term.ReadPassword(int(c.keyboard().Fd()))
		fmt.Fprintln(c.err)
		if err != nil {
			return fmt.Errorf("read the value of %s: %w", n.Variable, err)
		}
		if len(value) == 0 {
			continue
		}
		if err := h.Provide(n.Variable, string(value)); err != nil {
			return fmt.Errorf("set %s: %w", n.Variable, err)
		}
	}
	return nil
}
