package longtask_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/patch"
	"github.com/longrein/longrein/provider/sim"
	"github.com/longrein/longrein/provider/sim/internal/talk"
	"github.com/longrein/longrein/provider/sim/longtask"
)

var shapes = map[string]longtask.Shape{
	"long200": longtask.Long200, "deep90": longtask.Deep90, "long1000": longtask.Long1000,
}

// world does what the calls say, in a folder.
type world struct {
	t       *testing.T
	root    string
	changed []string
	failing []string
}

func (w *world) run(c longrein.ToolCall) string {
	var args struct{ Command, Patch string }
	if err := json.Unmarshal([]byte(c.Args), &args); err != nil {
		w.t.Fatalf("%s: %v", c.Args, err)
	}
	switch c.Name {
	case "exec_command":
		return w.command(args.Command)
	case "apply_patch":
		p, err := patch.Parse(args.Patch)
		if err != nil {
			w.t.Fatal(err)
		}
		w.changed = append(w.changed, p.Paths()...)
		return "A " + strings.Join(p.Paths(), ", ")
	}
	return "The plan is kept."
}

// command runs cat and echo without a process, since there are thousands.
func (w *world) command(s string) string {
	var from, to string
	var n int
	if k, _ := fmt.Sscanf(s, "cat %s && echo %d >> %s", &from, &n, &to); k == 3 {
		text, err := os.ReadFile(filepath.Join(w.root, from))
		if err != nil {
			w.t.Error(err)
		}
		return string(text)
	}
	cmd := exec.CommandContext(w.t.Context(), "sh", "-c", s)
	cmd.Dir = w.root
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.failing = append(w.failing, s)
	}
	return string(out)
}

// Each built-in script meets all that its shape lays out, in as many steps as it
// says, even in a window that only keeps the newest step.
func TestTheScriptsMeetWhatTheirShapesLayOut(t *testing.T) {
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			task, err := shape.Write(root, "data/set-1")
			if err != nil {
				t.Fatal(err)
			}
			m := sim.New(sim.Options{})
			c := talk.New(longrein.WireResponses, task.Model, task.Prompt)
			w := &world{t: t, root: root}
			everything := task.Prompt
			for range task.Steps {
				c.Step(t, m, w.run)
				if len(c.Items) < 3 {
					t.Fatalf("it ends early: %v", c.Items)
				}
				everything += c.Items[len(c.Items)-1].(longrein.ToolOutput).Text
				c.Items = append(c.Items[:1:1], c.Items[len(c.Items)-2:]...)
			}
			if got := task.Found(everything); len(got) != len(task.Facts) {
				t.Errorf("it met %d of %d facts: %v", len(got), len(task.Facts), got)
			}
			if d := cmp.Diff(task.Changed, w.changed) + cmp.Diff(task.Failing, w.failing); d != "" {
				t.Errorf("changed and failing (-want +got):\n%s", d)
			}
			c.Items = append(c.Items, longrein.Message{Role: longrein.RoleUser, Text: "<notes>\n" + strings.Join(task.Facts, "\n") + "\n</notes>"})
			answer := talk.Ask(t, m, c.Request()).Text()
			if want := fmt.Sprintf("%d of %[1]d facts: ", len(task.Facts)); !strings.HasPrefix(answer, want) || len(task.Found(answer)) != len(task.Facts) {
				t.Errorf("with all facts in notes it answers %q", answer)
			}
		})
	}
}

func TestTheCommandsAreWhatAShellRuns(t *testing.T) {
	root := t.TempDir()
	task, err := longtask.Long200.Write(root, "d")
	if err != nil {
		t.Fatal(err)
	}
	m := sim.New(sim.Options{})
	c := talk.New(longrein.WireChat, task.Model, task.Prompt)
	for range 3 {
		c.Step(t, m, func(call longrein.ToolCall) string {
			var args struct{ Command string }
			if err := json.Unmarshal([]byte(call.Args), &args); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "sh", "-c", args.Command)
			cmd.Dir = root
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v %s", args.Command, err, out)
			}
			return string(out)
		})
	}
	third := c.Items[len(c.Items)-1].(longrein.ToolOutput).Text
	file, err := os.ReadFile(filepath.Join(root, "d/003.txt"))
	if err != nil || third != string(file) {
		t.Errorf("step 3 printed %.60q, want the file %.60q, %v", third, file, err)
	}
	if log, err := os.ReadFile(filepath.Join(root, "d/steps.log")); string(log) != "1\n2\n3\n" {
		t.Errorf("steps.log = %q, %v", log, err)
	}
}

func TestFactsLieWhereTheShapeSays(t *testing.T) {
	for name, shape := range shapes {
		root := t.TempDir()
		task, err := shape.Write(root, "d")
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range shape.Groups {
			for _, f := range task.Facts {
				if !strings.HasPrefix(f, "FACT-"+g.Letter) {
					continue
				}
				file, depth := find(t, filepath.Join(root, "d"), f)
				if g.First == 0 {
					file, depth = 0, 0
					if !strings.Contains(task.Prompt, f) {
						t.Errorf("%s: %s is not in the prompt", name, f)
					}
				}
				if file < g.First || file > g.Last || depth < g.From-1 || depth > g.To+6 {
					t.Errorf("%s: %s lies in file %d at %d%%, want %+v", name, f, file, depth, g)
				}
			}
		}
	}
}

// find returns the file that holds a fact, and how deep it lies in it.
func find(t *testing.T, dir, fact string) (file, depth int) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if at := strings.Index(string(text), fact+"\n"); at >= 0 {
			_, _ = fmt.Sscanf(filepath.Base(name), "%d.txt", &file)
			return file, at * 100 / len(text)
		}
	}
	return 0, 0
}

func TestTheSameShapeIsLaidOutTheSame(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	first, err := longtask.Deep90.Write(a, "d")
	if err != nil {
		t.Fatal(err)
	}
	second, err := longtask.Deep90.Write(b, "d")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(first, second); d != "" {
		t.Errorf("two tasks differ:\n%s", d)
	}
	x, _ := os.ReadFile(filepath.Join(a, "d/017.txt"))
	y, _ := os.ReadFile(filepath.Join(b, "d/017.txt"))
	if string(x) != string(y) || len(x) < 5500 || len(x) > 5700 {
		t.Errorf("file 17 has %d and %d bytes, want the same, about 5500", len(x), len(y))
	}
	if ids := slices.Compact(slices.Sorted(slices.Values(first.Facts))); len(ids) != 26 {
		t.Errorf("%d different facts, want 26", len(ids))
	}
}

func TestFoundCountsWholeFacts(t *testing.T) {
	task := longtask.Task{Facts: []string{"FACT-U01: a-b = 11111111", "FACT-U02: a-b = 22222222"}}
	if got := task.Found("… FACT-U01: a-b = 11111111; FACT-U02: a-b = 222"); len(got) != 1 {
		t.Errorf("found %v, want the first alone", got)
	}
}

func TestAFolderHasAPlainName(t *testing.T) {
	for _, folder := range []string{"", "..", "a/../../b", "/abs", "a b", "$(x)"} {
		if _, err := longtask.Long200.Write(t.TempDir(), folder); err == nil {
			t.Errorf("%q was taken as a folder", folder)
		}
	}
}
