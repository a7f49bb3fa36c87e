package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/harness"
)

// demoWindow is small, in tokens, so that new windows are seen to begin.
const demoWindow = "32000"

func (c *cli) demoCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "demo [DIR]",
		Short: "Play a task of 200 steps on the simulated model; no key needed",
		Long: "Play a task of 200 steps over real files in a small context window, on the simulated model.\n" +
			"Without a folder it works on a copy of a part of this machine's Go tree, which is removed at the end.",
		Args: between(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, remove, err := demoFolder(cmd.Context(), args)
			if err != nil {
				return err
			}
			defer remove()
			return c.demo(cmd.Context(), dir, f)
		},
	}
	f.declare(cmd)
	return cmd
}

func (c *cli) demo(ctx context.Context, dir string, f runFlags) error {
	fmt.Fprintln(c.err, "This is the whole mechanism on a simulated model: it plays a script, and no real model answers.")
	c.flags = append([]config.Flag{
		{Name: "-p", Value: "sim"},
		{Name: "-m", Value: "sim:demo"},
		{Name: "-c", Value: `models."sim:demo".context_window=` + demoWindow},
	}, c.flags...)
	h, err := c.at(dir, nil)
	if err != nil {
		return err
	}
	if why := h.Sandbox(ctx).Why; !h.Sandbox(ctx).Holds() {
		c.note("no sandbox works here (" + why + "); the demo's commands are known to be harmless and run without one")
		c.flags = append(c.flags, config.Flag{Name: "--sandbox", Value: "full"})
		if h, err = c.at(dir, nil); err != nil {
			return err
		}
	}
	t, err := h.Start(ctx)
	if err != nil {
		return err
	}
	id := t.ID()
	err = c.play(ctx, t, 0, f, func(ctx context.Context) error {
		return t.Submit(ctx, "Read through this tree in 200 steps, keep notes, and report what you saw.")
	})
	if err != nil || f.json {
		return err
	}
	return c.afterDemo(h, id)
}

// afterDemo proves the point: every request can be rebuilt.
func (c *cli) afterDemo(h *harness.Harness, id string) error {
	good := 0
	for check, err := range h.Verify(id) {
		if err != nil {
			return err
		}
		if !check.OK() {
			return fmt.Errorf("request %d: the log does not give the bytes that were sent", check.Seq)
		}
		good++
	}
	fmt.Fprintf(c.err, "\nAll %d requests were rebuilt from the log, byte for byte.\nLook at it:\n", good)
	for _, command := range []string{"threads show", "notes", "forgot", "context", "verify"} {
		fmt.Fprintf(c.err, "  %s %s %s\n", os.Args[0], command, short(id))
	}
	return nil
}

// demoFolder returns the folder to work in and what removes it again.
func demoFolder(ctx context.Context, args []string) (dir string, remove func(), err error) {
	if len(args) == 1 {
		dir, err := filepath.Abs(args[0])
		if err == nil {
			_, err = os.ReadDir(dir)
		}
		if err != nil {
			return "", nil, usage{fmt.Errorf("no folder to read through: %w", err)}
		}
		return dir, func() {}, nil
	}
	src, err := goTree(ctx)
	if err != nil {
		return "", nil, usage{fmt.Errorf("no Go tree to read through (%w); name a folder: longrein demo DIR", err)}
	}
	dir, err = os.MkdirTemp("", "longrein-demo-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) } // a temporary folder; the system clears it otherwise
	for _, part := range []string{"bufio", "bytes", "encoding", "fmt", "io", "net", "os", "sort", "strings", "time"} {
		err := os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join(src, part)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			remove()
			return "", nil, err
		}
	}
	return dir, remove, nil
}

// goTree returns the source folder of the Go installation.
func goTree(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	src := filepath.Join(strings.TrimSpace(string(out)), "src")
	_, err = os.Stat(src)
	return src, err
}
