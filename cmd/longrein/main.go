// Command longrein is an agent harness for work that outlasts the context
// window. Each command has a small file of its own; this one starts them and
// turns their errors into exit codes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/tool/sandbox"
)

// version is set when a release is built.
var version = "dev"

func main() {
	sandbox.Main()
	os.Exit(run(os.Args[1:]))
}

// The exit codes that scripts rely on.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitProvider    = 3
	exitRefused     = 4
	exitInterrupted = 130
)

func run(args []string) int {
	c := &cli{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Environ()}
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	cmd := c.root()
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	var done exit
	if !errors.As(err, &done) {
		fmt.Fprintln(c.err, "longrein:", printable(err.Error()))
	}
	return codeOf(err)
}

// endings are the signals that stop the program: an interrupt, a polite end, and
// a terminal that is closed, unless nohup has it go on without one.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// exit ends the program with a code when everything has been said already.
type exit struct{ code int }

// Error names the code.
func (e exit) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// usage marks an error as the caller's to put right.
type usage struct{ error }

// Unwrap returns the error that was marked.
func (u usage) Unwrap() error { return u.error }

func codeOf(err error) int {
	var (
		done     exit
		bad      usage
		settings *config.Error
		model    *longrein.ModelError
	)
	switch {
	case errors.As(err, &done):
		return done.code
	case errors.As(err, &bad), errors.As(err, &settings):
		return exitUsage
	case errors.As(err, &model):
		return codeOfKind(model.Kind)
	case errors.Is(err, harness.ErrNoModel):
		return exitProvider
	}
	return exitFailed
}

func codeOfKind(k longrein.ErrorKind) int {
	switch k {
	case longrein.ErrPolicy:
		return exitRefused
	case longrein.ErrStorage, longrein.ErrLimit, longrein.ErrInternal:
		return exitFailed
	}
	return exitProvider
}

// cli is what every command starts from: the streams, the environment and the
// flags they share.
type cli struct {
	in       *os.File
	keys     *os.File // see keyboard
	out, err io.Writer
	env      []string
	home     string
	dir      string
	flags    []config.Flag
}

func (c *cli) root() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "longrein",
		Short:         "An agent harness for work that outlasts the context window",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0], fmt.Sprintf("to run a task: longrein exec %q", strings.Join(args, " ")))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.SetOut(c.out)
	cmd.SetErr(c.err)
	cmd.SetFlagErrorFunc(flagError)
	c.shared(cmd)
	cmd.AddCommand(
		c.execCommand(), c.resumeCommand(), c.compactCommand(), c.threadsCommand(), c.contextCommand(), c.verifyCommand(),
		c.timelineCommand(), c.forkCommand(), c.rollbackCommand(), c.undoCommand(), c.redoCommand(),
		c.gcCommand(), c.notesCommand(), c.forgotCommand(), c.pinCommand(), c.unpinCommand(), c.restoreCommand(),
		c.compareCommand(), c.importCommand(), c.exportCommand(), c.checkCommand(), c.rulesCommand(), c.doctorCommand(), c.crashtestCommand(), c.demoCommand(), c.limitsCommand(), c.skillsCommand(), c.trustCommand(), c.simCommand(), c.versionCommand(),
	)
	cmd.InitDefaultHelpCmd()
	for _, sub := range cmd.Commands() {
		if sub.Name() == "help" {
			sub.Args = helpTopic
		}
		sub.DisableFlagsInUseLine = strings.Contains(sub.Use, "--") // it names them itself
	}
	return cmd
}

// shared declares the flags that every command takes.
func (c *cli) shared(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.StringVarP(&c.dir, "dir", "C", "", "work in this folder")
	f.StringVar(&c.home, "home", "", "keep settings and threads in this folder")
	for _, s := range []struct{ long, short, name, what string }{
		{"model", "m", "-m", "the model to work with"},
		{"provider", "p", "-p", "the provider to ask"},
		{"strategy", "", "--strategy", "how windows are kept small: " + strings.Join(harness.Strategies(), ", ")},
		{"approval", "", "--approval", "when to ask: never, on-request, on-failure or untrusted"},
		{"sandbox", "", "--sandbox", "what commands may write: read-only, workspace-write or full"},
		{"config", "c", "-c", "any setting, as key=value"},
	} {
		f.VarP(&flagList{to: &c.flags, name: s.name}, s.long, s.short, s.what)
	}
}

// between wants so many arguments, and says what is missing.
func between(least, most int, missing string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usage{errors.New(missing)}
		case len(args) > most && cmd.HasSubCommands():
			return noCommand(cmd, args[0], "see "+cmd.CommandPath()+" --help")
		case len(args) > most:
			return usage{fmt.Errorf("%s takes no argument %q; see %s --help", cmd.CommandPath(), args[most], cmd.CommandPath())}
		}
		return nil
	}
}

// flagList appends flags in the order they are given, since the later wins.
type flagList struct {
	to   *[]config.Flag
	name string
}

// String is empty: there is no default to show.
func (l *flagList) String() string { return "" }

// Type names the value in help texts.
func (l *flagList) Type() string { return "value" }

// Set appends a value.
func (l *flagList) Set(v string) error {
	*l.to = append(*l.to, config.Flag{Name: l.name, Value: v})
	return nil
}

// cwd returns the working directory, absolute.
func (c *cli) cwd() (string, error) {
	if c.dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return "", usage{fmt.Errorf("the working directory is gone; go to one that exists or use -C DIR: %w", err)}
		}
		return dir, nil
	}
	dir, err := filepath.Abs(c.dir)
	if err != nil {
		return "", usage{fmt.Errorf("-C %s: %w", c.dir, err)}
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", usage{fmt.Errorf("-C %s: %w", c.dir, err)}
	}
	if !info.IsDir() {
		return "", usage{fmt.Errorf("-C %s: it is not a folder", c.dir)}
	}
	return dir, nil
}

// settings loads the settings in force in dir, and tells their warnings.
func (c *cli) settings(dir string) (*config.Settings, error) {
	s, err := config.Load(config.Options{
		Home: c.home, Cwd: dir, Env: c.env, Flags: c.flags, Strategies: harness.Strategies(),
	})
	if err != nil {
		return nil, err
	}
	for _, w := range s.Warnings {
		c.note(w.Text)
	}
	return s, nil
}

// here returns a harness for the working directory.
func (c *cli) here(adjust func(*harness.Options)) (*harness.Harness, error) {
	dir, err := c.cwd()
	if err != nil {
		return nil, err
	}
	return c.at(dir, adjust)
}

// at returns a harness for a folder.
func (c *cli) at(dir string, adjust func(*harness.Options)) (*harness.Harness, error) {
	s, err := c.settings(dir)
	if err != nil {
		return nil, err
	}
	o := harness.Options{Settings: s, Cwd: dir, Version: version, Env: c.env, Notify: c.note}
	if adjust != nil {
		adjust(&o)
	}
	return harness.New(o), nil
}

// note tells the user something beside the work.
func (c *cli) note(text string) { fmt.Fprintln(c.err, "! "+printable(text)) }

// terminal reports whether a stream is one.
func terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
