package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/index"
)

func (c *cli) threadsUsageCommand() *cobra.Command {
	var each, asJSON bool
	cmd := &cobra.Command{
		Use:   "usage",
		Short: "Say what threads have on the disk",
		Args:  between(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			h := c.lookBounded()
			if each {
				return c.usageOfEach(cmd.Context(), h, asJSON)
			}
			return c.usage(cmd.Context(), h, asJSON)
		},
	}
	cmd.Flags().BoolVar(&each, "threads", false, "each thread's log and notes, the largest first")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

func (c *cli) usage(ctx context.Context, h *harness.Harness, asJSON bool) error {
	u, err := h.Usage(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return c.printJSON(u)
	}
	lines := []struct {
		what  string
		n     int
		unit  string
		bytes int64
	}{
		{"logs", u.Store.Logs.Files, "thread", u.Store.Logs.Bytes},
		{"kept for forks", u.Store.Kept.Files, "deleted thread", u.Store.Kept.Bytes},
		{"moved aside", u.Store.Aside.Files, "file", u.Store.Aside.Bytes},
		{"large contents", u.Store.Blobs.Files + u.Store.Temporary.Files, "file", u.Store.Blobs.Bytes + u.Store.Temporary.Bytes},
		{"snapshots", u.Snapshots.Files, "folder", u.Snapshots.Bytes},
		{"notes", u.Notes.Files, "file", u.Notes.Bytes},
		{"index", u.Index.Files, "file", u.Index.Bytes},
	}
	for _, l := range lines {
		if l.n > 0 {
			fmt.Fprintf(c.out, "%-15s %9s  %s %s\n", l.what, sizeText(l.bytes), grouped(l.n), plural(l.n, l.unit))
		}
	}
	fmt.Fprintf(c.out, "%-15s %9s  in %s\n", "all", sizeText(u.Total()), h.Store().Root)
	return nil
}

// threadUsage is what a thread has on the disk, in bytes.
type threadUsage struct {
	ID    string `json:"id"`
	Log   int64  `json:"log"`
	Notes int64  `json:"notes"`
	title string
}

func (c *cli) usageOfEach(ctx context.Context, h *harness.Harness, asJSON bool) error {
	entries, err := h.List(ctx, index.Query{All: true})
	if err != nil {
		return err
	}
	var all []threadUsage
	for _, e := range entries {
		notes, err := h.NotesSize(e.ID)
		if err != nil {
			return err
		}
		all = append(all, threadUsage{e.ID, e.Size, notes.Bytes, title(e)})
	}
	slices.SortStableFunc(all, func(a, b threadUsage) int { return cmp.Compare(b.Log+b.Notes, a.Log+a.Notes) })
	lines := newJSONLines(c.out)
	for _, u := range all {
		if asJSON {
			lines.write(u)
			continue
		}
		fmt.Fprintf(c.out, "%s  log %9s  notes %9s  %s\n", short(u.ID), sizeText(u.Log), sizeText(u.Notes), u.title)
	}
	return lines.err
}

// sizeText shortens a number of bytes: 950 B, 12.3 kB, 4.5 MB.
func sizeText(n int64) string {
	size, units := float64(n), []string{"B", "kB", "MB", "GB", "TB"}
	for size >= 999.95 && len(units) > 1 {
		size, units = size/1000, units[1:]
	}
	if units[0] == "B" {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", size, units[0])
}
