package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/index"
	"github.com/longrein/longrein/provider/catalogue"
	"github.com/longrein/longrein/provider/local"
)

// finding is one thing that doctor looked at.
type finding struct {
	What  string `json:"what"`
	State string `json:"state"` // "ok", "note" or "bad"
	Text  string `json:"text"`
	Where string `json:"where,omitempty"`
}

// String is the finding as a line for people.
func (f finding) String() string {
	text := fmt.Sprintf("%-5s %-12s %s", f.State, f.What, f.Text)
	if f.Where != "" {
		text += " (" + f.Where + ")"
	}
	return printable(text)
}

const (
	good = "ok"
	note = "note"
	bad  = "bad"
)

func (c *cli) doctorCommand() *cobra.Command {
	var rebuild, repair, asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is wrong here, and what is not",
		Args:  between(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			depth := index.Full
			if rebuild {
				depth = index.Rebuild
			}
			return c.doctor(cmd.Context(), depth, repair, asJSON)
		},
	}
	cmd.Flags().BoolVar(&rebuild, "rebuild-index", false, "make the index anew from the logs")
	cmd.Flags().BoolVar(&repair, "repair", false, "put right what is damaged in logs; they are kept beside as they were")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

func (c *cli) doctor(ctx context.Context, depth index.Depth, repair, asJSON bool) error {
	found := c.examine(ctx, depth, repair)
	lines := newJSONLines(c.out)
	sick := 0
	for _, f := range found {
		if f.State == bad {
			sick++
		}
		if asJSON {
			lines.write(f)
			continue
		}
		fmt.Fprintln(c.out, f)
	}
	if sick > 0 {
		return exit{exitFailed}
	}
	return lines.err
}

// examine looks at everything in turn; a settings file that cannot be read does
// not keep the rest from being looked at.
func (c *cli) examine(ctx context.Context, depth index.Depth, repair bool) []finding {
	found := []finding{{What: "version", State: good, Text: "longrein " + version + ", " + catalogue.Version()}}
	dir, err := c.cwd()
	if err != nil {
		return append(found, finding{What: "folder", State: bad, Text: err.Error()})
	}
	s, err := config.Load(config.Options{Home: c.home, Cwd: dir, Env: c.env, Flags: c.flags, Strategies: harness.Strategies()})
	if err != nil {
		found = append(found, finding{What: "settings", State: bad, Text: err.Error()})
		s = &config.Settings{Paths: config.Homes(c.home, c.env), Sandbox: "workspace-write"}
	} else {
		found = append(found, finding{What: "settings", State: good, Text: settingsText(s)})
	}
	for _, w := range s.Warnings {
		found = append(found, finding{What: "settings", State: note, Text: w.Text})
	}
	h := harness.New(harness.Options{Settings: s, Cwd: dir, Version: version, Env: c.env, Notify: func(text string) {
		found = append(found, finding{What: "index", State: note, Text: text})
	}})
	found = append(found, c.models(ctx, s)...)
	found = append(found, sandboxFinding(ctx, h), programs(), storeFinding(s))
	found = append(found, logFindings(ctx, h.Store(), repair)...)
	found = append(found, snapshotFinding(ctx, h))
	found = append(found, threadFindings(ctx, h, depth)...)
	return append(found, c.instructionFindings(ctx, h, s, dir)...)
}

func settingsText(s *config.Settings) string {
	set := s.Changed()
	if len(set) == 0 {
		return "all built-in; " + s.Paths.Config + " may hold a config.toml"
	}
	var parts []string
	for _, key := range set {
		parts = append(parts, key+" from "+s.Source(key))
	}
	return strings.Join(parts, ", ")
}

// models says which providers could be asked. It shows names of keys, never
// their values, and asks nobody but servers on this machine.
func (c *cli) models(ctx context.Context, s *config.Settings) []finding {
	var keys []string
	for _, name := range slices.Sorted(maps.Keys(s.Providers)) {
		if p := s.Providers[name]; p.Key.Env != "" && c.getenv(p.Key.Env) != "" {
			keys = append(keys, name+" ("+p.Key.Env+")")
		}
	}
	var found []finding
	if len(keys) > 0 {
		found = append(found, finding{What: "keys", State: good, Text: strings.Join(keys, ", ")})
	} else {
		found = append(found, finding{What: "keys", State: note, Text: "none of the providers' keys is in the environment"})
	}
	if text := local.Text(local.Find(ctx, local.Options{Limits: s.Limits})); text != "" {
		return append(found, finding{What: "servers", State: good, Text: text})
	}
	return append(found, finding{What: "servers", State: note, Text: "no local model server answers"})
}

func (c *cli) getenv(name string) string {
	for _, e := range c.env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}

func sandboxFinding(ctx context.Context, h *harness.Harness) finding {
	r := h.Sandbox(ctx)
	text := string(r.Method)
	if r.Why != "" {
		text += ": " + r.Why
	}
	if !r.Holds() {
		return finding{What: "sandbox", State: note, Text: text + "; every command is asked about"}
	}
	return finding{What: "sandbox", State: good, Text: text}
}

// programs says which optional programs are there.
func programs() finding {
	var missing []string
	for _, p := range []string{"git", "rg", "bwrap"} {
		if _, err := exec.LookPath(p); err != nil {
			missing = append(missing, p)
		}
	}
	if len(missing) > 0 {
		return finding{What: "programs", State: note, Text: "not installed, and done without: " + strings.Join(missing, ", ")}
	}
	return finding{What: "programs", State: good, Text: "git, rg and bwrap are there"}
}

// storeFinding tries whether threads can be written.
func storeFinding(s *config.Settings) finding {
	if err := os.MkdirAll(s.Paths.Data, 0o700); err != nil {
		return finding{What: "store", State: bad, Text: fmt.Sprintf("threads cannot be kept: %v; use --home with a folder that can be written", err)}
	}
	f, err := os.CreateTemp(s.Paths.Data, ".doctor-")
	if err != nil {
		return finding{What: "store", State: bad, Text: fmt.Sprintf("threads cannot be kept: %v; use --home with a folder that can be written", err)}
	}
	_ = f.Close() // it is empty
	_ = os.Remove(f.Name())
	return finding{What: "store", State: good, Text: s.Paths.Data}
}

func threadFindings(ctx context.Context, h *harness.Harness, depth index.Depth) []finding {
	r, err := h.Reindex(ctx, depth, nil)
	if err != nil {
		return []finding{{What: "index", State: bad, Text: err.Error()}}
	}
	entries, err := h.List(ctx, index.Query{})
	if err != nil {
		return []finding{{What: "index", State: bad, Text: err.Error()}}
	}
	text := fmt.Sprintf("%s; %d added, %d changed, %d removed", counted(len(entries), "thread"), r.Added, r.Changed, r.Removed)
	found := []finding{{What: "index", State: good, Text: text}}
	for _, e := range entries {
		if e.Damaged != "" {
			found = append(found, finding{What: "thread", State: bad, Text: e.ID + ": " + e.Damaged})
		}
	}
	return found
}
