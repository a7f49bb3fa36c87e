package environ

import (
	"strings"

	"github.com/longrein/longrein"
)

// Changes returns what a model has to be told that has seen these entries of its
// window: one fragment for each kind of which something differs, with nothing in it
// but that. It is empty when nothing has changed. Entries of other kinds do not
// matter.
func (in Initial) Changes(seen []longrein.Entry) []longrein.Entry {
	before, now := folded(seen), folded(in.Entries)
	var out []longrein.Entry
	for _, tag := range []longrein.Tag{longrein.TagPermissions, longrein.TagEnvironment} {
		if text := before.fields(tag).difference(now.fields(tag)); text != "" {
			out = append(out, entry(tag, text))
		}
	}
	if text := before.docs.difference(now.docs); text != "" {
		out = append(out, entry(longrein.TagInstructions, text))
	}
	return out
}

// known is what a model knows of the outside.
type known struct {
	permissions, environment fields
	docs                     chapters
}

func (k *known) fields(tag longrein.Tag) *fields {
	if tag == longrein.TagPermissions {
		return &k.permissions
	}
	return &k.environment
}

// folded reads what entries say, the later ones about the earlier.
func folded(entries []longrein.Entry) *known {
	k := &known{}
	for _, e := range entries {
		f, ok := e.Item.(longrein.Fragment)
		if !ok {
			continue
		}
		switch f.Tag {
		case longrein.TagPermissions, longrein.TagEnvironment:
			k.fields(f.Tag).read(f.Text)
		case longrein.TagInstructions:
			k.docs.read(f.Text)
		}
	}
	return k
}

// fields are lines such as "date: 2026-11-30", in order.
type fields []field

type field struct{ name, value string }

const (
	changedLine = "changed since you were told last:"
	goneField   = "no longer said"
)

// read takes the lines of a fragment in, a whole one or a difference.
func (fs *fields) read(text string) {
	if !strings.HasPrefix(text, changedLine+"\n") {
		*fs = nil
	}
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch {
		case !ok:
		case name == goneField:
			fs.drop(value)
		default:
			fs.set(field{name, value})
		}
	}
}

func (fs *fields) set(f field) {
	for i, g := range *fs {
		if g.name == f.name {
			(*fs)[i] = f
			return
		}
	}
	*fs = append(*fs, f)
}

func (fs *fields) drop(name string) {
	for i, g := range *fs {
		if g.name == name {
			*fs = append((*fs)[:i:i], (*fs)[i+1:]...)
			return
		}
	}
}

func (fs fields) has(f field) bool {
	for _, g := range fs {
		if g == f {
			return true
		}
	}
	return false
}

func (fs fields) named(name string) bool {
	for _, g := range fs {
		if g.name == name {
			return true
		}
	}
	return false
}

// difference is what has to be said after fs for now to be known, "" for nothing.
func (fs fields) difference(now *fields) string {
	var lines []string
	for _, f := range *now {
		if !fs.has(f) {
			lines = append(lines, f.name+": "+f.value)
		}
	}
	for _, f := range fs {
		if !now.named(f.name) {
			lines = append(lines, goneField+": "+f.name)
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return changedLine + "\n" + strings.Join(lines, "\n")
}
