package notes

import (
	"errors"
	"fmt"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Folder is a thread's notes on disk. Its methods are for one caller at a time;
// users may change files at any moment.
type Folder struct {
	Dir    string // absolute; made when there is something to put into it
	Limits limit.Set
}

// ConflictError says that documents were edited in the folder since they were
// last published or looked at. Nothing was written; [Folder.Look] takes the edits in.
type ConflictError struct{ Names []string }

// Error names the documents.
func (e *ConflictError) Error() string {
	return "edited in the notes folder meanwhile: " + strings.Join(e.Names, ", ")
}

// Publish writes the documents that v changed and removes those it deleted. A
// document that a user edited is not overwritten: the error is then a
// [*ConflictError], and nothing was written. What stands in a document's way and
// is none, such as a symlink, is renamed to end in ".aside". TODO.md is the
// worker's and never touched.
func (f Folder) Publish(v longrein.Notes) error {
	return f.change(func(p *place, m *manifest) ([]change, error) {
		var edited []string
		changes, err := p.plan(m, v.Changed, func(c change) {
			edited = append(edited, c.name)
		})
		if len(edited) > 0 {
			return nil, &ConflictError{edited}
		}
		return changes, err
	})
}

// Restore brings the folder to what the log says: it makes what is missing,
// replaces what is older and removes what is no longer known. What a user edited
// or deleted stays as it is. A TODO.md among known is written where there is none.
func (f Folder) Restore(known []longrein.Document) error {
	return f.change(func(p *place, m *manifest) ([]change, error) {
		docs := append(known[:len(known):len(known)], m.others(known)...)
		changes, err := p.plan(m, docs, func(change) {})
		todo, missing := p.todo(known)
		if missing {
			changes = append(changes, todo)
		}
		return changes, err
	})
}

// change plans with the manifest at hand and does what was planned.
func (f Folder) change(plan func(*place, *manifest) ([]change, error)) error {
	err := f.tryChange(plan)
	if conflict := (*ConflictError)(nil); err != nil && !errors.As(err, &conflict) {
		return fmt.Errorf("notes folder %s: %w", f.Dir, err)
	}
	return err
}

func (f Folder) tryChange(plan func(*place, *manifest) ([]change, error)) error {
	p, err := f.make()
	if err != nil {
		return err
	}
	defer p.close()
	m, _, err := p.manifest()
	if err != nil {
		return err
	}
	changes, err := plan(p, m)
	for _, step := range p.steps(m, changes) {
		if failed := step(); failed != nil {
			return errors.Join(err, failed)
		}
	}
	return err
}
