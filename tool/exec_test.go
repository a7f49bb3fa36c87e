package tool

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/tool/sandbox"
)

func TestExec(t *testing.T) {
	s := set(t, Options{})
	write(t, s.o.Cwd+"/sub/x", "")
	tests := map[string]struct {
		args   m
		status longrein.OutputStatus
		text   string
	}{
		"an output":                {m{"command": "echo hi"}, longrein.OutputOK, " s\nhi\n"},
		"the exit code":            {m{"command": "echo no >&2; exit 3"}, longrein.OutputFailed, "exit code 3, "},
		"no output":                {m{"command": "true"}, longrein.OutputOK, " s\n(no output)"},
		"another folder":           {m{"command": "pwd", "workdir": "sub"}, longrein.OutputOK, s.o.Cwd + "/sub\n"},
		"a folder that is gone":    {m{"command": "pwd", "workdir": "gone"}, longrein.OutputFailed, "does not exist"},
		"time that runs out":       {m{"command": "echo begun; sleep 60", "timeout_ms": 200}, longrein.OutputFailed, "timed out after 0.2 s and was ended (exit code 143)\nbegun\n"},
		"a process left behind":    {m{"command": "sleep 60 & echo x"}, longrein.OutputOK, "; what it left in the background was ended\nx\n"},
		"binary output":            {m{"command": "printf 'a\\000b'"}, longrein.OutputOK, `[binary output, 3 bytes, starts with a\x00b]`},
		"bytes that are not UTF-8": {m{"command": "printf 'plain text with one bad \\377 byte'"}, longrein.OutputOK, "bad \ufffd byte"},
		"plain environment":        {m{"command": "echo $TERM $NO_COLOR $PAGER $LONGREIN"}, longrein.OutputOK, "dumb 1 cat 1\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { want(t, do(t, s, "exec_command", tt.args), tt.status, tt.text) })
	}
}

func TestSecretsStayOutOfCommands(t *testing.T) {
	t.Setenv("SOME_API_KEY", "hunter2")
	t.Setenv("KEPT_TOKEN", "fine")
	s := set(t, Options{Env: EnvRules{Keep: []string{"KEPT_TOKEN"}}})
	res := do(t, s, "exec_command", m{"command": "env"})
	if strings.Contains(res.Output.Text, "hunter2") || !strings.Contains(res.Output.Text, "KEPT_TOKEN=fine") {
		t.Errorf("env = %s", res.Output.Text)
	}
}

func TestLongOutputIsCutKeptAndReadOn(t *testing.T) {
	s := set(t, Options{})
	res := do(t, s, "exec_command", m{"command": "seq 1 100000"})
	text := res.Output.Text
	if len(text) > 16<<10 || !strings.HasSuffix(text, "99999\n100000\n") || !strings.Contains(text, "\n1\n2\n") {
		t.Errorf("%d bytes: %.200s", len(text), text)
	}
	var lines, offset int
	var id string
	first, _, _ := strings.Cut(text, "\n")
	_, rest, _ := strings.Cut(first, "; ")
	var size string
	if _, err := fmt.Sscanf(rest, `%d lines (%s kB) not shown: read_output {"id":"%64s","offset":%d}`, &lines, &size, &id, &offset); err != nil {
		t.Fatalf("%v in %q", err, first)
	}
	if res.Output.Full == nil || res.Output.Full.ID != id || res.Output.Full.Bytes != 588895 {
		t.Errorf("full = %+v", res.Output.Full)
	}
	if len(res.Limits) != 1 || res.Limits[0].Name != "tool-output" || res.Limits[0].Where != "read_output "+id {
		t.Errorf("limits = %+v", res.Limits)
	}
	// Reading on from the cut to the end gives every line once.
	whole := text[len(first)+1:]
	whole = whole[:strings.Index(whole, "\n[")+1]
	for {
		part := do(t, s, "read_output", m{"id": id, "offset": offset}).Output.Text
		head, body, _ := strings.Cut(part, "\n")
		whole += body
		if strings.HasSuffix(head, ", the end]") {
			break
		}
		var from int
		if _, err := fmt.Sscanf(head, "[bytes %d-%d; read on with offset %d]", &from, &offset, &offset); err != nil {
			t.Fatalf("%v in %q", err, head)
		}
	}
	if n := strings.Count(whole, "\n"); n != 100000 || !strings.HasSuffix(whole, "\n99999\n100000\n") {
		t.Errorf("read %d lines", n)
	}
}

func TestFiftyMegabytesNeedLittleMemory(t *testing.T) {
	s := set(t, Options{Blobs: discard{}})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res := do(t, s, "exec_command", m{"command": "head -c 50000000 /dev/zero | tr '\\0' 'x'"})
	runtime.ReadMemStats(&after)
	want(t, res, longrein.OutputOK, "0 lines (50.0 MB) not shown")
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 2<<20 {
		t.Errorf("allocated %d bytes", grown)
	}
}

func TestWhatIsPrintedBeyondTheStoreIsCountedOnly(t *testing.T) {
	l, err := limit.Set(nil).With("command-output", 64<<10)
	if err != nil {
		t.Fatal(err)
	}
	res := do(t, set(t, Options{Limits: l}), "exec_command", m{"command": "seq 1 100000"})
	want(t, res, longrein.OutputOK, "of which the last 523.4 kB are not kept")
	want(t, res, longrein.OutputOK, "\n100000\n")
	if res.Output.Full.Bytes != 64<<10 || len(res.Limits) != 2 {
		t.Errorf("full = %+v, limits = %+v", res.Output.Full, res.Limits)
	}
}

func TestInterruptKeepsWhatWasPrinted(t *testing.T) {
	s := set(t, Options{})
	ctx, stop := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer stop()
	res := s.Run(ctx, call("exec_command", m{"command": "while :; do echo yes; done"}))
	want(t, res, longrein.OutputInterrupted, "\nyes\nyes\n")
	want(t, res, longrein.OutputInterrupted, "interrupted after 0.")
}

func TestTimesAreBounded(t *testing.T) {
	l, _ := limit.Set(nil).With("command-time-max", 1000)
	l, _ = l.With("command-time", 100)
	s := set(t, Options{Limits: l})
	res := do(t, s, "exec_command", m{"command": "true", "timeout_ms": 5000})
	if len(res.Limits) != 1 || res.Limits[0].Name != "command-time-max" || res.Limits[0].Cut != 4000 {
		t.Errorf("limits = %+v", res.Limits)
	}
	res = do(t, s, "exec_command", m{"command": "sleep 9"})
	if len(res.Limits) != 1 || res.Limits[0].Name != "command-time" {
		t.Errorf("limits = %+v", res.Limits)
	}
}

func TestAVanishedWorkingFolderSaysSo(t *testing.T) {
	s := set(t, Options{})
	if err := os.RemoveAll(s.o.Cwd); err != nil {
		t.Fatal(err)
	}
	want(t, do(t, s, "exec_command", m{"command": "pwd"}), longrein.OutputFailed, "does not exist (any more)")
	want(t, do(t, s, "list_files", m{}), longrein.OutputFailed, "does not exist")
	want(t, do(t, s, "apply_patch", m{"patch": "*** Begin Patch\n*** Delete File: a\n*** End Patch"}), longrein.OutputFailed, "a: it does not exist")
}

// methods are what the sandbox tests run under.
var methods = []sandbox.Method{sandbox.Bubblewrap, sandbox.Landlock}

func sandboxed(t testing.TB, o Options, method sandbox.Method) *Set {
	t.Helper()
	o.Sandbox, o.methods = sandbox.WorkspaceWrite, []sandbox.Method{method}
	s := set(t, o)
	if r := s.Sandbox(); r.Method != method && method != sandbox.None {
		t.Skipf("NOT TESTED: %s does not work here: %s", method, r.Why)
	}
	return s
}

func TestSandboxedCommands(t *testing.T) {
	for _, method := range methods {
		t.Run(string(method), func(t *testing.T) {
			dir := folder(t)
			write(t, dir+"/.git/config", "old\n")
			write(t, dir+"/config/config.toml", "old\n")
			s := sandboxed(t, Options{Cwd: dir, Home: folder(t), Protected: []string{dir + "/config"}}, method)
			want(t, do(t, s, "exec_command", m{"command": "echo x > config/config.toml"}), longrein.OutputFailed, "config.toml")
			want(t, do(t, s, "exec_command", m{"command": "echo x > new && cat new"}), longrein.OutputOK, "x\n")
			res := do(t, s, "exec_command", m{"command": "echo x > .git/config"})
			want(t, res, longrein.OutputFailed, "[The sandbox may be the cause: only "+dir)
			want(t, do(t, s, "exec_command", m{"command": "echo x > " + s.o.Home + "/x"}), longrein.OutputFailed, "ead-only")
			want(t, do(t, s, "exec_command", m{"command": "sleep 60", "timeout_ms": 200}), longrein.OutputFailed, "timed out")
			res = do(t, s, "exec_command", m{"command": "trap 'echo cleaned; exit 1' TERM; sleep 60 & wait", "timeout_ms": 300})
			want(t, res, longrein.OutputFailed, "cleaned\n")
			if b, _ := os.ReadFile(dir + "/.git/config"); string(b) != "old\n" {
				t.Errorf(".git/config = %q", b)
			}
		})
	}
}

func TestToolsFindACacheTheyMayWrite(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", folder(t))
	t.Setenv("TMPDIR", t.TempDir())
	s := sandboxed(t, Options{}, sandbox.Bubblewrap)
	want(t, do(t, s, "exec_command", m{"command": `touch "$XDG_CACHE_HOME/x" && echo cached`}), longrein.OutputOK, "cached")
}

func TestWhatASandboxedCommandLeavesBehindIsEnded(t *testing.T) {
	for _, method := range methods {
		s := sandboxed(t, Options{}, method)
		begin := time.Now()
		want(t, do(t, s, "exec_command", m{"command": "sleep 60 & (setsid sleep 61 &) ; echo x"}), longrein.OutputOK, "x\n")
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("%s: took %v", method, took)
		}
	}
}

