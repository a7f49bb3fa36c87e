package main

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein"
)

// forked is what fork prints with --json.
type forked struct {
	Thread string `json:"thread"`
	Parent string `json:"parent"`
	At     int64  `json:"at"` // last record of the parent that it shares
}

func (c *cli) forkCommand() *cobra.Command {
	at, name, asJSON := -1, "", false
	cmd := &cobra.Command{
		Use:   "fork [ID] [--at TURN]",
		Short: "Begin a thread that goes on where another one stands, or stood",
		Long: "Begin a thread that goes on where another one stands, or where it stood when a turn had ended. It shares what\n" +
			"came before and copies nothing; the other thread is not changed. Files are not put back: longrein undo does that.\n" +
			"Without ID it is the thread that was worked on last.",
		Example: "  longrein fork 0193f2 --at 3 --name \"the other way\"",
		Args:    between(0, 1, ""),
		RunE: func(_ *cobra.Command, args []string) error {
			return c.fork(args, at, name, asJSON)
		},
	}
	cmd.Flags().IntVar(&at, "at", -1, "after this turn, 0: before the first one (default: after all)")
	unshown(cmd, "at")
	cmd.Flags().StringVar(&name, "name", "", "name of the new thread")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (c *cli) fork(args []string, at int, name string, asJSON bool) error {
	h, id, err := c.thread(args)
	if err != nil {
		return err
	}
	f := forked{Parent: id}
	if at >= 0 {
		line, err := h.Timeline(id)
		if err != nil {
			return err
		}
		if f.At, err = line.End(at); err != nil {
			return usage{fmt.Errorf("%w; longrein timeline %s lists the turns", err, short(id))}
		}
	}
	if f.Thread, f.At, err = h.Fork(id, f.At); err != nil {
		return err
	}
	if name != "" {
		if err := h.Record(f.Thread, longrein.Renamed{Name: name}); err != nil {
			return err
		}
	}
	if asJSON {
		return json.NewEncoder(c.out).Encode(f)
	}
	fmt.Fprintln(c.out, f.Thread)
	fmt.Fprintf(c.err, "thread %s goes on from record %d of %s; longrein resume %s \"…\"\n", cmp.Or(name, short(f.Thread)), f.At, short(id), short(f.Thread))
	return nil
}
