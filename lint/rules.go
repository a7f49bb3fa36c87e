package lint

import (
	"fmt"
	"strings"
)

// spoken is a rule where it stands.
type spoken struct {
	text  Text
	where sentence
}

func (s spoken) at() string { return s.text.at(s.where.line) }

// contradictions finds rules of which one forbids what the other asks for.
func contradictions(s Subject) []Finding {
	var found []Finding
	seen := map[string][2]*spoken{} // by what they are about: the first that asks and that forbids
	for _, t := range s.told(Base, Instructions) {
		for _, one := range sentences(t.Text) {
			about, forbids := stance(one.text)
			if about == "" {
				continue
			}
			side := 0
			if forbids {
				side = 1
			}
			both := seen[about]
			if both[side] != nil {
				continue
			}
			both[side] = &spoken{t, one}
			seen[about] = both
			if other := both[1-side]; other != nil {
				found = append(found, opposite(*other, *both[side]))
			}
		}
	}
	return found
}

func opposite(a, b spoken) Finding {
	return Finding{"instructions", Bad, fmt.Sprintf("%q is the opposite of %q in %s; the model is told both, so take one out",
		short(b.where.text), short(a.where.text), a.at()), b.at()}
}

// homes says of a text that does not last where its rules would.
var homes = map[Kind]string{
	Skill: "the model sees it only in a window in which the skill was mentioned",
	Notes: "models rewrite the notes, and may leave it out",
}

// shortLived finds rules that stand only where they do not last: one finding for
// each text.
func shortLived(s Subject) []Finding {
	lasting := map[string]bool{}
	for _, t := range s.told(Base, Instructions) {
		for _, one := range sentences(t.Text) {
			about, _ := stance(one.text)
			lasting[about] = true
		}
	}
	var found []Finding
	for _, t := range s.told(Skill, Notes) {
		var rules []sentence
		for _, one := range sentences(t.Text) {
			if about, _ := stance(one.text); binds(one.text) && about != "" && !lasting[about] {
				rules = append(rules, one)
			}
		}
		if len(rules) == 0 {
			continue
		}
		found = append(found, Finding{whatOf[t.Kind], Note, fmt.Sprintf("%s such as %q: %s; if it should hold always, put it into AGENTS.md",
			count(len(rules), "rule"), short(rules[0].text), homes[t.Kind]), t.at(rules[0].line)})
	}
	return found
}

var whatOf = map[Kind]string{Base: "instructions", Instructions: "instructions", Skill: "skills", Notes: "notes"}

func count(n int, what string) string {
	if n == 1 {
		return "a " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// leftOut says which skills the model does not know of.
func leftOut(s Subject) []Finding {
	if len(s.LeftOut) == 0 {
		return nil
	}
	return []Finding{{"skills", Note, fmt.Sprintf("%s not in the list that the model sees, which is full: %s; shorten descriptions, remove skills, or raise the limit on the list",
		count(len(s.LeftOut), "skill"), short(strings.Join(s.LeftOut, ", "))), ""}}
}
