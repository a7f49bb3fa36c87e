package notes

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Found is what was seen in a folder.
type Found struct {
	// Edits are documents as a user made them, whole, or deleted; by name.
	Edits []longrein.Document
	Todo  string // of TODO.md, up to limit.TodoFile; empty without one
	// Problems are sentences about what was not taken, and why.
	Problems []string
}

// Look compares the folder with known, the documents as the log has them. A file
// that is neither as known nor as it was last published was edited; a published
// one that is gone was deleted; a further *.md or *.txt file was made by a user.
// What was edited and is then recorded is known the next time. LEDGER.md is put
// back when it was changed. A folder that is missing holds no edits.
func (f Folder) Look(known []longrein.Document) (Found, error) {
	p, err := f.open()
	if errors.Is(err, fs.ErrNotExist) {
		return Found{}, nil
	}
	if err != nil {
		return Found{}, fmt.Errorf("notes folder %s: %w", f.Dir, err)
	}
	defer p.close()
	l := looker{place: p, limits: f.Limits, known: map[string]longrein.Document{}}
	for _, d := range known {
		l.known[d.Name] = d
	}
	if err := l.look(); err != nil {
		return l.found, fmt.Errorf("notes folder %s: %w", f.Dir, err)
	}
	return l.found, nil
}

type looker struct {
	*place
	limits limit.Set
	known  map[string]longrein.Document
	was    *manifest
	now    *manifest // after what is as known was taken for ours
	found  Found
	taken  int64 // bytes of edits
}

func (l *looker) look() error {
	was, problem, err := l.manifest()
	if err != nil {
		return err
	}
	if problem != "" {
		l.problem(problem)
	}
	l.was, l.now = was, was.clone()
	names, err := l.names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := l.document(name); err != nil {
			return err
		}
	}
	l.todo()
	if maps.Equal(l.was.Files, l.now.Files) && maps.Equal(l.was.Next, l.now.Next) {
		return nil
	}
	return l.save(l.now)
}

// names are those that are known, were published or lie there, in order.
func (l *looker) names() ([]string, error) {
	all := map[string]bool{}
	for name := range l.known {
		all[name] = true
	}
	for _, d := range l.was.others(nil) {
		all[d.Name] = true
	}
	rest := l.limits.Int(limit.NoteFiles)
	if err := l.walk(".", &rest, func(name string) { all[name] = true }); err != nil {
		return nil, err
	}
	delete(all, longrein.TodoDocument)
	return slices.Sorted(maps.Keys(all)), nil
}

// walk yields the documents below dir. Rest is how many entries may still be
// looked at.
func (l *looker) walk(dir string, rest *int, yield func(name string)) error {
	f, err := l.root.Open(dir)
	if err != nil {
		return err
	}
	entries, err := f.ReadDir(*rest + 1) // one more shows that there are more
	if err := errors.Join(ignore(err, io.EOF), f.Close()); err != nil {
		return err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries {
		if *rest == 0 {
			l.problem(fmt.Sprintf("there are more than %d files and folders, the limit %s; the rest was not looked at",
				l.limits.Of(limit.NoteFiles), limit.NoteFiles.Name))
		}
		if *rest--; *rest < 0 {
			return nil
		}
		if err := l.entry(path.Join(dir, e.Name()), e, rest, yield); err != nil {
			return err
		}
	}
	return nil
}

// entry is one thing in the folder. What is hidden, was put aside or is of no
// kind that documents have belongs to somebody else.
func (l *looker) entry(name string, e fs.DirEntry, rest *int, yield func(name string)) error {
	switch {
	case strings.HasPrefix(e.Name(), "."), strings.HasSuffix(e.Name(), asideSuffix):
	case isDocument(name):
		yield(name)
	case e.Type()&fs.ModeSymlink != 0:
		l.problem(fmt.Sprintf("%q is a symlink and was not followed", name))
	case e.IsDir() && oddName(name) != "":
		l.problem(fmt.Sprintf("%q %s, so nothing in it was taken", name, oddName(name)))
	case e.IsDir():
		return l.walk(name, rest, yield)
	}
	return nil
}

// document compares one document with what is known of it.
func (l *looker) document(name string) error {
	d, known := l.known[name]
	want := ""
	if known {
		want = wanted(d).hash
	}
	if why := oddName(name); why != "" {
		l.problem(fmt.Sprintf("%q %s, so it was not taken", name, why))
		return nil
	}
	there, err := l.file(name, len(d.Text))
	switch {
	case err != nil:
		return err
	case there.problem == "" && there.hash == want:
		l.now.settle(name, want)
	case there.problem == "" && l.was.ours(name, there.hash):
	case name == longrein.LedgerDocument:
		return l.ledger(wanted(d), there)
	case there.problem != "":
		l.problem(fmt.Sprintf("%s %s, so it was not taken", name, there.problem))
	default:
		l.edit(longrein.Document{Name: name, Text: there.text, Deleted: there.hash == ""})
	}
	return nil
}

// edit takes a user's edit, while there is room.
func (l *looker) edit(d longrein.Document) {
	if l.taken+int64(len(d.Text)) > l.limits.Of(limit.NoteEdits) {
		l.problem(fmt.Sprintf("%s waits for the next look: together the edits are larger than %d bytes, the limit %s",
			d.Name, l.limits.Of(limit.NoteEdits), limit.NoteEdits.Name))
		return
	}
	l.taken += int64(len(d.Text))
	l.found.Edits = append(l.found.Edits, d)
}

// ledger puts the harness's own document back.
func (l *looker) ledger(c change, there file) error {
	if _, known := l.known[c.name]; !known {
		l.problem(longrein.LedgerDocument + " is a name of the harness's own, so it was not taken")
		return nil
	}
	l.problem(c.name + " is written by the harness alone; it had been changed and was put back")
	c.aside = there.problem != ""
	l.now.settle(c.name, c.hash)
	return l.apply(c)
}

// todo reads the worker's own document.
func (l *looker) todo() {
	most := l.limits.Of(limit.TodoFile)
	f, info, err := l.open(longrein.TodoDocument)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var data []byte
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(f, most))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		l.problem(fmt.Sprintf("%s %v, so it was not taken", longrein.TodoDocument, err))
		return
	}
	if info.Size() > most {
		l.problem(fmt.Sprintf("only the first %d bytes of %s were taken, the limit %s", most, longrein.TodoDocument, limit.TodoFile.Name))
	}
	l.found.Todo = strings.ToValidUTF8(string(data), "")
}

func (l *looker) problem(text string) { l.found.Problems = append(l.found.Problems, text) }

func ignore(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}
