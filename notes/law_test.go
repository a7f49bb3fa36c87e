package notes

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
)

// world is a log's documents beside a folder, and what a user did there.
type world struct {
	t      *testing.T
	folder Folder
	known  map[string]string // by the log
	user   map[string]longrein.Document
	texts  int
}

// text is one that was never there before.
func (w *world) text() string {
	w.texts++
	return "text " + strconv.Itoa(w.texts)
}

func (w *world) docs() []longrein.Document {
	var docs []longrein.Document
	for _, name := range slices.Sorted(maps.Keys(w.known)) {
		docs = append(docs, doc(name, w.known[name]))
	}
	return docs
}

func (w *world) learn(docs []longrein.Document) {
	for _, d := range docs {
		w.known[d.Name] = d.Text
		if d.Deleted {
			delete(w.known, d.Name)
		}
	}
}

// publish puts a new version into the log and then on disk, unless the user was
// there first.
func (w *world) publish(r *rapid.T, docs []longrein.Document) {
	w.learn(docs)
	conflicts := 0
	for _, d := range docs {
		mine, edited := w.user[d.Name]
		if edited && mine.Deleted && d.Deleted {
			delete(w.user, d.Name) // they agree
		} else if edited {
			conflicts++
		}
	}
	var conflict *ConflictError
	err := w.folder.Publish(longrein.Notes{Changed: docs})
	if errors.As(err, &conflict); (conflict == nil && conflicts > 0) || (conflict != nil && len(conflict.Names) != conflicts) {
		r.Fatalf("publish %v: %v, want %d conflicts", docs, err, conflicts)
	}
}

// crash puts a new version into the log and begins to put it on disk.
func (w *world) crash(docs []longrein.Document, steps int) {
	w.learn(docs)
	p, err := w.folder.make()
	if err != nil {
		w.t.Fatal(err)
	}
	defer p.close()
	m, _, err := p.manifest()
	if err != nil {
		w.t.Fatal(err)
	}
	changes, err := p.plan(m, docs, func(change) {})
	if err != nil {
		w.t.Fatal(err)
	}
	all := p.steps(m, changes)
	for _, step := range all[:min(steps, len(all))] {
		if err := step(); err != nil {
			w.t.Fatal(err)
		}
	}
}

// edit does what a user does, and notes it.
func (w *world) edit(name string, deletes bool) {
	if !deletes {
		d := doc(name, w.text())
		write(w.t, w.folder, name, d.Text)
		w.user[name] = d
		return
	}
	p, err := w.folder.make()
	if err != nil {
		w.t.Fatal(err)
	}
	defer p.close()
	m, _, _ := p.manifest()
	there, err := p.file(name, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	remove(w.t, w.folder, name)
	_, edited := w.user[name]
	switch _, known := w.known[name]; {
	case there.hash == "" && !edited: // nothing was there
	case known && !m.ours(name, ""): // its publishing came to an end, and nobody removed it since
		w.user[name] = doc(name)
	default:
		delete(w.user, name)
	}
}

// look must find just what the user did.
func (w *world) look(r *rapid.T) {
	found := look(w.t, w.folder, w.docs()...)
	var want []longrein.Document
	for _, name := range slices.Sorted(maps.Keys(w.user)) {
		want = append(want, w.user[name])
	}
	if diff := cmp.Diff(Found{Edits: want}, found); diff != "" {
		r.Fatalf("found (-want +got):\n%s", diff)
	}
}

// After any publishing, crashes and edits a look finds just the edits, and once
// they are in the log the folder can be brought to what it says.
func TestLookFindsJustTheEdits(t *testing.T) {
	names := rapid.SampledFrom([]string{"MAIN.md", "a.md", "t/b.md", "t/c.txt"})
	rapid.Check(t, func(r *rapid.T) {
		w := &world{t: t, folder: folder(t), known: map[string]string{}, user: map[string]longrein.Document{}}
		for range rapid.IntRange(1, 12).Draw(r, "operations") {
			name := names.Draw(r, "name")
			switch rapid.SampledFrom([]string{"publish", "crash", "edit", "delete", "look", "restore"}).Draw(r, "operation") {
			case "publish":
				w.publish(r, w.version(r, names))
			case "crash":
				w.record(r)
				w.crash(w.version(r, names), rapid.IntRange(0, 8).Draw(r, "steps"))
			case "edit":
				w.edit(name, false)
			case "delete":
				w.edit(name, true)
			case "restore":
				if err := w.folder.Restore(w.docs()); err != nil {
					r.Fatal(err)
				}
			}
			w.look(r)
		}
		w.record(r)
		if err := w.folder.Restore(w.docs()); err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(w.known, onDisk(t, w.folder)); diff != "" {
			r.Errorf("the folder is not as the log says (-want +got):\n%s", diff)
		}
	})
}

// version draws a new version of some documents.
func (w *world) version(r *rapid.T, names *rapid.Generator[string]) []longrein.Document {
	var docs []longrein.Document
	for _, name := range rapid.SliceOfNDistinct(names, 1, 3, rapid.ID).Draw(r, "changed") {
		if _, there := w.known[name]; there && rapid.Bool().Draw(r, "deleted") {
			docs = append(docs, doc(name))
			continue
		}
		docs = append(docs, doc(name, w.text()))
	}
	return docs
}

// record takes the user's edits into the log, as the harness does.
func (w *world) record(r *rapid.T) {
	found := look(w.t, w.folder, w.docs()...)
	w.learn(found.Edits)
	var conflict *ConflictError
	if err := w.folder.Publish(longrein.Notes{By: longrein.ByUser, Changed: found.Edits}); errors.As(err, &conflict) {
		r.Fatalf("what was looked at is a conflict: %v", err)
	}
	clear(w.user)
}
