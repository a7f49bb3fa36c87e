package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
)

func (c *cli) verifyCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify ID",
		Short: "Rebuild every request from the log and compare its hash with the logged one",
		Args:  between(1, 1, "which thread? longrein threads lists them"),
		RunE: func(_ *cobra.Command, args []string) error {
			h, id, err := c.thread(args)
			if err != nil {
				return err
			}
			var v verdict
			for check, err := range h.Verify(id) {
				switch {
				case err != nil && check.Seq == 0: // a record, and no request
					v.Unread++
					c.note(err.Error())
				case err != nil:
					v.Bad++
					c.note(err.Error())
				case check.Logged == "": // of a session that was imported
					v.Skipped++
				case !check.OK():
					v.Bad++
					c.note(fmt.Sprintf("request %d: sent %s, the log gives %s", check.Seq, check.Logged, check.Built))
				default:
					v.Good++
				}
			}
			v.Thread = id
			return c.verdict(v, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// verdict is what verify prints with --json.
type verdict struct {
	Thread  string `json:"thread"`
	Good    int    `json:"good"`
	Bad     int    `json:"bad"`
	Skipped int    `json:"skipped,omitempty"` // of another tool
	Unread  int    `json:"unread,omitempty"`  // records that are damaged
}

func (c *cli) verdict(v verdict, asJSON bool) error {
	if asJSON {
		if err := json.NewEncoder(c.out).Encode(v); err != nil {
			return err
		}
	} else {
		c.verdictText(v)
	}
	if v.Bad+v.Unread > 0 {
		return exit{exitFailed}
	}
	return nil
}

func (c *cli) verdictText(v verdict) {
	fmt.Fprintf(c.out, "%d of %s of thread %s rebuilt byte for byte\n", v.Good, counted(v.Good+v.Bad, "request"), v.Thread)
	if v.Skipped > 0 {
		fmt.Fprintf(c.out, "imported: %d; another tool sent them, and nobody knows their bytes\n", v.Skipped)
	}
	if v.Unread > 0 {
		fmt.Fprintf(c.out, "damaged: %s; longrein doctor --repair puts right what it can\n", counted(v.Unread, "record"))
	}
}
