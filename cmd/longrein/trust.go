package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/config"
)

func (c *cli) trustCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "trust",
		Short: "Let the settings of the project in this folder count",
		Args:  between(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			dir, err := c.cwd()
			if err != nil {
				return err
			}
			project := config.Project(dir)
			if project == "" {
				return usage{errors.New("there is no .longrein/config.toml here to trust")}
			}
			if err := config.Homes(c.home, c.env).Trust(project); err != nil {
				return err
			}
			fmt.Fprintf(c.out, "the settings of %s count from now on\n", project)
			return nil
		},
	}
}
