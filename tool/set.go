package tool

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/tool/sandbox"
	"github.com/longrein/longrein/tool/shell"
)

// Mode is how far commands and patches are let; see package sandbox.
type Mode = sandbox.Mode

// EnvRules say which environment variables are kept from commands.
type EnvRules = shell.EnvRules

// Options are what a thread's tools need to know. Cwd is required; everything
// else works as it is.
type Options struct {
	Cwd  string // the working folder, absolute
	Home string // Longrein's own folder, which stays read-only; "" for none
	// Protected are further folders that stay read-only, absolute.
	Protected []string
	// Notes is the folder of the thread's notes, absolute; "" for none. Patches may
	// change TODO.md there, in every mode and without asking, and nothing else.
	Notes string

	Sandbox  Mode     // "" means workspace-write
	Approval Approval // "" means on-request
	Policy   Policy   // nil means the one that Approval names
	Ask      longrein.Ask
	// Writable folders besides Cwd and the temporary ones, absolute.
	Writable []string
	Network  bool // sandboxed commands reach the network

	Env    EnvRules
	Redact Redactor // nil: outputs are kept as they are
	Blobs  Blobs    // nil: what is cut from an output is lost, and says so
	Limits limit.Set
	// Extra tools come after the built-in ones. No policy is asked about them and
	// no sandbox holds them: they decide for themselves.
	Extra []longrein.Tool

	methods []sandbox.Method // nil: the best that works
}

// Redactor takes secrets out of outputs, before anything keeps them.
type Redactor interface {
	Text(text string) string
	// Writer passes what is written to it on without secrets; Close passes on the
	// rest.
	Writer(w io.Writer) io.WriteCloser
	// Holds reports whether a text has a placeholder in it.
	Holds(text string) bool
}

// Blobs keeps whole outputs.
type Blobs interface {
	PutBlob(r io.Reader) (longrein.Blob, error)
	// ReadBlob returns up to n bytes from offset on; fewer only at the end.
	ReadBlob(id string, offset, n int64) ([]byte, error)
}

// Set is the tools of a thread. Safe for concurrent use.
type Set struct {
	o      Options
	rules  sandbox.Rules
	tools  []tool
	policy Policy
	box    func() *sandbox.Box
}

// tool is a name, what the model is told of it, and how a call is prepared.
type tool struct {
	spec    longrein.ToolSpec
	example string
	prepare func(*args) job // nil for a tool of an embedding program
	own     longrein.Tool
}

// job is a call whose arguments have been read.
type job struct {
	readOnly bool
	run      func(ctx context.Context, call longrein.ToolCall) longrein.ToolResult
}

// Builtin returns the tools that come with Longrein. It starts nothing: which
// sandbox works is found out at the first command.
func Builtin(o Options) *Set {
	if o.Sandbox == "" {
		o.Sandbox = sandbox.WorkspaceWrite
	}
	s := &Set{o: o, policy: o.Policy, rules: sandbox.Rules{
		Mode: o.Sandbox, Cwd: o.Cwd, Writable: o.Writable, Network: o.Network,
		Protected: slices.Clone(o.Protected),
	}}
	if o.Home != "" {
		s.rules.Protected = append(s.rules.Protected, o.Home)
	}
	if o.Notes != "" {
		s.rules.Shown = []string{o.Notes}
	}
	if s.policy == nil {
		s.policy = o.Approval
	}
	s.box = sync.OnceValue(s.open)
	s.tools = []tool{
		{spec: execSpec, example: execExample, prepare: s.exec},
		{spec: readSpec, example: readExample, prepare: s.read},
		{spec: listSpec, example: listExample, prepare: s.list},
		{spec: searchSpec, example: searchExample, prepare: s.search},
		{spec: patchSpec, example: patchExample, prepare: s.patch},
		{spec: planSpec, example: planExample, prepare: s.plan},
		{spec: restSpec, example: restExample, prepare: s.rest},
	}
	for _, t := range o.Extra {
		s.tools = append(s.tools, tool{spec: t.Spec(), example: "a JSON object as its schema says", own: t})
	}
	return s
}

func (s *Set) open() *sandbox.Box {
	ctx, stop := context.WithTimeout(context.Background(), s.o.Limits.Duration(limit.SandboxProbe))
	defer stop()
	return sandbox.Open(ctx, s.rules, s.o.methods...)
}

// Sandbox says what holds for commands. The first call may start a process or
// two to find out.
func (s *Set) Sandbox() sandbox.Report { return s.box().Report() }

// Specs returns what a model is told of the tools, always in the same order and
// with the same bytes.
func (s *Set) Specs() []longrein.ToolSpec {
	out := make([]longrein.ToolSpec, len(s.tools))
	for i, t := range s.tools {
		out[i] = t.spec
	}
	return out
}

// Known reports whether there is such a tool and its arguments can be read. A
// call that is not known is futile: its output only says what is wrong with it.
func (s *Set) Known(call longrein.ToolCall) bool {
	_, err := s.prepare(call)
	return err == nil
}

// ReadOnly reports whether the call is known to change nothing, so that it may
// run beside others and be run again. That includes commands made of programs
// that only read.
func (s *Set) ReadOnly(call longrein.ToolCall) bool {
	j, err := s.prepare(call)
	return err == nil && j.readOnly
}

// Run runs a call. It returns when the call is over or soon after ctx ended, and
// the output is never empty.
func (s *Set) Run(ctx context.Context, call longrein.ToolCall) (res longrein.ToolResult) {
	defer func() {
		if p := recover(); p != nil {
			res = failed(call, "%s broke: %v", call.Name, p)
		}
		if s.o.Redact != nil {
			res.Output.Text = s.o.Redact.Text(res.Output.Text)
		}
		if res.Output.Text == "" {
			res.Output.Text = noOutput
		}
	}()
	j, err := s.prepare(call)
	if err != nil {
		return failed(call, "%s", err)
	}
	if ctx.Err() != nil {
		return result(call, longrein.OutputInterrupted, "interrupted before it ran")
	}
	return j.run(ctx, call)
}

func (s *Set) prepare(call longrein.ToolCall) (job, error) {
	i := slices.IndexFunc(s.tools, func(t tool) bool { return t.spec.Name == call.Name })
	if i < 0 {
		return job{}, fmt.Errorf("there is no tool %q; there are %s", call.Name, s.names())
	}
	t := s.tools[i]
	a, err := parse(call.Args)
	var j job
	if err == nil && t.own != nil {
		return job{readOnly: t.spec.ReadOnly, run: t.own.Run}, nil
	}
	if err == nil {
		j = t.prepare(a)
		err = a.err()
	}
	if err != nil {
		return job{}, fmt.Errorf("%s was not run: %w. Example of its arguments: %s", call.Name, err, t.example)
	}
	return j, nil
}

func (s *Set) names() string {
	names := make([]string, len(s.tools))
	for i, t := range s.tools {
		names[i] = t.spec.Name
	}
	return strings.Join(names, ", ")
}

const noOutput = "(no output)"

func result(call longrein.ToolCall, status longrein.OutputStatus, text string) longrein.ToolResult {
	return longrein.ToolResult{Output: longrein.ToolOutput{CallID: call.ID, Text: text, Status: status}}
}

func failed(call longrein.ToolCall, format string, a ...any) longrein.ToolResult {
	return result(call, longrein.OutputFailed, strings.ToValidUTF8(fmt.Sprintf(format, a...), "\ufffd"))
}
