package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/index"
	"github.com/longrein/longrein/rollout"
)

// deleteFlags say which threads are deleted, besides those that are named.
type deleteFlags struct {
	older    string
	archived bool
	yes      bool
}

func (c *cli) threadsDeleteCommand() *cobra.Command {
	var f deleteFlags
	cmd := &cobra.Command{
		Use:   "delete [ID ...] [--older-than AGE [--archived]]",
		Short: "Delete threads for good: logs, snapshots, notes",
		Long: "Delete threads for good: their logs, snapshots, notes and what the index has of them. It says what goes and asks.\n" +
			"Threads that were forked from one keep what they share with it. What no other thread needs is given back then;\n" +
			"of what was written in the last day, longrein gc gives it back later.",
		Example: "  longrein threads delete 0193f2\n  longrein threads delete --older-than 90d --archived",
		Args:    between(0, 1_000, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.delete(cmd.Context(), args, f)
		},
	}
	cmd.Flags().BoolVar(&f.yes, "yes", false, "do not ask")
	cmd.Flags().StringVar(&f.older, "older-than", "", "those that were last worked on before this age: 12h, 90d, 8w or 1y")
	cmd.Flags().BoolVar(&f.archived, "archived", false, "of the old ones, those in the archive instead of the others")
	return cmd
}

func (c *cli) delete(ctx context.Context, refs []string, f deleteFlags) error {
	h := c.lookBounded()
	ids, err := c.doomed(ctx, h, refs, f)
	if err != nil {
		return err
	}
	r, err := h.PlanDelete(ctx, ids...)
	if err != nil {
		return err
	}
	for _, e := range r.Open {
		c.note(fmt.Sprintf("thread %s is open elsewhere and stays", e.ID))
	}
	if len(r.Threads) == 0 {
		fmt.Fprintln(c.out, "there is nothing to delete")
		return nil
	}
	if !f.yes {
		printRemoval(c.err, r, time.Now())
		if !c.sure(fmt.Sprintf("delete %s for good?", threadsText(r.Threads))) {
			return usage{errors.New("nothing was deleted; --yes deletes without asking")}
		}
	}
	gone, err := h.Delete(ctx, r)
	for _, id := range gone {
		fmt.Fprintln(c.out, "deleted", id)
	}
	if err != nil || len(gone) == 0 {
		return err
	}
	return c.giveBack(ctx, h)
}

// giveBack collects what no thread needs any more.
func (c *cli) giveBack(ctx context.Context, h *harness.Harness) error {
	got, err := h.Collect(ctx, rollout.CollectOptions{})
	if err != nil {
		return err
	}
	for _, text := range got.Left {
		c.note(text)
	}
	if young := got.Store.Young; young.Files > 0 {
		c.note(fmt.Sprintf("%s that no log refers to any more is younger than a day; longrein gc gives it back later", sizeText(young.Bytes)))
	}
	return nil
}

// doomed returns the ids of the threads to delete.
func (c *cli) doomed(ctx context.Context, h *harness.Harness, refs []string, f deleteFlags) (ids []string, err error) {
	for _, ref := range refs {
		if ref == "" {
			return nil, usage{errWhich}
		}
		id, err := h.Find(ctx, ref, "")
		if err != nil {
			return nil, usage{err}
		}
		ids = append(ids, id)
	}
	switch {
	case f.older == "" && (f.archived || len(refs) == 0):
		return nil, usage{errWhich}
	case f.older == "":
		return ids, nil
	}
	age, err := config.ParseAge(f.older)
	if err != nil {
		return nil, usage{fmt.Errorf("--older-than: %w", err)}
	}
	old, err := h.List(ctx, index.Query{Archived: f.archived, Until: time.Now().Add(-age)})
	for _, e := range old {
		ids = append(ids, e.ID)
	}
	return ids, err
}

var errWhich = errors.New("which thread? longrein threads lists them, and --older-than 90d names all old ones")

// printRemoval says what goes.
func printRemoval(w io.Writer, r *harness.Removal, now time.Time) {
	for _, e := range r.Threads {
		fmt.Fprintf(w, "  %s  %-8s  %8s  %s\n", e.ID, ago(now.Sub(e.Updated)), sizeText(e.Size), title(e))
	}
	fmt.Fprintf(w, "logs: %s, notes: %s, and the snapshots of files for undo\n", sizeText(r.Bytes), sizeText(r.Notes))
	for _, e := range r.Forks {
		fmt.Fprintf(w, "its fork %s stays, with what it shares: %s\n", short(e.ID), title(e))
	}
}

func threadsText(threads []index.Entry) string {
	if len(threads) == 1 {
		return "thread " + cmp.Or(threads[0].Name, short(threads[0].ID))
	}
	return grouped(len(threads)) + " threads"
}

// sure asks the person at the terminal; without one the answer is no.
func (c *cli) sure(question string) bool {
	if !terminal(c.in) || !terminal(c.err) {
		return false
	}
	fmt.Fprint(c.err, question+" [y/N] ")
	line, err := bufio.NewReader(c.in).ReadString('\n')
	line = strings.ToLower(strings.TrimSpace(line))
	return err == nil && (line == "y" || line == "yes")
}
