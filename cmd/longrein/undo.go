package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/snapshot"
	"github.com/longrein/longrein/thread"
	"github.com/longrein/longrein/timeline"
)

// undone is what undo and redo print with --json.
type undone struct {
	Turn      int                   `json:"turn"`
	Redo      bool                  `json:"redo,omitempty"`
	Changed   []longrein.FileChange `json:"changed"`
	Conflicts []snapshot.Conflict   `json:"conflicts,omitempty"`
	Lasting   []string              `json:"lasting,omitempty"`
	DryRun    bool                  `json:"dry_run,omitempty"`
}

func (c *cli) undoCommand() *cobra.Command {
	f := backFlags{}
	cmd := &cobra.Command{
		Use:   "undo [ID] [--to TURN]",
		Short: "Put files back as they were before a turn changed them",
		Long: "Put files back as they were before the last turn that changed some, or before the turn that --to names. Files\n" +
			"that you have changed since are not overwritten without --force. The conversation stays; the model is told.\n" +
			"Without ID it is the thread that was worked on last.",
		Example: "  longrein undo --dry-run\n  longrein undo 0193f2 --to 4\n  longrein redo 0193f2",
		Args:    between(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.visit(cmd.Context(), first(args), func(h *harness.Harness, t *thread.Thread, line *timeline.Timeline) error {
				u, err := line.Files(max(f.to, 0))
				if err != nil {
					return usage{err}
				}
				return c.undo(cmd.Context(), h, t, u, f)
			})
		},
	}
	cmd.Flags().IntVar(&f.to, "to", 0, "put files back as they were before this turn")
	f.declare(cmd)
	return cmd
}

func (c *cli) redoCommand() *cobra.Command {
	f := backFlags{}
	cmd := &cobra.Command{
		Use:   "redo [ID]",
		Short: "Take the last undo or rollback back",
		Long:  "Take back the last undo or the last rollback that is in force, whichever came later.",
		Args:  between(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.visit(cmd.Context(), first(args), func(h *harness.Harness, t *thread.Thread, line *timeline.Timeline) error {
				return c.redo(cmd.Context(), h, t, line, f)
			})
		},
	}
	f.declare(cmd)
	return cmd
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

func (c *cli) redo(ctx context.Context, h *harness.Harness, t *thread.Thread, line *timeline.Timeline, f backFlags) error {
	u, filesErr := line.Redo()
	r, chatErr := line.Forward()
	switch {
	case filesErr != nil && chatErr != nil:
		return usage{filesErr}
	case filesErr != nil || chatErr == nil && r.To+1 > u.Seq:
		return c.goBack(ctx, h, t, line, r, f)
	}
	return c.undo(ctx, h, t, u, f)
}

// undo says what will change, and changes it.
func (c *cli) undo(ctx context.Context, h *harness.Harness, t *thread.Thread, u timeline.Undo, f backFlags) error {
	plan, err := planUndo(ctx, h, t.ID(), u)
	if err != nil {
		return err
	}
	if !f.json {
		c.tellUndo(plan)
	}
	out := undone{Turn: u.Turn, Redo: u.Redo, Changed: plan.Changes, Conflicts: plan.Conflicts, Lasting: u.Lasting, DryRun: f.show}
	if !f.show {
		if err := c.allowed(plan, f); err != nil {
			return err
		}
		done, err := h.Undo(ctx, t, plan, f.force)
		if err != nil {
			return err
		}
		out.Changed, out.Conflicts = done.Changed, done.Skipped
	}
	if f.json {
		return json.NewEncoder(c.out).Encode(out)
	}
	return c.undoText(t.ID(), out)
}

func planUndo(ctx context.Context, h *harness.Harness, id string, u timeline.Undo) (*harness.Undo, error) {
	plan, err := h.PlanUndo(ctx, id, u)
	if errors.Is(err, harness.ErrFolderGone) {
		return nil, usage{err}
	}
	return plan, err
}

// allowed refuses what would overwrite a user's own changes, and asks before the
// rest.
func (c *cli) allowed(u *harness.Undo, f backFlags) error {
	switch {
	case len(u.Conflicts) > 0 && !f.force:
		return usage{errors.New("nothing was put back: the files above were changed since, by you or another program. --force overwrites them; redo would bring them back")}
	case u.Blind && len(u.Changes) > 0 && !f.force:
		return usage{errors.New("nothing was put back: the files above may hold changes of your own, made since the turn was cut off. --force puts all of them back; redo would bring them back")}
	case len(u.Changes) == 0 || f.yes || !terminal(c.in):
		return nil
	case !c.sure(fmt.Sprintf("put %s back?", counted(len(u.Changes), "file"))):
		return usage{errors.New("nothing was put back")}
	}
	return nil
}

// tellUndo says what an undo will do, and what it will not.
func (c *cli) tellUndo(u *harness.Undo) {
	if u == nil {
		return
	}
	const listed = 50 // fixed: a screen's worth; --json has all
	for _, ch := range u.Changes[:min(listed, len(u.Changes))] {
		fmt.Fprintf(c.err, "  %-9s %s\n", ch.Op, c.fromHere(u.Root, ch.Path))
	}
	if more := len(u.Changes) - listed; more > 0 {
		fmt.Fprintf(c.err, "  … and %d more; all: --dry-run --json\n", more)
	}
	for _, k := range u.Conflicts {
		fmt.Fprintf(c.err, "! %s: %s\n", c.fromHere(u.Root, k.Path), printable(k.What))
	}
	for _, l := range u.Left {
		fmt.Fprintf(c.err, "! %s stays as it is: %s\n", c.fromHere(u.Root, l.Path), l.Why)
	}
	if u.Blind {
		c.note("a turn was cut off, so what you have changed since cannot be told from what it did")
	}
	for _, what := range u.Lasting {
		fmt.Fprintln(c.err, "! stays done:", firstLine(what, 100))
	}
}

// fromHere is a path below root as one types it in the working folder, or the whole
// path when it leads out of that.
func (c *cli) fromHere(root, path string) string {
	whole := filepath.Join(root, filepath.FromSlash(path))
	here, err := c.cwd()
	if err == nil {
		if rel, err := filepath.Rel(here, whole); err == nil && filepath.IsLocal(rel) {
			return shownPath(rel)
		}
	}
	return shownPath(whole)
}

// shownPath is a path on one line, whatever stands in it.
func shownPath(path string) string { return strings.ReplaceAll(printable(path), "\n", "�") }

func (c *cli) undoText(id string, u undone) error {
	verb := "put back"
	if u.DryRun {
		verb = "would be put back"
	}
	fmt.Fprintf(c.out, "%s %s", counted(len(u.Changed), "file"), verb)
	switch {
	case u.DryRun:
		fmt.Fprintln(c.out)
	case len(u.Changed) == 0 && !u.Redo:
		fmt.Fprintf(c.out, ": they stand as before turn %d already\n", u.Turn)
	case u.Redo:
		fmt.Fprintln(c.out, ": the undo is taken back")
	default:
		fmt.Fprintf(c.out, " as before turn %d; longrein redo %s takes that back\n", u.Turn, short(id))
	}
	return nil
}

// counted is such as "1 file" or "2 files".
func counted(n int, word string) string { return grouped(n) + " " + plural(n, word) }

// plural is a word for n things.
func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
