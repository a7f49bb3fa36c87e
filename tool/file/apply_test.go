package file_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein/patch"
	"github.com/longrein/longrein/tool/file"
)

// folder makes a folder with files, and returns it without symlinks.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tree returns every file below dir, and folders with a slash.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir():
			out[rel+"/"] = ""
		case d.Type()&fs.ModeSymlink != 0:
			out[rel], _ = os.Readlink(path)
		default:
			b, err := os.ReadFile(path)
			out[rel] = string(b)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func apply(dir, text string) ([]file.Done, error) {
	p, err := patch.Parse("*** Begin Patch\n" + text + "\n*** End Patch\n")
	if err != nil {
		return nil, err
	}
	return file.Apply(p, file.Place{Dir: dir, Roots: []string{dir}, Most: 1 << 20})
}

func TestPatchChanges(t *testing.T) {
	tests := map[string]struct {
		before, after map[string]string
		patch         string
		done          []file.Done
	}{
		"a line is replaced": {
			map[string]string{"a": "1\n2\n3\n"},
			map[string]string{"a": "1\ntwo\n3\n"},
			"*** Update File: a\n@@\n 1\n-2\n+two\n 3",
			[]file.Done{"M a (+1 -1)"},
		},
		"a file is added with its folders": {
			nil,
			map[string]string{"x/": "", "x/y/": "", "x/y/a": "1\n\n2\n"},
			"*** Add File: x/y/a\n+1\n+\n+2",
			[]file.Done{"A x/y/a (+3)"},
		},
		"a file is deleted": {map[string]string{"a": "1\n", "b": ""}, map[string]string{"b": ""}, "*** Delete File: a", []file.Done{"D a"}},
		"a file is moved and changed": {
			map[string]string{"a": "1\n2\n"},
			map[string]string{"b/": "", "b/c": "1\n3\n"},
			"*** Update File: a\n*** Move to: b/c\n 1\n-2\n+3",
			[]file.Done{"R a -> b/c (+1 -1)"},
		},
		"an anchor chooses the place": {
			map[string]string{"a": "f1\n x\nf2\n x\n"},
			map[string]string{"a": "f1\n x\nf2\n y\n"},
			"*** Update File: a\n@@ f2\n- x\n+ y",
			[]file.Done{"M a (+1 -1)"},
		},
		"numbers of a unified diff do no harm": {
			map[string]string{"a": "1\n2\n"},
			map[string]string{"a": "1\n3\n"},
			"*** Update File: a\n@@ -7,2 +7,2 @@ nothing\n 1\n-2\n+3",
			[]file.Done{"M a (+1 -1)"},
		},
		"lines go to the end": {
			map[string]string{"a": "1\n"}, map[string]string{"a": "1\n2\n"}, "*** Update File: a\n@@\n+2\n*** End of File", []file.Done{"M a (+1 -0)"},
		},
		"the end of the file chooses the place": {
			map[string]string{"a": "x\ny\nx\n"},
			map[string]string{"a": "x\ny\nz\n"},
			"*** Update File: a\n@@\n-x\n+z\n*** End of File",
			[]file.Done{"M a (+1 -1)"},
		},
		"line ends stay": {
			map[string]string{"a": "1\r\n2\r\n"},
			map[string]string{"a": "1\r\n3\r\n4\r\n"},
			"*** Update File: a\n 1\n-2\n+3\n+4",
			[]file.Done{"M a (+2 -1)"},
		},
		"a missing last line end stays missing": {
			map[string]string{"a": "1\n2"}, map[string]string{"a": "1\n2\n3"}, "*** Update File: a\n 2\n+3", []file.Done{"M a (+1 -0)"},
		},
		"a byte order mark stays": {
			map[string]string{"a": "\ufeff1\n"}, map[string]string{"a": "\ufeff2\n"}, "*** Update File: a\n-1\n+2", []file.Done{"M a (+1 -1)"},
		},
		"space at line ends may differ": {
			map[string]string{"a": "1  \n2\n"}, map[string]string{"a": "1  \n3\n"}, "*** Update File: a\n 1\n-2\n+3", []file.Done{"M a (+1 -1)"},
		},
		"indentation may differ, and the file's stays": {
			map[string]string{"a": "\t1\n\t2\n"}, map[string]string{"a": "\t1\n\t3\n"}, "*** Update File: a\n     1\n-    2\n+\t3", []file.Done{"M a (+1 -1)"},
		},
		"typographic quotes may differ": {
			map[string]string{"a": "it’s – “x”\n2\n"},
			map[string]string{"a": "it’s – “x”\n3\n"},
			"*** Update File: a\n it's - \"x\"\n-2\n+3",
			[]file.Done{"M a (+1 -1)"},
		},
		"an empty line of context may have lost its space": {
			map[string]string{"a": "1\n\n2\n"}, map[string]string{"a": "1\n\n3\n"}, "*** Update File: a\n 1\n\n-2\n+3", []file.Done{"M a (+1 -1)"},
		},
		"an empty line too many is passed over": {
			map[string]string{"a": "1\n2\n3\n"},
			map[string]string{"a": "one\n2\nthree\n"},
			"*** Update File: a\n-1\n+one\n\n@@\n-3\n+three\n",
			[]file.Done{"M a (+2 -2)"},
		},
		"two sections for one file": {
			map[string]string{"a": "1\n2\n"},
			map[string]string{"a": "one\ntwo\n"},
			"*** Update File: a\n-1\n+one\n*** Update File: a\n-2\n+two",
			[]file.Done{"M a (+1 -1)", "M a (+1 -1)"},
		},
		"a file is replaced": {
			map[string]string{"a": "1\n"}, map[string]string{"a": "2\n"}, "*** Delete File: a\n*** Add File: a\n+2", []file.Done{"D a", "A a (+1)"},
		},
		"two files change places": {
			map[string]string{"a": "1\n", "b": "2\n"},
			map[string]string{"a": "2\n", "b": "1\n"},
			"*** Update File: a\n*** Move to: c\n*** Update File: b\n*** Move to: a\n*** Update File: c\n*** Move to: b",
			[]file.Done{"R a -> c (+0 -0)", "R b -> a (+0 -0)", "R c -> b (+0 -0)"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, tt.before)
			done, err := apply(dir, tt.patch)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.after, tree(t, dir)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.done, done); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPatchThatFailsChangesNothingAndSaysWhy(t *testing.T) {
	before := map[string]string{"a": "one\ntwo\nthree\nx\nx\n", "bin": "a\x00b", "d/e": "1\n"}
	tests := map[string]struct{ patch, want string }{
		"a line that is not there":   {"*** Update File: a\n one\n-tow\n+2", `a: hunk 1 of 1: its lines are not there; nearest is line 2: the file has "two" where the patch has "tow"`},
		"lines that are there twice": {"*** Update File: a\n-x\n+y", "more than once, at line 4 and at line 5"},
		"hunks in the wrong order":   {"*** Update File: a\n-three\n+3\n@@\n-one\n+1", "hunk 2 of 2: its lines are at line 1, above"},
		"an anchor that is missing":  {"*** Update File: a\n@@ func f\n-one\n+1", `no line after line 0 is "func f"`},
		"the second file fails":      {"*** Update File: a\n-one\n+1\n*** Delete File: nope", "nope: it does not exist"},
		"a file that exists":         {"*** Add File: a\n+1", "a: it exists already"},
		"a move onto a file":         {"*** Update File: a\n*** Move to: d/e\n-one\n+1", "d/e: it exists already"},
		"a folder":                   {"*** Delete File: d", "not a regular file"},
		"a binary file":              {"*** Update File: bin\n-a\n+b", "not a text file"},
		"a path outside":             {"*** Add File: ../out\n+1", "outside of what may be changed"},
		"an absolute path outside":   {"*** Delete File: /etc/hostname", "outside of what may be changed"},
		"a hunk without a change":    {"*** Update File: a\n one", "changes nothing"},
		"a line without its mark":    {"*** Update File: a\n-one\ntwo", `line 4 of the patch: a line of a hunk begins with a space, - or +; this is "two"`},
		"an unknown section":         {"*** Rename File: a", "is not the start of a change"},
		"a folder that is a file":    {"*** Delete File: a\n*** Add File: bin/x\n+1", "bin/x"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, before)
			want := tree(t, dir)
			_, err := apply(dir, tt.patch)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("err = %v, want %q in it", err, tt.want)
			}
			if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSymlinksDoNotLeadOut(t *testing.T) {
	outside := folder(t, map[string]string{"secret": "1\n"})
	dir := folder(t, map[string]string{"in/a": "1\n"})
	for name, target := range map[string]string{"dir": outside, "file": filepath.Join(outside, "secret"), "in/rel": "../../" + filepath.Base(outside) + "/secret", "ok": "in"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	want := tree(t, outside)
	for _, patch := range []string{
		"*** Update File: dir/secret\n-1\n+2", "*** Update File: file\n-1\n+2", "*** Add File: dir/new\n+1",
		"*** Delete File: dir/secret", "*** Delete File: file", "*** Update File: in/a\n*** Move to: dir/a", "*** Add File: file\n+1",
	} {
		if _, err := apply(dir, patch); err == nil {
			t.Errorf("%q was done", patch)
		}
	}
	if diff := cmp.Diff(want, tree(t, outside)); diff != "" {
		t.Error(diff)
	}
	if _, err := apply(dir, "*** Update File: ok/a\n-1\n+2"); err != nil {
		t.Errorf("a symlink that stays inside: %v", err)
	}
	if got := tree(t, dir); got["in/a"] != "2\n" || got["ok"] != "in" {
		t.Errorf("tree = %v", got)
	}
}

func TestModesStay(t *testing.T) {
	dir := folder(t, map[string]string{"run.sh": "1\n", "secret": "1\n"})
	for name, mode := range map[string]fs.FileMode{"run.sh": 0o755, "secret": 0o600} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
		if _, err := apply(dir, "*** Update File: "+name+"\n*** Move to: new-"+name+"\n-1\n+2"); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir, "new-"+name))
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("mode of %s = %v, %v, want %v", name, info.Mode(), err, mode)
		}
	}
}

