package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/tokens"
)

// contextReport is what context prints.
type contextReport struct {
	assemble.Report
	Seq      int64           `json:"seq,omitempty"`      // of the request; none: the next one
	Reported *longrein.Usage `json:"reported,omitempty"` // by the provider
	Next     *nextReport     `json:"next_window,omitempty"`
}

// contextFlags are the flags of context.
type contextFlags struct {
	at         int64
	turn, step int
	json, body bool
	diff       bool
	survives   string
}

func (c *cli) contextCommand() *cobra.Command {
	var f contextFlags
	cmd := &cobra.Command{
		Use:   "context ID [--at SEQ | --turn N --step N] [--survives TEXT | --diff A B]",
		Short: "Explain what the model saw or will see, and what would survive the next window",
		Long: "Explain a request: what it holds by tier and kind of item, what of it the provider should have in its cache, what was\n" +
			"cut and where to read it, and what would become of it all if a new window began now. Nothing is asked of a model.\n\n" +
			"--diff A B compares two requests, named by the numbers of their records, or next for the one that comes next.\n" +
			"--survives TEXT says whether a rule or sentence reaches the model now and after the next window, and if not, why and\n" +
			"where to put it. Case and blanks do not matter. The exit code is 0 when it reaches the model now and then, else 1.",
		Example: "  longrein context 0193f2\n  longrein context 0193f2 --diff 41 next\n  longrein context 0193f2 --survives \"never push to main\"",
		Args:    between(1, 3, "which thread? longrein threads lists them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(args); err != nil {
				return usage{err}
			}
			if cmd.Flags().Changed("survives") && strings.TrimSpace(f.survives) == "" {
				return usage{errNoText}
			}
			h, id, err := c.thread(args[:1])
			if err != nil {
				return err
			}
			return c.explain(cmd.Context(), h, id, f, args[1:])
		},
	}
	cmd.Flags().Int64Var(&f.at, "at", 0, "the last request up to this record; without it, the one that comes next")
	cmd.Flags().IntVar(&f.turn, "turn", 0, "the last request of this turn")
	cmd.Flags().IntVar(&f.step, "step", 0, "the request with this number, in the thread or in the turn")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "compare two requests")
	cmd.Flags().StringVar(&f.survives, "survives", "", "does this text reach the model, now and after the next window?")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&f.body, "body", false, "print the request's body, byte for byte")
	return cmd
}

// check finds flags that do not go together.
func (f contextFlags) check(args []string) error {
	place := f.turn != 0 || f.step != 0
	switch {
	case f.diff && len(args) != 3:
		return errors.New("which two requests? longrein context ID --diff A B, with the numbers of their records, or next")
	case !f.diff && len(args) > 1:
		return fmt.Errorf("context takes no argument %q; see longrein context --help", args[1])
	case f.turn < 0 || f.step < 0 || f.at < 0:
		return errors.New("requests, turns and steps are counted from 1")
	case place && f.at != 0:
		return errors.New("--at names a request, and so do --turn and --step: choose one")
	case f.diff && (place || f.at != 0 || f.body || f.survives != ""):
		return errors.New("--diff names its two requests itself and goes with --json only")
	case f.body && f.survives != "":
		return errors.New("--body and --survives do not go together")
	}
	return nil
}

// explain prints what is asked for.
func (c *cli) explain(ctx context.Context, h *harness.Harness, id string, f contextFlags, rest []string) error {
	if f.diff {
		return c.contextDiff(h, id, rest[0], rest[1], f.json)
	}
	at := f.at
	if f.turn != 0 || f.step != 0 {
		seq, err := h.RequestOf(id, f.turn, f.step)
		if err != nil {
			return err
		}
		at = seq
	}
	m, err := h.At(id, at)
	switch {
	case err != nil:
		return err
	case f.body:
		return c.printBody(m)
	case f.survives != "":
		return c.contextSurvives(ctx, h, id, m, f)
	}
	return c.printContext(ctx, h, id, m, f.json)
}

func (c *cli) printBody(m harness.Moment) error {
	req, _, err := m.State.Request()
	if err != nil {
		return err
	}
	_, err = c.out.Write(req.Body)
	return err
}

func (c *cli) printContext(ctx context.Context, h *harness.Harness, id string, m harness.Moment, asJSON bool) error {
	r, err := assemble.Explain(m.State, tokens.Count)
	if err != nil {
		return err
	}
	report := contextReport{Report: r, Seq: m.Seq}
	if m.Answered != nil {
		report.Reported = &m.Answered.Usage
	}
	next, err := c.outlook(ctx, h, id, m)
	if err != nil {
		c.note("what would survive the next window cannot be said: " + err.Error())
	} else {
		report.Next = newNextReport(m.State, next)
	}
	if asJSON {
		return json.NewEncoder(c.out).Encode(report)
	}
	printReport(c.out, report)
	return nil
}

// outlook asks the thread's strategy, with the settings of the thread's folder, for
// the window that would come next.
func (c *cli) outlook(ctx context.Context, h *harness.Harness, id string, m harness.Moment) (harness.Outlook, error) {
	dir := m.State.Thread.Cwd
	if c.dir != "" {
		folder, err := c.cwd()
		if err != nil {
			return harness.Outlook{}, err
		}
		dir = folder
	}
	if own, err := c.at(dir, nil); err == nil {
		h = own
	} else {
		c.note("the settings are left aside: " + err.Error())
	}
	return h.Outlook(ctx, id, m.Seq, c.flagged("--strategy"))
}

// flagged returns the value of a shared flag, "" when it is not given.
func (c *cli) flagged(name string) (value string) {
	for _, f := range c.flags {
		if f.Name == name {
			value = f.Value
		}
	}
	return value
}

// moment finds a request by what a user calls it.
func (c *cli) moment(h *harness.Harness, id, name string) (harness.Moment, error) {
	if name == "next" {
		return h.At(id, 0)
	}
	seq, err := strconv.ParseInt(name, 10, 64)
	if err != nil || seq < 1 {
		return harness.Moment{}, usage{fmt.Errorf("%q names no request: give the number of its record, or next", name)}
	}
	return h.At(id, seq)
}
