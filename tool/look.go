package tool

import (
	"context"
	"fmt"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/tool/file"
	"github.com/longrein/longrein/tool/output"
	"github.com/longrein/longrein/tool/sandbox"
)

func (s *Set) read(a *args) job {
	path, first, count := s.path(a.need("path")), a.number("offset"), a.number("limit")
	return job{true, func(_ context.Context, call longrein.ToolCall) longrein.ToolResult {
		l := s.o.Limits
		page, err := file.Read(path, int(first), int(count), l.Int(limit.ToolOutput)-headRoom, l.Of(limit.FileRead))
		if err != nil {
			return failed(call, "%s", err)
		}
		res := result(call, longrein.OutputOK, pageHead(page)+page.Text)
		t := s.touches()
		t.add(path, longrein.FileRead, page.Hash)
		t.into(&res)
		if page.Left > 0 {
			where := fmt.Sprintf("read_file %s", path)
			res.Limits = append(res.Limits, l.Hit(limit.ToolOutput, "lines of a file", page.Left, where))
		}
		return res
	}}
}

// pageHead is a line above a page. It is left away above a short whole file.
func pageHead(p file.Page) string {
	var notes []string
	switch {
	case p.Total == 0:
		return "(empty file)"
	case p.Last < p.First:
		return fmt.Sprintf("(no line %d: the file has %d)", p.First, p.Total)
	case p.First == 1 && p.Last == p.Total:
		notes = append(notes, fmt.Sprintf("%d lines", p.Total))
	default:
		notes = append(notes, fmt.Sprintf("lines %d-%d of %d", p.First, p.Last, p.Total))
	}
	switch {
	case p.Long:
		notes = append(notes, fmt.Sprintf("line %d is cut; use exec_command with cut -c for its rest", p.First))
	case p.Left > 0:
		notes = append(notes, fmt.Sprintf("read on with offset %d", p.Last+1))
	}
	if p.Invalid {
		notes = append(notes, "not all of it is UTF-8")
	}
	return "[" + strings.Join(notes, "; ") + "]\n"
}

func (s *Set) list(a *args) job {
	l := s.o.Limits
	q := file.ListQuery{Dir: s.path(a.text("path")), Pattern: a.text("pattern"), Depth: int(a.number("depth")), Distrusted: s.distrusted()}
	q.Most = l.Int(limit.ListEntries)
	if q.Depth == 0 && q.Pattern == "" {
		q.Depth = l.Int(limit.ListDepth)
	}
	return job{true, func(ctx context.Context, call longrein.ToolCall) longrein.ToolResult {
		ctx, stop := context.WithTimeout(ctx, l.Duration(limit.SearchTime))
		defer stop()
		found, err := file.List(ctx, q)
		if err != nil {
			return failed(call, "%s", err)
		}
		res, left := s.lines(call, found.Entries, "list_files with a pattern or a deeper path")
		if left += found.More; left > 0 {
			res.Output.Text += fmt.Sprintf("[%d more; give a path or pattern]\n", left)
		}
		if found.More > 0 {
			res.Limits = append(res.Limits, l.Hit(limit.ListEntries, "entries of a list", int64(found.More), ""))
		}
		return s.late(ctx, res, found.Late)
	}}
}

func (s *Set) search(a *args) job {
	l := s.o.Limits
	q := file.SearchQuery{Dir: s.o.Cwd, Pattern: a.need("pattern"), Path: a.text("path"), Glob: a.text("glob"), Distrusted: s.distrusted()}
	q.Most, q.Line, q.Files = l.Int(limit.SearchMatches), l.Int(limit.SearchLine), l.Int(limit.SearchFiles)
	return job{true, func(ctx context.Context, call longrein.ToolCall) longrein.ToolResult {
		ctx, stop := context.WithTimeout(ctx, l.Duration(limit.SearchTime))
		defer stop()
		found, err := file.Search(ctx, q)
		if err != nil {
			return failed(call, "%s", err)
		}
		res, left := s.lines(call, found.Lines, "search_files with a narrower query")
		if found.More || left > 0 {
			res.Output.Text += "[more lines match; narrow the pattern, path or glob]\n"
		}
		if found.More {
			res.Limits = append(res.Limits, l.Hit(limit.SearchMatches, "matches of a search", 0, ""))
		}
		if found.Long > 0 {
			res.Limits = append(res.Limits, l.Hit(limit.SearchLine, fmt.Sprintf("%d long lines of a search", found.Long), 0, "read_file"))
		}
		return s.late(ctx, res, found.Late)
	}}
}

// lines makes an output of lines, as many as may be shown, and returns how many
// are not.
func (s *Set) lines(call longrein.ToolCall, lines []string, where string) (longrein.ToolResult, int) {
	var b strings.Builder
	room := s.o.Limits.Int(limit.ToolOutput) - headRoom
	for i, line := range lines {
		if b.Len()+len(line)+1 > room {
			res := result(call, longrein.OutputOK, output.Clean([]byte(b.String())))
			left := 0
			for _, l := range lines[i:] {
				left += len(l) + 1
			}
			res.Limits = append(res.Limits, s.o.Limits.Hit(limit.ToolOutput, "lines of a list", int64(left), where))
			return res, len(lines) - i
		}
		b.WriteString(line + "\n")
	}
	if len(lines) == 0 {
		b.WriteString("(nothing found)")
	}
	return result(call, longrein.OutputOK, strings.ToValidUTF8(b.String(), "\ufffd")), 0
}

// late marks the output of a look that ended early: by its limit, or because the
// turn was interrupted.
func (s *Set) late(ctx context.Context, res longrein.ToolResult, late bool) longrein.ToolResult {
	if !late {
		return res
	}
	if context.Cause(ctx) == context.Canceled {
		res.Output.Status = longrein.OutputInterrupted
		res.Output.Text += "\n[interrupted: there may be more]"
		return res
	}
	res.Output.Text += "\n[out of time: there may be more; give a path]"
	res.Limits = append(res.Limits, s.o.Limits.Hit(limit.SearchTime, "time of a search", 0, ""))
	return res
}

// distrusted returns the folders that a sandboxed command could have put a program
// into; without a sandbox it could have put it anywhere.
func (s *Set) distrusted() []string {
	if s.rules.Mode == sandbox.Full {
		return nil
	}
	return s.rules.Roots()
}
