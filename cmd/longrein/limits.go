package main

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/limit"
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
}

func (c *cli) limitsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "limits [NAME]",
		Short: "List every number that can cut, drop, refuse or delay something",
		Args:  between(0, 1, ""),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := c.cwd()
			if err != nil {
				return err
			}
			s, err := c.settings(dir)
			if err != nil {
				return err
			}
			rows := limitRows(s)
			if len(args) == 1 {
				if rows = named(rows, args[0]); rows == nil {
					return usage{errors.New(slip(fmt.Sprintf("there is no limit %q", args[0]), args[0], limitNames(), "see longrein limits"))}
				}
			}
			return c.printLimits(rows, asJSON, len(args) == 1)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

func limitRows(s *config.Settings) []limitRow {
	var rows []limitRow
	for _, l := range limit.All {
		rows = append(rows, limitRow{
			Name: l.Name, Value: s.Limits.Of(l), Unit: l.Unit, Default: l.Default, Min: l.Min, Max: l.Max,
			What: l.What, Why: l.Why, Source: s.Source("limits." + l.Name),
		})
	}
	return rows
}

func limitNames() []string {
	names := make([]string, len(limit.All))
	for i, l := range limit.All {
		names[i] = l.Name
	}
	return names
}

func named(rows []limitRow, name string) []limitRow {
	for _, r := range rows {
		if r.Name == name {
			return []limitRow{r}
		}
	}
	return nil
}

func (c *cli) printLimits(rows []limitRow, asJSON, whole bool) error {
	if asJSON {
		lines := newJSONLines(c.out)
		for _, r := range rows {
			lines.write(r)
		}
		return lines.err
	}
	if whole {
		r := rows[0]
		fmt.Fprintf(c.out, "%s = %d %s (%s)\n  default %d, from %d to %d\n  %s\n  because %s\n  set it: -c limits.%s=N, or in config.toml under [limits]\n",
			r.Name, r.Value, r.Unit, r.Source, r.Default, r.Min, r.Max, r.What, r.Why, r.Name)
		return nil
	}
	w := tabwriter.NewWriter(c.out, 0, 4, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", r.Name, r.Value, r.Unit, r.What)
	}
	return w.Flush()
}
