package main

import (
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/catalogue"
)

func (c *cli) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  between(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return json.NewEncoder(c.out).Encode(map[string]any{
					"version": version, "go": runtime.Version(), "system": runtime.GOOS + "/" + runtime.GOARCH,
					"log_format": longrein.LogFormat, "catalogue": catalogue.Version(),
				})
			}
			_, err := fmt.Fprintf(c.out, "longrein %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
