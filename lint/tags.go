package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// tagForm is a tag as harnesses write them: plain words, joined by _ or -.
var tagForm = regexp.MustCompile(`<(/?)([a-z][a-z0-9]*(?:[_-][a-z0-9]+)*)>`)

// tag is one tag in a text.
type tag struct {
	name  string
	close bool
	line  int
}

// tags finds those that pass for the harness's own, and those that are not closed.
// Tags of a single word that the harness does not know are HTML or placeholders.
func tags(s Subject) []Finding {
	var found []Finding
	for _, t := range s.told(Base, Instructions, Skill) {
		var names []string          // in the order in which they are met
		open := map[string][]int{}  // the lines of those that are not closed
		alone := map[string][]int{} // and of those that close none
		for _, g := range tagsOf(t.Text) {
			if !suspect(g.name) {
				continue
			}
			at, met := open[g.name]
			if !met {
				open[g.name] = nil
				names = append(names, g.name)
				found = append(found, passing(t, g)...)
			}
			switch {
			case !g.close:
				open[g.name] = append(at, g.line)
			case len(at) > 0:
				open[g.name] = at[:len(at)-1]
			default:
				alone[g.name] = append(alone[g.name], g.line)
			}
		}
		for _, name := range names {
			if at := append(open[name], alone[name]...); len(at) > 0 {
				found = append(found, Finding{whatOf[t.Kind], Note, fmt.Sprintf("<%s> is opened or closed without the other, so where it ends is a guess; write both or neither", name), t.at(slices.Min(at))})
			}
		}
	}
	return found
}

func tagsOf(text string) []tag {
	var out []tag
	for l := range prose(text) {
		at, marks := 0, 0 // of code spans, before at
		for _, m := range tagForm.FindAllStringSubmatchIndex(l.text, -1) {
			marks += strings.Count(l.text[at:m[0]], "`")
			if at = m[0]; marks%2 == 1 {
				continue
			}
			out = append(out, tag{name: l.text[m[4]:m[5]], close: m[2] != m[3], line: l.line})
		}
	}
	return out
}

// known reports whether the harness has fragments of that tag.
func known(name string) bool {
	return slices.ContainsFunc(longrein.FragmentKinds, func(k longrein.FragmentKind) bool { return string(k.Tag) == name })
}

func suspect(name string) bool { return known(name) || strings.ContainsAny(name, "_-") }

// passing is a finding for a tag that the harness has, or that is made like them.
func passing(t Text, g tag) []Finding {
	if known(g.name) {
		return []Finding{{whatOf[t.Kind], Bad, fmt.Sprintf("<%s> is how the harness marks its own fragments; here it is plain text, and the model may take it for one, so name it differently", g.name), t.at(g.line)}}
	}
	return []Finding{{whatOf[t.Kind], Note, fmt.Sprintf("<%s> has no meaning to the harness; if it is more than a heading, another tool's format was copied", g.name), t.at(g.line)}}
}
