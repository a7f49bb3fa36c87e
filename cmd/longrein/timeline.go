package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/timeline"
)

func (c *cli) timelineCommand() *cobra.Command {
	var asJSON bool
	var diff int
	cmd := &cobra.Command{
		Use:   "timeline [ID]",
		Short: "List a thread's turns, and what was taken back",
		Long: "List a thread's turns: what was asked, how each ended, whether it changed files that undo can put back, what it\n" +
			"did that stays done, and what was taken back. Without ID it is the thread that was worked on last.",
		Args: between(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			h, id, err := c.thread(args)
			if err != nil {
				return err
			}
			line, err := h.Timeline(id)
			if err != nil {
				return err
			}
			if diff > 0 {
				return c.printDiff(cmd.Context(), h, line, diff)
			}
			if err := c.printTimeline(line.Turns(), asJSON); err != nil || asJSON {
				return err
			}
			for _, w := range line.Waiting() {
				fmt.Fprintf(c.out, "   waits: %s\n", firstLine(w.Text, 80))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	cmd.Flags().IntVar(&diff, "diff", 0, "print what this turn changed in files, as a diff")
	return cmd
}

func (c *cli) printTimeline(turns []timeline.Turn, asJSON bool) error {
	lines, notes := newJSONLines(c.out), 0
	for _, t := range turns {
		if asJSON {
			lines.write(t)
			continue
		}
		fmt.Fprintf(c.out, "%4d  %s  %-11s %s\n", t.N, t.Began.Local().Format("2006-01-02 15:04"), t.State, firstLine(said(t), 80))
		for _, note := range turnNotes(t) {
			fmt.Fprintln(c.out, "      "+note)
		}
		if t.Notes > notes {
			fmt.Fprintf(c.out, "      notes: version %d\n", t.Notes)
		}
		notes = max(notes, t.Notes)
	}
	if len(turns) == 0 && !asJSON {
		fmt.Fprintln(c.out, "no turn has begun")
	}
	return lines.err
}

// said is what a user asked in a turn.
func said(t timeline.Turn) string { return strings.Join(t.Inputs, " / ") }

func turnNotes(t timeline.Turn) (out []string) {
	if t.Hidden {
		out = append(out, "taken back: the model does not see it")
	}
	switch {
	case t.Undone:
		out = append(out, "files: put back by undo")
	case t.Before != "" && t.Before == t.After:
		out = append(out, "files: unchanged")
	case t.Before != "":
		out = append(out, "files: changed; undo can put them back")
	case t.State == longrein.TurnStarted:
		out = append(out, "it has not ended")
	}
	for _, what := range t.Lasting {
		out = append(out, "stays done: "+firstLine(what, 100))
	}
	return out
}

// printDiff prints what a turn did to files, as its snapshots tell.
func (c *cli) printDiff(ctx context.Context, h *harness.Harness, line *timeline.Timeline, n int) error {
	for _, t := range line.Turns() {
		if t.N != n {
			continue
		}
		if t.Before == "" || t.After == "" {
			return usage{fmt.Errorf("turn %d has no snapshots to compare", n)}
		}
		text, cut, err := h.Diff(ctx, t)
		if err != nil {
			return err
		}
		fmt.Fprint(c.out, text)
		if cut != nil {
			c.note(cutText(*cut))
		}
		return nil
	}
	return usage{fmt.Errorf("there is no turn %d", n)}
}
