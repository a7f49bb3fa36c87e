package tool

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/tool/output"
	"github.com/longrein/longrein/tool/sandbox"
	"github.com/longrein/longrein/tool/shell"
)

// command is what a call of exec_command asks for.
type command struct {
	text, dir, why string
	timeout        time.Duration // 0: the usual one
	free           bool          // outside of the sandbox
}

func (s *Set) exec(a *args) job {
	c := command{text: a.need("command"), dir: s.path(a.text("workdir"))}
	c.timeout = time.Duration(a.number("timeout_ms")) * time.Millisecond
	c.free, c.why = a.flag("unsandboxed"), a.text("justification")
	return job{readOnly: shell.ReadOnly(c.text), run: func(ctx context.Context, call longrein.ToolCall) longrein.ToolResult {
		return s.runCommand(ctx, call, c)
	}}
}

// path makes a path from the model absolute; "" is the working folder.
func (s *Set) path(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(s.o.Cwd, p)
}

func (s *Set) runCommand(ctx context.Context, call longrein.ToolCall, c command) longrein.ToolResult {
	if info, err := os.Stat(c.dir); err != nil || !info.IsDir() {
		return failed(call, "not run: the folder %s does not exist (any more)", c.dir)
	}
	action := s.action(c)
	if no := s.allowed(ctx, call, action); no != nil {
		return *no
	}
	r := s.start(ctx, c, !action.Held)
	if r.err == nil && r.stopped() && s.again(ctx, call, action) {
		_ = r.out.Close()
		r = s.start(ctx, c, true)
	}
	defer r.out.Close()
	res := s.report(call, r)
	if exit := res.Output.Exit; exit != nil && *exit == 0 {
		s.ran(c, &res)
	}
	return res
}

// again reports whether a command that the sandbox seems to have stopped may run
// without it. Where that is not asked for, the model is told and may ask itself.
func (s *Set) again(ctx context.Context, call longrein.ToolCall, a Action) bool {
	a.Held, a.Retry, a.Why = false, true, "it failed, as it seems because of the sandbox, and would run again without"
	if _, no := s.policy.Decide(a).(Refuse); no || s.o.Ask == nil {
		return false
	}
	return s.allowed(ctx, call, a) == nil
}

// action describes the command to the policy.
func (s *Set) action(c command) Action {
	a := Action{Tool: execSpec.Name, Text: c.text, Held: true, ReadOnly: shell.ReadOnly(c.text)}
	if c.dir != s.o.Cwd {
		a.Text += "\n(in " + c.dir + ")"
	}
	report := s.box().Report()
	switch {
	case s.rules.Mode == sandbox.Full:
	case !report.Holds():
		a.Held, a.Why = false, "no sandbox works here ("+report.Why+")"
	case c.free:
		a.Held, a.Why = false, "it would run outside the sandbox"
		if c.why != "" {
			a.Why += ": " + c.why
		}
	}
	return a
}

// run is a command that has been run.
type run struct {
	shell.Result
	out     *output.Capture
	held    bool
	timeout time.Duration
	limits  []longrein.LimitHit
	err     error // it could not be started
}

func (s *Set) start(ctx context.Context, c command, free bool) *run {
	l := s.o.Limits
	r := &run{held: !free && s.rules.Mode != sandbox.Full, timeout: c.timeout}
	r.out = output.NewCapture(output.Options{
		Shown: l.Int(limit.ToolOutput), Kept: l.Of(limit.CommandOutput),
		Line: l.Int(limit.SearchLine), ErrorLines: l.Int(limit.ErrorLines), Dir: s.o.Home,
	})
	if most := l.Duration(limit.CommandTimeMax); r.timeout > most {
		r.limits = append(r.limits, l.Hit(limit.CommandTimeMax, "time asked for a command", (r.timeout-most).Milliseconds(), ""))
		r.timeout = most
	}
	if r.timeout == 0 {
		r.timeout = l.Duration(limit.CommandTime)
	}
	cmd, wrapped, err := s.command(ctx, c, r.held)
	if err != nil {
		r.err = err
		return r
	}
	sc := shell.Command{Cmd: cmd, Wrapped: wrapped, Timeout: r.timeout, Grace: l.Duration(limit.CommandGrace)}
	r.Result, r.err = s.capture(ctx, sc, r.out)
	if r.Ending == shell.TimedOut && c.timeout == 0 {
		r.limits = append(r.limits, l.Hit(limit.CommandTime, "a command that named no time", 0, ""))
	}
	return r
}

// capture runs a command; what it prints is redacted before it is held.
func (s *Set) capture(ctx context.Context, c shell.Command, out *output.Capture) (shell.Result, error) {
	if s.o.Redact == nil {
		return c.Run(ctx, out)
	}
	w := s.o.Redact.Writer(out)
	defer w.Close() // a capture takes everything
	return c.Run(ctx, w)
}

func (s *Set) command(ctx context.Context, c command, held bool) (cmd *exec.Cmd, wrapped bool, err error) {
	argv := shell.Program(c.text)
	own := []string{"PWD=" + c.dir}
	if key := longrein.CallKey(ctx); key != "" {
		own = append(own, "LONGREIN_CALL_KEY="+key)
	}
	if !held {
		cmd = sandbox.Free(c.dir, argv...)
		cmd.Env = shell.Env(os.Environ(), s.o.Env, own...)
		return cmd, false, nil
	}
	box := s.box()
	cmd, err = box.Command(c.dir, argv...)
	if err != nil {
		return nil, false, err
	}
	cmd.Env = shell.Env(os.Environ(), s.o.Env, append(s.caches(), own...)...)
	return cmd, box.Wrapped(), nil
}

// denials are what programs say when a sandbox stops them.
var denials = []string{
	"permission denied", "operation not permitted", "read-only file system", "network is unreachable",
	"could not resolve host", "temporary failure in name resolution", "no such host", "name or service not known",
}

// stopped guesses whether the sandbox made the command fail.
func (r *run) stopped() bool {
	if !r.held || r.Code == 0 || r.Ending != shell.Exited {
		return false
	}
	said := strings.ToLower(string(r.out.Tail(4 << 10))) // fixed: only looked at for a reason
	for _, d := range denials {
		if strings.Contains(said, d) {
			return true
		}
	}
	return false
}

// caches points tools that keep a cache in the user's home, which the sandbox
// holds read-only, to a folder that they may write to.
func (s *Set) caches() []string {
	usual, err := os.UserCacheDir()
	if err != nil || s.rules.Check(usual) == nil {
		return nil
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("longrein-cache-%d", os.Getuid()))
	if !ours(dir) {
		return nil
	}
	return []string{"XDG_CACHE_HOME=" + dir, "npm_config_cache=" + filepath.Join(dir, "npm")}
}

// ours makes a folder that nobody else can have prepared.
func ours(dir string) bool {
	if err := os.Mkdir(dir, 0o700); err == nil {
		return true
	}
	info, err := os.Lstat(dir)
	return err == nil && info.IsDir() && info.Mode().Perm() == 0o700 && owned(info)
}
