package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/export"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/redact"
)

// exporters are the forms that a thread can be exported in.
var exporters = map[string]func(io.Writer, export.Records, export.Options) (export.Report, error){
	"md": export.Markdown, "html": export.HTML, "jsonl": export.JSONL, "codex": export.Codex,
}

// exportFlags are the flags of export.
type exportFlags struct {
	format, file  string
	redact, force bool
}

func (c *cli) exportCommand() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export ID [--format md|html|jsonl|codex] [-o FILE [--force]] [--redact]",
		Short: "Write a thread for others to read, or to go on with",
		Long: "Write a thread as Markdown, as one page of HTML that needs nothing else, as lines of JSON that longrein import\n" +
			"reads again without loss, or as a rollout with which Codex goes on. Without -o it goes to standard output.",
		Example: "  longrein export 0193f2 -o thread.md\n  longrein export 0193f2 --format jsonl | ssh elsewhere 'cat > t.jsonl; longrein import t.jsonl'",
		Args:    between(1, 1, "which thread? longrein threads lists them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.export(cmd.Context(), f, args)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.format, "format", "", "md, html, jsonl or codex (default: by the name of FILE, else md)")
	fl.StringVarP(&f.file, "output", "o", "", "write to this file, which only you can read")
	fl.BoolVar(&f.force, "force", false, "replace the file if it is there")
	fl.BoolVar(&f.redact, "redact", false, "leave out what looks like a secret, also of threads recorded without that")
	return cmd
}

func (c *cli) export(ctx context.Context, f exportFlags, args []string) error {
	write, err := f.exporter()
	if err != nil {
		return usage{err}
	}
	h, id, err := c.thread(args)
	if err != nil {
		return err
	}
	o := export.Options{Blob: h.Store().ReadBlob, Limits: h.Store().Limits}
	if f.redact {
		o.Redact = c.redactor(h, id).Text
	}
	records := until(ctx, h.Store().Read(id))
	f.file = inFolder(f, id)
	if f.file == "" {
		out := bufio.NewWriter(c.out)
		r, err := write(out, records, o)
		return errors.Join(err, out.Flush(), c.exported(r))
	}
	return c.exportFile(f, func(w io.Writer) (export.Report, error) { return write(w, records, o) })
}

// inFolder names a file in a folder that was given in its place; for Codex as that
// names its own.
func inFolder(f exportFlags, id string) string {
	if info, err := os.Stat(f.file); f.file == "" || err != nil || !info.IsDir() {
		return f.file
	}
	if f.format != "codex" {
		return filepath.Join(f.file, id+"."+cmp.Or(f.format, "md"))
	}
	begun := time.Time{}
	if u, err := uuid.Parse(id); err == nil {
		begun = time.Unix(u.Time().UnixTime()) // ids begin with the time
	}
	return filepath.Join(f.file, export.CodexName(id, begun))
}

// redactor knows the secrets of a thread's folder too, as far as that and its
// settings can be read.
func (c *cli) redactor(h *harness.Harness, id string) *redact.Redactor {
	tail, err := h.Store().Tail(id)
	if err != nil {
		return h.Redactor()
	}
	at, err := c.at(tail.Thread.Cwd, nil)
	if err != nil {
		c.note("secrets that only the thread's folder and settings name are not known: " + err.Error())
		return h.Redactor()
	}
	return at.Redactor()
}

// exporter is the form that is asked for.
func (f exportFlags) exporter() (func(io.Writer, export.Records, export.Options) (export.Report, error), error) {
	name := f.format
	if ext := strings.TrimPrefix(filepath.Ext(f.file), "."); name == "" && exporters[ext] != nil {
		name = ext
	}
	if name == "" {
		name = "md"
	}
	write, ok := exporters[name]
	if !ok {
		return nil, fmt.Errorf("there is no format %q; there are md, html, jsonl and codex", name)
	}
	return write, nil
}

// exportFile writes a file that only its owner can read, all of it or none.
func (c *cli) exportFile(f exportFlags, write func(io.Writer) (export.Report, error)) error {
	path := f.file
	if c.dir != "" && !filepath.IsAbs(path) {
		path = filepath.Join(c.dir, path)
	}
	if _, err := os.Lstat(path); err == nil && !f.force {
		return usage{fmt.Errorf("%s is there already; --force replaces it", path)}
	}
	out, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if errors.Is(err, fs.ErrNotExist) {
		return usage{fmt.Errorf("-o %s: there is no folder %s", f.file, filepath.Dir(path))}
	}
	if err != nil {
		return err
	}
	r, err := write(out)
	err = errors.Join(err, out.Sync(), out.Close())
	if err == nil {
		err = put(out.Name(), path, f.force)
	}
	if err != nil {
		_ = os.Remove(out.Name()) // it is not whole
		return err
	}
	fmt.Fprintln(c.err, printable(path), "is written")
	return c.exported(r)
}

// put gives a file its name; without force no other file loses it.
func put(from, to string, force bool) error {
	if force {
		return os.Rename(from, to)
	}
	if err := os.Link(from, to); err == nil {
		return os.Remove(from)
	} else if errors.Is(err, fs.ErrExist) {
		return usage{fmt.Errorf("%s is there already; --force replaces it", to)}
	}
	return os.Rename(from, to) // on a file system without links
}

// exported tells of what is missing.
func (c *cli) exported(r export.Report) error {
	cut := map[string]int{}
	var names []string
	for _, h := range r.Limits {
		if cut[h.Name]++; cut[h.Name] == 1 {
			names = append(names, h.Name)
		}
	}
	for _, name := range names {
		c.note(fmt.Sprintf("the limit %s cut %s; it says so there", name, counted(cut[name], "text")))
	}
	for i, err := range r.Damaged {
		if i == unreadShown {
			c.note(fmt.Sprintf("%d more could not be read", len(r.Damaged)-i))
			break
		}
		c.note(err.Error())
	}
	if len(r.Damaged) > 0 {
		return exit{exitFailed}
	}
	return nil
}

// until ends records when the context does.
func until(ctx context.Context, records export.Records) export.Records {
	return func(yield func(longrein.Record, error) bool) {
		for r, err := range records {
			if ctx.Err() != nil {
				yield(longrein.Record{}, ctx.Err())
				return
			}
			if !yield(r, err) {
				return
			}
		}
	}
}
