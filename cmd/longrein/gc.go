package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/index"
	"github.com/longrein/longrein/rollout"
)

// gcFlags are the flags of gc.
type gcFlags struct{ dry, aside, json bool }

func (c *cli) gcCommand() *cobra.Command {
	var f gcFlags
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "Give back disk space that no thread needs",
		Long: "Give back what no thread needs: contents and snapshots that no log refers to, what was kept of deleted threads for\n" +
			"forks that are gone, notes without a thread, and room in the index. Before that, threads are deleted that the\n" +
			"settings threads.keep and threads.archived_keep keep no longer; without those none is. What was written in the\n" +
			"last day stays, since a turn may be about to refer to it.",
		Args: between(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.gc(cmd.Context(), f) },
	}
	cmd.Flags().BoolVar(&f.dry, "dry-run", false, "only say what would go")
	cmd.Flags().BoolVar(&f.aside, "aside", false, "also what was moved aside of damaged logs more than a day ago")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

// gcReport is what gc prints with --json.
type gcReport struct {
	DryRun  bool        `json:"dry_run,omitempty"`
	Deleted []threadRow `json:"deleted"` // too old
	harness.Collected
	Freed int64 `json:"freed"` // bytes, without those of the deleted threads' logs
}

func (c *cli) gc(ctx context.Context, f gcFlags) error {
	h, err := c.keeper()
	if err != nil {
		return err
	}
	old, err := h.Expire(ctx, time.Now(), f.dry)
	if err != nil {
		return err
	}
	got, err := h.Collect(ctx, rollout.CollectOptions{DryRun: f.dry, Aside: f.aside})
	if err != nil {
		return err
	}
	if !f.json {
		c.tellExpired(old, f.dry)
		c.tellCollected(got, f.dry)
	} else {
		r := gcReport{DryRun: f.dry, Deleted: []threadRow{}, Collected: got, Freed: got.Freed()}
		for _, e := range old.Threads {
			r.Deleted = append(r.Deleted, rowOf(e))
		}
		err = c.printJSON(r)
	}
	if err == nil && len(got.Left) > 0 {
		return exit{exitFailed}
	}
	return err
}

// keeper is look with the user's own settings, which say how long threads are kept.
func (c *cli) keeper() (*harness.Harness, error) {
	s, err := c.own()
	if err != nil {
		return nil, err
	}
	return harness.New(harness.Options{Settings: s, Version: version, Env: c.env, Notify: c.note}), nil
}

// tellExpired says which threads were too old.
func (c *cli) tellExpired(r *harness.Removal, dry bool) {
	did := "deleted"
	if dry {
		did = "would delete"
	}
	for _, e := range r.Threads {
		fmt.Fprintf(c.out, "%s %s, last worked on %s: %s\n", did, e.ID, ago(time.Since(e.Updated)), title(e))
		for _, fork := range forksOf(r.Forks, e.ID) {
			fmt.Fprintf(c.out, "    its fork %s stays, with what it shares\n", short(fork.ID))
		}
	}
}

func forksOf(forks []index.Entry, id string) (out []index.Entry) {
	for _, f := range forks {
		if f.Parent == id {
			out = append(out, f)
		}
	}
	return out
}

// tellCollected says what was given back.
func (c *cli) tellCollected(got harness.Collected, dry bool) {
	s := got.Store
	for _, l := range []struct {
		what  string
		n     int
		bytes int64
	}{
		{"contents that no log refers to", s.Blobs.Files, s.Blobs.Bytes},
		{"contents that were not written to their end", s.Temporary.Files, s.Temporary.Bytes},
		{"kept of deleted threads", s.Kept.Files, s.Kept.Bytes},
		{"moved aside of damaged logs", s.Aside.Files, s.Aside.Bytes},
		{"notes without a thread", got.Notes.Files, got.Notes.Bytes},
		{"snapshots", 0, got.Snapshots},
		{"index", 0, got.Index},
	} {
		if l.bytes > 0 || l.n > 0 {
			fmt.Fprintf(c.out, "%9s  %s\n", sizeText(l.bytes), l.what)
		}
	}
	did := "given back"
	if dry {
		did = "would be given back; of snapshots and the index only doing it shows how much"
	}
	fmt.Fprintf(c.out, "%9s  %s\n", sizeText(got.Freed()), did)
	if s.Young.Files > 0 {
		fmt.Fprintf(c.out, "%9s  more that no log refers to is younger than a day and stays\n", sizeText(s.Young.Bytes))
	}
	for _, text := range got.Left {
		c.note(text)
	}
}

// tidy deletes threads that the user's settings keep no longer, at most once a day,
// and says which. Nothing that is in its way keeps a task from beginning.
func (c *cli) tidy(ctx context.Context) {
	h, err := c.keeper()
	if err != nil {
		return // the task says what is wrong with the settings
	}
	old, err := h.Tidy(ctx, time.Now())
	if err != nil {
		c.note("old threads were not deleted: " + err.Error())
	}
	if old == nil {
		return
	}
	for _, e := range old.Threads {
		c.note(fmt.Sprintf("deleted thread %s, last worked on %s, as the settings threads.keep and threads.archived_keep say", e.ID, ago(time.Since(e.Updated))))
	}
}
