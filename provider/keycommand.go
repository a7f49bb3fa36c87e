package provider

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/longrein/longrein/limit"
)

// keyCommand runs a command once and keeps what it printed. The lock is a
// channel, so that whoever waits for it can give up.
type keyCommand struct {
	spec KeySpec
	lock chan struct{} // holds one token while free
	text atomic.Pointer[string]
}

func newKeyCommand(spec KeySpec) *keyCommand {
	k := &keyCommand{spec: spec, lock: make(chan struct{}, 1)}
	k.lock <- struct{}{}
	return k
}

func (k *keyCommand) key(ctx context.Context) (string, error) {
	if text := k.text.Load(); text != nil {
		return *text, nil // whatever became of ctx
	}
	select {
	case <-k.lock:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	defer func() { k.lock <- struct{}{} }()
	if text := k.text.Load(); text != nil {
		return *text, nil
	}
	text, err := k.run(ctx)
	if err != nil {
		return "", err
	}
	k.text.Store(&text)
	return text, nil
}

func (k *keyCommand) run(ctx context.Context) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", ctx.Err()
	}
	wait := k.spec.Limits.Duration(limit.KeyCommand)
	inner, stop := context.WithTimeout(ctx, wait)
	defer stop()
	stdout := &capped{left: k.spec.Limits.Int(limit.KeySize) + 1}
	stderr := &capped{left: k.spec.Limits.Int(limit.ErrorBody)}
	cmd := shell(inner, k.spec.Command)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if k.spec.Stderr != nil {
		cmd.Stderr = io.MultiWriter(stderr, k.spec.Stderr)
	}
	cmd.WaitDelay = k.spec.Limits.Duration(limit.CommandGrace) // for children that keep the pipes open
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case inner.Err() != nil:
		return "", k.spec.fail(nil, "the key command took longer than %v (limit key-command)", wait)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return "", k.spec.fail(err, "the key command failed: %v%s", err, k.complaint(stdout, stderr))
	}
	return k.spec.check(stdout.String(), "what the key command printed", "run it yourself to see why")
}

// complaint is what the command said on stderr, less what it said on stdout.
func (k *keyCommand) complaint(stdout, stderr *capped) string {
	said := Endpoint{Limits: k.spec.Limits}.clean(Redact(stderr.String(), strings.Fields(stdout.String())...))
	if said == "" {
		return ""
	}
	return ": " + said
}

func shell(ctx context.Context, command string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		return exec.CommandContext(ctx, "cmd", "/c", command)
	}
	return exec.CommandContext(ctx, "sh", "-c", command)
}

// capped keeps the first bytes of what is written to it. The buffer is no
// embedded one, whose ReadFrom would be used in place of Write.
type capped struct {
	kept bytes.Buffer
	left int
}

func (c *capped) Write(p []byte) (int, error) {
	n := min(c.left, len(p))
	c.left -= n
	c.kept.Write(p[:n])
	return len(p), nil
}

func (c *capped) String() string { return c.kept.String() }
