// Package arch holds the table of who leans on whom as a test: no package
// imports upward, and the lower lines stay pure. The table itself is in
// docs/house.md and read from there. It is about arrangement; comments and
// documents are doccheck's.
package arch

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/longrein/longrein/internal/source"
)

// PureUpTo is the last line of the table whose packages are pure.
const PureUpTo = 4

// Layers maps a family, the first element of a package's folder ("longrein" for
// the root), to its line in the table.
type Layers map[string]int

var (
	row      = regexp.MustCompile(`^ {4}[ \d]\d  (.*)$`)
	goesOn   = regexp.MustCompile(`^ {8}([a-z].*)$`)
	twoSpace = regexp.MustCompile(` {2,}`)
)

// ParseLayers reads the table under "Who leans on whom" of the house page.
// Families marked * are planned and included.
func ParseLayers(page string) (Layers, error) {
	_, section, ok := strings.Cut(page, "### Who leans on whom")
	if !ok {
		return nil, fmt.Errorf("docs/house.md has no section \"Who leans on whom\"")
	}
	section, _, _ = strings.Cut(section, "\n#")
	layers, line := Layers{}, 0
	for text := range strings.Lines(section) {
		text = strings.TrimRight(text, "\n")
		names := ""
		if m := row.FindStringSubmatch(text); m != nil {
			line, _ = strconv.Atoi(strings.TrimSpace(text[4:6]))
			names = m[1]
		} else if m := goesOn.FindStringSubmatch(text); m != nil && line > 0 {
			names = m[1]
		}
		for _, name := range strings.Fields(twoSpace.Split(names, 2)[0]) {
			layers[strings.TrimSuffix(name, "*")] = line
		}
	}
	if len(layers) == 0 {
		return nil, fmt.Errorf("docs/house.md: the table under \"Who leans on whom\" has no lines of the form \"    4  turn  what it is\"")
	}
	return layers, nil
}

// Family returns the family of a package's folder, relative to the module.
func Family(dir string) string {
	if dir == "." {
		return "longrein"
	}
	first, _, _ := strings.Cut(dir, "/")
	return first
}

// vendors says which family may import a vendor's types.
var vendors = map[string]string{
	"github.com/openai/":     "provider",
	"github.com/anthropics/": "provider",
	"modernc.org/sqlite":     "index",
}

// Upward returns one sentence for each import of p that the table forbids.
// Tests are free to import what they like.
func (l Layers) Upward(p *source.Package) []string {
	from := Family(p.Dir)
	if from == "internal" {
		return nil
	}
	if l[from] == 0 {
		return []string{fmt.Sprintf("%s: package %s has no line in the table of docs/house.md. Find the lowest line above everything it imports, and add it there.", p.Dir, p.Name)}
	}
	var found []string
	for _, f := range p.Code() {
		for imported, at := range f.Imports() {
			if why := l.forbids(from, imported); why != "" {
				found = append(found, at+": "+why)
			}
		}
	}
	slices.Sort(found)
	return found
}

// forbids says why family from may not import a path; empty when it may.
func (l Layers) forbids(from, imported string) string {
	if imported != source.Module && !strings.HasPrefix(imported, source.Module+"/") {
		return l.forbidsOutside(from, imported)
	}
	dir := strings.TrimPrefix(strings.TrimPrefix(imported, source.Module), "/")
	if dir == "" {
		dir = "."
	}
	to := Family(dir)
	if to == "internal" {
		return fmt.Sprintf("imports %s, which is for tests. Move what is needed into a package of the table.", dir)
	}
	if to == from || to == "longrein" || l[to] != 0 && l[to] < l[from] {
		return ""
	}
	return fmt.Sprintf("%s (line %d) imports %s (line %d). A package imports from lines below its own (docs/house.md, Who leans on whom): "+
		"declare in %s an interface with the methods it calls, or move the shared part down.", from, l[from], to, l[to], from)
}

func (l Layers) forbidsOutside(from, imported string) string {
	for vendor, owner := range vendors {
		if strings.HasPrefix(imported, vendor) && from != owner {
			return fmt.Sprintf("imports %s. A vendor's types stay in %s: give %s a type of our own.", imported, owner, from)
		}
	}
	first, _, _ := strings.Cut(imported, "/")
	if l[from] <= PureUpTo && strings.Contains(first, ".") {
		return fmt.Sprintf("%s (line %d) imports %s. Lines 1 to %d use the standard library only: let the caller pass in what that module does.", from, l[from], imported, PureUpTo)
	}
	return ""
}
