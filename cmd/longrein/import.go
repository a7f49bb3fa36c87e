package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/session"
)

// importFlags are the flags of import.
type importFlags struct {
	json, again bool
	name        string
}

func (c *cli) importCommand() *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import FILE... [--json] [--name NAME] [--again]",
		Short: "Make threads of sessions that another tool, or another longrein, recorded",
		Long: "Make threads of sessions that were recorded elsewhere: by Codex, Claude Code, opencode, pi, Gemini CLI, Qwen Code,\n" +
			"Kimi, Copilot CLI, Cursor CLI, Droid, OpenHands or SWE-agent, as chat messages, or by longrein itself. What a file\n" +
			"holds is found by its content. Every line of it that no record can be made of is kept in the thread's log too.",
		Args: between(1, 10_000, "which file? Name one that another tool, or longrein export --format jsonl, wrote"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.importAll(cmd.Context(), f, args) },
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object for each file")
	cmd.Flags().BoolVar(&f.again, "again", false, "also what was imported before")
	cmd.Flags().StringVar(&f.name, "name", "", "name the thread; further ones of the same file get a number")
	return cmd
}

// importMemory is what the program tries to stay below while it imports, in bytes.
const importMemory = 136 << 20 // fixed: the collector works harder beyond it, and nothing is refused

// importAll imports file after file; one that cannot be imported does not keep
// the others from it.
func (c *cli) importAll(ctx context.Context, f importFlags, args []string) error {
	im, err := c.importer(f)
	if err != nil {
		return err
	}
	if f.name != "" && len(args) > 1 {
		return usage{errors.New("--name is for one file")}
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(importMemory))
	var errs []error
	for _, arg := range args {
		path := arg
		if c.dir != "" && !filepath.IsAbs(path) {
			path = filepath.Join(c.dir, path)
		}
		done, err := im.file(ctx, path)
		if err != nil {
			errs = append(errs, importError(path, err))
		}
		if done == nil {
			continue
		}
		if f.json {
			err = c.printJSON(done)
		} else {
			err = done.print(c.out)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(errs...)
}

// importer makes an importer as the settings say.
func (c *cli) importer(f importFlags) (*importer, error) {
	dir, err := c.cwd()
	if err != nil {
		return nil, err
	}
	s, err := c.settings(dir)
	if err != nil {
		return nil, err
	}
	h := harness.New(harness.Options{Settings: s, Cwd: dir, Version: version, Env: c.env, Notify: c.note})
	im := &importer{store: h.Store(), base: h.Base, again: f.again, name: f.name}
	if s.Privacy.Redact {
		im.redact = h.Redactor().Replace
	}
	return im, nil
}

func importError(path string, err error) error {
	switch {
	case errors.Is(err, session.ErrUnknown):
		err = usage{fmt.Errorf("%s is no session of a tool that longrein knows, and none of its own", path)}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, errNoFile):
		err = usage{err}
	default:
		err = fmt.Errorf("import %s: %w", path, err)
	}
	return err
}

var errNoFile = errors.New("it is no file")

// regular opens a file. Opening a pipe would wait for whoever writes to it.
func regular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder; name the file of a session in it: %w", path, errNoFile)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is a pipe or a device; name a file: %w", path, errNoFile)
	}
	return os.Open(path)
}

// unreadShown is how many of the lines that could not be read are shown.
var unreadShown = limit.Set{}.Int(limit.Candidates)

// beginning is the beginning of a text, on one line.
func beginning(text string) string {
	const longest = 100 // fixed: one line of a list
	text = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text)
	if r := []rune(text); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return text
}
