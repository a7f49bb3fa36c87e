package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/thread"
	"github.com/longrein/longrein/turn"
)

func (c *cli) resumeCommand() *cobra.Command {
	var f runFlags
	var last bool
	cmd := &cobra.Command{
		Use:   "resume [ID | --last] [flags of exec] [\"what next\"]",
		Short: "Go on with a thread; a turn that was cut off continues by itself",
		Long: "Go on with a thread: the one with that id, the beginning of one, or a name. On a terminal and without any of\n" +
			"these it is chosen from a list. A turn that was cut off continues by itself.",
		Example: "  longrein resume --last\n  longrein resume 0193f2 \"now write the tests\"\n" +
			"  echo \"and the docs\" | longrein resume --last -",
		RunE: func(cmd *cobra.Command, args []string) error {
			ref := ""
			if !last && len(args) > 0 {
				ref, args = args[0], args[1:]
			}
			if ref == "" && !last && len(args) == 0 && f.file == "" && !f.json && c.canPick() {
				return c.resumeChosen(cmd.Context(), f)
			}
			return c.resume(cmd.Context(), ref, args, f)
		},
	}
	f.declare(cmd)
	cmd.Flags().BoolVar(&last, "last", false, "the thread that was worked on last, in this folder if there is one (the default without a terminal)")
	return cmd
}

// resumeChosen asks which thread to go on with.
func (c *cli) resumeChosen(ctx context.Context, f runFlags) error {
	id, prompt, err := c.pick(ctx, c.lookBounded())
	if errors.Is(err, errLeft) {
		return usage{err}
	}
	if err != nil {
		return err
	}
	var args []string
	if prompt != "" {
		args = []string{prompt}
	}
	return c.resume(ctx, id, args, f)
}

func (c *cli) resume(ctx context.Context, ref string, args []string, f runFlags) error {
	prompt := ""
	if len(args) > 0 || f.file != "" {
		text, err := c.prompt(args, f.file)
		if err != nil {
			return err
		}
		prompt = text
	}
	h, id, err := c.reopen(ctx, ref, f)
	if err != nil {
		return err
	}
	if err := c.askNeeds(ctx, h, prompt, f); err != nil {
		return err
	}
	t, err := h.Resume(ctx, id)
	if err != nil {
		return err
	}
	begin, last, err := c.continuation(ctx, t, prompt)
	if err != nil {
		_ = t.Close() // nothing was begun that could be lost
		return err
	}
	if !f.json {
		fmt.Fprintln(c.err, "going on with thread", id)
	}
	return c.play(ctx, t, last, f, begin)
}

// continuation picks what was cut off up, with what the user says next if
// something is said, and returns the number of the last record before it.
func (c *cli) continuation(ctx context.Context, t *thread.Thread, prompt string) (begin func(context.Context) error, last int64, err error) {
	var owed, running bool
	err = t.Look(ctx, func(m *turn.Machine) {
		owed, running, last = m.Owed(), m.Running(), m.State().Last
	})
	switch {
	case err != nil:
		return nil, last, err
	case prompt == "" && !owed:
		return nil, last, usage{fmt.Errorf("thread %s has nothing left to do; say what next: longrein resume %s \"…\"", t.ID(), t.ID())}
	case prompt == "":
		return t.Resume, last, nil
	case running: // it goes on, and hears what the user says at its next safe point
		return func(ctx context.Context) error { return t.Steer(ctx, prompt) }, last, nil
	}
	return func(ctx context.Context) error { return t.Submit(ctx, prompt) }, last, nil
}

// reopen returns a harness in the folder that the thread works in.
func (c *cli) reopen(ctx context.Context, ref string, f runFlags) (*harness.Harness, string, error) {
	store, err := c.look()
	if err != nil {
		return nil, "", err
	}
	folder, _ := c.cwd() // one that is gone only means that its threads do not go first
	id, err := store.Find(ctx, ref, folder)
	if errors.Is(err, fs.ErrNotExist) && strings.Contains(ref, " ") { // more likely what to do than a name
		err = fmt.Errorf("%w; the last thread goes on with longrein resume --last \"…\"", err)
	}
	if err != nil {
		return nil, "", usage{err}
	}
	tail, err := store.Store().Tail(id)
	if err != nil {
		return nil, "", err
	}
	if tail.Thread.ID == "" {
		return nil, "", fmt.Errorf("the log of thread %s holds nothing that can be read, so there is nothing to go on with", id)
	}
	dir := tail.Thread.Cwd
	if c.dir != "" {
		if dir, err = c.cwd(); err != nil {
			return nil, "", err
		}
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, "", usage{fmt.Errorf("the folder of thread %s, %s, is gone; name another with -C DIR", id, dir)}
	}
	h, err := c.at(dir, func(o *harness.Options) { o.CanAsk = c.canAsk(f) })
	return h, id, err
}

// look returns a harness that only reads logs, whatever the settings files say.
func (c *cli) look() (*harness.Harness, error) {
	s := &config.Settings{Paths: config.Homes(c.home, c.env)}
	return harness.New(harness.Options{Settings: s, Version: version, Env: c.env, Notify: c.note}), nil
}

// thread finds the thread that an argument names.
func (c *cli) thread(args []string) (*harness.Harness, string, error) {
	h, err := c.look()
	if err != nil {
		return nil, "", err
	}
	folder, _ := c.cwd() // one that is gone only means that its threads do not go first
	id, err := h.Find(context.Background(), strings.Join(args, ""), folder)
	if err != nil {
		return nil, "", usage{err}
	}
	return h, id, nil
}
