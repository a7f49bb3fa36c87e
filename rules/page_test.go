package rules

import (
	"fmt"
	"strings"

	"github.com/longrein/longrein/limit"
)

// Page returns the book as Markdown, for docs/rules.md.
func (b *Book) Page() string {
	var out strings.Builder
	fmt.Fprintf(&out, `# The rule book

Every invariant, threshold, formula and scenario of the harness, each with the tests that show it.
This page is made from the files in rules/data by `+"`go test ./rules -update`"+`; edit those. The same
can be asked for with `+"`longrein rules`"+`: list, show ID, search WORDS and graph, each with `+"`--json`"+`.

%d rules:

| area | | rules |
| --- | --- | --- |
`, len(b.Rules))
	for _, a := range b.Areas {
		fmt.Fprintf(&out, "| %s | %s: %s | %d |\n", a.ID, a.Title, a.About, len(Filter{Area: a.ID}.Of(b.Rules)))
	}
	for _, a := range b.Areas {
		fmt.Fprintf(&out, "\n## %s: %s\n", a.ID, a.Title)
		for _, r := range (Filter{Area: a.ID}).Of(b.Rules) {
			r.section(&out)
		}
	}
	return out.String()
}

// section writes one rule.
func (r Rule) section(out *strings.Builder) {
	fmt.Fprintf(out, "\n### %s\n\n*%s.* %s\n\n", r.ID, r.Kind, r.Statement)
	if r.Formula != "" {
		fmt.Fprintf(out, "- formula: `%s`\n", r.Formula)
	}
	for _, name := range r.Limits {
		l := limit.Named(name)
		if l == nil {
			continue
		}
		fmt.Fprintf(out, "- limit `%s` = %d %s\n", name, l.Default, l.Unit)
	}
	for _, named := range []struct {
		what string
		list []string
	}{{"settings", r.Settings}, {"triggers", r.Triggers}, {"depends on", r.DependsOn}, {"contains", r.Contains}} {
		if len(named.list) > 0 {
			fmt.Fprintf(out, "- %s: `%s`\n", named.what, strings.Join(named.list, "`, `"))
		}
	}
	for _, e := range r.Examples {
		fmt.Fprintf(out, "- %s (`%s`)\n", e.Sentence(), e.Test)
	}
}
