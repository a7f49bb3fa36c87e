package rules

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/longrein/longrein/internal/source"
)

// Every test that an example names is there, is run by go test, and has the
// subtest.
func TestEveryExampleRuns(t *testing.T) {
	root, err := source.Root()
	if err != nil {
		t.Fatal(err)
	}
	suites := map[string]*suite{}
	for _, r := range built(t).Rules {
		for _, e := range r.Examples {
			dir, function, sub := e.Place()
			if suites[dir] == nil {
				suites[dir] = readSuite(t, root, dir)
			}
			if why := suites[dir].lacks(function, sub); why != "" {
				t.Errorf("%s: %s: %s", r.ID, e.Test, why)
			}
		}
	}
}

// suite is what the test files of one folder hold.
type suite struct {
	dir       string
	functions map[string]*ast.FuncDecl
	tables    []ast.Node // declarations of variables, which may hold subtests
}

// readSuite parses the test files of a folder that the tests run with on Linux,
// where all of them do.
func readSuite(t *testing.T, root, dir string) *suite {
	t.Helper()
	s := &suite{dir: filepath.Join(root, filepath.FromSlash(dir)), functions: map[string]*ast.FuncDecl{}}
	files, err := os.ReadDir(s.dir)
	if err != nil {
		t.Errorf("package %s: %v", dir, err)
		return s
	}
	system := build.Default
	system.GOOS = "linux"
	for _, f := range files {
		if ok, err := system.MatchFile(s.dir, f.Name()); err != nil || !ok || !strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(s.dir, f.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			continue
		}
		s.add(tree)
	}
	return s
}

func (s *suite) add(tree *ast.File) {
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				s.functions[d.Name.Name] = d
			}
		case *ast.GenDecl:
			s.tables = append(s.tables, d)
		}
	}
}

// lacks says why a test cannot show anything, or nothing if it can.
func (s *suite) lacks(function, sub string) string {
	f := s.functions[function]
	switch {
	case f == nil:
		return "there is no such test"
	case !runs(f):
		return "go test does not run it"
	case skipped(f.Body.List):
		return "it is always skipped"
	case sub != "" && !(s.has(f, sub) && calls(f, "Run")):
		return fmt.Sprintf("there is no %q in it", sub)
	}
	return ""
}

// runs reports whether a function has the form of a test, a fuzz target or an
// example. Fuzz targets run over what they are seeded with.
func runs(f *ast.FuncDecl) bool {
	n := f.Type.Params.NumFields()
	return (strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Fuzz")) && n == 1 ||
		strings.HasPrefix(f.Name.Name, "Example") && n == 0
}

// skipped reports whether a body comes to a skip whatever holds, or to one that
// a variable of the environment decides on.
func skipped(body []ast.Stmt) bool {
	for _, statement := range body {
		if inner, ok := statement.(*ast.IfStmt); ok && !mentions(inner, "Getenv", "LookupEnv") {
			continue
		}
		if mentions(statement, "Skip", "Skipf", "SkipNow") {
			return true
		}
	}
	return false
}

// mentions reports whether a method or function of one of the names is used, be
// it not in a function of its own, such as one for a subtest.
func mentions(n ast.Node, names ...string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(names, s.Sel.Name) {
			found = true
		}
		_, inner := n.(*ast.FuncLit)
		return !found && !inner
	})
	return found
}

// calls reports whether a method of that name is called anywhere in a function.
func calls(f *ast.FuncDecl, name string) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		found = found || ok && s.Sel.Name == name
		return !found
	})
	return found
}

// has reports whether a test names a subtest: in its own text, in a table
// beside it, or as a script.
func (s *suite) has(f *ast.FuncDecl, sub string) bool {
	if f.Name.Name == "TestScripts" {
		_, err := os.Stat(filepath.Join(s.dir, "testdata", "script", sub+".txtar"))
		return err == nil
	}
	return slices.ContainsFunc(append([]ast.Node{f}, s.tables...), func(n ast.Node) bool { return says(n, sub) })
}

// says reports whether a text stands in a node as a string.
func says(n ast.Node, text string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			value, err := strconv.Unquote(lit.Value)
			found = found || err == nil && value == text
		}
		return !found
	})
	return found
}

func TestWhatASuiteLacks(t *testing.T) {
	code := `package a
import "testing"
var table = map[string]int{"in a table": 1}
func TestGood(t *testing.T) { if testing.Short() { t.Skip() }; t.Run("in the text", nil) }
func TestHelper(t *testing.T, n int) {}
func TestSkipped(t *testing.T) { t.Skip("later") }
func TestAsked(t *testing.T) { if os.Getenv("X") == "" { t.Skip() } }
func TestTable(t *testing.T) { for range table { t.Log("in the text") } }
func BenchmarkA(b *testing.B) {}
`
	tree, err := parser.ParseFile(token.NewFileSet(), "a_test.go", code, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	s := &suite{dir: t.TempDir(), functions: map[string]*ast.FuncDecl{}}
	s.add(tree)
	tests := map[string]struct{ function, sub, want string }{
		"a test":                       {"TestGood", "", ""},
		"a subtest in its text":        {"TestGood", "in the text", ""},
		"a subtest in a table":         {"TestGood", "in a table", ""},
		"a case that is no subtest":    {"TestTable", "in a table", `no "in a table"`},
		"a subtest that is not":        {"TestGood", "nowhere", `no "nowhere"`},
		"a test that is not":           {"TestNone", "", "no such test"},
		"a helper":                     {"TestHelper", "", "does not run it"},
		"a benchmark":                  {"BenchmarkA", "", "does not run it"},
		"one that is skipped":          {"TestSkipped", "", "always skipped"},
		"one that has to be asked for": {"TestAsked", "", "always skipped"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := s.lacks(tt.function, tt.sub)
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
