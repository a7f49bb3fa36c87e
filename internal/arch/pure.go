package arch

import (
	"fmt"
	"go/ast"
	"go/types"
	"path"
	"strings"

	"github.com/longrein/longrein/internal/source"
)

// Why each part of the standard library is kept out of the pure lines.
const (
	whyClock   = "reads the clock. Let the time arrive as a value, from a record"
	whyOutside = "reaches the outside. Let what it finds arrive as a value, and become a record first"
	whyRandom  = "is different on each run. Let the value arrive from a record"
	whySystem  = "behaves differently on each system. Use package path"
	whyPrint   = "writes to the screen. Return the text"
)

var impureImports = map[string]string{
	"os": whyOutside, "net": whyOutside, "syscall": whyOutside, "database": whyOutside, "log": whyPrint,
	"math/rand": whyRandom, "crypto/rand": whyRandom, "path/filepath": whySystem,
}

var impureCalls = map[string]string{
	"time.Now": whyClock, "time.Since": whyClock, "time.Until": whyClock, "time.Sleep": whyClock,
	"time.After": whyClock, "time.AfterFunc": whyClock, "time.Tick": whyClock,
	"time.NewTimer": whyClock, "time.NewTicker": whyClock,
	"fmt.Print": whyPrint, "fmt.Println": whyPrint, "fmt.Printf": whyPrint,
	"maps.Keys": "", "maps.Values": "", "maps.All": "", // judged by their caller
}

// pureCheck looks through one package.
type pureCheck struct {
	file  *source.File
	info  *types.Info
	found []string
}

// Impure returns one sentence for each thing in p that a pure package does not
// do: reach the outside, start a goroutine, or follow a map's order. info holds
// the types of p's expressions. A comment "// pure: reason" on the line or
// before it lets a thing pass.
func Impure(p *source.Package, info *types.Info) []string {
	c := pureCheck{info: info}
	for _, f := range p.Code() {
		c.file = f
		for imported := range f.Imports() {
			c.imports(imported)
		}
		ast.Inspect(f.AST, c.node)
	}
	return c.found
}

func (c *pureCheck) imports(name string) {
	for bad, why := range impureImports {
		if name == bad || strings.HasPrefix(name, bad+"/") {
			c.found = append(c.found, fmt.Sprintf("%s: imports %s, which %s.", c.file.Path, name, why))
		}
	}
}

func (c *pureCheck) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		c.report(n, "starts a goroutine, and then the order of things is no longer given. Move it to the caller")
	case *ast.RangeStmt:
		if t := c.info.TypeOf(n.X); t != nil && isMap(t) {
			c.report(n, "follows a map's order, which is different on each run. Loop over sorted keys")
		}
	case *ast.CallExpr:
		return c.call(n)
	}
	return true
}

// call reports impure calls; slices.Sorted(maps.Keys(m)) has an order again.
func (c *pureCheck) call(n *ast.CallExpr) bool {
	name := c.called(n)
	if strings.HasPrefix(name, "slices.Sorted") {
		return false
	}
	why, ok := impureCalls[name]
	switch {
	case !ok:
	case why == "":
		c.report(n, "follows a map's order, which is different on each run. Wrap "+name+" in slices.Sorted")
	default:
		c.report(n, name+" "+why)
	}
	return true
}

// called returns the package and name of a called function, such as "time.Now".
func (c *pureCheck) called(n *ast.CallExpr) string {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return ""
	}
	pkg, ok := c.info.Uses[id].(*types.PkgName)
	if !ok {
		return ""
	}
	return path.Base(pkg.Imported().Path()) + "." + sel.Sel.Name
}

func (c *pureCheck) report(n ast.Node, what string) {
	if _, ok := c.file.Reason("pure", c.file.Line(n.Pos())); ok {
		return
	}
	c.found = append(c.found, fmt.Sprintf("%s: %s. If it changes nothing that can be seen, say why in a comment \"// pure: …\".", c.file.At(n), what))
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// Check returns the types of p's expressions; imports are read by imp.
func Check(p *source.Package, imp types.Importer) (*types.Info, error) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	var files []*ast.File
	for _, f := range p.Code() {
		files = append(files, f.AST)
	}
	conf := types.Config{Importer: imp}
	if _, err := conf.Check(p.Import(), p.Files[0].Set, files, info); err != nil {
		return nil, fmt.Errorf("check the types of %s: %w", p.Import(), err)
	}
	return info, nil
}
