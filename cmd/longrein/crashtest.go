package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/crashtest"
)

// crashFlags are the flags of crashtest.
type crashFlags struct {
	seeds  int
	seed   int64
	points int64
	json   bool
}

func (c *cli) crashtestCommand() *cobra.Command {
	var f crashFlags
	cmd := &cobra.Command{
		Use:   "crashtest [--points N | --seeds N | --seed S] [--json]",
		Short: "Let threads crash at every point of random lives, on a simulated disk, and check what is left",
		Long: "Let threads crash at every point of random lives, on a simulated disk: kills, power cuts, a full disk, failing\n" +
			"reads, writes and syncs, and single bytes that are damaged. It looks at none of your threads and writes nothing.\n" +
			"What must hold is in docs/durability.md. Exit code 0: it held; 1: it did not, and --seed S shows the same again.",
		Args: between(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := f.options(cmd.Flags().Changed("seed"))
			if err != nil {
				return usage{err}
			}
			if !f.json {
				o.Progress = c.crashProgress()
			}
			start := time.Now()
			counts, err := crashtest.Run(cmd.Context(), o)
			return c.crashResult(f, counts, time.Since(start), err)
		},
	}
	flags := cmd.Flags()
	flags.Int64Var(&f.points, "points", 10_000, "crash points to try at least")
	flags.IntVar(&f.seeds, "seeds", 0, "lives to try, in place of --points; one has about 1,500 crash points")
	flags.Int64Var(&f.seed, "seed", 1, "the first life; alone, no other one is tried")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

// options are what the flags ask for.
func (f crashFlags) options(one bool) (crashtest.Options, error) {
	if f.points < 1 || f.seeds < 0 {
		return crashtest.Options{}, errors.New("--points and --seeds count from 1")
	}
	o := crashtest.Options{Seed: f.seed, Seeds: f.seeds, Points: f.points}
	if one && f.seeds == 0 {
		o.Seeds = 1
	}
	return o, nil
}

// crashProgress tells now and then how far it has come.
func (c *cli) crashProgress() func(crashtest.Counts) {
	const pause = 5 * time.Second // fixed: how often a line is printed
	last := time.Now()
	return func(n crashtest.Counts) {
		if time.Since(last) >= pause { // fixed: as above
			last = time.Now()
			fmt.Fprintf(c.err, "%d crash points in %s\n", n.Points, lives(n.Lives))
		}
	}
}

func lives(n int64) string {
	if n == 1 {
		return "1 life"
	}
	return fmt.Sprintf("%d lives", n)
}

func (c *cli) crashResult(f crashFlags, n crashtest.Counts, took time.Duration, err error) error {
	var failure *crashtest.Failure
	if err != nil && !errors.As(err, &failure) {
		return err
	}
	if f.json {
		err = c.printJSON(struct {
			Version string `json:"version"`
			crashtest.Counts
			Millis  int64              `json:"ms"`
			Failure *crashtest.Failure `json:"failure,omitempty"`
		}{version, n, took.Milliseconds(), failure})
		if err != nil {
			return err
		}
	} else {
		fmt.Fprintf(c.out, "%d crash points in %s (%d kills, %d power cuts, %d of them while recovering), %d faults of the disk, %d damaged bytes, in %v\n",
			n.Points, lives(n.Lives), n.Kills, n.PowerCuts, n.Nested, n.Faults, n.Damages, took.Round(time.Millisecond))
	}
	switch {
	case failure == nil && !f.json:
		fmt.Fprintln(c.out, "nothing that was acknowledged is lost, and no state differs")
	case failure != nil && !f.json:
		fmt.Fprintf(c.out, "longrein %s: %v\n", version, failure)
	}
	if failure != nil {
		return exit{exitFailed}
	}
	return nil
}
