package doccheck

import (
	"fmt"
	"go/ast"

	"github.com/longrein/longrein/internal/source"
)

// The sizes past which it is worth asking whether there are two subjects.
const (
	MaxFile     = 500 // lines
	MaxFunction = 60  // lines, in code that is no test
)

// Oversized returns one sentence for each file and function of p that is too
// long. long holds those that may be, by path or by path:function, with the
// reason.
func Oversized(p *source.Package, long map[string]string) []string {
	var found []string
	for _, f := range p.Files {
		if n := f.Lines(); n > MaxFile && long[f.Path] == "" {
			found = append(found, fmt.Sprintf("%s has %d lines, over %d. Are there two subjects in it? Else give a reason in the list of doccheck's test.", f.Path, n, MaxFile))
		}
		if !f.Test {
			found = append(found, longFunctions(f, long)...)
		}
	}
	return found
}

func longFunctions(f *source.File, long map[string]string) []string {
	var found []string
	for _, decl := range f.AST.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || long[f.Path+":"+fn.Name.Name] != "" {
			continue
		}
		if n := f.Line(fn.End()) - f.Line(fn.Pos()) + 1; n > MaxFunction {
			found = append(found, fmt.Sprintf("%s: %s has %d lines, over %d. A function is one paragraph: give its parts names.", f.At(fn), fn.Name.Name, n, MaxFunction))
		}
	}
	return found
}
