package notes

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

func TestLookFindsEdits(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*testing.T, Folder)
		want   []longrein.Document
	}{
		"nothing":               {func(*testing.T, Folder) {}, nil},
		"a folder that is gone": {func(t *testing.T, f Folder) { remove(t, f, ".") }, nil},
		"a change":              {func(t *testing.T, f Folder) { write(t, f, "MAIN.md", "mine") }, []longrein.Document{doc("MAIN.md", "mine")}},
		"an emptied file":       {func(t *testing.T, f Folder) { write(t, f, "MAIN.md", "") }, []longrein.Document{doc("MAIN.md", "")}},
		"a deletion":            {func(t *testing.T, f Folder) { remove(t, f, "topics/a.md") }, []longrein.Document{doc("topics/a.md")}},
		"new files":             {func(t *testing.T, f Folder) { write(t, f, "b/c/new.MD", "n"); write(t, f, "a.txt", "t") }, []longrein.Document{doc("a.txt", "t"), doc("b/c/new.MD", "n")}},
		"files of other kinds, and hidden ones": {func(t *testing.T, f Folder) {
			write(t, f, "photo.png", "n")
			write(t, f, ".hidden.md", "n")
			write(t, f, ".git/x.md", "n")
			write(t, f, "MAIN.md~", "n")
		}, nil},
	} {
		f := folder(t)
		publish(t, f, doc("MAIN.md", "main"), doc("topics/a.md", "a"))
		c.change(t, f)
		found := look(t, f, doc("MAIN.md", "main"), doc("topics/a.md", "a"))
		if diff := cmp.Diff(Found{Edits: c.want}, found); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Case 97 of the contract of background memory: a link is not followed.
func TestWhatCannotBeTakenIsAProblem(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := func(t *testing.T, f Folder, name, to string) {
		t.Helper()
		remove(t, f, name)
		if err := os.Symlink(to, filepath.Join(f.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		change func(*testing.T, Folder)
		want   string
	}{
		"a symlink out of the folder":     {func(t *testing.T, f Folder) { link(t, f, "MAIN.md", outside) }, "MAIN.md is a symlink, so it was not taken"},
		"a symlink within it":             {func(t *testing.T, f Folder) { link(t, f, "x.md", "MAIN.md") }, "x.md is a symlink, so it was not taken"},
		"a folder that became a symlink":  {func(t *testing.T, f Folder) { link(t, f, "topics", filepath.Dir(outside)) }, `"topics" is a symlink and was not followed|topics/a.md lies behind topics, which is not a folder, so it was not taken`},
		"a folder with a document's name": {func(t *testing.T, f Folder) { write(t, f, "x.md/y.md", "") }, "x.md is not an ordinary file, so it was not taken"},
		"bytes that are no text":          {func(t *testing.T, f Folder) { write(t, f, "MAIN.md", "a\xff") }, "MAIN.md is not a text in UTF-8, so it was not taken"},
		"a text with a zero byte":         {func(t *testing.T, f Folder) { write(t, f, "MAIN.md", "a\x00") }, "MAIN.md is not a text in UTF-8, so it was not taken"},
		"a large file":                    {func(t *testing.T, f Folder) { write(t, f, "MAIN.md", strings.Repeat("x", 5000)) }, "MAIN.md is larger than 4096 bytes, the limit note-file, so it was not taken"},
		"an odd name":                     {func(t *testing.T, f Folder) { write(t, f, "a\u202e\".md", "x") }, `"a\u202e\".md" has characters in its name that not every system and list can show, so it was not taken`},
		"a twin of the worker's own":      {func(t *testing.T, f Folder) { write(t, f, "Todo.md", "x") }, `"Todo.md" could be taken for TODO.md, so it was not taken`},
		"a folder with an odd name":       {func(t *testing.T, f Folder) { write(t, f, "a\n/b.md", "x") }, `"a\n" has characters in its name that not every system and list can show, so nothing in it was taken`},
		"a damaged manifest":              {func(t *testing.T, f Folder) { write(t, f, manifestName, "{") }, ".published.json is damaged, so a document that differs from the log counts as edited"},
		"a ledger of the user's":          {func(t *testing.T, f Folder) { write(t, f, "LEDGER.md", "x") }, "LEDGER.md is a name of the harness's own, so it was not taken"},
	} {
		f := folder(t)
		f.Limits = limit.Set{limit.NoteFile.Name: 4096}
		publish(t, f, doc("MAIN.md", "main"), doc("topics/a.md", "a"))
		c.change(t, f)
		found := look(t, f, doc("MAIN.md", "main"), doc("topics/a.md", "a"))
		if diff := cmp.Diff(Found{Problems: strings.Split(c.want, "|")}, found); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestWhatStandsInTheWayIsPutAside(t *testing.T) {
	outside := t.TempDir()
	f := folder(t)
	f.Limits = limit.Set{limit.NoteFile.Name: 4096}
	docs := []longrein.Document{doc("MAIN.md", "main"), doc("topics/a.md", "a"), doc("x.md", "x"), doc("y.md", "y")}
	publish(t, f, docs...)
	for _, name := range []string{"topics", "MAIN.md", "x.md"} {
		remove(t, f, name)
	}
	for name, to := range map[string]string{"topics": outside, "MAIN.md": outside + "/MAIN.md"} {
		if err := os.Symlink(to, filepath.Join(f.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, f, "x.md/inside.md", "kept")
	large := strings.Repeat("large", 1000)
	write(t, f, "y.md", large)
	write(t, f, "y.md.aside", "an older one")

	publish(t, f, doc("MAIN.md", "2"), doc("topics/a.md", "2"), doc("x.md", "2"), doc("y.md", "2"))
	want := map[string]string{
		"MAIN.md": "2", "topics/a.md": "2", "x.md": "2", "y.md": "2",
		"x.md.aside/inside.md": "kept", "y.md.aside": "an older one", "y.md.2.aside": large,
	}
	if diff := cmp.Diff(want, onDisk(t, f)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("written outside: %v, %v", left, err)
	}
	found := look(t, f, doc("MAIN.md", "2"), doc("topics/a.md", "2"), doc("x.md", "2"), doc("y.md", "2"))
	if len(found.Edits) > 0 {
		t.Errorf("what was put aside is taken for edits: %+v", found)
	}
}

func TestAFolderThatIsASymlinkIsRefused(t *testing.T) {
	f := folder(t)
	if err := os.MkdirAll(filepath.Dir(f.Dir), 0o700); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	if err := os.Symlink(elsewhere, f.Dir); err != nil {
		t.Fatal(err)
	}
	_, lookErr := f.Look(nil)
	for op, err := range map[string]error{"look": lookErr, "publish": f.Publish(longrein.Notes{Changed: []longrein.Document{doc("a.md", "x")}})} {
		if err == nil || !strings.Contains(err.Error(), "it is a symlink") {
			t.Errorf("%s: %v", op, err)
		}
	}
	if left, _ := os.ReadDir(elsewhere); len(left) > 0 {
		t.Errorf("written through the symlink: %v", left)
	}
}

func TestAnyNumberOfFilesIsBorne(t *testing.T) {
	f := folder(t)
	f.Limits = limit.Set{limit.NoteFiles.Name: 10, limit.NoteEdits.Name: 10}
	for i := range 20 {
		write(t, f, fmt.Sprintf("d/%02d.md", i), "text")
	}
	found := look(t, f)
	if len(found.Edits) != 2 || len(found.Problems) != 8 {
		t.Errorf("%d edits and problems %q", len(found.Edits), found.Problems)
	}
}

func FuzzName(f *testing.F) {
	for _, name := range []string{"MAIN.md", "../x.md", "/etc/x.md", "a/../../x.md", "a\x00.md", ".published.json", "a//b.md", "con.md", strings.Repeat("x", 300) + ".md", "\xff.md", "a/.md/b", "."} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		outer := t.TempDir()
		folder := Folder{Dir: filepath.Join(outer, "notes")}
		err := folder.Publish(longrein.Notes{Changed: []longrein.Document{doc(name, "text")}})
		if (err == nil) != (oddName(name) == "") {
			t.Fatalf("publish %q: %v", name, err)
		}
		if entries, _ := os.ReadDir(outer); len(entries) != 1 {
			t.Fatalf("%q left the folder: %v", name, entries)
		}
		if err != nil {
			return
		}
		if found := look(t, folder, doc(name, "text")); len(found.Edits)+len(found.Problems) > 0 && name != longrein.TodoDocument {
			t.Fatalf("%q: found %+v", name, found)
		}
	})
}
