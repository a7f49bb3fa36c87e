package arch_test

import (
	"go/importer"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein/internal/arch"
	"github.com/longrein/longrein/internal/source"
)

const table = `
### Who leans on whom

    10  cmd                    prints
     5  rollout index          one outside thing each
        tokens
     2  wire ledger*           pure
     1  longrein limit         words

    * planned

### Next
`

func TestParseLayers(t *testing.T) {
	got, err := arch.ParseLayers(table)
	if err != nil {
		t.Fatal(err)
	}
	want := arch.Layers{"cmd": 10, "rollout": 5, "index": 5, "tokens": 5, "wire": 2, "ledger": 2, "longrein": 1, "limit": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("layers (-want +got):\n%s", diff)
	}
	if _, err := arch.ParseLayers("### Who leans on whom\n\nnothing\n"); err == nil {
		t.Error("a page without a table was taken")
	}
}

func TestUpward(t *testing.T) {
	tests := map[string]struct{ file, code, want string }{
		"a lower line is fine":              {"cmd/a.go", `import _ "github.com/longrein/longrein/rollout"`, ""},
		"the root is for all":               {"limit/a.go", `import _ "github.com/longrein/longrein"`, ""},
		"the family is fine":                {"rollout/a.go", `import _ "github.com/longrein/longrein/rollout/blob"`, ""},
		"a test may look upward":            {"wire/a_test.go", `import _ "github.com/longrein/longrein/cmd"`, ""},
		"upward is told with both lines":    {"wire/a.go", `import _ "github.com/longrein/longrein/rollout"`, "wire (line 2) imports rollout (line 5)"},
		"a neighbour is upward too":         {"index/a.go", `import _ "github.com/longrein/longrein/rollout"`, "declare in index an interface"},
		"test helpers stay in tests":        {"index/a.go", `import _ "github.com/longrein/longrein/internal/testkit"`, "which is for tests"},
		"pure lines take no module":         {"wire/a.go", `import _ "example.com/x"`, "standard library only"},
		"upper lines take modules":          {"index/a.go", `import _ "example.com/x"`, ""},
		"a vendor's types stay at home":     {"cmd/a.go", `import _ "github.com/openai/openai-go/v3"`, "stay in provider"},
		"a new package needs a line":        {"extra/a.go", ``, "has no line in the table"},
		"a package without a line is above": {"cmd/a.go", `import _ "github.com/longrein/longrein/extra"`, "imports extra (line 0)"},
	}
	layers, err := arch.ParseLayers(table)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			expect(t, layers.Upward(load(t, tt.file, tt.code)), tt.want)
		})
	}
}

func TestImpure(t *testing.T) {
	if testing.Short() {
		t.Skip("checks the types of the standard library")
	}
	tests := map[string]struct{ code, want string }{
		"the clock":            {"import \"time\"\nvar T = time.Now()", "time.Now reads the clock"},
		"a renamed clock":      {"import clock \"time\"\nvar T = clock.Now()", "time.Now reads the clock"},
		"a type of time":       {"import \"time\"\nvar T time.Time", ""},
		"the disk":             {"import \"os\"\nvar A = os.Args", "imports os, which reaches the outside"},
		"the system's paths":   {"import \"path/filepath\"\nvar A = filepath.Separator", "Use package path"},
		"a goroutine":          {"func f() { go f() }", "starts a goroutine"},
		"a map's order":        {"func f(m map[int]int) { for range m { f(m) } }", "follows a map's order"},
		"a slice's order":      {"func f(m []int) { for range m { f(m) } }", ""},
		"a reason before":      {"func f(m map[int]int) {\n// pure: a sum\nfor range m { f(m) } }", ""},
		"a reason on the line": {"func f(m map[int]int) {\nfor range m { // pure: a sum\n} }", ""},
		"no reason given":      {"func f(m map[int]int) {\n// pure:\nfor range m { f(m) } }", "follows a map's order"},
		"sorted keys":          {"import (\n\"maps\"\n\"slices\"\n)\nfunc f(m map[int]int) []int { return slices.Sorted(maps.Keys(m)) }", ""},
		"unsorted keys":        {"import (\n\"maps\"\n\"slices\"\n)\nfunc f(m map[int]int) []int { return slices.Collect(maps.Keys(m)) }", "Wrap maps.Keys in slices.Sorted"},
		"printing":             {"import \"fmt\"\nfunc f() { fmt.Println() }", "writes to the screen"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := load(t, "wire/a.go", tt.code)
			info, err := arch.Check(p, importer.ForCompiler(p.Files[0].Set, "source", nil))
			if err != nil {
				t.Fatal(err)
			}
			expect(t, arch.Impure(p, info), tt.want)
		})
	}
}

// load returns the package of a module that holds one file.
func load(t *testing.T, file, code string) *source.Package {
	t.Helper()
	root := t.TempDir()
	name := filepath.Join(root, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("package a\n"+code+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	packages, err := source.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	return packages[0]
}

// expect checks that there is one sentence with want in it, or none.
func expect(t *testing.T, got []string, want string) {
	t.Helper()
	all := strings.Join(got, "\n")
	if want == "" && all != "" || want != "" && (len(got) != 1 || !strings.Contains(all, want)) {
		t.Errorf("got %q, want %q", all, want)
	}
}
