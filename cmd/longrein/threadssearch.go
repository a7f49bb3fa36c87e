package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/index"
	"github.com/longrein/longrein/limit"
)

func (c *cli) threadsSearchCommand() *cobra.Command {
	var f listFlags
	cmd := &cobra.Command{
		Use:   "search WORDS",
		Short: "Search what was said and done in threads, and their names",
		Long: "Search names, inputs, messages, tool calls with their commands and paths, and what outputs begin with. A thread\n" +
			"is found when it has all words; a word of three letters or more is found as the beginning of another too, and\n" +
			"\"words in quotes\" as they stand. The best comes first: names, then what you asked, then all else; rare words\n" +
			"count more than common ones.",
		Example: "  longrein threads search parser quote\n  longrein threads search '\"undefined: unquote\"' --here --since 30d",
		Args:    between(1, 1_000, "which words?"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.search(cmd.Context(), f, strings.Join(args, " "))
		},
	}
	f.declare(cmd)
	return cmd
}

func (c *cli) search(ctx context.Context, f listFlags, text string) error {
	q, most, err := c.query(f)
	if err != nil {
		return err
	}
	h := c.lookBounded()
	var hits []index.Hit
	behind, err := c.soon(ctx, h, f, func(x *index.Index) error {
		hits, err = x.Search(ctx, q, text)
		return err
	})
	if errors.Is(err, index.ErrWords) {
		return usage{err}
	}
	if err != nil {
		return err
	}
	out := bufio.NewWriter(c.out)
	if f.json {
		return errors.Join(printHitRows(out, hits), out.Flush())
	}
	more := most > 0 && len(hits) > most
	if more {
		hits = hits[:most]
	}
	if len(hits) == 0 {
		fmt.Fprintln(out, "nothing was found")
	}
	printHits(out, hits, time.Now())
	if more {
		fmt.Fprintf(out, "and others; -n 0 shows all (limit %s = %d)\n", limit.ThreadsListed.Name, most)
	}
	return errors.Join(out.Flush(), c.rest(behind))
}

func printHits(w io.Writer, hits []index.Hit, now time.Time) {
	for _, h := range hits {
		fmt.Fprintf(w, "%s  %-8s  %s\n", short(h.ID), ago(now.Sub(h.Updated)), title(h.Entry))
		if h.Kind != index.KindName {
			fmt.Fprintf(w, "    %s: %s\n", place(h), printable(h.Text))
		}
	}
}

// place says where words were found.
func place(h index.Hit) string {
	text := fmt.Sprintf("turn %d, %s", h.Turn, h.Kind)
	if h.Hidden {
		text += " (taken back)"
	}
	return text
}

// hitRow is a thread that a search found, as it is printed for programs.
type hitRow struct {
	threadRow
	Kind   index.Kind `json:"kind"`
	Turn   int        `json:"turn,omitempty"`
	Seq    int64      `json:"seq,omitempty"`
	Hidden bool       `json:"hidden,omitempty"`
	Text   string     `json:"text"`
	Marks  [][2]int   `json:"marks"` // bytes of text
}

func printHitRows(w io.Writer, hits []index.Hit) error {
	lines := newJSONLines(w)
	for _, h := range hits {
		lines.write(hitRow{rowOf(h.Entry), h.Kind, h.Turn, h.Seq, h.Hidden, h.Text, h.Marks})
	}
	return lines.err
}
