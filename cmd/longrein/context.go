package main

import (
	"encoding/json"
	"fmt"
	"io"
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
}

func (c *cli) contextCommand() *cobra.Command {
	var at int64
	var asJSON, body bool
	cmd := &cobra.Command{
		Use:   "context ID [--at SEQ]",
		Short: "Show exactly what the model saw or will see, layer by layer",
		Args:  between(1, 1, "which thread? longrein threads lists them"),
		RunE: func(_ *cobra.Command, args []string) error {
			h, id, err := c.thread(args)
			if err != nil {
				return err
			}
			m, err := h.At(id, at)
			if err != nil {
				return err
			}
			if body {
				return c.printBody(m)
			}
			return c.printContext(m, asJSON)
		},
	}
	cmd.Flags().Int64Var(&at, "at", 0, "the last request up to this record; without it, the one that comes next")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&body, "body", false, "print the request's body, byte for byte")
	return cmd
}

func (c *cli) printBody(m harness.Moment) error {
	req, _, err := m.State.Request()
	if err != nil {
		return err
	}
	_, err = c.out.Write(req.Body)
	return err
}

func (c *cli) printContext(m harness.Moment, asJSON bool) error {
	r, err := assemble.Explain(m.State, tokens.Count)
	if err != nil {
		return err
	}
	report := contextReport{Report: r, Seq: m.Seq}
	if m.Answered != nil {
		report.Reported = &m.Answered.Usage
	}
	if asJSON {
		return json.NewEncoder(c.out).Encode(report)
	}
	printReport(c.out, report)
	return nil
}

func printReport(w io.Writer, r contextReport) {
	which := "the next request"
	if r.Seq != 0 {
		which = fmt.Sprintf("request %d", r.Seq)
	}
	fmt.Fprintf(w, "%s of thread %s\nmodel %s over %s, window %d (%s)\n\n", which, r.Thread, r.Model, r.Wire, r.Window, r.Why)
	for _, l := range r.Layers {
		entries := ""
		if l.Entries > 0 {
			entries = fmt.Sprintf("%d items", l.Entries)
		}
		fmt.Fprintf(w, "  %-21s %8s %5.1f%%  %-20s %s\n", l.Name, count(int64(l.Tokens)), 100*l.Share, bar(l.Share), entries)
	}
	size := "of an unknown context window"
	if r.ContextWindow > 0 {
		size = fmt.Sprintf("%.1f%% of %s (%s)", 100*float64(r.Tokens)/float64(r.ContextWindow), count(int64(r.ContextWindow)), r.ContextSource)
	}
	fmt.Fprintf(w, "  %-21s %8s        %s\n\n", "in all", count(int64(r.Tokens)), size)
	fmt.Fprintf(w, "expected, as the provider counts: %s tokens, %s of them from the cache (%s)\n",
		count(int64(r.Estimate)), count(int64(r.ExpectedCached)), percent(r.ExpectedCached, r.Estimate))
	printReported(w, r)
	fmt.Fprintf(w, "%d bytes, sha256 %s\n", r.Bytes, r.Hash)
	for _, h := range r.Cuts {
		fmt.Fprintf(w, "cut by limit %s = %d %s: %s\n", h.Name, h.Value, h.Unit, cutText(h))
	}
	if len(r.Cuts) == 0 {
		fmt.Fprintln(w, "nothing was cut")
	}
}

func printReported(w io.Writer, r contextReport) {
	whose := "reported by the provider"
	if r.Seq == 0 {
		whose += " for the request before"
	}
	if r.Reported == nil || !r.Reported.Reported {
		fmt.Fprintf(w, "%s: nothing\n", whose)
		return
	}
	u := r.Reported
	fmt.Fprintf(w, "%s: %s tokens in, %s of them from the cache (%s)\n", whose,
		count(u.Input), count(u.Cached), percent(int(u.Cached), int(u.Input)))
}

func percent(part, whole int) string {
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(max(whole, 1)))
}

// bar draws a share as up to twenty marks.
func bar(share float64) string { return strings.Repeat("#", int(share*20+0.5)) }
