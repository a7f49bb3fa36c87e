package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/index"
	"github.com/longrein/longrein/limit"
)

func (c *cli) threadsCommand() *cobra.Command {
	list := c.threadsListCommand()
	cmd := &cobra.Command{
		Use:   "threads",
		Short: "List, show, search, name, archive and delete threads",
		Args:  between(0, 0, ""),
		RunE:  list.RunE,
	}
	cmd.Flags().AddFlagSet(list.Flags())
	cmd.AddCommand(list, c.threadsSearchCommand(), c.threadsShowCommand(),
		c.threadsNameCommand(), c.threadsArchiveCommand(true), c.threadsArchiveCommand(false), c.threadsDeleteCommand(),
		c.threadsUsageCommand(), c.threadsIndexCommand())
	return cmd
}

func (c *cli) threadsListCommand() *cobra.Command {
	var f listFlags
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List threads, the newest first",
		Example: "  longrein threads --here --since 7d\n  longrein threads --branch main --with-model gpt-5.4",
		Args:    between(0, 0, ""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.list(cmd.Context(), f) },
	}
	f.declare(cmd)
	return cmd
}

func (c *cli) list(ctx context.Context, f listFlags) error {
	q, most, err := c.query(f)
	if err != nil {
		return err
	}
	h := c.lookBounded()
	var entries []index.Entry
	behind, err := c.soon(ctx, h, f, func(x *index.Index) error {
		entries, err = x.List(ctx, q)
		return err
	})
	if err != nil {
		return err
	}
	out := bufio.NewWriter(c.out)
	if f.json {
		return errors.Join(printRows(out, entries), out.Flush())
	}
	more := most > 0 && len(entries) > most
	if more {
		entries = entries[:most]
	}
	if len(entries) == 0 && behind.Threads == 0 {
		fmt.Fprintln(out, none(q))
	}
	printThreads(out, entries, time.Now(), h.Store().Busy, columns(c.out))
	if more {
		fmt.Fprintf(out, "and older ones; -n 0 lists all (limit %s = %d)\n", limit.ThreadsListed.Name, most)
	}
	return errors.Join(out.Flush(), c.rest(behind))
}

// none says why a list is empty.
func none(q index.Query) string {
	if q == (index.Query{Limit: q.Limit}) {
		return "no threads; longrein exec \"…\" begins one"
	}
	return "no thread is like that"
}

// short is as much of an id as tells a thread from others: its time.
func short(id string) string { return id[:min(len(id), 13)] } // fixed: what tells threads apart

func printRows(w io.Writer, entries []index.Entry) error {
	lines := newJSONLines(w)
	for _, e := range entries {
		lines.write(rowOf(e))
	}
	return lines.err
}

// threadRow is a thread as lists print it for programs.
type threadRow struct {
	ID       string             `json:"id"`
	Name     string             `json:"name,omitempty"`
	First    string             `json:"first"`
	State    longrein.TurnState `json:"state"`
	Model    string             `json:"model"`
	Cwd      string             `json:"cwd"`
	Branch   string             `json:"branch,omitempty"`
	Parent   string             `json:"parent,omitempty"`   // it is a fork of this thread …
	ForkSeq  int64              `json:"fork_seq,omitempty"` // … after this record
	Archived bool               `json:"archived,omitempty"`
	Turns    int                `json:"turns"`
	Requests int                `json:"requests"`
	Usage    longrein.Usage     `json:"usage"`
	Cost     float64            `json:"cost"`
	Bytes    int64              `json:"bytes"`
	Created  time.Time          `json:"created"`
	Updated  time.Time          `json:"updated"`
	Damaged  string             `json:"damaged,omitempty"`
}

func rowOf(e index.Entry) threadRow {
	return threadRow{
		ID: e.ID, Name: e.Name, First: e.First, State: e.State, Model: e.Model, Cwd: e.Cwd, Branch: e.Branch,
		Parent: e.Parent, ForkSeq: e.ForkSeq, Archived: e.Archived,
		Turns: e.Turns, Requests: e.Requests, Usage: e.Tokens, Cost: e.Cost, Bytes: e.Size,
		Created: e.Created, Updated: e.Updated, Damaged: e.Damaged,
	}
}

