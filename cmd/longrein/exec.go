package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/thread"
)

// runFlags are the flags of exec, which resume and demo take too.
type runFlags struct {
	json      bool
	last      string
	ephemeral bool
	file      string
}

func (f *runFlags) declare(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.json, "json", false, "print events, one JSON object a line, instead of the answer")
	cmd.Flags().StringVar(&f.last, "output-last-message", "", "also write the answer to this file")
	cmd.Flags().StringVar(&f.file, "file", "", "a file with the task, or with material for it, that the model reads itself")
}

// check finds out before the work that its end could not be written.
func (f *runFlags) check() error {
	if f.last == "" {
		return nil
	}
	out, err := os.OpenFile(f.last, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return usage{fmt.Errorf("--output-last-message: %w", err)}
	}
	return out.Close()
}

func (c *cli) execCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "exec [flags] \"task\"",
		Short: "Run one task without a screen; the answer goes to stdout, progress to stderr",
		Long: "Run one task without a screen. The task is the argument, or standard input when there is none or it is \"-\".\n" +
			"Nothing but the answer goes to stdout. Exit codes: 0 done, 1 the task failed, 2 usage, 3 provider or network,\n" +
			"4 refused by policy, 130 interrupted.",
		Example: "  longrein exec \"find out why the tests fail and mend it\"\n  git diff | longrein exec -p sim -m sim:echo -",
		RunE: func(cmd *cobra.Command, args []string) error {
			prompt, err := c.prompt(args, f.file)
			if err == nil {
				err = f.check()
			}
			if err != nil {
				return err
			}
			h, err := c.here(func(o *harness.Options) {
				o.Ephemeral = f.ephemeral
				o.CanAsk = c.canAsk(f)
			})
			if err != nil {
				return err
			}
			if err := h.CheckPrompt(prompt); err != nil {
				return usage{err}
			}
			if err := c.askNeeds(cmd.Context(), h, prompt, f); err != nil {
				return err
			}
			c.tidy(cmd.Context())
			t, err := h.Start(cmd.Context())
			if err != nil {
				return err
			}
			return c.play(cmd.Context(), t, 0, f, func(ctx context.Context) error { return t.Submit(ctx, prompt) })
		},
	}
	f.declare(cmd)
	cmd.Flags().BoolVar(&f.ephemeral, "ephemeral", false, "leave nothing behind on disk")
	return cmd
}

// canAsk reports whether a person can answer approvals.
func (c *cli) canAsk(f runFlags) bool {
	return !f.json && terminal(c.err) && c.keyboard() != nil
}

// keyboard is where a person answers: standard input, or the terminal itself
// when something else is piped in. Nil without one.
func (c *cli) keyboard() *os.File {
	if c.keys == nil && terminal(c.in) {
		c.keys = c.in
	}
	if c.keys == nil {
		if tty, err := os.Open("/dev/tty"); err == nil {
			c.keys = tty
		}
	}
	return c.keys
}

// prompt returns the task: the arguments, then standard input where they end in
// "-" or there are none.
func (c *cli) prompt(args []string, file string) (string, error) {
	piped := len(args) > 0 && args[len(args)-1] == "-"
	if piped {
		args = args[:len(args)-1]
	}
	text := strings.ToValidUTF8(strings.Join(args, " "), "\uFFFD")
	if piped || text == "" && file == "" {
		input, err := c.piped(piped)
		if err != nil {
			return "", err
		}
		text = strings.TrimLeft(text+"\n\n"+input, "\n")
	}
	if file != "" {
		path, err := filepath.Abs(file)
		if err == nil {
			_, err = os.Stat(path)
		}
		if err != nil {
			return "", usage{fmt.Errorf("--file %s: %w", file, err)}
		}
		text = strings.TrimSpace(text + "\n\nThe file " + path + " belongs to this task: read it, in parts if it is long.")
	}
	if strings.TrimSpace(text) == "" {
		return "", usage{errors.New("the task is empty; give one as the argument or on standard input")}
	}
	return text, nil
}

// piped reads standard input. A person at a terminal is not waited for, unless
// that was asked for.
func (c *cli) piped(asked bool) (string, error) {
	if !asked && terminal(c.in) {
		return "", usage{errors.New("what is the task? Give it as an argument or on standard input")}
	}
	b, err := io.ReadAll(io.LimitReader(c.in, limit.Prompt.Max+1))
	if err != nil {
		return "", fmt.Errorf("read the task from standard input: %w", err)
	}
	return strings.ToValidUTF8(string(b), "\uFFFD"), nil
}

