package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/rules"
)

// limitRow is one limit as limits prints it.
type limitRow struct {
	Name    string     `json:"name"`
	Value   int64      `json:"value"`
	Unit    limit.Unit `json:"unit"`
	Default int64      `json:"default"`
	Min     int64      `json:"min"`
	Max     int64      `json:"max"`
	What    string     `json:"what"`
	Why     string     `json:"why"`
	Source  string     `json:"source"`
	Planned string     `json:"planned,omitempty"`
	// Bites is how often it bit in a thread; without a thread it is left out.
	Bites *bites `json:"bites,omitempty"`
	// Rules are the IDs of the rule book that name it, for a single one.
	Rules []string `json:"rules,omitempty"`
}

// bites counts how often a limit bit, and what it cut by unit.
type bites struct {
	Times int              `json:"times"`
	Cut   map[string]int64 `json:"cut,omitempty"`
}

func (b *bites) add(h longrein.LimitHit) {
	b.Times++
	if h.Cut == 0 {
		return
	}
	if b.Cut == nil {
		b.Cut = map[string]int64{}
	}
	b.Cut[cutUnit(h)] += h.Cut
}

// limitFlags are the flags of limits.
type limitFlags struct {
	json, last bool
	thread     string
}

func (c *cli) limitsCommand() *cobra.Command {
	var f limitFlags
	cmd := &cobra.Command{
		Use:   "limits [NAME] [--thread ID | --last]",
		Short: "List every number that can cut, drop, refuse or delay something",
		Long: "List every number that can cut, drop, refuse or delay something, with its value and meaning.\n" +
			"With a NAME, say all about one: why it is there, what it may be, and how to set it.\n" +
			"With a thread, say how often each bit there and what it cut.",
		Args: between(0, 1, ""),
		RunE: func(_ *cobra.Command, args []string) error {
			rows, err := c.limitRows(f)
			if err != nil {
				return err
			}
			if len(args) > 0 {
				if rows, err = named(rows, args[0]); err != nil {
					return err
				}
				if rows[0].Rules, err = rulesOn(args[0]); err != nil {
					return err
				}
			}
			return c.printLimits(rows, f.json, len(args) > 0)
		},
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object a line")
	cmd.Flags().StringVar(&f.thread, "thread", "", "count how often each bit in this thread")
	cmd.Flags().BoolVar(&f.last, "last", false, "count in the thread that was worked on last, in this folder if there is one")
	cmd.MarkFlagsMutuallyExclusive("thread", "last")
	return cmd
}

// limitRows returns a row for every limit, counted in a thread if one is named.
func (c *cli) limitRows(f limitFlags) ([]limitRow, error) {
	dir, err := c.cwd()
	if err != nil {
		return nil, err
	}
	s, err := c.settings(dir)
	if err != nil {
		return nil, err
	}
	rows := rowsOf(s)
	if f.thread == "" && !f.last {
		return rows, nil
	}
	bit, err := c.bitten(f.thread)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		b := bit[rows[i].Name]
		rows[i].Bites = &b
	}
	return rows, nil
}

func rowsOf(s *config.Settings) []limitRow {
	rows := make([]limitRow, len(limit.All))
	for i, l := range limit.All {
		rows[i] = limitRow{
			Name: l.Name, Value: s.Limits.Of(l), Unit: l.Unit, Default: l.Default, Min: l.Min, Max: l.Max,
			What: l.What, Why: l.Why, Source: s.Source("limits." + l.Name), Planned: l.Planned,
		}
	}
	return rows
}

// bitten counts how often each limit bit in a thread, the one that was worked on
// last if id is empty. A damaged line is told and the rest counted.
func (c *cli) bitten(id string) (map[string]bites, error) {
	h, id, err := c.thread([]string{id})
	if err != nil {
		return nil, err
	}
	out := map[string]bites{}
	for r, err := range h.Store().Read(id) {
		if err != nil {
			c.note(err.Error())
			continue
		}
		if hit, ok := r.Body.(longrein.LimitHit); ok {
			b := out[hit.Name]
			b.add(hit)
			out[hit.Name] = b
		}
	}
	return out, nil
}

func named(rows []limitRow, name string) ([]limitRow, error) {
	i := slices.IndexFunc(rows, func(r limitRow) bool { return r.Name == name })
	if i >= 0 {
		return rows[i : i+1], nil
	}
	return nil, usage{fmt.Errorf("there is no limit %q%s", name, nearLimits(name))}
}

// rulesOn returns the IDs of the rules that name a limit.
func rulesOn(name string) ([]string, error) {
	book, err := rules.Load()
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, r := range (rules.Filter{Limit: name}).Of(book.Rules) {
		ids = append(ids, r.ID)
	}
	return ids, nil
}

// nearLimits names the limits that somebody may have meant: the one that a slip
// away is the name, or those that share a word with it.
func nearLimits(name string) string {
	var names, near []string
	asked := strings.Split(strings.ToLower(name), "-")
	for _, l := range limit.All {
		names = append(names, l.Name)
		if slices.ContainsFunc(strings.Split(l.Name, "-"), func(w string) bool { return slices.Contains(asked, w) }) {
			near = append(near, l.Name)
		}
	}
	switch text := config.DidYouMean(name, names); {
	case text != "":
		return text + " See longrein limits"
	case len(near) == 0:
		return "; longrein limits lists them"
	}
	return "; there are " + strings.Join(near, ", ")
}
