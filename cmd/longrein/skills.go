package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/environ"
	"github.com/longrein/longrein/skill"
)

func (c *cli) skillsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "skills",
		Short: "List the skills that there are, show, check and make them",
		Long: "List the skills that there are, show, check and make them. A skill is a folder with a SKILL.md: instructions\n" +
			"for one kind of task. Mention it as @name or $name in your input, or let the model choose it by its description.",
		Args: between(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.listSkills(cmd.Context(), false) },
	}
	cmd.AddCommand(c.skillsListCommand(), c.skillsShowCommand(), c.skillsCheckCommand(), c.skillsNewCommand())
	return cmd
}

func (c *cli) skillsListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the skills that there are here",
		Args:  between(0, 0, ""),
		RunE:  func(cmd *cobra.Command, _ []string) error { return c.listSkills(cmd.Context(), asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

func (c *cli) skillsShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "Show a skill as a mention of it loads it",
		Args:  between(1, 1, "which skill? longrein skills list shows them"),
		RunE:  func(cmd *cobra.Command, args []string) error { return c.showSkill(cmd.Context(), args[0]) },
	}
}

func (c *cli) skillsCheckCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check [PATH]",
		Short: "Say what is wrong with the skills here, or with those in a folder",
		Long: "Say what is wrong with the skills here, or with those in a folder. The exit code is 0 when nothing is, and 1\n" +
			"when there are errors, which keep a skill out, or warnings. Notes are good to know and change nothing.",
		Args: between(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.checkSkills(cmd.Context(), strings.Join(args, ""), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

func (c *cli) skillsNewCommand() *cobra.Command {
	var mine bool
	cmd := &cobra.Command{
		Use:   "new NAME [--user]",
		Short: "Make a new skill, for this project or for all of yours",
		Args:  between(1, 1, "what is the skill to be called? longrein skills new NAME"),
		RunE:  func(_ *cobra.Command, args []string) error { return c.newSkill(args[0], mine) },
	}
	cmd.Flags().BoolVar(&mine, "user", false, "make it in your config folder, for all projects")
	return cmd
}

// skillPlaces says where skills are looked for.
func (c *cli) skillPlaces(s *config.Settings, dir string) skill.Places {
	return skill.Places{Cwd: dir, Project: environ.Git(dir).Root, Config: s.Paths.Config, Home: c.getenv("HOME")}
}

// skills looks for skills.
func (c *cli) skills(ctx context.Context) (*skill.Found, *config.Settings, error) {
	dir, err := c.cwd()
	if err != nil {
		return nil, nil, err
	}
	s, err := c.settings(dir)
	if err != nil {
		return nil, nil, err
	}
	found, err := skill.Find(ctx, c.skillPlaces(s, dir).Roots(), s.Limits)
	return found, s, err
}

func (c *cli) showSkill(ctx context.Context, name string) error {
	found, s, err := c.skills(ctx)
	if err != nil {
		return err
	}
	named := skillsNamed(found, strings.TrimLeft(name, "@$"))
	if len(named) == 0 {
		var names []string
		for _, one := range found.Skills {
			names = append(names, one.Name)
		}
		return usage{errors.New(slip(fmt.Sprintf("there is no skill %q", name), name, names, "see longrein skills list"))}
	}
	for i, one := range named {
		text, err := skill.Load(one, s.Limits)
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintln(c.out)
		}
		fmt.Fprintln(c.out, printable(c.headOf(one)+text.Text))
		for _, p := range text.Problems {
			c.note(p.String())
		}
		for _, h := range text.Hits {
			c.note(fmt.Sprintf("limit %s = %d %s: %s", h.Name, h.Value, h.Unit, cutText(h)))
		}
	}
	return nil
}

// skillsNamed are the skills of a name, or the one at a path.
func skillsNamed(found *skill.Found, name string) []skill.Skill {
	if named := found.Named(name); len(named) > 0 {
		return named
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return nil
	}
	for _, one := range found.Skills {
		if path == one.Path || path == one.Folder() {
			return []skill.Skill{one}
		}
	}
	return nil
}

// headOf is what the front matter says, before the text.
func (c *cli) headOf(one skill.Skill) string {
	var b strings.Builder
	say := func(label, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", label, value)
		}
	}
	say("level", string(one.Level))
	say("description", one.Description)
	say("license", one.License)
	say("compatibility", one.Compatibility)
	say("allowed tools", strings.Join(one.Tools, " "))
	say("needs", strings.Join(one.Env, " "))
	say("not set", strings.Join(one.Missing(c.lookup), " "))
	return b.String()
}

// lookup returns a variable of the environment.
func (c *cli) lookup(name string) (string, bool) {
	value := c.getenv(name)
	return value, value != ""
}

func (c *cli) newSkill(name string, mine bool) error {
	dir, err := c.cwd()
	if err != nil {
		return err
	}
	s, err := c.settings(dir)
	if err != nil {
		return err
	}
	folder := skillHome(s, dir, mine)
	path, err := skill.Create(folder, name, s.Limits)
	switch {
	case errors.Is(err, skill.ErrName):
		return usage{err}
	case err != nil:
		return err
	}
	fmt.Fprintf(c.out, "%s\nSay there what it does and when to use it; then: longrein skills check %s\n", printable(path), printable(filepath.Dir(path)))
	return nil
}

// skillHome is where new skills are made: in the folder that other tools share, at
// the root of the project, or in the user's config folder.
func skillHome(s *config.Settings, dir string, mine bool) string {
	if mine {
		return filepath.Join(s.Paths.Config, "skills")
	}
	if root := environ.Git(dir).Root; root != "" {
		dir = root
	}
	return filepath.Join(dir, ".agents", "skills")
}
