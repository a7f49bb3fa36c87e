package sandbox

import (
	"context"
	"errors"
	"os/exec"
	"strings"
)

// Method is a way to hold commands to rules.
type Method string

// The methods. NotNeeded means that the rules ask for none.
const (
	Bubblewrap Method = "bubblewrap"
	Landlock   Method = "landlock"
	None       Method = "none"
	NotNeeded  Method = "full"
)

// Report says what holds for commands of a [Box]. Why is for people: what is
// weaker than the rules ask for, or why nothing holds; "" when all is well.
type Report struct {
	Method  Method
	Files   bool // writes are held to the rules
	Network bool // the network is off, or the rules allow it
	Why     string
}

// Holds reports whether the rules are kept, so that commands need no asking.
func (r Report) Holds() bool { return r.Files && r.Network }

// Box starts commands that are held to its rules. Safe for concurrent use.
type Box struct {
	rules  Rules
	report Report
	wrap   wrapper
}

// wrapper makes the command that runs argv in dir under a method.
type wrapper func(dir string, argv []string) (*exec.Cmd, error)

// Open returns a box for r with the first of methods that works here, by default
// bubblewrap, then Landlock. It starts a process or two to find out, and waits
// for them until ctx ends. When no method works, the box has the method None and
// its commands run free: ask first.
func Open(ctx context.Context, r Rules, methods ...Method) *Box {
	if r.Mode == Full {
		return &Box{rules: r, report: Report{Method: NotNeeded, Files: true, Network: true}, wrap: plain}
	}
	if methods == nil {
		methods = []Method{Bubblewrap, Landlock}
	}
	var why []string
	for _, m := range methods {
		box, err := open(ctx, r, m)
		if err == nil {
			return box
		}
		why = append(why, string(m)+": "+err.Error())
	}
	return &Box{rules: r, report: Report{Method: None, Why: strings.Join(why, "; ")}, wrap: plain}
}

// Report says what holds.
func (b *Box) Report() Report { return b.report }

// Command returns a command that is ready to be started: argv in the folder dir,
// held to the rules. The caller sets its environment and streams.
func (b *Box) Command(dir string, argv ...string) (*exec.Cmd, error) { return b.wrap(dir, argv) }

// Wrapped reports whether the process that is started only watches over the
// command, so that a polite signal should go to its children.
func (b *Box) Wrapped() bool { return b.report.Method == Bubblewrap }

// Free returns a command that is held to nothing.
func Free(dir string, argv ...string) *exec.Cmd {
	cmd, _ := plain(dir, argv)
	return cmd
}

func plain(dir string, argv []string) (*exec.Cmd, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	return cmd, nil
}

// try runs a command that should do nothing, and says why it failed.
func try(ctx context.Context, w wrapper) error {
	cmd, err := w("/", []string{"/bin/sh", "-c", ":"})
	if err != nil {
		return err
	}
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
	defer stop()
	err = cmd.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if text := strings.TrimSpace(said.String()); err != nil && text != "" {
		return errors.New(text)
	}
	return err
}