// Text is never cut inside a character and never over its limit.
func TestWhatIsShownHoldsItsLaw(t *testing.T) {
	s := set(t, Options{})
	rapid.Check(t, func(r *rapid.T) {
		content := rapid.SliceOfN(rapid.Byte(), 1, 200).Draw(r, "bytes")
		text := rapid.StringN(1, 100, -1).Draw(r, "text")
		name := filepath.Join(s.o.Cwd, "f")
		whole := strings.Repeat(rapid.SampledFrom([]string{text, string(content), text + "\n"}).Draw(r, "piece"), rapid.IntRange(1, 800).Draw(r, "times"))
		write(t, name, whole)
		for _, c := range []longrein.ToolCall{call("exec_command", m{"command": "cat f"}), call("read_file", m{"path": "f"})} {
			out := s.Run(context.Background(), c).Output
			if !utf8.ValidString(out.Text) || len(out.Text) > 16<<10 {
				r.Fatalf("%s shows %d bytes, valid %v", c.Name, len(out.Text), utf8.ValidString(out.Text))
			}
			if out.Full != nil {
				checkParts(r, s, out.Full.ID, whole)
			}
		}
	})
}

func checkParts(r *rapid.T, s *Set, id, whole string) {
	args := m{"id": id, "offset": rapid.IntRange(0, len(whole)).Draw(r, "offset"), "limit": rapid.IntRange(0, 300).Draw(r, "limit")}
	out := s.Run(context.Background(), call("read_output", args)).Output
	_, body, _ := strings.Cut(out.Text, "\n")
	if utf8.ValidString(whole) && strings.ContainsRune(body, utf8.RuneError) && !strings.ContainsRune(whole, utf8.RuneError) && !strings.Contains(whole, "\x00") {
		r.Fatalf("cut inside a character: %q", out.Text)
	}
}

