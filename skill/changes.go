package skill

import (
	"strings"

	"github.com/longrein/longrein"
)

const (
	changedHeading = "The list of skills has changed. New or different:"
	goneHeading    = "No longer there:"
)

// Changes returns what a model has to be told that has seen these entries of its
// window: a whole list if they have none, and else the skills that are new, have
// another name or description, or are gone. Text is empty when nothing has changed.
// Entries of other kinds do not matter. That a description is shown shorter or longer
// is no change; a skill that was left out and now has room is new.
func (f *Found) Changes(seen []longrein.Entry, b Budget) List {
	known, any := told(seen)
	if !any {
		return f.List(b)
	}
	l := f.fit(b)
	news, gone := known.unshown(l.lines), known.gone(f.Skills)
	if len(news)+len(gone) == 0 {
		return List{}
	}
	l.Text = difference(news, gone)
	return l
}

func difference(news, gone []string) string {
	parts := append([]string{changedHeading}, news...)
	if len(news) == 0 {
		parts[0] = "The list of skills has changed."
	}
	if len(gone) > 0 {
		parts = append(append(parts, goneHeading), gone...)
	}
	return strings.Join(parts, "\n")
}

// known is what a model was told, by path, in the order it was first told.
type known struct {
	line  map[string]line
	order []string
}

// told reads the lists and differences among a window's entries; any is false if
// there are none.
func told(entries []longrein.Entry) (k known, any bool) {
	k.line = map[string]line{}
	for _, e := range entries {
		if f, ok := e.Item.(longrein.Fragment); ok && f.Tag == longrein.TagSkills {
			k.read(f.Text)
			any = true
		}
	}
	return k, any
}

// read takes a list or a difference in. The lines of the text above a list end as no
// skill's does.
func (k *known) read(text string) {
	gone := false
	for one := range strings.Lines(text) {
		one = strings.TrimSuffix(one, "\n")
		l, ok := parseLine(one)
		switch {
		case one == goneHeading:
			gone = true
		case ok && gone:
			k.drop(l.Path)
		case ok:
			k.set(l)
		}
	}
}

func (k *known) set(l line) {
	if _, ok := k.line[l.Path]; !ok {
		k.order = append(k.order, l.Path)
	}
	k.line[l.Path] = l
}

func (k *known) drop(path string) {
	delete(k.line, path)
	for i, p := range k.order {
		if p == path {
			k.order = append(k.order[:i:i], k.order[i+1:]...)
			return
		}
	}
}

// unshown are the lines that the model has to be told.
func (k *known) unshown(now []line) []string {
	var lines []string
	for _, one := range now {
		if !k.shows(one) {
			lines = append(lines, one.String())
		}
	}
	return lines
}

// gone are lines for what is there no more.
func (k *known) gone(now []Skill) []string {
	there := make(map[string]bool, len(now))
	for _, s := range now {
		there[s.Path] = true
	}
	var lines []string
	for _, path := range k.order {
		if !there[path] {
			lines = append(lines, line{Skill: Skill{Name: k.line[path].Name, Path: path}}.String())
		}
	}
	return lines
}

// shows reports whether the model knows of a skill what it would be told.
func (k *known) shows(now line) bool {
	was, ok := k.line[now.Path]
	begin, cut := strings.CutSuffix(was.shown, cutMark)
	switch {
	case !ok || was.Name != now.Name:
		return false
	case was.shown == "" || was.shown == now.Description:
		return true
	}
	return cut && strings.HasPrefix(now.Description, begin)
}

// parseLine reads what line.String wrote.
func parseLine(text string) (line, bool) {
	text, item := strings.CutPrefix(text, itemMark)
	text, end := strings.CutSuffix(text, ")")
	at := strings.LastIndex(text, fileMark)
	if !item || !end || at < 0 {
		return line{}, false
	}
	name, shown, _ := strings.Cut(text[:at], ": ")
	return line{Skill{Name: name, Path: text[at+len(fileMark):]}, shown}, true
}
