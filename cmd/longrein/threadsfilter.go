package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/index"
	"github.com/longrein/longrein/limit"
)

// listFlags are the flags of list and search.
type listFlags struct {
	json, archived, here bool
	branch, model        string
	since, until         string
	most                 int
}

func (f *listFlags) declare(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object a line")
	cmd.Flags().BoolVar(&f.archived, "archived", false, "those in the archive")
	cmd.Flags().BoolVar(&f.here, "here", false, "only those of this folder")
	cmd.Flags().StringVar(&f.branch, "branch", "", "only those that began on this git branch")
	cmd.Flags().StringVar(&f.model, "with-model", "", "only those that work with this model")
	cmd.Flags().StringVar(&f.since, "since", "", "only those that were worked on since: an age (7d) or a day (2026-01-31)")
	cmd.Flags().StringVar(&f.until, "until", "", "only those that were not worked on since")
	cmd.Flags().IntVarP(&f.most, "number", "n", -1, "at most so many; 0: all (default: all with --json, else 50)")
	unshown(cmd, "number")
}

// query is what the flags ask for, and how many threads are shown, 0 for all. One
// more than those is asked for, which shows that there are more.
func (c *cli) query(f listFlags) (q index.Query, most int, err error) {
	q = index.Query{Archived: f.archived, Branch: f.branch, Model: f.model, Limit: max(f.most, 0)}
	if f.here {
		if q.Cwd, err = c.cwd(); err != nil {
			return q, 0, err
		}
	}
	now := time.Now()
	if q.Since, err = moment(f.since, now); err != nil {
		return q, 0, usage{fmt.Errorf("--since: %w", err)}
	}
	if q.Until, err = moment(f.until, now); err != nil {
		return q, 0, usage{fmt.Errorf("--until: %w", err)}
	}
	if !f.json && f.most < 0 {
		most = c.bounds().Int(limit.ThreadsListed)
		q.Limit = most + 1
	}
	return q, most, nil
}

// moment reads an age before now, or a day as it began here; "" is no moment.
func moment(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	age, err := config.ParseAge(text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%w, or a day such as 2026-01-31", err)
	}
	return now.Add(-age), nil
}

// own are the user's settings without any project's: no project decides how threads
// are listed, or how long they are kept.
func (c *cli) own() (*config.Settings, error) {
	return config.Load(config.Options{Home: c.home, Env: c.env, Flags: c.flags, Strategies: harness.Strategies()})
}

// bounds are the user's limits. Settings that cannot be read keep no list from
// anyone.
func (c *cli) bounds() limit.Set {
	s, err := c.own()
	if err != nil {
		return nil
	}
	return s.Limits
}

// lookBounded is look with the user's limits.
func (c *cli) lookBounded() *harness.Harness {
	s := &config.Settings{Paths: config.Homes(c.home, c.env), Limits: c.bounds()}
	return harness.New(harness.Options{Settings: s, Version: version, Env: c.env, Notify: c.note})
}
