// Package doccheck holds the house's habits about comments and documents as
// tests: every package and exported name has its sentence, files and functions
// keep their size, and what the documents claim about modules, rooms and links
// is so. Who may import whom is arch's.
package doccheck

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/longrein/longrein/internal/source"
)

// Uncommented returns one sentence for each missing comment of p: the package's
// own, and one for each exported name that begins with the name.
func Uncommented(p *source.Package) []string {
	if len(p.Code()) == 0 {
		return nil
	}
	var found []string
	if !hasPackageComment(p) {
		found = append(found, fmt.Sprintf("%s: package %s has no comment. Say in one file, above \"package %s\", what it is for, what it is not for, and its central types.", p.Dir, p.Name, p.Name))
	}
	if p.Name == "main" {
		return found
	}
	for _, f := range p.Code() {
		for _, decl := range f.AST.Decls {
			found = append(found, uncommented(f, decl)...)
		}
	}
	return found
}

func hasPackageComment(p *source.Package) bool {
	for _, f := range p.Code() {
		if strings.TrimSpace(f.AST.Doc.Text()) != "" {
			return true
		}
	}
	return false
}

func uncommented(f *source.File, decl ast.Decl) []string {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && exportedReceiver(d) {
			return unsaid(f, d, d.Name, d.Doc)
		}
	case *ast.GenDecl:
		if d.Tok == token.IMPORT {
			return nil
		}
		var found []string
		for _, spec := range d.Specs {
			found = append(found, uncommentedSpec(f, d, spec)...)
		}
		return found
	}
	return nil
}

// uncommentedSpec judges one spec of a declaration. In a group with a comment
// of its own, variables and constants need none.
func uncommentedSpec(f *source.File, d *ast.GenDecl, spec ast.Spec) []string {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() {
			return unsaid(f, s, s.Name, either(s.Doc, d))
		}
	case *ast.ValueSpec:
		if d.Lparen.IsValid() && d.Doc.Text() != "" && s.Doc == nil || s.Comment != nil {
			return nil
		}
		if s.Names[0].IsExported() {
			return unsaid(f, s, s.Names[0], either(s.Doc, d))
		}
	}
	return nil
}

// either returns a spec's comment, or that of its declaration when it is alone.
func either(doc *ast.CommentGroup, d *ast.GenDecl) *ast.CommentGroup {
	if doc == nil && !d.Lparen.IsValid() {
		return d.Doc
	}
	return doc
}

// unsaid reports a comment that does not begin with its name, an article before
// it allowed.
func unsaid(f *source.File, n ast.Node, name *ast.Ident, doc *ast.CommentGroup) []string {
	words := strings.Fields(doc.Text())
	if len(words) > 1 && (words[0] == "A" || words[0] == "An" || words[0] == "The") {
		words = words[1:]
	}
	if len(words) > 1 && strings.TrimRight(words[0], ",:;") == name.Name {
		return nil
	}
	return []string{fmt.Sprintf("%s: %s has no comment that begins with %q. Say what a caller may rely on.", f.At(n), name.Name, name.Name)}
}

// exportedReceiver reports whether d is a function, or a method of an exported
// type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}
