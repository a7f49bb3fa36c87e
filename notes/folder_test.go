package notes

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

func folder(t *testing.T) Folder {
	t.Helper()
	return Folder{Dir: filepath.Join(t.TempDir(), "notes", "thread")}
}

// doc is a document, or a deleted one without a text.
func doc(name string, text ...string) longrein.Document {
	return longrein.Document{Name: name, Text: strings.Join(text, ""), Deleted: text == nil}
}

func publish(t *testing.T, f Folder, docs ...longrein.Document) {
	t.Helper()
	if err := f.Publish(longrein.Notes{Changed: docs}); err != nil {
		t.Fatal(err)
	}
}

func look(t *testing.T, f Folder, known ...longrein.Document) Found {
	t.Helper()
	found, err := f.Look(known)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// write does what a user would: it makes a file with the folders it needs.
func write(t *testing.T, f Folder, name, text string) {
	t.Helper()
	path := filepath.Join(f.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, f Folder, name string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(f.Dir, name)); err != nil {
		t.Fatal(err)
	}
}

// onDisk returns the folder's files by name, without the hidden ones.
func onDisk(t *testing.T, f Folder) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(f.Dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			return err
		}
		data, err := os.ReadFile(filepath.Join(f.Dir, name))
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestPublishWritesWhatChangedAndRemovesWhatWasDeleted(t *testing.T) {
	f := folder(t)
	publish(t, f, doc("MAIN.md", "one"), doc("topics/db.md", "tables"), doc("empty.md", ""))
	publish(t, f, doc("MAIN.md", "two"), doc("topics/db.md"))
	if diff := cmp.Diff(map[string]string{"MAIN.md": "two", "empty.md": ""}, onDisk(t, f)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(f.Dir, "topics")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder that became empty is still there: %v", err)
	}
	if found := look(t, f, doc("MAIN.md", "two"), doc("empty.md", "")); len(found.Edits)+len(found.Problems) > 0 {
		t.Errorf("found %+v", found)
	}
}

func TestFilesAreTheOwnersAlone(t *testing.T) {
	f := folder(t)
	publish(t, f, doc("a/b.md", "x"))
	for name, want := range map[string]fs.FileMode{".": 0o700, "a": 0o700, "a/b.md": 0o600, manifestName: 0o600} {
		info, err := os.Stat(filepath.Join(f.Dir, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v, want %v (%v)", name, info.Mode().Perm(), want, err)
		}
	}
}

func TestPublishDoesNotOverwriteAnEdit(t *testing.T) {
	for name, edit := range map[string]func(*testing.T, Folder){
		"a changed document":           func(t *testing.T, f Folder) { write(t, f, "MAIN.md", "mine") },
		"a deleted document":           func(t *testing.T, f Folder) { remove(t, f, "MAIN.md") },
		"a new file of the same name ": func(t *testing.T, f Folder) { write(t, f, "new.md", "mine") },
	} {
		f := folder(t)
		publish(t, f, doc("MAIN.md", "one"), doc("other.md", "one"))
		edit(t, f)
		before := onDisk(t, f)
		v := longrein.Notes{Changed: []longrein.Document{doc("other.md", "two"), doc("MAIN.md", "two"), doc("new.md", "two")}}
		var conflict *ConflictError
		if err := f.Publish(v); !errors.As(err, &conflict) || len(conflict.Names) != 1 {
			t.Errorf("%s: got %v, want one conflict", name, err)
		}
		if diff := cmp.Diff(before, onDisk(t, f)); diff != "" {
			t.Errorf("%s: something was written (-want +got):\n%s", name, diff)
		}
	}
}

func TestAnEditThatWasRecordedIsNoConflictAnyMore(t *testing.T) {
	f := folder(t)
	publish(t, f, doc("MAIN.md", "one"), doc("gone.md", "one"))
	write(t, f, "MAIN.md", "mine")
	remove(t, f, "gone.md")
	found := look(t, f, doc("MAIN.md", "one"), doc("gone.md", "one"))
	if diff := cmp.Diff([]longrein.Document{doc("MAIN.md", "mine"), doc("gone.md")}, found.Edits); diff != "" {
		t.Fatalf("edits (-want +got):\n%s", diff)
	}
	publish(t, f, found.Edits...)
	publish(t, f, doc("MAIN.md", "three"), doc("gone.md", "again"))
	if diff := cmp.Diff(map[string]string{"MAIN.md": "three", "gone.md": "again"}, onDisk(t, f)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestTheSameEditMadeByBothIsNoConflict(t *testing.T) {
	f := folder(t)
	publish(t, f, doc("MAIN.md", "one"))
	write(t, f, "MAIN.md", "two")
	publish(t, f, doc("MAIN.md", "two"))
	publish(t, f, doc("MAIN.md", "three"))
}

func TestTheWorkersTodoIsLeftAlone(t *testing.T) {
	f := folder(t)
	publish(t, f, doc("TODO.md", "from a summarizer"), doc("MAIN.md", "x"))
	if _, there := onDisk(t, f)["TODO.md"]; there {
		t.Error("a TODO.md was published")
	}
	write(t, f, "TODO.md", "- [ ] tests\xff")
	found := look(t, f, doc("MAIN.md", "x"))
	if found.Todo != "- [ ] tests" || len(found.Edits) > 0 {
		t.Errorf("found %+v", found)
	}
	f.Limits = limit.Set{limit.TodoFile.Name: 5}
	if found := look(t, f, doc("MAIN.md", "x")); found.Todo != "- [ ]" || len(found.Problems) != 1 {
		t.Errorf("found %+v", found)
	}
}

func TestTheLedgerIsPutBack(t *testing.T) {
	f := folder(t)
	publish(t, f, doc("LEDGER.md", "facts"))
	for name, spoil := range map[string]func(){
		"changed":   func() { write(t, f, "LEDGER.md", "lies") },
		"deleted":   func() { remove(t, f, "LEDGER.md") },
		"a folder":  func() { remove(t, f, "LEDGER.md"); write(t, f, "LEDGER.md/x.md", "") },
		"no text":   func() { write(t, f, "LEDGER.md", "\x00") },
		"unchanged": func() {},
	} {
		spoil()
		found := look(t, f, doc("LEDGER.md", "facts"))
		told := len(found.Problems) == 1
		if got := onDisk(t, f)["LEDGER.md"]; got != "facts" || len(found.Edits) > 0 || told == (name == "unchanged") {
			t.Errorf("%s: the ledger says %q, found %+v", name, got, found)
		}
	}
	write(t, f, "LEDGER.md", "lies")
	publish(t, f, doc("LEDGER.md", "more facts"))
	if got := onDisk(t, f)["LEDGER.md"]; got != "more facts" {
		t.Errorf("the ledger says %q", got)
	}
}

func TestRestore(t *testing.T) {
	known := []longrein.Document{doc("MAIN.md", "main"), doc("topics/a.md", "a"), doc("TODO.md", "- [ ] all")}
	all := map[string]string{"MAIN.md": "main", "topics/a.md": "a", "TODO.md": "- [ ] all"}
	for name, c := range map[string]struct {
		change func(*testing.T, Folder)
		want   map[string]string
	}{
		"a folder that is gone is made again":  {func(t *testing.T, f Folder) { remove(t, f, ".") }, all},
		"a manifest that is gone does no harm": {func(t *testing.T, f Folder) { remove(t, f, manifestName) }, all},
		"an older document is replaced": {func(t *testing.T, f Folder) {
			publish(t, f, doc("MAIN.md", "older"))
		}, all},
		"a document that is known no more is removed": {func(t *testing.T, f Folder) {
			publish(t, f, doc("old.md", "old"))
		}, all},
		"edits stay": {func(t *testing.T, f Folder) {
			write(t, f, "MAIN.md", "mine")
			write(t, f, "TODO.md", "- [x] all")
			write(t, f, "new.md", "new")
			remove(t, f, "topics/a.md")
		}, map[string]string{"MAIN.md": "mine", "TODO.md": "- [x] all", "new.md": "new"}},
	} {
		f := folder(t)
		publish(t, f, known...)
		c.change(t, f)
		if err := f.Restore(known); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, onDisk(t, f)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
