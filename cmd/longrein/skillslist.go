package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/longrein/longrein/skill"
)

// skillRow is a skill as it is printed for programs.
type skillRow struct {
	Name          string            `json:"name"`
	Description   string            `json:"description"`
	Level         skill.Level       `json:"level"`
	Path          string            `json:"path"`
	License       string            `json:"license,omitempty"`
	Compatibility string            `json:"compatibility,omitempty"`
	AllowedTools  []string          `json:"allowed_tools,omitempty"`
	Metadata      map[string]string `json:"metadata,omitempty"`
	Env           []string          `json:"env,omitempty"`
	MissingEnv    []string          `json:"missing_env,omitempty"`
}

func (c *cli) listSkills(ctx context.Context, asJSON bool) error {
	found, s, err := c.skills(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		lines := newJSONLines(c.out)
		for _, one := range found.Skills {
			lines.write(c.rowOf(one))
		}
		return lines.err
	}
	if len(found.Skills) == 0 {
		fmt.Fprintf(c.out, "no skills here; longrein skills new NAME makes one. They are looked for in\n")
		dir, _ := c.cwd()
		for _, r := range c.skillPlaces(s, dir).Roots() {
			fmt.Fprintf(c.out, "  %s (%s)\n", printable(r.Path), r.Level)
		}
	}
	for _, one := range found.Skills {
		c.printSkill(c.out, one)
	}
	for _, w := range found.Warnings(s.Limits) {
		c.note(w.Text)
	}
	return nil
}

func (c *cli) rowOf(one skill.Skill) skillRow {
	return skillRow{
		Name: one.Name, Description: one.Description, Level: one.Level, Path: one.Path,
		License: one.License, Compatibility: one.Compatibility, AllowedTools: one.Tools,
		Metadata: one.Metadata, Env: one.Env, MissingEnv: one.Missing(c.lookup),
	}
}

func (c *cli) printSkill(w io.Writer, one skill.Skill) {
	fmt.Fprintf(w, "%s  %s, %s\n", one.Name, one.Level, printable(one.Path))
	for _, line := range wrapped(one.Description, limitColumns-4) {
		fmt.Fprintf(w, "    %s\n", printable(line))
	}
	if missing := one.Missing(c.lookup); len(missing) > 0 {
		fmt.Fprintf(w, "    needs variables that are not set: %s\n", strings.Join(missing, ", "))
	}
}

// problemRow is a problem as it is printed for programs.
type problemRow struct {
	Severity skill.Severity `json:"severity"`
	Path     string         `json:"path"`
	Line     int            `json:"line,omitempty"`
	Text     string         `json:"text"`
}

func (c *cli) checkSkills(ctx context.Context, path string, asJSON bool) error {
	found, problems, err := c.problemsOfSkills(ctx, path)
	if err != nil {
		return err
	}
	counts := map[skill.Severity]int{}
	lines := newJSONLines(c.out)
	for _, p := range problems {
		counts[p.Severity]++
		if asJSON {
			lines.write(problemRow(p))
		} else {
			fmt.Fprintf(c.out, "%-7s  %s\n", p.Severity, printable(p.String()))
		}
	}
	if !asJSON {
		fmt.Fprintf(c.out, "skills: %d, errors: %d, warnings: %d, notes: %d\n",
			len(found.Skills), counts[skill.Error], counts[skill.Warning], counts[skill.Note])
	}
	if counts[skill.Error]+counts[skill.Warning] > 0 {
		return exit{exitFailed}
	}
	return lines.err
}

// problemsOfSkills checks the skills here or at a path.
func (c *cli) problemsOfSkills(ctx context.Context, path string) (*skill.Found, []skill.Problem, error) {
	found, s, err := c.skills(ctx)
	if err == nil && path != "" {
		var root skill.Root
		if root, err = c.skillRoot(path); err == nil {
			found, err = skill.Find(ctx, []skill.Root{root}, s.Limits)
		}
		if err == nil && len(found.Skills)+len(found.Problems) == 0 {
			err = usage{fmt.Errorf("there is no skill in %s; a skill is a folder with a file %s", path, skill.FileName)}
		}
	}
	if err != nil {
		return nil, nil, err
	}
	problems, err := found.Check(ctx, s.Limits)
	return found, problems, err
}

// skillRoot is a root at a path: a skill, its SKILL.md, or a folder with skills.
func (c *cli) skillRoot(path string) (skill.Root, error) {
	dir, err := c.cwd()
	if err != nil {
		return skill.Root{}, err
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return skill.Root{}, usage{err}
	}
	if !info.IsDir() {
		path = filepath.Dir(path)
	}
	return skill.Root{Path: filepath.Clean(path), Level: skill.LevelProject}, nil
}
