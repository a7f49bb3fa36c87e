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
			good, bad, skipped := 0, 0, 0
			for check, err := range h.Verify(id) {
				switch {
				case err != nil:
					bad++
					c.note(err.Error())
				case check.Logged == "": // of a session that was imported
					skipped++
				case !check.OK():
					bad++
					c.note(fmt.Sprintf("request %d: sent %s, the log gives %s", check.Seq, check.Logged, check.Built))
				default:
					good++
				}
			}
			return c.verdict(id, good, bad, skipped, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (c *cli) verdict(id string, good, bad, skipped int, asJSON bool) error {
	if asJSON {
		err := json.NewEncoder(c.out).Encode(struct {
			Thread  string `json:"thread"`
			Good    int    `json:"good"`
			Bad     int    `json:"bad"`
			Skipped int    `json:"skipped,omitempty"`
		}{id, good, bad, skipped})
		if err != nil {
			return err
		}
	} else {
		fmt.Fprintf(c.out, "%d of %d requests of thread %s are rebuilt byte for byte\n", good, good+bad, id)
		if skipped > 0 {
			fmt.Fprintf(c.out, "%d were imported: another tool sent them, and nobody knows their bytes\n", skipped)
		}
	}
	if bad > 0 {
		return exit{exitFailed}
	}
	return nil
}
