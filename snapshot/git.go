package snapshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// program runs git with what all its calls share.
type program struct {
	path string
	dir  string // where it runs
	args []string
	env  []string
	held *os.File // the store's lock, nil where none is needed
}

// with returns p with further arguments that all calls share.
func (p program) with(args ...string) program {
	p.args = append(slices.Clip(p.args), args...)
	return p
}

// settings hold for every git of ours. Checks of names for other systems' sake are
// left to those systems.
func settings() []string {
	s := []string{
		"-c", "core.fsmonitor=false", "-c", "core.autocrlf=false", "-c", "core.untrackedCache=false", "-c", "core.splitIndex=false",
		"-c", "core.preloadIndex=true", "-c", "core.fsync=committed", "-c", "core.fsyncMethod=batch", "-c", "core.compression=1", "-c", "core.logAllRefUpdates=false",
		"-c", "core.hooksPath=" + os.DevNull, "-c", "index.version=2", "-c", "index.skipHash=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
	}
	if runtime.GOOS == "linux" {
		s = append(s, "-c", "core.protectNTFS=false", "-c", "core.protectHFS=false")
	}
	return s
}

// kept are the variables of the environment that git gets to see.
var kept = []string{"PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "USERPROFILE", "SYSTEMROOT", "TEMP", "TMP"}

// private is the environment for the store: no settings of the user's or the
// system's.
func private() []string {
	return append(environment(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_ATTR_NOSYSTEM=1")
}

func environment() []string {
	env := []string{
		"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1",
	}
	for _, name := range kept {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// run runs git to its end. The error is a [*gitError] when git itself failed, and
// the context's cause when that ended it.
func (p program) run(ctx context.Context, in io.Reader, out io.Writer, args ...string) error {
	cmd, said := p.command(ctx, args)
	cmd.Stdin, cmd.Stdout = in, out
	return p.failed(ctx, args, said, cmd.Run())
}

// stopGrace is how long a git that was stopped is waited for.
const stopGrace = 2 * time.Second // fixed: what git had to do was given up already

func (p program) command(ctx context.Context, args []string) (*exec.Cmd, *start) {
	said := &start{room: 64 << 10}
	cmd := exec.CommandContext(ctx, p.path, slices.Concat(p.args, settings(), args)...)
	cmd.Dir, cmd.Env, cmd.Stderr, cmd.WaitDelay = p.dir, p.env, said, stopGrace
	if p.held != nil {
		hand(cmd, p.held)
	}
	return cmd, said
}

func (p program) failed(ctx context.Context, args []string, said *start, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return &gitError{what: args[0], said: strings.TrimSpace(said.String()), cause: err}
}

// text returns what git prints, without the line end.
func (p program) text(ctx context.Context, in io.Reader, args ...string) (string, error) {
	out := &start{room: 1 << 20}
	err := p.run(ctx, in, out, args...)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// fields calls each for every field that ends with a zero byte in what git prints,
// and stops with its error.
func (p program) fields(ctx context.Context, in io.Reader, each func(string) error, args ...string) error {
	out := &splitter{each: each}
	err := p.run(ctx, in, out, args...)
	if out.err != nil {
		return out.err // what git says then is that nobody listens
	}
	return err
}

// gitError is a git that failed.
type gitError struct {
	what, said string
	cause      error
}

func (e *gitError) Error() string { return fmt.Sprintf("git %s: %v: %s", e.what, e.cause, e.said) }
func (e *gitError) Unwrap() error { return e.cause }

// answered reports whether git answered with yes; its no is exit status 1.
func answered(err error) (bool, error) {
	if exit := new(exec.ExitError); errors.As(err, &exit) && exit.ExitCode() == 1 {
		return false, nil
	}
	return err == nil, err
}

// start keeps the first bytes that are written to it.
type start struct {
	bytes.Buffer
	room int
}

func (s *start) Write(p []byte) (int, error) {
	s.Buffer.Write(p[:min(len(p), max(0, s.room-s.Len()))])
	return len(p), nil
}

// longestField is more than any system's longest path.
const longestField = 1 << 20 // fixed: more is an error, and no path is as long

var errLongField = errors.New("git printed a field that is too long")

// splitter passes on what ends with a zero byte.
type splitter struct {
	each func(string) error
	rest []byte
	err  error
}

func (s *splitter) Write(p []byte) (int, error) {
	for n := len(p); ; {
		if s.err != nil {
			return 0, s.err
		}
		field, more, ended := bytes.Cut(p, []byte{0})
		if !ended && len(s.rest)+len(p) > longestField {
			s.err = errLongField
			continue
		}
		s.rest = append(s.rest, field...)
		if !ended {
			return n, nil
		}
		s.err = s.each(string(s.rest))
		s.rest, p = s.rest[:0], more
	}
}
