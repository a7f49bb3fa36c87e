package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
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
		c.threadsNameCommand(), c.threadsArchiveCommand(true), c.threadsArchiveCommand(false), c.threadsDeleteCommand())
	return cmd
}

// listFlags are the flags of list and search.
type listFlags struct {
	json, archived, here bool
	model                string
	most                 int
}

func (f *listFlags) declare(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object a line")
	cmd.Flags().BoolVar(&f.archived, "archived", false, "those in the archive")
	cmd.Flags().BoolVar(&f.here, "here", false, "only those of this folder")
	cmd.Flags().StringVar(&f.model, "with-model", "", "only those that work with this model")
	cmd.Flags().IntVarP(&f.most, "number", "n", -1, "at most so many; 0: all (default: all with --json, else 50)")
}

func (c *cli) threadsListCommand() *cobra.Command {
	var f listFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List threads, the newest first",
		Args:  between(0, 0, ""),
		RunE:  func(cmd *cobra.Command, _ []string) error { return c.list(cmd.Context(), f, "") },
	}
	f.declare(cmd)
	return cmd
}

func (c *cli) threadsSearchCommand() *cobra.Command {
	var f listFlags
	cmd := &cobra.Command{
		Use:   "search WORDS",
		Short: "List the threads with these words in their name or first input",
		Args:  between(1, 1_000, "which words?"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.list(cmd.Context(), f, strings.Join(args, " "))
		},
	}
	f.declare(cmd)
	return cmd
}

func (c *cli) list(ctx context.Context, f listFlags, text string) error {
	h, err := c.look()
	if err != nil {
		return err
	}
	q := index.Query{Text: text, Archived: f.archived, Model: f.model, Limit: max(f.most, 0)}
	if f.here {
		if q.Cwd, err = c.cwd(); err != nil {
			return err
		}
	}
	most := c.listed(f)
	if most > 0 {
		q.Limit = most + 1 // one more shows that there are more
	}
	entries, err := h.List(ctx, q)
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
	if len(entries) == 0 {
		fmt.Fprintln(out, none(q))
	}
	printThreads(out, entries, time.Now(), h.Store().Busy)
	if more {
		fmt.Fprintf(out, "and older ones; -n 0 lists all (limit %s = %d)\n", limit.ThreadsListed.Name, most)
	}
	return out.Flush()
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

// listed is how many threads a person is shown who has not said how many; 0 when
// the list is not cut. Settings that cannot be read do not keep it from anyone.
func (c *cli) listed(f listFlags) int {
	if f.json || f.most >= 0 {
		return 0
	}
	s, err := config.Load(config.Options{Home: c.home, Env: c.env, Flags: c.flags})
	if err != nil {
		return limit.Set(nil).Int(limit.ThreadsListed)
	}
	return s.Limits.Int(limit.ThreadsListed)
}

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
		Turns: e.Turns, Requests: e.Requests, Usage: e.Tokens, Cost: e.Cost, Bytes: e.Size,
		Created: e.Created, Updated: e.Updated, Damaged: e.Damaged,
	}
}

// printThreads prints a table; what cannot be written shows when w is flushed.
func printThreads(w *bufio.Writer, entries []index.Entry, now time.Time, busy func(id string) bool) {
	models := 0
	for _, e := range entries {
		models = max(models, len(e.Model))
	}
	for _, e := range entries {
		title := cmp.Or(e.Name, e.First)
		if e.Damaged != "" {
			title = "[damaged: " + e.Damaged + "] " + title
		}
		fmt.Fprintf(w, "%s  %-8s  %-11s  %4d turns  %-*s  %s\n",
			short(e.ID), ago(now.Sub(e.Updated)), stateText(e, busy), e.Turns, models, e.Model, firstLine(title, 70))
	}
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
		Args:  between(2, 1_000, "which thread, and what name?"),
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

func (c *cli) threadsDeleteCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "delete ID",
		Short: "Delete a thread's log and notes for good",
		Args:  between(1, 1, "which thread? longrein threads lists them"),
		RunE: func(_ *cobra.Command, args []string) error {
			if args[0] == "" {
				return usage{errors.New("which thread? longrein threads lists them")}
			}
			h, id, err := c.thread(args)
			if err != nil {
				return err
			}
			if !yes && !c.sure("delete thread "+id+" for good?") {
				return usage{errors.New("nothing was deleted; --yes deletes without asking")}
			}
			if err := h.Store().Remove(id); err != nil {
				return err
			}
			if err := os.RemoveAll(h.NotesFolder(id)); err != nil {
				return fmt.Errorf("the log is deleted, but not all of the notes: %w", err)
			}
			fmt.Fprintln(c.out, "deleted", id)
			return nil
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// sure asks the person at the terminal; without one the answer is no.
func (c *cli) sure(question string) bool {
	if !terminal(c.in) || !terminal(c.err) {
		return false
	}
	fmt.Fprint(c.err, question+" [y/N] ")
	line, err := bufio.NewReader(c.in).ReadString('\n')
	return err == nil && strings.EqualFold(strings.TrimSpace(line), "y")
}
