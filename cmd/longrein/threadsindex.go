package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/index"
)

// soon hands the index to use. On a screen it does so after a moment, even if the
// index is not up to date then; a program waits for all of it.
func (c *cli) soon(ctx context.Context, h *harness.Harness, f listFlags, use func(*index.Index) error) (harness.Behind, error) {
	if f.json || !terminal(c.out) {
		return harness.Behind{}, h.Fresh(ctx, use)
	}
	return h.Soon(ctx, use)
}

// rest says how much of the index is missing, and has it made.
func (c *cli) rest(b harness.Behind) error {
	if b.Threads == 0 {
		return nil
	}
	fmt.Fprintf(c.err, "index is being rebuilt: %s of %s threads; what is listed is not all\n", grouped(b.Of-b.Threads), grouped(b.Of))
	if !b.Claimed {
		return nil
	}
	return c.background("threads", "index")
}

// background starts a command of this program that goes on when this one has ended.
func (c *cli) background(args ...string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if c.home != "" {
		args = append([]string{"--home", c.home}, args...)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = c.env
	cmd.SysProcAttr = detached()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("go on in the background: %w", err)
	}
	return cmd.Process.Release()
}

func (c *cli) threadsIndexCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "index",
		Short: "Bring the index of threads up to date now",
		Long: "Bring the index of threads up to date now. Every list does so by itself; this is for an index that was deleted\n" +
			"or that many threads are missing from. longrein doctor --rebuild-index reads all logs anew.",
		Args: between(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := c.lookBounded().Reindex(cmd.Context(), index.Quick, c.progress())
			if err != nil {
				return err
			}
			fmt.Fprintf(c.out, "%s threads; %d added, %d changed, %d removed\n", grouped(r.Threads), r.Added, r.Changed, r.Removed)
			return nil
		},
	}
}

// progress returns what says on a screen how far the index is, now and then.
func (c *cli) progress() func(done, of int) {
	if !terminal(c.err) {
		return nil
	}
	begun := time.Now()
	said := begun
	return func(done, of int) {
		now := time.Now()
		last := done == of && said != begun
		if now.Sub(said) < 200*time.Millisecond && !last { // fixed: how often a line is drawn anew
			return
		}
		said = now
		fmt.Fprintf(c.err, "\r%s of %s threads", grouped(done), grouped(of))
		if last {
			fmt.Fprintln(c.err)
		}
	}
}

// grouped writes a number as people do: 3,200.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
