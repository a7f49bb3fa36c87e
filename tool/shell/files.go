package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Files returns the files that a command names in so plain a way that it has read
// or changed them for certain, if it ended with the exit status 0 and they are
// there afterwards: the targets of redirections, and the arguments of cat, grep,
// tee and the like. Names are as the shell resolves them in dir. What has to be
// computed is left out, and so is what may not have run.
func Files(text, dir string) (read, changed []string) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil || redefines(file) {
		return nil, nil
	}
	w := &walk{dir: dir}
	for i, s := range file.Stmts {
		w.statement(s, i == len(file.Stmts)-1)
		if w.over {
			break
		}
	}
	return w.read, w.changed
}

// redefines reports whether a script gives names a meaning of its own.
func redefines(file *syntax.File) (found bool) {
	syntax.Walk(file, func(n syntax.Node) bool {
		_, isFunc := n.(*syntax.FuncDecl)
		found = found || isFunc
		return !found
	})
	return found
}

// walk follows a script along the commands that run for certain.
type walk struct {
	dir           string // "" when it is not known any more
	over          bool   // what follows may not run
	read, changed []string
}

// statement notes what a statement does. Only the last one's exit status is that
// of the script.
func (w *walk) statement(s *syntax.Stmt, last bool) {
	if s.Negated || s.Background || s.Coprocess {
		w.leave(s)
		return
	}
	for _, r := range s.Redirs {
		w.redirect(r)
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		w.call(c, last)
	case *syntax.BinaryCmd:
		w.both(c, last)
	case *syntax.Block:
		for i, s := range c.Stmts {
			w.statement(s, last && i == len(c.Stmts)-1)
		}
	default:
		w.leave(s)
	}
}

func (w *walk) both(c *syntax.BinaryCmd, last bool) {
	switch {
	case c.Op == syntax.Pipe || c.Op == syntax.PipeAll:
		w.pipe(c, last)
	case c.Op == syntax.AndStmt && last:
		w.statement(c.X, true)
		w.statement(c.Y, true)
	default:
		w.statement(c.X, false)
		w.leave(c.Y)
	}
}

// pipe notes both sides of a pipe. They run in shells of their own.
func (w *walk) pipe(c *syntax.BinaryCmd, last bool) {
	dir := w.dir
	w.statement(c.X, false)
	w.dir = dir
	w.statement(c.Y, last)
	w.dir = dir
}

// leave passes over what may not run, with what it may do to what follows.
func (w *walk) leave(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok {
			w.effects(c)
		}
		return true
	})
}

// effects are what a command that may run does to those after it.
func (w *walk) effects(c *syntax.CallExpr) {
	args := plainWords(c.Args)
	switch {
	case len(c.Args) == 0:
	case len(args) == 0 || slices.Contains(enders, args[0]):
		w.over = true
	case slices.Contains(movers, args[0]):
		w.dir = ""
	case args[0] == "set" && strings.ContainsAny(strings.Join(args, ""), "nC"):
		w.over = true // that may keep commands from running, or files from being written
	}
}

// Programs of the shell after which the rest may not run or mean something else,
// and those that change the folder.
var (
	enders = []string{"exit", "return", "exec", "eval", "source", ".", "break", "continue", "trap", "alias", "shopt", "builtin", "command", "enable"}
	movers = []string{"cd", "pushd", "popd"}
)

func (w *walk) call(c *syntax.CallExpr, last bool) {
	args := plainWords(c.Args)
	if len(args) == 2 && args[0] == "cd" && last && !strings.HasPrefix(args[1], "-") {
		w.dir = w.resolve(args[1])
		return
	}
	w.effects(c)
	if len(args) == 0 || w.over {
		return
	}
	u, known := uses[args[0]]
	if !known || len(args) < len(c.Args) {
		return
	}
	read, changed := u.files(args[1:])
	if !last && args[0] != "tee" {
		changed = nil // it may have failed
	}
	for _, f := range read {
		w.note(&w.read, f)
	}
	for _, f := range changed {
		w.note(&w.changed, f)
	}
}

// redirect notes the target of a redirection.
func (w *walk) redirect(r *syntax.Redirect) {
	name, ok := "", false
	if r.Word != nil {
		name, ok = plainWord(r.Word)
	}
	if !ok {
		return
	}
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		w.note(&w.changed, name)
	case syntax.RdrIn:
		w.note(&w.read, name)
	}
}

func (w *walk) note(list *[]string, name string) {
	name = w.resolve(name)
	if name != "" && !slices.Contains(*list, name) {
		*list = append(*list, name)
	}
}

// resolve makes a name absolute, "" where the folder is not known.
func (w *walk) resolve(name string) string {
	switch {
	case path.IsAbs(name):
		return path.Clean(name)
	case name == "" || w.dir == "":
		return ""
	}
	return path.Join(w.dir, name)
}

// plainWords returns the words up to the first that has to be computed.
func plainWords(words []*syntax.Word) []string {
	args := make([]string, 0, len(words))
	for _, w := range words {
		arg, ok := plainWord(w)
		if !ok {
			break
		}
		args = append(args, arg)
	}
	return args
}

// plainWord returns a word that stands for itself.
func plainWord(w *syntax.Word) (string, bool) {
	for i, part := range w.Parts {
		if lit, ok := part.(*syntax.Lit); ok && (strings.ContainsAny(lit.Value, "*?[") || i == 0 && strings.HasPrefix(lit.Value, "~")) {
			return "", false
		}
	}
	return literal(w)
}
