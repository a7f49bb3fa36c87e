package memory

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// A folder's name has no dot, so that no document stands where a folder must be.
var validName = regexp.MustCompile(`^([A-Za-z0-9_][A-Za-z0-9_-]*/)*[A-Za-z0-9_][A-Za-z0-9._-]*\.(md|txt)$`)

// shown is how much of a name an error repeats.
const shown = 100 // fixed: what was asked for is in the answer

func slashed(name string) string { return strings.ReplaceAll(name, `\`, "/") }

// within returns a path relative to the notes folder, "" for the folder itself.
// The path may be relative to it, or absolute and below it.
func (d *Draft) within(name string) (string, error) {
	p := slashed(strings.TrimSpace(name))
	if slices.Contains(strings.Split(p, "/"), "..") {
		return "", refuse("%q has .. in it; name documents from the notes folder on, such as topics/build.md", clip(name, shown))
	}
	p = path.Clean(p) // "." for nothing
	rest, below := strings.CutPrefix(p+"/", d.o.Folder+"/")
	switch {
	case strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':':
		if d.o.Folder == "" || !below {
			return "", refuse("%q is outside of the notes folder, and the summarizer reaches nothing else; name documents from there on, such as MAIN.md", clip(name, shown))
		}
		return strings.TrimSuffix(rest, "/"), nil
	case p == ".":
		return "", nil
	}
	return p, nil
}

// writable returns the name of a document that the summarizer may change.
func (d *Draft) writable(p string) (string, error) {
	name, err := d.within(p)
	if err != nil {
		return "", err
	}
	if whose := owner(name); whose != "" {
		return "", refuse("%s, and the summarizer leaves it alone; note it in another document if it matters beyond that", whose)
	}
	return name, d.valid(name)
}

// valid reports why a document may not have this name. A name that a file system
// without case would take for another document's is refused.
func (d *Draft) valid(name string) error {
	if most := d.o.Limits.Int(limit.NotesName); len(name) > most {
		return refuse("a document's name may have %d bytes (limit notes-name), not %d", most, len(name))
	}
	if !validName.MatchString(name) {
		return refuse("%q is no name for a document; one may have letters of ASCII, digits, . _ - and / for folders, and ends with .md or .txt", name)
	}
	taken := append(d.names(), longrein.MainDocument)
	for _, old := range d.base.docs {
		taken = append(taken, old.Name)
	}
	for _, other := range taken {
		if other != name && strings.EqualFold(other, name) {
			return refuse("%q differs from %s only in capitals; use that name", name, other)
		}
	}
	return nil
}
