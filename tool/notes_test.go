package tool

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/tool/sandbox"
)

// withNotes makes tools for a thread that keeps notes, in a data folder of its own.
func withNotes(t testing.TB, o Options) *Set {
	t.Helper()
	o.Home = folder(t)
	o.Notes = filepath.Join(o.Home, "notes", "some-thread")
	write(t, o.Notes+"/MAIN.md", "the goal\n")
	write(t, o.Notes+"/topics/api.md", "the api\n")
	return set(t, o)
}

func patchOf(lines ...string) m {
	return m{"patch": "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch"}
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestTheWorkerKeepsItsListInTheNotesFolder(t *testing.T) {
	for _, mode := range []sandbox.Mode{sandbox.ReadOnly, sandbox.WorkspaceWrite, sandbox.Full} {
		for _, approval := range []Approval{Never, OnRequest, Untrusted} {
			t.Run(string(mode)+" "+string(approval), func(t *testing.T) {
				a := &asker{answer: no}
				s := withNotes(t, Options{Sandbox: mode, Approval: approval, Ask: a.ask})
				todo := s.o.Notes + "/TODO.md"
				want(t, do(t, s, "apply_patch", patchOf("*** Add File: "+todo, "+- [ ] one")), longrein.OutputOK, "A "+todo)
				res := do(t, s, "apply_patch", patchOf("*** Update File: "+todo, "-- [ ] one", "+- [x] one"))
				want(t, res, longrein.OutputOK, "M "+todo)
				if got := read(t, todo); got != "- [x] one\n" {
					t.Errorf("TODO.md = %q", got)
				}
				if len(a.asked) > 0 || len(res.Output.Files) > 0 {
					t.Errorf("asked %+v, files %+v", a.asked, res.Output.Files)
				}
			})
		}
	}
}

func TestAFirstListMakesTheFolderForItsOwnerAlone(t *testing.T) {
	s := set(t, Options{Cwd: folder(t), Notes: folder(t) + "/notes/some-thread"})
	todo := s.o.Notes + "/TODO.md"
	want(t, do(t, s, "apply_patch", patchOf("*** Add File: "+todo, "+x")), longrein.OutputOK, "A ")
	for path, mode := range map[string]fs.FileMode{s.o.Notes: 0o700, todo: 0o600} {
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
}

// Case 96.
func TestTheWorkerDoesNotChangeTheNotes(t *testing.T) {
	for _, mode := range []sandbox.Mode{sandbox.ReadOnly, sandbox.WorkspaceWrite, sandbox.Full} {
		a := &asker{answer: yes}
		s := withNotes(t, Options{Sandbox: mode, Ask: a.ask})
		up, err := filepath.Rel(s.o.Cwd, s.o.Notes)
		if err != nil {
			t.Fatal(err)
		}
		write(t, s.o.Cwd+"/file", "x\n")
		for link, to := range map[string]string{
			s.o.Cwd + "/link": s.o.Notes, s.o.Cwd + "/main": s.o.Notes + "/MAIN.md",
			s.o.Notes + "/out": s.o.Cwd + "/file", s.o.Notes + "/nowhere": "/does/not/exist",
		} {
			if err := os.Symlink(to, link); err != nil {
				t.Fatal(err)
			}
		}
		for name, change := range map[string][]string{
			"MAIN.md":                  {"*** Update File: " + s.o.Notes + "/MAIN.md", "-the goal", "+another"},
			"a topic":                  {"*** Delete File: " + s.o.Notes + "/topics/api.md"},
			"a new document":           {"*** Add File: " + s.o.Notes + "/new.md", "+x"},
			"a list in a sub-folder":   {"*** Add File: " + s.o.Notes + "/topics/TODO.md", "+x"},
			"a list in another case":   {"*** Add File: " + s.o.Notes + "/todo.md", "+x"},
			"a path with ..":           {"*** Add File: " + up + "/new.md", "+x"},
			"a path through a link":    {"*** Add File: link/new.md", "+x"},
			"a link to a document":     {"*** Update File: main", "-the goal", "+another"},
			"a link that lies there":   {"*** Delete File: " + s.o.Notes + "/out"},
			"a link there to nowhere":  {"*** Delete File: " + s.o.Notes + "/nowhere"},
			"the manifest":             {"*** Add File: " + s.o.Notes + "/.published.json", "+{}"},
			"a move into it":           {"*** Update File: file", "*** Move to: " + s.o.Notes + "/file.md", "-x", "+y"},
			"one change of two is bad": {"*** Add File: " + s.o.Notes + "/TODO.md", "+x", "*** Add File: " + s.o.Notes + "/b.md", "+x"},
		} {
			res := do(t, s, "apply_patch", patchOf(change...))
			if res.Output.Status != longrein.OutputRefused || !strings.Contains(res.Output.Text, "one of this thread's notes. They are kept for you") {
				t.Errorf("%s, %s: %s %q", mode, name, res.Output.Status, res.Output.Text)
			}
		}
		if len(a.asked) > 0 {
			t.Errorf("%s: asked %+v", mode, a.asked)
		}
		if got := read(t, s.o.Notes+"/MAIN.md") + read(t, s.o.Notes+"/topics/api.md"); got != "the goal\nthe api\n" {
			t.Errorf("%s: the notes are %q", mode, got)
		}
	}
}

func TestAListThatIsALinkIsNotFollowed(t *testing.T) {
	s := withNotes(t, Options{})
	for _, to := range []string{"MAIN.md", s.o.Cwd + "/file"} {
		write(t, s.o.Cwd+"/file", "the goal\n")
		if err := os.Symlink(to, s.o.Notes+"/TODO.md"); err != nil {
			t.Fatal(err)
		}
		res := do(t, s, "apply_patch", patchOf("*** Update File: "+s.o.Notes+"/TODO.md", "-the goal", "+another"))
		want(t, res, longrein.OutputRefused, "one of this thread's notes")
		os.Remove(s.o.Notes + "/TODO.md")
	}
}

func TestAPatchOfTheListAndAFileIsAskedForTheFile(t *testing.T) {
	a := &asker{answer: no}
	s := withNotes(t, Options{Sandbox: sandbox.ReadOnly, Ask: a.ask})
	both := patchOf("*** Add File: "+s.o.Notes+"/TODO.md", "+x", "*** Add File: file", "+y")
	want(t, do(t, s, "apply_patch", both), longrein.OutputRefused, "not today")
	if len(a.asked) != 1 || a.asked[0].Action != "change file" {
		t.Errorf("asked %+v", a.asked)
	}
	a.answer = yes
	want(t, do(t, s, "apply_patch", both), longrein.OutputOK, "TODO.md")
	if got := read(t, s.o.Notes+"/TODO.md") + read(t, s.o.Cwd+"/file"); got != "x\ny\n" {
		t.Errorf("got %q", got)
	}
}

func TestNotesCanBeReadWithTheFileTools(t *testing.T) {
	s := withNotes(t, Options{Sandbox: sandbox.ReadOnly})
	want(t, do(t, s, "read_file", m{"path": s.o.Notes + "/topics/api.md"}), longrein.OutputOK, "the api")
	want(t, do(t, s, "list_files", m{"path": s.o.Notes}), longrein.OutputOK, "MAIN.md")
	want(t, do(t, s, "search_files", m{"pattern": "goal", "path": s.o.Notes}), longrein.OutputOK, "MAIN.md:1:the goal")
}

func TestSandboxedCommandsReadTheNotesAndDoNotWriteThem(t *testing.T) {
	for _, method := range methods {
		for _, mode := range []sandbox.Mode{sandbox.ReadOnly, sandbox.WorkspaceWrite} {
			for place, home := range map[string]string{"a home": folder(t), "a temporary home": t.TempDir()} {
				t.Run(string(method)+" "+string(mode)+" in "+place, func(t *testing.T) {
					notes := home + "/notes/some-thread"
					write(t, notes+"/topics/api.md", "the api\n")
					s := set(t, Options{Home: home, Notes: notes, Sandbox: mode, methods: []sandbox.Method{method}})
					if r := s.Sandbox(); r.Method != method {
						t.Skipf("NOT TESTED: %s does not work here: %s", method, r.Why)
					}
					want(t, do(t, s, "exec_command", m{"command": "cat " + notes + "/topics/api.md"}), longrein.OutputOK, "the api\n")
					for _, command := range []string{"echo x > %/topics/api.md", "echo x > %/new.md", "echo x > %/TODO.md", "rm -rf %", "mv % %2"} {
						do(t, s, "exec_command", m{"command": strings.ReplaceAll(command, "%", notes)})
					}
					if got := read(t, notes+"/topics/api.md"); got != "the api\n" {
						t.Errorf("the notes are %q", got)
					}
					for _, name := range []string{"/new.md", "/TODO.md"} {
						if _, err := os.Lstat(notes + name); err == nil {
							t.Errorf("a command made %s", name)
						}
					}
				})
			}
		}
	}
}
