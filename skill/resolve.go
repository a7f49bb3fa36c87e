package skill

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Resolve returns the skills that texts mention, in the order of Found, and a hint
// for the user about each mention that names none or more than one. A plain name
// selects the only skill that has it; a link selects the skill whose SKILL.md, or
// whose folder, it names. A name that is far from every skill's is no mention, unless
// it is a link: people write of @somebody and $something all the time.
func (f *Found) Resolve(texts ...string) (skills []Skill, hints []string) {
	wanted := map[string]bool{}
	for _, m := range Mentions(strings.Join(texts, "\n\n")) {
		s, hint := f.resolve(m)
		if s.Path != "" {
			wanted[s.Path] = true
		}
		if hint != "" && !slices.Contains(hints, hint) {
			hints = append(hints, hint)
		}
	}
	for _, s := range f.Skills {
		if wanted[s.Path] {
			skills = append(skills, s)
		}
	}
	return skills, hints
}

func (f *Found) resolve(m Mention) (Skill, string) {
	if m.Path != "" {
		return f.linked(m)
	}
	named := f.Named(m.Name)
	switch len(named) {
	case 0:
		return Skill{}, f.unknown(m)
	case 1:
		return named[0], ""
	}
	var links []string
	for _, s := range named {
		links = append(links, s.link())
	}
	return Skill{}, fmt.Sprintf("%d skills are called %q, so none was loaded; say which: %s", len(named), m.Name, strings.Join(links, " or "))
}

// linked returns the skill at a link's path.
func (f *Found) linked(m Mention) (Skill, string) {
	path := filepath.Clean(m.Path)
	for _, s := range f.Skills {
		if path == s.Path || path == s.Folder() {
			return s, ""
		}
	}
	if s := f.Named(m.Name); len(s) > 0 {
		return Skill{}, fmt.Sprintf("there is no skill at %s, so none was loaded; there is %s", m.Path, s[0].link())
	}
	return Skill{}, fmt.Sprintf("there is no skill at %s, so none was loaded; %s", m.Path, f.near(m, 2))
}

// unknown is a hint about a name that is nearly a skill's.
func (f *Found) unknown(m Mention) string {
	if _, ok := nearest(m.Name, f.names(), slips(m.Name)); !ok {
		return ""
	}
	return fmt.Sprintf("there is no skill %s, so none was loaded; %s", m, f.near(m, slips(m.Name)))
}

// hintNames is how many names a hint offers.
const hintNames = 3

// near offers the names that are nearest to a mention's.
func (f *Found) near(m Mention, most int) string {
	var parts []string
	rest := f.names()
	for len(parts) < hintNames {
		name, ok := nearest(m.Name, rest, most)
		if !ok {
			break
		}
		parts = append(parts, m.Sigil+name)
		rest = slices.DeleteFunc(rest, func(n string) bool { return n == name })
	}
	if len(parts) == 0 {
		return "longrein skills list shows those there are"
	}
	return "did you mean " + strings.Join(parts, " or ") + "?"
}

func (f *Found) names() []string {
	var names []string
	for _, s := range f.Skills {
		names = append(names, s.Name)
	}
	return names
}
