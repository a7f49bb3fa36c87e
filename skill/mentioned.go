package skill

import (
	"fmt"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Mentioned is what a user's inputs ask for.
type Mentioned struct {
	// Skills are all that were mentioned, also those whose text the window has.
	Skills []Skill
	// Entries are the texts to add behind the inputs, in the order of Skills.
	Entries  []longrein.Entry
	Hits     []longrein.LimitHit
	Warnings []longrein.Warning // hints and what could not be read; nothing that stops a turn
}

// Mentioned loads the skills that texts mention. One whose text is among the seen
// entries of the window as it is on disk is not loaded again.
func (f *Found) Mentioned(texts []string, seen []longrein.Entry, limits limit.Set) Mentioned {
	skills, hints := f.Resolve(texts...)
	m := Mentioned{Skills: skills}
	for _, h := range hints {
		m.Warnings = append(m.Warnings, longrein.Warning{Text: h})
	}
	most := limits.Int(limit.SkillMentions)
	var left []Skill
	for _, s := range skills {
		if len(m.Entries) == most {
			left = append(left, s)
			continue
		}
		m.load(s, seen, limits)
	}
	if len(left) > 0 {
		h := limits.Hit(limit.SkillMentions, "the text of mentioned skills was not loaded: "+names(left, limits.Int(limit.SkillsNamed)), int64(len(left)), "")
		h.CutUnit = "skills"
		m.Hits = append(m.Hits, h)
	}
	return m
}

func (m *Mentioned) load(s Skill, seen []longrein.Entry, limits limit.Set) {
	t, err := Load(s, limits)
	if err != nil {
		m.Warnings = append(m.Warnings, longrein.Warning{Text: err.Error()})
		return
	}
	has := func(e longrein.Entry) bool { return e.Item == longrein.Item(t.Fragment) }
	if slices.ContainsFunc(seen, has) {
		return
	}
	m.Entries = append(m.Entries, longrein.Entry{Item: t.Fragment})
	m.Hits = append(m.Hits, t.Hits...)
	for _, p := range t.Problems {
		m.Warnings = append(m.Warnings, p.warning())
	}
}

// Needs is a warning about variables that skills need and do not have, "" for none.
func Needs(skills []Skill, lookup func(string) (string, bool)) string {
	var parts []string
	for _, s := range skills {
		if missing := s.Missing(lookup); len(missing) > 0 {
			parts = append(parts, fmt.Sprintf("skill %s needs %s", s.Name, strings.Join(missing, ", ")))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + ", which the environment does not have. Set it before you start longrein, or say in your input how to do without"
}
