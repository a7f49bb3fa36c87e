package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/turn"
)

func (c *cli) compactCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "compact ID",
		Short: "Begin a new, smaller window now, as the thread's strategy makes one",
		Long: "Begin a new, smaller window now, without waiting for the old one to be full. The strategy compact sums the\n" +
			"context up, background waits for its notes, pack folds older turns. Prints the tokens before and after.",
		Example: "  longrein compact 0193f2\n  longrein compact --strategy compact 0193f2",
		Args:    between(1, 1, "which thread? longrein threads lists them"),
		RunE:    func(cmd *cobra.Command, args []string) error { return c.compact(cmd.Context(), args[0], f) },
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print events, one JSON object a line, instead of the result")
	return cmd
}

// size is how large a thread's context is.
type size struct{ window, tokens int }

func (c *cli) compact(ctx context.Context, ref string, f runFlags) error {
	h, id, err := c.reopen(ctx, ref, f)
	if err != nil {
		return err
	}
	t, err := h.Resume(ctx, id)
	if err != nil {
		return err
	}
	var before size
	var running bool
	var last int64
	err = t.Look(ctx, func(m *turn.Machine) {
		s := m.State()
		running, last, before = m.Running(), s.Last, size{s.Window.N, s.Tokens()}
	})
	switch {
	case err != nil:
	case running:
		err = usage{fmt.Errorf("the turn of thread %s was cut off; go on with it first: longrein resume %s", id, id)}
	case before.window == 0:
		err = usage{fmt.Errorf("thread %s has no window yet that could be made smaller", id)}
	}
	if err != nil {
		_ = t.Close() // nothing was begun that could be lost
		return err
	}
	if err := c.play(ctx, t, last, f, t.Renew); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return exit{exitInterrupted}
	}
	m, err := h.At(id, 0)
	if err != nil {
		return err
	}
	return c.shrunk(before, size{m.State.Window.N, m.State.Tokens()}, m.State.Next.Strategy, f.json)
}

// shrunk prints what came of it.
func (c *cli) shrunk(before, after size, strategy string, quiet bool) error {
	if after.window == before.window {
		return fmt.Errorf("no new window began; the strategy %s saw nothing to gain, or the line above says why", strategy)
	}
	if !quiet {
		fmt.Fprintf(c.out, "window %d: %s tokens → window %d: %s tokens\n",
			before.window, count(int64(before.tokens)), after.window, count(int64(after.tokens)))
	}
	return nil
}
