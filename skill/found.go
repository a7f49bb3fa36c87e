package skill

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Found is what is there. It is not changed once it was returned, and is for several
// goroutines.
type Found struct {
	// Skills stand in the order of their roots, then by name and path. Two may have
	// the same name.
	Skills   []Skill
	Problems []Problem           // by root, then by path and line
	Hits     []longrein.LimitHit // of what was not looked at

	fitted fitted
}

// found puts together what was seen.
func (w *walk) found() *Found {
	f := &Found{Hits: w.hits}
	for root := range w.root {
		f.add(w.state, root+1)
	}
	f.twice()
	return f
}

// add takes what was seen in one root.
func (f *Found) add(state []seen, root int) {
	skills, problems := len(f.Skills), len(f.Problems)
	for _, s := range state {
		switch {
		case s.root != root:
		case s.skill != nil:
			f.take(s)
		case s.folder != nil:
			f.Problems = append(f.Problems, s.folder.problems...)
		default:
			f.Problems = append(f.Problems, s.problem)
		}
	}
	slices.SortFunc(f.Skills[skills:], func(a, b Skill) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Path, b.Path))
	})
	sortProblems(f.Problems[problems:])
}

func (f *Found) take(s seen) {
	f.Problems = append(f.Problems, s.skill.problems...)
	if s.skill.ok {
		one := s.skill.skill
		one.Level = s.level
		f.Skills = append(f.Skills, one)
	}
}

// twice warns of names that several skills have.
func (f *Found) twice() {
	first := map[string]Skill{}
	for _, s := range f.Skills {
		one, ok := first[s.Name]
		if !ok {
			first[s.Name] = s
			continue
		}
		f.Problems = append(f.Problems, Problem{Warning, s.Path, 0, fmt.Sprintf(
			"%q is also the name of %s. Rename one; until then a mention has to say which: %s", s.Name, one.Path, s.link())})
	}
}

// Named returns the skills of a name, the nearest first.
func (f *Found) Named(name string) []Skill {
	var named []Skill
	for _, s := range f.Skills {
		if s.Name == name {
			named = append(named, s)
		}
	}
	return named
}

// Warnings are the errors and warnings among the problems, for the user: as many as
// limit.SkillsNamed allows, and then how many more there are.
func (f *Found) Warnings(limits limit.Set) []longrein.Warning {
	var out []longrein.Warning
	most, more := limits.Int(limit.SkillsNamed), 0
	for _, p := range f.Problems {
		switch {
		case p.Severity == Note:
		case len(out) == most:
			more++
		default:
			out = append(out, p.warning())
		}
	}
	if more > 0 {
		out = append(out, longrein.Warning{Text: fmt.Sprintf(
			"%d more problems with skills (limit %s = %d); longrein skills check lists them", more, limit.SkillsNamed.Name, most)})
	}
	return out
}
