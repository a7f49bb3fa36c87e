package sim

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/sim/internal/talk"
)

// shell runs the commands of exec_command calls in dir.
func shell(t *testing.T, dir string) func(longrein.ToolCall) string {
	return func(c longrein.ToolCall) string {
		var args struct{ Command string }
		if err := json.Unmarshal([]byte(c.Args), &args); err != nil {
			t.Fatalf("%s: %v", c.Args, err)
		}
		if c.Name != "exec_command" {
			return "done"
		}
		cmd := exec.CommandContext(t.Context(), "sh", "-c", args.Command)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v: %s", args.Command, err, out)
		}
		return string(out)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestRead200PrintsFilesAndWritesItsSteps(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.txt", "b c.txt", "d.txt", ".hidden"} {
		write(t, dir, "data/"+name, "this is "+name+"\n")
	}
	c := talk.New(longrein.WireResponses, "sim:read200", "read what is in the folder data")
	m := New(Options{})
	want := ""
	for i := range 8 {
		c.Step(t, m, shell(t, dir))
		got := c.Items[len(c.Items)-1].(longrein.ToolOutput).Text
		if file := []string{"a.txt", "b c.txt", "d.txt"}[i%3]; got != "this is "+file+"\n" {
			t.Errorf("step %d printed %q, want %s", i+1, got, file)
		}
		want += fmt.Sprintln(i + 1)
	}
	log, err := os.ReadFile(filepath.Join(dir, "data/steps.log"))
	if err != nil || string(log) != want {
		t.Errorf("steps.log = %q, %v, want %q", log, err, want)
	}
}

func TestDemoListsFilesThatItCanRead(t *testing.T) {
	dir := t.TempDir()
	for i := range 250 {
		write(t, dir, fmt.Sprintf("p%d/f%03d.go", i%7, i), "package p\n")
	}
	write(t, dir, "odd name.go", "package p\n")
	write(t, dir, "testdata/x.go", "package p\n")
	c := talk.New(longrein.WireMessages, "sim:demo", "read")
	m := New(Options{})
	run := shell(t, dir)
	read := map[string]bool{}
	for range 202 {
		c.Step(t, m, func(call longrein.ToolCall) string {
			var args struct{ Path string }
			if json.Unmarshal([]byte(call.Args), &args) == nil && strings.HasSuffix(args.Path, ".go") {
				read[args.Path] = true
			}
			return run(call)
		})
	}
	for path := range read {
		if _, err := os.Stat(filepath.Join(dir, path)); err != nil || strings.Contains(path, "testdata") {
			t.Errorf("it reads %s: %v", path, err)
		}
	}
	if n := len(read); n < 50 || n > 60 {
		t.Errorf("it reads %d different files, want about 60", n)
	}
}
