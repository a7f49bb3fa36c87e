package doccheck

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/longrein/longrein/internal/source"
)

// Module is a requirement of go.mod.
type Module struct{ Path, Version string }

var moduleRow = regexp.MustCompile("(?m)^\\| `([^`@]+)@([^`]+)` \\|")

// Listed returns the modules that docs/dependencies.md has a row for.
func Listed(page string) []Module {
	var out []Module
	for _, m := range moduleRow.FindAllStringSubmatch(page, -1) {
		out = append(out, Module{m[1], m[2]})
	}
	return out
}

// Direct returns those of required that packages import, tests included, or
// that provide one of the tools.
func Direct(packages []*source.Package, required []Module, tools []string) []Module {
	used := map[string]Module{}
	use := func(imported string) {
		if m, ok := provider(required, imported); ok {
			used[m.Path] = m
		}
	}
	for _, p := range packages {
		for _, f := range p.Files {
			for imported := range f.Imports() {
				use(imported)
			}
		}
	}
	for _, tool := range tools {
		use(tool)
	}
	var out []Module
	for _, m := range used {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b Module) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// provider returns the module with the longest path that holds a package.
func provider(required []Module, imported string) (found Module, ok bool) {
	for _, m := range required {
		within := imported == m.Path || strings.HasPrefix(imported, m.Path+"/")
		if within && len(m.Path) > len(found.Path) {
			found, ok = m, true
		}
	}
	return found, ok
}

// Unlisted returns one sentence for each difference between the modules that
// are used and those that docs/dependencies.md has a row for.
func Unlisted(direct, listed []Module) []string {
	var found []string
	for _, m := range direct {
		i := slices.IndexFunc(listed, func(l Module) bool { return l.Path == m.Path })
		switch {
		case i < 0:
			found = append(found, fmt.Sprintf("docs/dependencies.md has no row for %s. Add `%s@%s`: licence, and what it saves us.", m.Path, m.Path, m.Version))
		case listed[i].Version != m.Version:
			found = append(found, fmt.Sprintf("docs/dependencies.md says %s@%s, go.mod says %s. Read its changes, then correct the row.", m.Path, listed[i].Version, m.Version))
		}
	}
	for _, l := range listed {
		if !slices.ContainsFunc(direct, func(m Module) bool { return m.Path == l.Path }) {
			found = append(found, fmt.Sprintf("docs/dependencies.md has a row for %s, which no package imports. Remove the row, and run go mod tidy.", l.Path))
		}
	}
	return found
}