// play starts a turn, shows what comes after a record, and ends the thread when
// the turn is over.
func (c *cli) play(ctx context.Context, t *thread.Thread, after int64, f runFlags, begin func(context.Context) error) error {
	broken := make(chan os.Signal, 1) // a reader that has gone is an error of the write, not our end
	signal.Notify(broken, syscall.SIGPIPE)
	defer signal.Stop(broken)
	events := t.Watch(context.WithoutCancel(ctx), after)
	v := c.viewer(t, f)
	quiet, stopTicking := context.WithCancel(context.Background())
	defer stopTicking()
	go v.screen.tick(quiet)
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		for e := range events {
			v.show(e)
		}
	}()
	err := begin(context.WithoutCancel(ctx))
	if err == nil {
		err = c.untilRest(ctx, t)
	}
	closed := t.Close()
	<-shown
	if err := errors.Join(err, closed); err != nil {
		var long *thread.PromptError
		if errors.As(err, &long) {
			return usage{err}
		}
		if v.failed == nil {
			return err
		}
	}
	return v.end(f.last)
}

// untilRest waits for the turn's end; a signal interrupts the turn, and what it
// was doing is recorded.
func (c *cli) untilRest(ctx context.Context, t *thread.Thread) error {
	quiet := context.WithoutCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- t.Wait(quiet) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	if err := t.Interrupt(quiet); err != nil {
		return err
	}
	return <-done
}

// viewer shows events and remembers how the turn ended.
type viewer struct {
	c      *cli
	t      *thread.Thread
	json   *jsonLines
	screen *screen
	asker  *asker
	state  longrein.TurnState
	failed *longrein.TurnError
	// refused says that the newest step, or the model itself, ended on a refusal.
	refused bool
	giveUp  sync.Once
}

func (c *cli) viewer(t *thread.Thread, f runFlags) *viewer {
	v := &viewer{
		c: c, t: t, screen: newScreen(c.out, c.err, terminal(c.err)),
	}
	if c.canAsk(f) {
		v.asker = newAsker(c.keyboard(), c.err, t.Decide)
		v.asker.flush = func() { flush(c.keyboard()) }
	}
	if f.json {
		v.json = newJSONLines(c.out)
		v.screen = newScreen(io.Discard, io.Discard, false)
	}
	v.screen.id = t.ID()
	return v
}

func (v *viewer) show(e longrein.Event) {
	if v.json != nil {
		v.json.show(e)
		if v.json.err != nil { // nobody is left to work for
			v.giveUp.Do(func() { go v.t.Interrupt(context.Background()) })
		}
	}
	v.screen.show(e)
	switch b := e.Payload.(type) {
	case longrein.Turn:
		v.state, v.failed = b.State, b.Error
	case longrein.Appended:
		switch it := b.Item.(type) {
		case longrein.ToolCall:
			v.refused = false
		case longrein.ToolOutput:
			v.refused = v.refused || it.Status == longrein.OutputRefused
		}
	case longrein.Answered:
		v.refused = v.refused || b.Stop == longrein.StopRefused
	case longrein.Approval:
		if v.asker != nil {
			v.screen.pause(b)
			v.asker.note(b)
		}
	}
}

// end prints the answer and returns the error that the exit code is made of.
func (v *viewer) end(file string) error {
	answer := v.screen.text()
	lost := v.screen.finish()
	if file != "" {
		if err := os.WriteFile(file, []byte(answer+"\n"), 0o600); err != nil {
			return fmt.Errorf("--output-last-message: %w", err)
		}
	}
	if v.json != nil && v.json.err != nil {
		return fmt.Errorf("write events: %w", v.json.err)
	}
	if lost != nil {
		return fmt.Errorf("write the answer: %w; it is in the log: longrein threads show %s", lost, v.t.ID())
	}
	switch v.state {
	case longrein.TurnInterrupted:
		return exit{exitInterrupted}
	case longrein.TurnFailed:
		return &longrein.ModelError{Kind: v.failed.Kind, Text: v.failed.Text}
	}
	if v.refused {
		return exit{exitRefused}
	}
	return nil
}
