package limitscan

import (
	"go/ast"
	"go/constant"
	"go/token"
	"maps"

	"github.com/longrein/longrein/internal/source"
)

// place is a line of a file, where a reason may stand.
type place struct {
	file *source.File
	line int
}

// number is the value of a constant expression.
type number struct {
	value constant.Value // an integer or a fraction
	from  []place        // where the constants in it are declared
	time  bool           // it has one of package time's units in it
	expr  ast.Expr
}

func (n number) atLeast(least int64) bool {
	return n.value != nil && constant.Compare(n.value, token.GEQ, constant.MakeInt64(least))
}

// constants are the constants that a declaration can name, with where they are
// declared.
type constants map[string]declaration

type declaration struct {
	place
	expr ast.Expr
}

// declared returns the constants of a package.
func declared(p *source.Package) constants {
	out := constants{}
	for _, f := range p.Code() {
		for _, d := range f.AST.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				out.add(f, g)
			}
		}
	}
	return out
}

// with returns c and the constants that are declared inside of d.
func (c constants) with(f *source.File, d ast.Decl) constants {
	out := maps.Clone(c)
	ast.Inspect(d, func(n ast.Node) bool {
		if g, ok := n.(*ast.GenDecl); ok {
			out.add(f, g)
		}
		return true
	})
	return out
}

func (c constants) add(f *source.File, g *ast.GenDecl) {
	if g.Tok != token.CONST {
		return
	}
	for _, s := range g.Specs {
		spec := s.(*ast.ValueSpec) // of a const declaration, all are
		for i, name := range spec.Names {
			if i < len(spec.Values) {
				c[name.Name] = declaration{place{f, f.Line(name.Pos())}, spec.Values[i]}
			}
		}
	}
}

// units are package time's, in nanoseconds.
var units = map[string]int64{
	"Nanosecond": 1, "Microsecond": 1e3, "Millisecond": 1e6, "Second": 1e9, "Minute": 60e9, "Hour": 3600e9,
}

// number returns the value of e, and whether it is a constant number.
func (c constants) number(e ast.Expr) (number, bool) {
	n, ok := c.eval(e, 0)
	n.expr = e
	return n, ok
}

// deepest is how far constants may refer to others, for those that go in circles.
const deepest = 16

func (c constants) eval(e ast.Expr, depth int) (number, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.INT || e.Kind == token.FLOAT {
			return number{value: constant.MakeFromLiteral(e.Value, e.Kind, 0)}, true
		}
	case *ast.ParenExpr:
		return c.eval(e.X, depth)
	case *ast.Ident:
		d, ok := c[e.Name]
		if !ok || depth > deepest {
			return number{}, false
		}
		n, ok := c.eval(d.expr, depth+1)
		n.from = append(n.from, d.place)
		return n, ok
	case *ast.SelectorExpr:
		if unit, ok := units[e.Sel.Name]; ok && nameOf(e.X) == "time" {
			return number{value: constant.MakeInt64(unit), time: true}, true
		}
	case *ast.BinaryExpr:
		return c.binary(e, depth)
	case *ast.CallExpr:
		if len(e.Args) == 1 && conversions[nameOf(e.Fun)] {
			return c.eval(e.Args[0], depth)
		}
	}
	return number{}, false
}

var conversions = map[string]bool{
	"int": true, "int32": true, "int64": true, "uint": true, "uint32": true, "uint64": true, "float64": true, "Duration": true,
}

func (c constants) binary(e *ast.BinaryExpr, depth int) (number, bool) {
	x, okX := c.eval(e.X, depth)
	y, okY := c.eval(e.Y, depth)
	if !okX || !okY {
		return number{}, false
	}
	out := number{from: append(x.from, y.from...), time: x.time || y.time}
	switch e.Op {
	case token.SHL, token.SHR:
		by, exact := constant.Uint64Val(constant.ToInt(y.value))
		if !exact || by > 64 || constant.ToInt(x.value).Kind() != constant.Int {
			return number{}, false
		}
		out.value = constant.Shift(constant.ToInt(x.value), e.Op, uint(by))
	case token.ADD, token.SUB, token.MUL:
		out.value = constant.BinaryOp(x.value, e.Op, y.value)
	case token.QUO:
		if constant.Sign(y.value) == 0 {
			return number{}, false
		}
		out.value = constant.BinaryOp(x.value, e.Op, y.value)
	default:
		return number{}, false
	}
	return out, true
}

// nameOf is the last name of an expression: f of f, of x.f and of x.f().
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.CallExpr:
		return nameOf(e.Fun)
	}
	return ""
}