// discard keeps nothing but pretends to.
type discard struct{}

func (discard) PutBlob(r io.Reader) (longrein.Blob, error) {
	n, err := io.Copy(io.Discard, r)
	return longrein.Blob{ID: strings.Repeat("0", 64), Bytes: n}, err
}

func (discard) ReadBlob(string, int64, int64) ([]byte, error) { return nil, nil }

func BenchmarkCat(b *testing.B) {
	for _, method := range append(methods, sandbox.None) {
		b.Run(string(method), func(b *testing.B) {
			o := Options{Cwd: folder(b), Blobs: &memory{}, methods: []sandbox.Method{method}}
			if method == sandbox.None {
				o.Sandbox = sandbox.Full
			}
			s := Builtin(o)
			if r := s.Sandbox(); !r.Holds() {
				b.Skipf("NOT MEASURED: %s", r.Why)
			}
			write(b, s.o.Cwd+"/small.txt", "a few words\n")
			c := call("exec_command", m{"command": "cat small.txt"})
			for b.Loop() {
				if out := s.Run(b.Context(), c).Output; out.Status != longrein.OutputOK {
					b.Fatal(out.Text)
				}
			}
		})
	}
}

func TestACommandCanTellWhichCallItIs(t *testing.T) {
	s := Builtin(Options{Cwd: folder(t), Sandbox: "full", Approval: Never})
	ctx := longrein.WithCallKey(context.Background(), "thread/7")
	got := s.Run(ctx, longrein.ToolCall{ID: "a", Name: "exec_command", Args: `{"command":"echo key=$LONGREIN_CALL_KEY"}`})
	if !strings.Contains(got.Output.Text, "key=thread/7") {
		t.Errorf("got %q", got.Output.Text)
	}
}
