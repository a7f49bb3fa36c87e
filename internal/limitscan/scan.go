// Package limitscan looks through the source for numbers that cut, drop, refuse
// or delay and have no name in package limit. It holds the promise that nothing
// is cut in silence as a test.
//
// It is not a proof: it reads what the text says, knows no types, and follows a
// number no further than the constant that names it. What it knows are the forms
// in which such numbers are usually written; see the rules in rules.go. A number
// that is right as it is, such as the length of a hash, says why where it stands:
//
//	if len(s) == 40 || len(s) > 64 { // fixed: digits of the two hashes git has
//
// A [Finding] is one number without a name and without a reason.
package limitscan

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/longrein/longrein/internal/source"
)

// Finding is a number that may cut, and has neither a limit nor a reason.
type Finding struct {
	At   string // path:line
	What string // what it does, in a sentence
}

// String is the finding with what to do about it.
func (f Finding) String() string {
	return fmt.Sprintf("%s: %s; name it in limit/table.go, or say why it is right with // fixed: …", f.At, f.What)
}

// Scan returns the findings of a package's code, in its order. Tests, and what
// only tests use, may have any numbers.
func Scan(p *source.Package) []Finding {
	var found []Finding
	own := declared(p)
	for _, f := range p.Code() {
		if _, ok := f.Imports()["testing"]; ok {
			continue
		}
		for _, d := range f.AST.Decls {
			found = append(found, scan(f, d, own)...)
		}
	}
	return found
}

// Watched reports whether p is part of the program. What tests and measures it
// has numbers of its own.
func Watched(p *source.Package) bool {
	dir, _, _ := strings.Cut(p.Dir, "/")
	return !slices.Contains([]string{"internal", "bench", "e2e", "crashtest"}, dir) && p.Dir != "limit"
}

// scan looks at one declaration. Several numbers on a line are one finding.
func scan(f *source.File, d ast.Decl, own constants) []Finding {
	s := &scanner{file: f, known: own.with(f, d), buffered: calls(d, "Buffer")}
	ast.Inspect(d, func(n ast.Node) bool {
		for _, r := range rules {
			if what, value := r(s, n); what != "" {
				s.note(n, what, value)
			}
		}
		return true
	})
	return s.found
}

// scanner is one declaration that is looked at.
type scanner struct {
	file  *source.File
	known constants
	found []Finding
	// buffered is set when the declaration gives a scanner a buffer.
	buffered bool
}

func calls(d ast.Decl, name string) (found bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && nameOf(call.Fun) == name
		return !found
	})
	return found
}

// note keeps a finding unless a reason stands at it, or where a constant that it
// is made of is declared.
func (s *scanner) note(n ast.Node, what string, value number) {
	at := s.file.At(n)
	places := append([]place{{s.file, s.file.Line(n.Pos())}}, value.from...)
	if value.expr != nil {
		places = append(places, place{s.file, s.file.Line(value.expr.Pos())})
	}
	for _, p := range places {
		if _, ok := p.file.Reason("fixed", p.line); ok {
			return
		}
	}
	if slices.ContainsFunc(s.found, func(f Finding) bool { return f.At == at }) {
		return
	}
	s.found = append(s.found, Finding{At: at, What: what})
}

// Declared returns the limits that limit's table declares: the variable's name by
// the limit's name.
func Declared(p *source.Package) map[string]string {
	out := map[string]string{}
	for _, f := range p.Code() {
		ast.Inspect(f.AST, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			if call, ok := spec.Values[0].(*ast.CallExpr); ok && nameOf(call.Fun) == "declare" {
				out[nameField(call.Args[0])] = spec.Names[0].Name
			}
			return true
		})
	}
	return out
}

func nameField(e ast.Expr) string {
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return ""
	}
	for _, el := range lit.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if ok && nameOf(kv.Key) == "Name" {
			if text, ok := kv.Value.(*ast.BasicLit); ok && text.Kind == token.STRING {
				return strings.Trim(text.Value, `"`)
			}
		}
	}
	return ""
}

// Used reports which of limit's variables the code of packages speaks of.
func Used(packages []*source.Package) map[string]bool {
	out := map[string]bool{}
	for _, p := range packages {
		for _, f := range p.Code() {
			ast.Inspect(f.AST, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok && nameOf(sel.X) == "limit" {
					out[sel.Sel.Name] = true
				}
				return true
			})
		}
	}
	return out
}
