package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/harness"
)

// The commands that bring an item back do so by a record alone, which whoever
// works on the thread next finds; no model is needed for it.

func (c *cli) pinCommand() *cobra.Command {
	return c.itemCommand("pin", "Carry an item into every new window from now on", longrein.Pinned{})
}

func (c *cli) unpinCommand() *cobra.Command {
	return c.itemCommand("unpin", "Carry a pinned item no longer", longrein.Pinned{Off: true})
}

func (c *cli) restoreCommand() *cobra.Command {
	return c.itemCommand("restore", "Show the model an item again, with its next request", longrein.Pinned{Once: true})
}

// itemCommand makes a command that records p about one item of a thread.
func (c *cli) itemCommand(name, what string, p longrein.Pinned) *cobra.Command {
	return &cobra.Command{
		Use:   name + " ID SEQ",
		Short: what,
		Long:  what + ". SEQ is its number, as longrein threads show and longrein forgot print it.",
		Args:  between(2, 2, "which thread, and which item? longrein threads show ID numbers them"),
		RunE: func(_ *cobra.Command, args []string) error {
			seq, err := strconv.ParseInt(strings.TrimPrefix(args[1], "#"), 10, 64)
			if err != nil || seq < 1 {
				return usage{fmt.Errorf("%q is no item's number, which is one such as 412", args[1])}
			}
			h, id, err := c.thread(args[:1])
			if err != nil {
				return err
			}
			item, err := c.itemAt(h, id, seq)
			if err != nil {
				return usage{err}
			}
			p.Seq = seq
			if !p.Off {
				p.Item = item
			}
			if err := h.Record(id, p); err != nil {
				return err
			}
			fmt.Fprintln(c.out, firstLine(pinText(p), 120))
			return nil
		},
	}
}

// itemAt returns the worker's item of a record, or says what else the record is.
func (c *cli) itemAt(h *harness.Harness, id string, seq int64) (longrein.Item, error) {
	for r, err := range h.Store().From(id, seq-1) {
		switch {
		case err != nil:
			return nil, err
		case r.Seq != seq:
			return nil, fmt.Errorf("record %d of thread %s cannot be read", seq, id)
		}
		if a, ok := r.Body.(longrein.Appended); ok {
			return a.Item, nil
		}
		return nil, fmt.Errorf("record %d is no item that the model was shown: %s\nitems are numbered by longrein forgot %s and longrein threads show %s", seq, firstLine(recordText(r.Body), 100), short(id), short(id))
	}
	return nil, fmt.Errorf("the log of thread %s has no record %d", id, seq)
}
