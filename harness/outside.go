package harness

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
	"github.com/longrein/longrein/environ"
	"github.com/longrein/longrein/skill"
	"github.com/longrein/longrein/tool/shell"
	"github.com/longrein/longrein/turn"
)

// lookout looks at what is outside of one thread, for its windows and its turns.
type lookout struct {
	h        *Harness
	book     *notebook
	settings longrein.Settings // the thread's, for the model's name and window
	skills   skill.Catalog

	mu   sync.Mutex
	told map[string]bool // what was said of the outside, each once
}

func (h *Harness) lookout(book *notebook, set longrein.Settings) *lookout {
	return &lookout{h: h, book: book, settings: set, told: map[string]bool{}}
}

// survey looks at what is outside as it is now.
func (l *lookout) survey(ctx context.Context, s turn.Survey) turn.Surveyed {
	look, err := environ.Look(ctx, l.options())
	if err != nil {
		return turn.Surveyed{Err: err}
	}
	l.redact(look.Entries)
	out := turn.Surveyed{Hits: look.Hits, Warnings: look.Warnings}
	found, err := l.find(ctx, look.Root)
	if err != nil {
		return turn.Surveyed{Err: err}
	}
	if s.Window {
		l.window(&out, look, found)
	} else {
		l.changes(&out, look, found, s.Seen)
	}
	l.mentioned(&out, found, s)
	return l.news(out, s.Window)
}

func (l *lookout) options() environ.Options {
	s := l.h.opts.Settings
	return environ.Options{
		Cwd: l.h.opts.Cwd, Now: time.Now(), Limits: s.Limits,
		Global: s.Paths.Config, Fallbacks: s.Fallbacks,
		Sandbox: s.Sandbox, Approval: s.Approval, Network: s.Tools.Network,
		Shell: filepath.Base(shell.Program("")[0]), Model: l.settings.Model, Notes: l.book.place(),
	}
}

// find returns the skills that there are; none when they are off.
func (l *lookout) find(ctx context.Context, project string) (*skill.Found, error) {
	s := l.h.opts.Settings
	if !s.Skills.Enabled {
		return &skill.Found{}, nil
	}
	places := skill.Places{
		Cwd: l.h.opts.Cwd, Project: project, Config: s.Paths.Config,
		Home: l.h.env("HOME"), Extra: s.Skills.Folders,
	}
	return l.skills.Look(ctx, places.Roots(), s.Limits)
}

func (l *lookout) budget() skill.Budget {
	b := skill.Budget{Window: l.settings.ContextWindow, Limits: l.h.opts.Settings.Limits, Size: assemble.Tokens}
	if r := l.h.redactor(); r != nil {
		b.Show = r.Text
	}
	return b
}

// window is all of the initial context: the environment last, because it changes
// most often.
func (l *lookout) window(out *turn.Surveyed, look environ.Initial, found *skill.Found) {
	last := len(look.Entries) - 1
	out.Entries = append(out.Entries, look.Entries[:last]...)
	if list := found.List(l.budget()); list.Text != "" {
		out.Entries = append(out.Entries, skillList(list))
		out.Hits = append(out.Hits, list.Hits...)
	}
	out.Entries = append(out.Entries, look.Entries[last])
	out.Warnings = append(out.Warnings, found.Warnings(l.h.opts.Settings.Limits)...)
	notes, todo := l.book.look()
	out.Warnings = append(out.Warnings, notes.Warnings...)
	out.Edits, out.Todo = notes.Edits, todo
	if r := l.h.redactor(); r != nil {
		out.Todo = r.Text(todo)
		for i, d := range out.Edits {
			out.Edits[i].Text = r.Text(d.Text)
		}
	}
}

// redact takes secrets out of fragments.
func (l *lookout) redact(entries []longrein.Entry) {
	r := l.h.redactor()
	if r == nil {
		return
	}
	for i, e := range entries {
		if f, ok := e.Item.(longrein.Fragment); ok {
			f.Text = r.Text(f.Text)
			entries[i].Item = f
		}
	}
}

func skillList(list skill.List) longrein.Entry {
	return longrein.Entry{Item: longrein.NewFragment(longrein.TagSkills, list.Text)}
}

// changes is what differs from what the model has seen.
func (l *lookout) changes(out *turn.Surveyed, look environ.Initial, found *skill.Found, seen []longrein.Entry) {
	out.Changes = look.Changes(seen)
	if list := found.Changes(seen, l.budget()); list.Text != "" {
		out.Changes = append(out.Changes, skillList(list))
		out.Hits = append(out.Hits, list.Hits...)
	}
	out.Warnings = append(out.Warnings, found.Warnings(l.h.opts.Settings.Limits)...)
}

// mentioned adds the skills that inputs mention and the window does not have.
func (l *lookout) mentioned(out *turn.Surveyed, found *skill.Found, s turn.Survey) {
	m := found.Mentioned(s.Inputs, s.Seen, l.h.opts.Settings.Limits)
	l.redact(m.Entries)
	out.Skills = m.Entries
	out.Hits = append(out.Hits, m.Hits...)
	out.Warnings = append(out.Warnings, m.Warnings...)
	if needs := skill.Needs(m.Skills, l.variable); needs != "" {
		out.Warnings = append(out.Warnings, longrein.Warning{Text: needs})
	}
}

// variable looks an environment variable up.
func (l *lookout) variable(name string) (string, bool) {
	v := l.h.env(name)
	return v, v != ""
}

// news leaves out what was said before of a thing that has not changed since. A new
// window begins with all of its limits.
func (l *lookout) news(out turn.Surveyed, window bool) turn.Surveyed {
	l.mu.Lock()
	defer l.mu.Unlock()
	var hits []longrein.LimitHit
	for _, h := range out.Hits {
		if l.first(fmt.Sprint(h)) || window {
			hits = append(hits, h)
		}
	}
	var warnings []longrein.Warning
	for _, w := range out.Warnings {
		if l.first(w.Text) {
			warnings = append(warnings, w)
		}
	}
	out.Hits, out.Warnings = hits, warnings
	return out
}

func (l *lookout) first(what string) bool {
	before := l.told[what]
	l.told[what] = true
	return !before
}
