package tool

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"go.uber.org/goleak"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/tool/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	goleak.VerifyTestMain(m)
}

// memory is blobs without a disk.
type memory struct {
	mu sync.Mutex
	m  map[string][]byte
}

func (b *memory) PutBlob(r io.Reader) (longrein.Blob, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return longrein.Blob{}, err
	}
	sum := sha256.Sum256(content)
	id := hex.EncodeToString(sum[:])
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.m == nil {
		b.m = map[string][]byte{}
	}
	b.m[id] = content
	return longrein.Blob{ID: id, Bytes: int64(len(content))}, nil
}

func (b *memory) ReadBlob(id string, offset, n int64) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	content, ok := b.m[id]
	if !ok {
		return nil, errors.New("there is no such blob")
	}
	content = content[min(offset, int64(len(content))):]
	return content[:min(n, int64(len(content)))], nil
}

// folder is a working folder outside of the temporary ones.
func folder(t testing.TB) string {
	t.Helper()
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(home, ".tool-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// set makes tools in a new folder, without a sandbox unless o says otherwise.
func set(t testing.TB, o Options) *Set {
	t.Helper()
	if o.Cwd == "" {
		o.Cwd = folder(t)
	}
	if o.Sandbox == "" {
		o.Sandbox = sandbox.Full
	}
	if o.Blobs == nil {
		o.Blobs = &memory{}
	}
	return Builtin(o)
}

// run calls a tool with arguments that are any value or JSON text.
func call(name string, args any) longrein.ToolCall {
	text, ok := args.(string)
	if !ok {
		b, err := json.Marshal(args)
		if err != nil {
			panic(err)
		}
		text = string(b)
	}
	return longrein.ToolCall{ID: "c1", Name: name, Args: text}
}

func do(t testing.TB, s *Set, name string, args any) longrein.ToolResult {
	t.Helper()
	res := s.Run(context.Background(), call(name, args))
	if res.Output.Text == "" || !utf8.ValidString(res.Output.Text) || res.Output.CallID != "c1" {
		t.Errorf("output = %+v", res.Output)
	}
	return res
}

// want checks an output's status and that it holds a text.
func want(t testing.TB, res longrein.ToolResult, status longrein.OutputStatus, text string) {
	t.Helper()
	if res.Output.Status != status || !strings.Contains(res.Output.Text, text) {
		t.Errorf("output = %s %q, want %s with %q", res.Output.Status, res.Output.Text, status, text)
	}
}

type m = map[string]any

func TestSpecsAreFewBytesAndNeverChange(t *testing.T) {
	s := set(t, Options{})
	b, err := json.Marshal(s.Specs())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", len(b))
	if len(b) > 5<<10 {
		t.Errorf("the tools take %d bytes of every request", len(b))
	}
	again, _ := json.Marshal(set(t, Options{Network: true}).Specs())
	if !bytes.Equal(b, again) {
		t.Error("the bytes differ from one set to the other")
	}
	for _, spec := range s.Specs() {
		var compact bytes.Buffer
		if err := json.Compact(&compact, spec.Schema); err != nil || compact.String() != string(spec.Schema) {
			t.Errorf("schema of %s is not compact JSON: %v", spec.Name, err)
		}
	}
}

// What every tool owes, whatever it does.
func TestEveryTool(t *testing.T) {
	s := set(t, Options{})
	bad := map[string]struct{ args, want string }{
		"no JSON":                {`{"path": oops}`, "not a JSON object"},
		"cut JSON":               {`{"path": "a`, "they end too early"},
		"a list":                 {`["a"]`, "they are a array"},
		"null":                   {`null`, "not null"},
		"two objects":            {`{} {}`, "something follows"},
		"a field that is no one": {`{"path":"x","command":"x","plan":[],"pattern":"x","patch":"x","id":"` + strings.Repeat("0", 64) + `","zebra":1}`, "takes no argument"},
	}
	for _, tool := range s.tools {
		t.Run(tool.spec.Name, func(t *testing.T) {
			for name, tt := range bad {
				c := call(tool.spec.Name, tt.args)
				res := do(t, s, c.Name, c.Args)
				want(t, res, longrein.OutputFailed, tt.want)
				want(t, res, longrein.OutputFailed, tool.example)
				if s.Known(c) || s.ReadOnly(c) {
					t.Errorf("%s: counts as known", name)
				}
			}
			if example := strings.ReplaceAll(tool.example, "<64 hexadecimal digits>", strings.Repeat("0", 64)); !s.Known(call(tool.spec.Name, example)) {
				t.Errorf("its own example is not understood")
			}
			ctx, stop := context.WithCancel(context.Background())
			stop()
			res := s.Run(ctx, call(tool.spec.Name, strings.ReplaceAll(tool.example, "<64 hexadecimal digits>", strings.Repeat("0", 64))))
			want(t, res, longrein.OutputInterrupted, "interrupted")
		})
	}
}

func TestArgumentsAreExplained(t *testing.T) {
	s := set(t, Options{})
	for args, text := range map[string]string{
		`{"command":1}`:                          `"command" must be a string, not 1`,
		`{"command":"ls","timeout_ms":"5s"}`:     `"timeout_ms" must be a number, not "5s"`,
		`{"command":"ls","timeout_ms":-1}`:       `"timeout_ms" must be a whole number of at least 0`,
		`{"command":"ls","unsandboxed":"yes"}`:   `"unsandboxed" must be true or false`,
		`{"cmd":"ls"}`:                           `"command" is missing`,
		`{}`:                                     `"command" is missing`,
		`{"command":"ls","dir":"x"}`:             `it takes no argument "dir", only command, workdir, timeout_ms, unsandboxed, justification`,
		`{"command":"echo ok","workdir":null}`:   "ok",
		`{"command":"echo ok","timeout_ms":5e3}`: "ok",
	} {
		if res := do(t, s, "exec_command", args); !strings.Contains(res.Output.Text, text) {
			t.Errorf("%s: %q, want %q in it", args, res.Output.Text, text)
		}
	}
	want(t, do(t, s, "update_plan", `{"plan":[{"step":"x","status":"later"}]}`), longrein.OutputFailed, "must be pending, in_progress or completed")
	want(t, do(t, s, "list_files", ``), longrein.OutputOK, "(nothing found)")
}

func TestAnUnknownToolIsNamedAndFutile(t *testing.T) {
	s := set(t, Options{})
	res := do(t, s, "shell", `{}`)
	want(t, res, longrein.OutputFailed, `there is no tool "shell"; there are exec_command, read_file, list_files, search_files, apply_patch, update_plan, read_output`)
	if s.Known(call("shell", `{}`)) {
		t.Error("it counts as known")
	}
}

func TestAPanicIsAFailedOutput(t *testing.T) {
	s := set(t, Options{})
	s.tools[0].prepare = func(a *args) job {
		a.need("command")
		return job{run: func(context.Context, longrein.ToolCall) longrein.ToolResult { panic("boom") }}
	}
	want(t, do(t, s, "exec_command", m{"command": "x"}), longrein.OutputFailed, "exec_command broke: boom")
}

func TestReadOnlyCalls(t *testing.T) {
	s := set(t, Options{})
	for c, readOnly := range map[longrein.ToolCall]bool{
		call("exec_command", m{"command": "cat a | head"}): true,
		call("exec_command", m{"command": "rm a"}):         false,
		call("read_file", m{"path": "a"}):                  true,
		call("apply_patch", m{"patch": "x"}):               false,
	} {
		if got := s.ReadOnly(c); got != readOnly {
			t.Errorf("ReadOnly(%s) = %v", c.Args, got)
		}
	}
}

func TestFilesAreReadListedSearchedAndPatched(t *testing.T) {
	s := set(t, Options{})
	patch := "*** Begin Patch\n*** Add File: a/b.go\n+package a\n+// needle\n*** End Patch"
	want(t, do(t, s, "apply_patch", m{"patch": patch}), longrein.OutputOK, "A a/b.go (+2)")
	want(t, do(t, s, "read_file", m{"path": "a/b.go"}), longrein.OutputOK, "[2 lines]\npackage a\n// needle\n")
	want(t, do(t, s, "read_file", m{"path": "a/b.go", "offset": 2}), longrein.OutputOK, "[lines 2-2 of 2]\n// needle\n")
	want(t, do(t, s, "read_file", m{"path": "a/b.go", "offset": 9}), longrein.OutputOK, "(no line 9: the file has 2)")
	want(t, do(t, s, "read_file", m{"path": "a"}), longrein.OutputFailed, "is a folder; use list_files")
	want(t, do(t, s, "list_files", m{}), longrein.OutputOK, "a/b.go\n")
	want(t, do(t, s, "search_files", m{"pattern": "need.e"}), longrein.OutputOK, "a/b.go:2:// needle\n")
	want(t, do(t, s, "search_files", m{"pattern": "nothing"}), longrein.OutputOK, "(nothing found)")
	want(t, do(t, s, "update_plan", m{"plan": []m{{"step": "x", "status": "completed"}}}), longrein.OutputOK, "1 of 1")
}

func TestLongLooksAreCutAndSaySo(t *testing.T) {
	s := set(t, Options{})
	line := strings.Repeat("needle ", 40) + "\n"
	for i := range 60 {
		write(t, fmt.Sprintf("%s/f%02d.txt", s.o.Cwd, i), strings.Repeat(line, 20))
	}
	res := do(t, s, "read_file", m{"path": "f00.txt"})
	if len(res.Limits) != 0 {
		t.Errorf("limits = %v", res.Limits)
	}
	write(t, s.o.Cwd+"/long.txt", strings.Repeat(line, 200))
	for name, args := range map[string]m{"read_file": {"path": "long.txt"}, "search_files": {"pattern": "needle"}} {
		res := do(t, s, name, args)
		if len(res.Limits) == 0 || res.Limits[0].Name != "tool-output" || res.Limits[0].Cut <= 0 || len(res.Output.Text) > 16<<10 {
			t.Errorf("%s: %d bytes, limits = %+v", name, len(res.Output.Text), res.Limits)
		}
	}
	want(t, do(t, s, "read_file", m{"path": "long.txt"}), longrein.OutputOK, "; read on with offset ")
}

func FuzzArguments(f *testing.F) {
	s := set(f, Options{})
	f.Add("read_file", `{"path":"a","offset":1e9}`)
	f.Add("update_plan", `{"plan":[{}]}`)
	f.Fuzz(func(t *testing.T, name, args string) {
		c := call(name, args)
		if s.Known(c) {
			return
		}
		if out := s.Run(t.Context(), c).Output; out.Status != longrein.OutputFailed || !utf8.ValidString(out.Text) {
			t.Errorf("output = %+v", out)
		}
	})
}
