package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/thread"
	"github.com/longrein/longrein/timeline"
)

// backFlags are the flags of the commands that take a thread back or forward.
type backFlags struct {
	to                            int
	files, yes, force, show, json bool
}

func (c *cli) rollbackCommand() *cobra.Command {
	f := backFlags{}
	cmd := &cobra.Command{
		Use:   "rollback [ID] [N]",
		Short: "Take the conversation back: hide the last turns from the model",
		Long: "Take the conversation back by N turns (default 1), or to the end of a turn with --to. The model no longer sees\n" +
			"what came after; the notes go back with it, and the log keeps everything: longrein redo shows it again. Files\n" +
			"stay as they are, unless --files puts them back as well. Without ID it is the thread that was worked on last.",
		Example: "  longrein rollback 0193f2 2\n  longrein rollback 0193f2 --to 5 --files",
		Args:    between(0, 2, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.back(cmd.Context(), args, f)
		},
	}
	cmd.Flags().IntVar(&f.to, "to", -1, "the last turn that stays, 0: none")
	unshown(cmd, "to")
	cmd.Flags().BoolVar(&f.files, "files", false, "put files back too, as longrein undo does")
	f.declare(cmd)
	return cmd
}

func (f *backFlags) declare(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.show, "dry-run", false, "only say what would be done")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&f.force, "force", false, "put files back also where you have changed them since")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
}

// unshown keeps a default that nobody would type out of the help.
func unshown(cmd *cobra.Command, flag string) { cmd.Flags().Lookup(flag).DefValue = "0" }

// turnsAndRef tells "ID N", "ID", "N" and nothing apart: a thread's id is never as
// short as a number of turns.
func turnsAndRef(args []string) (ref string, n int, err error) {
	n = 1
	if len(args) == 0 {
		return "", n, nil
	}
	last := args[len(args)-1]
	if turns, err := strconv.Atoi(last); err == nil && len(last) < 4 {
		n, args = turns, args[:len(args)-1]
	} else if len(args) == 2 {
		return "", 0, usage{fmt.Errorf("%q is no number of turns", last)}
	}
	if len(args) > 0 {
		ref = args[0]
	}
	return ref, n, nil
}

func (c *cli) back(ctx context.Context, args []string, f backFlags) error {
	ref, n, err := turnsAndRef(args)
	if err != nil {
		return err
	}
	return c.visit(ctx, ref, func(h *harness.Harness, t *thread.Thread, line *timeline.Timeline) error {
		var r longrein.Rollback
		if f.to >= 0 {
			r, err = line.BackTo(f.to)
		} else {
			r, err = line.Back(n)
		}
		if err != nil {
			return usage{err}
		}
		return c.goBack(ctx, h, t, line, r, f)
	})
}

// visit opens a thread in its folder for taking it back.
func (c *cli) visit(ctx context.Context, ref string, do func(*harness.Harness, *thread.Thread, *timeline.Timeline) error) error {
	h, id, err := c.reopen(ctx, ref, runFlags{})
	if err != nil {
		return err
	}
	t, err := h.Visit(ctx, id)
	if err != nil {
		return err
	}
	line, err := h.Timeline(id)
	if err == nil {
		err = do(h, t, line)
	}
	return errors.Join(err, t.Close())
}

// goBack makes a rollback, and the undo that belongs to it.
func (c *cli) goBack(ctx context.Context, h *harness.Harness, t *thread.Thread, line *timeline.Timeline, r longrein.Rollback, f backFlags) error {
	var undo *harness.Undo
	if f.files {
		u, err := line.Files(firstHidden(line, r))
		if err == nil {
			undo, err = planUndo(ctx, h, t.ID(), u)
		}
		if err != nil && !errors.Is(err, timeline.ErrNothing) {
			return err
		}
	}
	if !f.json {
		c.tellBack(line, r, f.files)
		c.tellUndo(undo)
	}
	if f.show {
		return nil
	}
	if undo != nil {
		if err := c.allowed(undo, f); err != nil {
			return err
		}
		if _, err := h.Undo(ctx, t, undo, f.force); err != nil {
			return err
		}
	}
	if err := h.Rollback(ctx, t, r); err != nil {
		return err
	}
	if f.json {
		return json.NewEncoder(c.out).Encode(r)
	}
	fmt.Fprintf(c.out, "%s%s\n", backText(r), afterwards(line, r, undo != nil, short(t.ID())))
	return nil
}

// afterwards says how what was done can be taken back, and what it left as it was.
func afterwards(line *timeline.Timeline, r longrein.Rollback, files bool, id string) string {
	_, noUndo := line.Redo()
	switch {
	case r.Redo && r.Turns > 0:
		return fmt.Sprintf("; longrein fork %s --at %d goes on from it", id, lastSeen(line))
	case !r.Redo && files:
		return fmt.Sprintf("; longrein redo %s takes that back, and done again the files", id)
	case !r.Redo:
		return fmt.Sprintf("; longrein redo %s takes that back", id)
	case noUndo == nil:
		return fmt.Sprintf("; files are still as an undo left them, and longrein redo %s brings them back", id)
	}
	return ""
}

// lastSeen is the number of the last turn that the model sees.
func lastSeen(line *timeline.Timeline) (n int) {
	for _, turn := range line.Turns() {
		if !turn.Hidden {
			n = turn.N
		}
	}
	return n
}

// firstHidden is the number of the first turn that a rollback hides.
func firstHidden(line *timeline.Timeline, r longrein.Rollback) int {
	for _, turn := range line.Turns() {
		if turn.Start > r.To {
			return turn.N
		}
	}
	return 1
}

// tellBack lists the turns that the model will no longer see, and what they did
// that stays done.
func (c *cli) tellBack(line *timeline.Timeline, r longrein.Rollback, files bool) {
	for _, turn := range line.Turns() {
		if turn.Hidden || turn.Start <= r.To {
			continue
		}
		fmt.Fprintf(c.err, "  turn %d  %s\n", turn.N, firstLine(said(turn), 90))
		if turn.Before != "" && !turn.Undone && !files {
			fmt.Fprintln(c.err, "          its changes to files stay; --files puts them back, or longrein undo")
		}
		for _, what := range turn.Lasting {
			fmt.Fprintln(c.err, "          stays done:", firstLine(what, 90))
		}
	}
}

func backText(r longrein.Rollback) string {
	switch {
	case r.Redo && r.Turns > 0:
		return fmt.Sprintf("the rollback is taken back; what came after it, %d %s, is no longer seen", r.Turns, plural(r.Turns, "turn"))
	case r.Redo:
		return "the rollback is taken back"
	}
	return fmt.Sprintf("the model no longer sees %d %s", r.Turns, plural(r.Turns, "turn"))
}
