package memory

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// headRoom is what a note above or below an output may take of its limit.
const headRoom = 200

// read shows lines of a document.
func (d *Draft) read(call longrein.ToolCall, a readArgs) longrein.ToolOutput {
	name, err := d.within(a.Path)
	if err != nil {
		return failed(call, err)
	}
	text, ok := d.texts[name]
	switch {
	case !ok:
		return failed(call, d.missing(name))
	case text == "":
		return done(call, "(empty document)")
	}
	lines := strings.SplitAfter(text, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	from := min(whole(a.Offset, 1)-1, len(lines))
	page := lines[from:min(len(lines), from+whole(a.Limit, len(lines)))]
	return done(call, d.page(page, from, len(lines)))
}

// whole is a model's number as one of at least 1 that can be counted to.
func whole(n float64, otherwise int) int {
	if !(n >= 1) {
		return otherwise
	}
	return int(min(n, 1<<30)) // fixed: more than there are lines
}

// page shows the lines that fit, of those that follow line from.
func (d *Draft) page(lines []string, from, all int) string {
	room := d.o.Limits.Int(limit.ToolOutput) - headRoom
	n, size := 0, 0
	for n < len(lines) && size+len(lines[n]) <= room {
		size += len(lines[n])
		n++
	}
	last := from + n
	switch {
	case len(lines) == 0:
		return fmt.Sprintf("(no line %d: the document has %d)", from+1, all)
	case n == 0:
		return fmt.Sprintf("[line %d of %d, its start]\n%s", from+1, all, clip(lines[0], room))
	case n == all:
		return fmt.Sprintf("[%d lines]\n%s", all, strings.Join(lines, ""))
	case last < all:
		return fmt.Sprintf("[lines %d-%d of %d; read on with offset %d]\n%s", from+1, last, all, last+1, strings.Join(lines[:n], ""))
	}
	return fmt.Sprintf("[lines %d-%d of %d]\n%s", from+1, last, all, strings.Join(lines[:n], ""))
}

// missing says which documents there are instead.
func (d *Draft) missing(name string) error {
	switch names := d.names(); {
	case name == "":
		return errors.New("\"path\" must name a document; list_files shows them")
	case len(names) == 0:
		return errors.New("there are no documents yet; *** Add File: MAIN.md begins the first")
	default:
		return fmt.Errorf("there is no document %q; there are %s", clip(name, shown), clip(strings.Join(names, ", "), 1000)) // fixed: an error; list_notes has all of them
	}
}

// list shows the documents with their sizes.
func (d *Draft) list(call longrein.ToolCall, a listArgs) longrein.ToolOutput {
	names, err := d.below(a.Path, a.Pattern)
	if err != nil {
		return failed(call, err)
	}
	var lines []string
	for _, name := range names {
		lines = append(lines, fmt.Sprintf("%s (%s)", name, size(len(d.texts[name]))))
	}
	return done(call, d.shown(lines))
}

// search shows the lines that a regular expression matches.
func (d *Draft) search(call longrein.ToolCall, a searchArgs) longrein.ToolOutput {
	re, err := d.pattern(a.Pattern)
	if err != nil {
		return failed(call, err)
	}
	names, err := d.below(a.Path, a.Glob)
	if err != nil {
		return failed(call, err)
	}
	var lines []string
	for _, name := range names {
		at := 0
		for line := range strings.Lines(d.texts[name]) {
			at++
			if line = strings.TrimRight(line, "\r\n"); re.MatchString(line) {
				lines = append(lines, fmt.Sprintf("%s:%d:%s", name, at, clip(line, d.o.Limits.Int(limit.SearchLine))))
			}
		}
	}
	if most := d.o.Limits.Int(limit.SearchMatches); len(lines) > most {
		lines = append(lines[:most], "[more lines match; narrow the pattern, path or glob]")
	}
	return done(call, d.shown(lines))
}

// pattern compiles a regular expression that is quick enough.
func (d *Draft) pattern(text string) (*regexp.Regexp, error) {
	if text == "" {
		return nil, errors.New("\"pattern\" is missing")
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	if most := d.o.Limits.Int(limit.NotesPattern); len(prog.Inst) > most {
		return nil, refuse("the pattern has %d steps, more than the limit notes-pattern of %d; search for a shorter one", len(prog.Inst), most)
	}
	return regexp.Compile(text)
}

// below returns the documents at or below a path whose names match a glob.
func (d *Draft) below(where, glob string) ([]string, error) {
	dir, err := d.within(where)
	if err != nil {
		return nil, err
	}
	if _, err := path.Match(glob, ""); err != nil {
		return nil, fmt.Errorf("%q is no glob; one is *.md", clip(glob, shown))
	}
	names := slices.DeleteFunc(d.names(), func(name string) bool {
		inside := dir == "" || name == dir || strings.HasPrefix(name, dir+"/")
		return !inside || !matches(glob, name)
	})
	if len(names) == 0 && dir != "" && glob == "" {
		return nil, d.missing(dir)
	}
	return names, nil
}

// matches reports whether a glob fits a name or, when it has no slash, the last
// part of the name. The glob is a good one.
func matches(glob, name string) bool {
	if rest, ok := strings.CutPrefix(glob, "**/"); ok {
		glob = rest
	}
	whole, _ := path.Match(glob, name)
	base, _ := path.Match(glob, path.Base(name))
	return glob == "" || whole || base
}

// shown puts lines together, as many as one output takes.
func (d *Draft) shown(lines []string) string {
	room := d.o.Limits.Int(limit.ToolOutput) - headRoom
	var b strings.Builder
	for i, line := range lines {
		if b.Len()+len(line) >= room {
			fmt.Fprintf(&b, "[%d more; give a path or pattern]\n", len(lines)-i)
			break
		}
		b.WriteString(line + "\n")
	}
	if b.Len() == 0 {
		return "(nothing found)"
	}
	return b.String()
}
