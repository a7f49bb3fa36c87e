package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// Command is one run of a program that was prepared but not started.
type Command struct {
	Cmd *exec.Cmd
	// Wrapped says that Cmd's own process only watches over the program, so that
	// a polite signal goes to its children.
	Wrapped bool
	Timeout time.Duration // at least 1 ns
	// Grace is the time between asking and killing, and the time that processes
	// in the background get to finish their output.
	Grace time.Duration
}

// Result is how a command ended.
type Result struct {
	Code   int // of the exit; 128 + the signal's number if one ended it
	Took   time.Duration
	Ending Ending
	// Left says that processes in the background still ran and were ended.
	Left bool
}

// Ending is why a command is over.
type Ending int

// A command ends by itself, because its time is up, or because ctx ended.
const (
	Exited Ending = iota
	TimedOut
	Interrupted
)

// Run starts c, writes what it prints on both streams to out in order, and waits
// for its end. When it returns nothing of c's process group runs any more, and
// out is not written to. The error says that c could not be started.
func (c Command) Run(ctx context.Context, out io.Writer) (Result, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return Result{}, fmt.Errorf("make a pipe: %w", err)
	}
	defer r.Close()
	c.Cmd.Stdout, c.Cmd.Stderr = w, w
	separate(c.Cmd)
	begin := time.Now()
	err = c.Cmd.Start()
	w.Close()
	if err != nil {
		return Result{}, err
	}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.CopyBuffer(out, struct{ io.Reader }{r}, make([]byte, 64<<10))
	}()
	res := c.watch(ctx, drained)
	_ = r.SetReadDeadline(time.Now()) // a process that got away may keep the pipe open
	<-drained
	res.Took = time.Since(begin)
	return res, nil
}

// watch waits for the end of the command and ends what is left of it.
func (c Command) watch(ctx context.Context, drained <-chan struct{}) Result {
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		awaitExit(c.Cmd.Process.Pid)
	}()
	timer := time.NewTimer(c.Timeout)
	defer timer.Stop()
	var res Result
	var kin []process
	select {
	case <-exited:
		res.Left = !within(drained, c.Grace)
	case <-timer.C:
		res.Ending = TimedOut
		kin = c.end(exited)
	case <-ctx.Done():
		res.Ending = Interrupted
		kin = c.end(exited)
	}
	// The group is killed before its leader is reaped: until then no other
	// process can have got its number.
	kill(c.Cmd.Process.Pid, kin)
	<-exited
	res.Code = code(c.Cmd.Wait(), c.Cmd.ProcessState)
	if res.Left || res.Ending != Exited {
		within(drained, c.Grace) // what the killed processes had printed is in the pipe
	}
	return res
}

// end asks the command's processes to end, and gives them Grace to do so. It
// returns those that it knows of; some may have lost their parent since.
func (c Command) end(exited <-chan struct{}) []process {
	kin := descendants(c.Cmd.Process.Pid)
	ask(c.Cmd.Process.Pid, kin, c.Wrapped)
	within(exited, c.Grace)
	return append(kin, descendants(c.Cmd.Process.Pid)...)
}

func within(done <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// code returns the exit code as a shell would report it.
func code(err error, state *os.ProcessState) int {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || state == nil {
		return -1
	}
	if n := signalOf(state); n > 0 {
		return 128 + n
	}
	return state.ExitCode()
}

// Program returns the arguments that run text in a shell: the user's, when it
// understands what models write, else bash or sh.
func Program(text string) []string {
	return append(shellProgram(), text)
}
