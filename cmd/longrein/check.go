package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/check"
	"github.com/longrein/longrein/compare"
	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/limit"
)

// checking is what check was asked for.
type checking struct {
	window  int
	profile string
	asJSON  bool
	junit   string
	list    bool

	h        *harness.Harness
	strategy string // of the settings
}

func (c *cli) checkCommand() *cobra.Command {
	var o checking
	cmd := &cobra.Command{
		Use:   "check POLICY.toml SESSION... [--window N] [--provider-profile P] [--json] [--junit FILE] | check --list",
		Short: "Hold recorded sessions against a policy: what may be forgotten, sent and paid",
		Long: "Replay recorded sessions and judge them by the rules of a policy, each with the first step that breaks it.\n" +
			"Nothing is sent anywhere. Exit code 0: all rules hold; 1: one fails; 2: the policy or a session cannot be used.\n" +
			"The flags --strategy, --window and --provider-profile take the place of what the policy says.",
		Args: func(cmd *cobra.Command, args []string) error {
			if o.list {
				return between(0, 0, "")(cmd, args)
			}
			return between(2, 10_000, "which policy, and which sessions? longrein check POLICY.toml SESSION...; longrein check --list shows what a policy can say")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.list {
				c.printKinds()
				return nil
			}
			return c.check(cmd.Context(), o, args[0], args[1:])
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.window, "window", 0, "the model's context window in tokens (default: as the policy says, or as recorded)")
	f.StringVar(&o.profile, "provider-profile", "", "provider to simulate, such as openai, anthropic/claude-sonnet-5 or none (default: as the policy says, or as recorded)")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object for each rule and session")
	f.StringVar(&o.junit, "junit", "", "write a JUnit report in XML to this file")
	f.BoolVar(&o.list, "list", false, "list the kinds of rules")
	return cmd
}

// printKinds prints what a policy can say.
func (c *cli) printKinds() {
	for i, k := range check.Kinds() {
		if i > 0 {
			fmt.Fprintln(c.out)
		}
		fmt.Fprintf(c.out, "# %s: %s.\n", k.Name, k.What)
		fmt.Fprint(c.out, k.Example)
	}
}

func (c *cli) check(ctx context.Context, o checking, file string, args []string) error {
	if err := windowFits(o.window); err != nil {
		return usage{err}
	}
	var err error
	if o.h, err = c.here(func(h *harness.Options) { o.strategy = h.Settings.Strategy }); err != nil {
		return err
	}
	policy, err := c.policy(o, file)
	if err != nil {
		return usage{err}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(collectAt))
	var all []*check.Report
	for _, arg := range args {
		sessions, err := c.sessions(o.h, arg)
		if err != nil {
			return usage{err}
		}
		for _, s := range sessions {
			report, err := policy.Check(ctx, s, o.options(s))
			if err != nil {
				return err
			}
			if err := c.printVerdicts(o, report); err != nil {
				return err
			}
			all = append(all, report)
		}
	}
	return c.sumUp(o, policy, all)
}

// policy reads a policy, with what the flags say in its place.
func (c *cli) policy(o checking, file string) (*check.Policy, error) {
	data, err := readPolicy(c.path(file), o.h.Store().Limits)
	if err != nil {
		return nil, fmt.Errorf("policy %s: %w", file, err)
	}
	policy, err := check.Parse(file, data, harness.Strategies())
	if err != nil {
		return nil, err
	}
	setup := check.Setup{Window: o.window, Profile: o.profile}
	if slices.ContainsFunc(c.flags, func(f config.Flag) bool { return f.Name == "--strategy" }) {
		setup.Strategy = o.strategy
	}
	policy.Under(setup)
	return policy, nil
}

func readPolicy(path string, limits limit.Set) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	most := limits.Of(limit.SettingsFile)
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("it is larger than %d bytes, the limit settings-file", most)
	}
	return data, err
}

// path is where a file lies that an argument names.
func (c *cli) path(arg string) string {
	if c.dir != "" && !filepath.IsAbs(arg) {
		return filepath.Join(c.dir, arg)
	}
	return arg
}

// options says what a session is replayed with.
func (o *checking) options(s *compare.Session) func(check.Setup) (compare.Options, error) {
	limits := o.h.Store().Limits
	return func(setup check.Setup) (compare.Options, error) {
		profile := compare.ProfileOf(s.Settings, limits)
		var err error
		if setup.Profile != "" {
			if profile, err = compare.ParseProfile(setup.Profile, limits); err != nil {
				return compare.Options{}, usage{err}
			}
		}
		name := setup.Strategy
		if name == "" {
			name = o.strategy
		}
		strategy, err := o.h.NewStrategy(name, s.Thread.ID)
		return compare.Options{Strategy: strategy, Profile: profile, Window: setup.Window, Limits: limits}, err
	}
}

func (c *cli) printVerdicts(o checking, r *check.Report) error {
	if !o.asJSON {
		return check.WriteText(c.out, r)
	}
	for _, v := range r.Verdicts {
		if err := c.printJSON(v); err != nil {
			return err
		}
	}
	return nil
}

// sumUp ends the command: with code 1 when a rule failed.
func (c *cli) sumUp(o checking, policy *check.Policy, all []*check.Report) error {
	if !o.asJSON {
		if err := check.WriteSum(c.out, all); err != nil {
			return err
		}
	}
	if o.junit != "" {
		var b strings.Builder
		if err := check.WriteJUnit(&b, policy.Name, all); err != nil {
			return err
		}
		if err := os.WriteFile(c.path(o.junit), []byte(b.String()), 0o644); err != nil {
			return fmt.Errorf("--junit: %w", err)
		}
	}
	if check.Count(all, check.Failed) > 0 {
		return exit{exitFailed}
	}
	return nil
}