func FuzzApply(f *testing.F) {
	f.Add("*** Begin Patch\n" + "*** Update File: a\n@@ x\n 1\n-2\n+3\n*** End of File\n" + "*** End Patch")
	f.Add(patch.Example)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := patch.Parse(text)
		if err != nil {
			return
		}
		dir := folder(t, map[string]string{"a": "1\n2\n", "path": "old line\n"})
		before := tree(t, dir)
		if _, err := file.Apply(p, file.Place{Dir: dir, Roots: []string{dir}, Most: 1 << 20}); err != nil {
			if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
				t.Error(diff)
			}
		}
	})
}

func ExampleApply() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	dir, _ = filepath.EvalSymlinks(dir)
	_ = os.WriteFile(filepath.Join(dir, "greet.go"), []byte("func greet() {\n\tprintln(\"hi\")\n}\n"), 0o644)
	p, err := patch.Parse("*** Begin Patch\n*** Update File: greet.go\n@@ func greet() {\n-\tprintln(\"hi\")\n+\tprintln(\"hello\")\n*** End Patch")
	if err != nil {
		fmt.Println(err)
		return
	}
	done, err := file.Apply(p, file.Place{Dir: dir, Roots: []string{dir}, Most: 1 << 20})
	fmt.Println(done, err)
	// Output: [M greet.go (+1 -1)] <nil>
}