// printThreads prints a table; what cannot be written shows when w is flushed.
func printThreads(w *bufio.Writer, entries []index.Entry, now time.Time, busy func(id string) bool, columns int) {
	models := 0
	for _, e := range entries {
		models = min(max(models, utf8.RuneCountInString(e.Model)), 24) // fixed: so that the titles stay on the screen
	}
	for _, e := range entries {
		fmt.Fprintf(w, "%s  %-8s  %-11s  %4d %-5s  %-*s  %s\n", short(e.ID), ago(now.Sub(e.Updated)), stateText(e, busy),
			e.Turns, plural(e.Turns, "turn"), models, firstLine(e.Model, models), titleIn(e, columns-56-models)) // fixed: what stands before it
	}
}

// columns is how many columns a line may fill without wrapping: those of the
// terminal, and as many as one likes elsewhere.
func columns(w io.Writer) int {
	if !terminal(w) {
		return math.MaxInt
	}
	return width(w)
}

// title is what a thread is known by.
func title(e index.Entry) string { return titleIn(e, math.MaxInt) }

// titleIn is a title for so many columns; a few words of it are always shown.
func titleIn(e index.Entry, columns int) string {
	text := cmp.Or(e.Name, e.First)
	if e.Parent != "" {
		text = "[fork of " + short(e.Parent) + "] " + text
	}
	if e.Damaged != "" {
		text = "[damaged, see longrein doctor] " + text
	}
	return firstLine(text, min(max(columns, 16), 70)) // fixed: what tells threads apart
}

// stateText says how a thread's last turn stands: one that started runs only
// while somebody writes to its log.
func stateText(e index.Entry, busy func(id string) bool) string {
	switch {
	case e.State != longrein.TurnStarted:
		return string(e.State)
	case busy(e.ID):
		return "running"
	}
	return "cut off"
}

// ago says how long ago something was, in one unit.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh ago", d/time.Hour)
	}
	return fmt.Sprintf("%dd ago", d/(24*time.Hour))
}

func (c *cli) threadsShowCommand() *cobra.Command {
	var asJSON, forks bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show a thread's whole log",
		Args:  between(1, 1, "which thread? longrein threads lists them"),
		RunE: func(_ *cobra.Command, args []string) error {
			h, id, err := c.thread(args)
			if err != nil {
				return err
			}
			return c.showLog(h, id, asJSON, forks)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the records as events, one JSON object a line")
	cmd.Flags().BoolVar(&forks, "forks", false, "also what each run beside the work asked and did itself, where it ended")
	return cmd
}

func (c *cli) showLog(h *harness.Harness, id string, asJSON, forks bool) error {
	lines := newJSONLines(c.out)
	p := logPrinter{w: c.out, all: forks}
	for r, err := range h.Store().Read(id) {
		switch {
		case err != nil:
			c.note(err.Error())
		case asJSON:
			lines.show(longrein.EventOf(id, r))
		default:
			p.print(r)
		}
	}
	p.end()
	return lines.err
}

func (c *cli) threadsNameCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "name ID NAME",
		Short: "Name a thread",
		Args:  between(2, 1_000, "which thread, and what name? longrein threads name ID NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			return c.record(args[:1], longrein.Renamed{Name: strings.Join(args[1:], " ")})
		},
	}
}

func (c *cli) threadsArchiveCommand(on bool) *cobra.Command {
	use, short := "archive ID", "Take a thread out of the list"
	if !on {
		use, short = "unarchive ID", "Put a thread back into the list"
	}
	return &cobra.Command{
		Use: use, Short: short,
		Args: between(1, 1, "which thread? longrein threads lists them"),
		RunE: func(_ *cobra.Command, args []string) error { return c.record(args, index.Archive(on)) },
	}
}

// record appends one record to a thread's log.
func (c *cli) record(ref []string, b longrein.Body) error {
	h, id, err := c.thread(ref)
	if err != nil {
		return err
	}
	return h.Record(id, b)
}
