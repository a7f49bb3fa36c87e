package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

func sum(content string) string {
	h := sha256.Sum256([]byte(content))
	return hex.EncodeToString(h[:])
}

func touched(path string, op longrein.FileOp, content string) longrein.FileTouch {
	return longrein.FileTouch{Path: path, Op: op, Hash: sum(content)}
}

func TestOutputsTellOfFiles(t *testing.T) {
	dir := folder(t)
	write(t, filepath.Join(dir, "a"), "1\n2\n")
	write(t, filepath.Join(dir, "sub/b"), "3\n")
	outside := filepath.Join(t.TempDir(), "out")
	s := set(t, Options{Cwd: dir})
	steps := []struct {
		name, tool string
		args       m
		want       []longrein.FileTouch
	}{
		{"a page", "read_file", m{"path": dir + "/./a", "offset": 2}, []longrein.FileTouch{touched("a", longrein.FileRead, "1\n2\n")}},
		{"a missing file", "read_file", m{"path": "none"}, nil},
		{"a patch", "apply_patch", m{"patch": "*** Begin Patch\n*** Update File: a\n*** Move to: c\n-1\n+x\n*** Add File: sub/../d\n+y\n*** Delete File: sub/b\n*** End Patch"}, []longrein.FileTouch{
			{Path: "a", Op: longrein.FileDeleted}, touched("c", longrein.FileChanged, "x\n2\n"), touched("d", longrein.FileChanged, "y\n"), {Path: "sub/b", Op: longrein.FileDeleted},
		}},
		{"a command", "exec_command", m{"command": "cat ../c > e", "workdir": "sub"}, []longrein.FileTouch{
			touched("sub/e", longrein.FileChanged, "x\n2\n"), {Path: "c", Op: longrein.FileRead},
		}},
		{"a command that failed", "exec_command", m{"command": "cat c > e; false"}, nil},
		{"what is no file", "exec_command", m{"command": "cat c > /dev/null; cat sub; true"}, []longrein.FileTouch{{Path: "c", Op: longrein.FileRead}}},
		{"what is gone again", "exec_command", m{"command": "echo > tmp && rm tmp"}, nil},
		{"what is outside", "exec_command", m{"command": "echo > " + outside}, nil},
	}
	for _, tt := range steps {
		if diff := cmp.Diff(tt.want, do(t, s, tt.tool, tt.args).Output.Files); diff != "" {
			t.Errorf("%s: files (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestACommandsChangesAreNotFollowedOutside(t *testing.T) {
	dir := folder(t)
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "away")); err != nil {
		t.Fatal(err)
	}
	res := do(t, set(t, Options{Cwd: dir}), "exec_command", m{"command": "echo x > away/f"})
	if res.Output.Status != longrein.OutputOK || len(res.Output.Files) > 0 {
		t.Errorf("output = %+v", res.Output)
	}
}

func TestOutputsTellTheExitStatus(t *testing.T) {
	s := set(t, Options{})
	for command, want := range map[string]int{"true": 0, "exit 3": 3, "kill -9 $$": 137} {
		res := do(t, s, "exec_command", m{"command": command})
		if got := res.Output.Exit; got == nil || *got != want {
			t.Errorf("%s: exit = %v, want %d", command, got, want)
		}
	}
	if res := do(t, s, "exec_command", m{"command": "sleep 9", "timeout_ms": 200}); res.Output.Exit != nil {
		t.Errorf("out of time: exit = %d, want none", *res.Output.Exit)
	}
	if res := do(t, s, "list_files", m{}); res.Output.Exit != nil {
		t.Error("a tool that runs no command has an exit status")
	}
}

func TestFilesOfACallAreBounded(t *testing.T) {
	dir := folder(t)
	for _, name := range []string{"a", "b", "c"} {
		write(t, filepath.Join(dir, name), name)
	}
	s := set(t, Options{Cwd: dir, Limits: limit.Set{limit.CallFiles.Name: 2}})
	res := do(t, s, "exec_command", m{"command": "cat a b c"})
	if len(res.Output.Files) != 2 || len(res.Limits) != 1 || res.Limits[0].Name != "call-files" || res.Limits[0].Cut != 1 {
		t.Errorf("files = %v, limits = %v", res.Output.Files, res.Limits)
	}
}

func TestHashesOfACallAreBounded(t *testing.T) {
	s := set(t, Options{Limits: limit.Set{limit.FileRead.Name: 5}})
	res := do(t, s, "exec_command", m{"command": "printf 123 > a; printf 456 > b; printf 7 > c"})
	want := []longrein.FileTouch{touched("a", longrein.FileChanged, "123"), {Path: "b", Op: longrein.FileChanged}, touched("c", longrein.FileChanged, "7")}
	if diff := cmp.Diff(want, res.Output.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
