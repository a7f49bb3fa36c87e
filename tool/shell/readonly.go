package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// ReadOnly reports whether every command in text is known to change nothing. It
// errs on the safe side: what it does not understand is not read-only. That
// includes words that are computed, redirections to files, and assignments.
func ReadOnly(text string) bool {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil || len(file.Stmts) == 0 {
		return false
	}
	return !slices.ContainsFunc(file.Stmts, func(s *syntax.Stmt) bool { return !calm(s) })
}

// calm reports whether a statement changes nothing: a simple command of the
// list, or several joined by pipes, && and ||.
func calm(s *syntax.Stmt) bool {
	if s.Background || s.Coprocess || slices.ContainsFunc(s.Redirs, func(r *syntax.Redirect) bool { return !harmless(r) }) {
		return false
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return len(c.Assigns) == 0 && calmCall(c.Args)
	case *syntax.BinaryCmd:
		return calm(c.X) && calm(c.Y)
	}
	return false
}

// harmless redirections read a file, throw output away, or join two streams.
func harmless(r *syntax.Redirect) bool {
	target := ""
	if r.Word != nil {
		var ok bool
		if target, ok = literal(r.Word); !ok {
			return false
		}
	}
	switch r.Op {
	case syntax.RdrIn:
		return true
	case syntax.RdrOut, syntax.AppOut, syntax.RdrAll:
		return target == "/dev/null"
	case syntax.DplOut:
		return target == "1" || target == "2"
	}
	return false
}

func calmCall(words []*syntax.Word) bool {
	args := make([]string, len(words))
	for i, w := range words {
		var ok bool
		if args[i], ok = literal(w); !ok {
			return false
		}
	}
	if len(args) == 0 {
		return false
	}
	check, known := readers[args[0]]
	return known && check(args[1:])
}

// glob marks a word that begins with a pattern: it may become any file's name,
// also one that looks like an option.
const glob = "\x00"

// literal returns what a word stands for if that needs no computing. A pattern
// is left as it is, because whatever it becomes names files; see [glob].
func literal(w *syntax.Word) (string, bool) {
	var b strings.Builder
	if first, ok := w.Parts[0].(*syntax.Lit); ok && first.Value != "" && strings.ContainsAny(first.Value[:1], "*?[") {
		b.WriteString(glob)
	}
	for _, part := range w.Parts {
		text, ok := literalPart(part)
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

func literalPart(part syntax.WordPart) (string, bool) {
	switch p := part.(type) {
	case *syntax.Lit:
		return p.Value, !strings.ContainsAny(p.Value, "\\{") // both stand for something else
	case *syntax.SglQuoted:
		return p.Value, !p.Dollar
	case *syntax.DblQuoted:
		return quoted(p)
	}
	return "", false
}

func quoted(q *syntax.DblQuoted) (string, bool) {
	var b strings.Builder
	for _, part := range q.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			return "", false
		}
		b.WriteString(lit.Value)
	}
	return b.String(), !q.Dollar
}

// readers are the commands that only read, with a check of their arguments.
var readers = map[string]func(args []string) bool{
	"cat": anything, "head": anything, "tail": without("-f", "-F", "--follow", "--retry"), "wc": anything, "ls": anything,
	"pwd": anything, "echo": anything, "true": anything, "false": anything, "grep": anything, "egrep": anything,
	"fgrep": anything, "nl": anything, "cut": anything, "tr": anything, "basename": anything, "dirname": anything,
	"realpath": anything, "readlink": anything, "stat": anything, "du": anything, "df": anything, "which": anything,
	"whoami": anything, "id": anything, "uname": anything, "cmp": anything, "diff": without("--output"),
	"cd": anything, "file": without("-C", "--compile"), "date": dateReads,
	"sort": without("-o", "--output", "--compress-program", "-T"), "uniq": atMost(1),
	"rg":   without("--pre", "--hostname-bin", "--search-zip", "-z"),
	"find": without("-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprintf", "-fprint0", "-fls"),
	"git":  gitReads,
}

func anything([]string) bool { return true }

// without accepts arguments among which none is, or begins with, one of flags.
// Single letters are also found inside a group of them.
func without(flags ...string) func([]string) bool {
	return func(args []string) bool {
		return !slices.ContainsFunc(args, func(arg string) bool {
			return slices.ContainsFunc(flags, func(f string) bool { return means(arg, f) })
		})
	}
}

func means(arg, flag string) bool {
	if strings.HasPrefix(arg, glob) {
		return true
	}
	if len(flag) == 2 && strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") {
		return strings.Contains(arg, flag[1:])
	}
	if strings.HasPrefix(flag, "--") && strings.HasPrefix(arg, "--") && len(arg) > 2 {
		name, _, _ := strings.Cut(arg, "=")
		return strings.HasPrefix(flag, name) // long options may be shortened
	}
	return strings.HasPrefix(arg, flag)
}

// atMost accepts up to n arguments that are no options.
func atMost(n int) func([]string) bool {
	return func(args []string) bool {
		files := 0
		for _, a := range args {
			if !strings.HasPrefix(a, "-") {
				files++
			}
		}
		return files <= n
	}
}

// dateReads accepts a format; other arguments may set the clock.
func dateReads(args []string) bool {
	return !slices.ContainsFunc(args, func(a string) bool { return a != "-u" && !strings.HasPrefix(a, "+") })
}

var gitSubcommands = []string{
	"status", "log", "diff", "show", "ls-files", "ls-tree", "rev-parse", "blame", "describe", "shortlog", "cat-file", "grep",
}

// gitReads accepts subcommands that only read. Options before the subcommand can
// change what runs, so there must be none.
func gitReads(args []string) bool {
	if len(args) == 0 || !slices.Contains(gitSubcommands, args[0]) {
		return false
	}
	return without("--output", "--ext-diff", "--textconv", "--open-files-in-pager", "-O", "--filters", "--no-index")(args[1:])
}
