package main

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/environ"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/index"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/lint"
	"github.com/longrein/longrein/skill"
	"github.com/longrein/longrein/tokens"
)

// instructionFindings looks at what a model would be told here: instructions,
// skills, the notes of the thread that was worked on last, and settings.
func (c *cli) instructionFindings(ctx context.Context, h *harness.Harness, s *config.Settings, dir string) []finding {
	subject, err := lint.Read(ctx, lint.Options{Cwd: dir, Global: s.Paths.Config, Fallbacks: s.Fallbacks, Limits: s.Limits})
	if err != nil {
		return []finding{{What: "instructions", State: bad, Text: err.Error()}}
	}
	if s.Base != "" {
		subject.Texts = append(subject.Texts, lint.Text{Kind: lint.Base, Path: string(lint.Base), Text: s.Base})
	}
	window := lintThreads(ctx, h, dir, &subject)
	found := c.skillFindings(ctx, s, dir, window, &subject)
	for _, f := range lint.Check(subject) {
		found = append(found, finding{What: f.What, State: string(f.State), Text: f.Text, Where: f.Where})
	}
	return found
}

// lintThreads adds the settings of the folder's newest threads, the oldest first,
// and the notes of the newest one, whose context window it returns. A log that
// cannot be read is told by those that look at logs.
func lintThreads(ctx context.Context, h *harness.Harness, dir string, subject *lint.Subject) (window int) {
	most := subject.Limits.Int(limit.LintThreads)
	if most == 0 {
		return 0
	}
	entries, err := h.List(ctx, index.Query{Cwd: dir, Limit: most})
	if err != nil || len(entries) == 0 {
		return 0
	}
	subject.Add(lint.Notes, filepath.Join(h.NotesFolder(entries[0].ID), longrein.MainDocument))
	for _, e := range slices.Backward(entries) {
		tail, err := h.Store().Tail(e.ID)
		if err != nil {
			continue
		}
		set := harness.Latest(tail)
		subject.Settings = append(subject.Settings, lint.Settings{Where: "thread " + short(e.ID), Settings: set})
		window = set.ContextWindow
	}
	return window
}

// skillFindings tells what is wrong with skills themselves, and adds their texts
// and the names of those for which a window has no room.
func (c *cli) skillFindings(ctx context.Context, s *config.Settings, dir string, window int, subject *lint.Subject) []finding {
	places := skill.Places{Cwd: dir, Project: environ.Git(dir).Root, Config: s.Paths.Config, Home: c.getenv("HOME")}
	all, err := skill.Find(ctx, places.Roots(), s.Limits)
	if err != nil {
		return []finding{{What: "skills", State: bad, Text: err.Error()}}
	}
	var found []finding
	for _, w := range all.Warnings(s.Limits) {
		found = append(found, finding{What: "skills", State: note, Text: w.Text})
	}
	for _, one := range all.Skills {
		subject.Add(lint.Skill, one.Path)
	}
	for _, one := range all.List(skill.Budget{Window: window, Limits: s.Limits, Size: tokens.Count}).Left {
		subject.LeftOut = append(subject.LeftOut, one.Name)
	}
	return found
}
