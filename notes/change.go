package notes

import (
	"errors"
	"fmt"
	"maps"

	"github.com/longrein/longrein"
)

// change is a document on its way into the folder.
type change struct {
	name  string
	text  string
	hash  string // of text; empty for a document that goes
	was   string // hash of what is there and ours; empty for nothing
	aside bool   // what is there is no document
	done  bool   // the file is as it should be already
}

// plan says what brings the folder to docs. A document that was edited is not in
// it; edited is told. Its error names the documents that no folder can hold.
func (p *place) plan(m *manifest, docs []longrein.Document, edited func(change)) ([]change, error) {
	var changes []change
	var errs []error
	for _, d := range docs {
		if d.Name == longrein.TodoDocument {
			continue
		}
		if why := oddName(d.Name); why != "" {
			errs = append(errs, fmt.Errorf("document %q %s", d.Name, why))
			continue
		}
		c := wanted(d)
		there, err := p.file(d.Name, len(d.Text))
		switch {
		case err != nil:
			errs = append(errs, err)
			continue
		case there.problem != "":
			c.aside, c.done = !d.Deleted, d.Deleted
		case there.hash == c.hash:
			c.done = true
		case m.ours(c.name, there.hash):
			c.was = there.hash
		case d.Name != longrein.LedgerDocument:
			edited(c)
			continue
		}
		changes = append(changes, c)
	}
	return changes, errors.Join(errs...)
}

// wanted is the change to a document, before it is known what is there.
func wanted(d longrein.Document) change {
	if d.Deleted {
		return change{name: d.Name}
	}
	return change{name: d.Name, text: d.Text, hash: hashOf(d.Text)}
}

// todo is the change that writes the TODO.md of known, if it has one and the
// folder has none.
func (p *place) todo(known []longrein.Document) (c change, missing bool) {
	for _, d := range known {
		if d.Name == longrein.TodoDocument {
			there, err := p.file(d.Name, 0)
			return wanted(d), err == nil && there.problem == "" && there.hash == ""
		}
	}
	return c, false
}

// steps are what has to be done one after the other. A crash between any two of
// them leaves only files that the manifest knows as ours.
func (p *place) steps(m *manifest, changes []change) []func() error {
	before := m.clone()
	announced := m.clone()
	var steps []func() error
	for _, c := range changes {
		m.settle(c.name, c.hash)
		if c.done {
			continue
		}
		announced.settle(c.name, c.was)
		announced.Next[c.name] = c.hash
		steps = append(steps, func() error { return p.apply(c) })
	}
	if len(steps) > 0 {
		steps = append([]func() error{func() error { return p.save(announced) }}, steps...)
	}
	if len(steps) > 0 || !maps.Equal(before.Files, m.Files) || !maps.Equal(before.Next, m.Next) {
		steps = append(steps, func() error { return p.save(m) })
	}
	return steps
}

func (p *place) apply(c change) error {
	if c.hash == "" {
		return p.remove(c.name)
	}
	if c.aside {
		if err := p.clear(c.name, true); err != nil {
			return err
		}
	}
	return p.put(c.name, c.text)
}
