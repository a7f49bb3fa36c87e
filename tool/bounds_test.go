package tool

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/tool/sandbox"
)

// What bounds a look or a command is told in its output, and on record where
// something is left out.
func TestEachLimitOfALookBites(t *testing.T) {
	tests := map[string]struct {
		limit *limit.Limit
		value int64
		tool  string
		args  m
		says  string
		hit   bool
	}{
		"entries of a list":                {limit.ListEntries, 2, "list_files", m{"pattern": "**"}, "[3 more; give a path or pattern]", true},
		"levels of a list":                 {limit.ListDepth, 1, "list_files", m{}, "d/ (2 files)\n", false},
		"matches of a search":              {limit.SearchMatches, 2, "search_files", m{"pattern": "needle"}, "[more lines match; narrow the pattern, path or glob]", true},
		"length of a line of a search":     {limit.SearchLine, 40, "search_files", m{"pattern": "long"}, "…\n", true},
		"time of a list":                   {limit.SearchTime, 0, "list_files", m{}, "[out of time: there may be more; give a path]", true},
		"lines of an output's cut middle":  {limit.ErrorLines, 1, "exec_command", m{"command": "seq 1 9999; echo 'error: first'; echo 'error: second'; seq 1 9999"}, "] error: first\n", true},
		"no lines of an output's middle":   {limit.ErrorLines, 0, "exec_command", m{"command": "seq 1 9999; echo 'error: first'; seq 1 9999"}, "\n9999\n", true},
		"size of a file that is read":      {limit.FileRead, 10, "read_file", m{"path": "a.txt"}, "more than the limit file-read", false},
		"text of an output that is shown":  {limit.ToolOutput, 1024, "exec_command", m{"command": "seq 1 9999"}, "not shown: read_output", true},
		"time of a command without a time": {limit.CommandTime, 100, "exec_command", m{"command": "sleep 9"}, "timed out after 0.1 s", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := set(t, Options{Limits: limit.Set{tt.limit.Name: tt.value}})
			for _, file := range []string{"a.txt", "b.txt", "c.txt", "d/e.txt", "d/f.txt"} {
				write(t, s.o.Cwd+"/"+file, "needle, and this is a long line in "+file+" that goes on\n")
			}
			res := do(t, s, tt.tool, tt.args)
			if !strings.Contains(res.Output.Text, tt.says) {
				t.Errorf("output = %q, want %q in it", res.Output.Text, tt.says)
			}
			if tt.limit == limit.ErrorLines && strings.Count(res.Output.Text, "error: ") != int(tt.value) {
				t.Errorf("%d lines of the middle are shown, want %d", strings.Count(res.Output.Text, "error: "), tt.value)
			}
			if tt.hit != (len(res.Limits) > 0) {
				t.Errorf("limits = %+v, want one: %v", res.Limits, tt.hit)
			}
		})
	}
}

func TestASearchWithoutRipgrepLooksThroughSoManyFiles(t *testing.T) {
	s := set(t, Options{Limits: limit.Set{limit.SearchFiles.Name: 3}})
	for i := range 9 {
		write(t, fmt.Sprintf("%s/f%d.txt", s.o.Cwd, i), "needle\n")
	}
	t.Setenv("PATH", t.TempDir())
	res := do(t, s, "search_files", m{"pattern": "needle"})
	if n := strings.Count(res.Output.Text, ":1:needle"); n != 3 || !strings.Contains(res.Output.Text, "more lines match") {
		t.Errorf("%d files were looked through: %q", n, res.Output.Text)
	}
}

// A command may clean up in the time between the polite and the hard end.
func TestACommandHasTimeToCleanUp(t *testing.T) {
	const stubborn = `trap 'sleep 1; echo cleaned > done; exit 0' TERM; echo begun; while :; do sleep 0.05; done`
	for grace, cleans := range map[int64]bool{100: false, 5_000: true} {
		s := set(t, Options{Limits: limit.Set{limit.CommandGrace.Name: grace}})
		begun := time.Now()
		want(t, do(t, s, "exec_command", m{"command": stubborn, "timeout_ms": 200}), longrein.OutputFailed, "timed out")
		if took := time.Since(begun); took > 4*time.Second {
			t.Errorf("with %d ms it took %v", grace, took)
		}
		if _, err := os.Stat(s.o.Cwd + "/done"); (err == nil) != cleans {
			t.Errorf("with %d ms it could clean up: %v, want %v", grace, err == nil, cleans)
		}
	}
}

func TestASandboxThatTakesTooLongIsNone(t *testing.T) {
	s := set(t, Options{Sandbox: sandbox.WorkspaceWrite, Limits: limit.Set{limit.SandboxProbe.Name: 0}})
	if r := s.Sandbox(); r.Method != sandbox.None || r.Holds() {
		t.Errorf("report = %+v, want that none holds", r)
	}
	want(t, do(t, s, "exec_command", m{"command": "ls"}), longrein.OutputRefused, "no sandbox works here")
}
