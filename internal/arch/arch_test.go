package arch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/longrein/longrein/internal/arch"
	"github.com/longrein/longrein/internal/source"
)

func TestNoPackageImportsUpward(t *testing.T) {
	layers, packages := house(t)
	for _, p := range packages {
		for _, sentence := range layers.Upward(p) {
			t.Error(sentence)
		}
	}
}

func TestTheLowerLinesArePure(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the compiler's export data")
	}
	layers, packages := house(t)
	packages = slices.DeleteFunc(packages, func(p *source.Package) bool {
		line := layers[arch.Family(p.Dir)]
		return line == 0 || line > arch.PureUpTo || len(p.Code()) == 0
	})
	imp := compiled(t, packages)
	for _, p := range packages {
		info, err := arch.Check(p, imp)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, sentence := range arch.Impure(p, info) {
			t.Error(sentence)
		}
	}
}

// house reads the table and the source.
func house(t *testing.T) (arch.Layers, []*source.Package) {
	t.Helper()
	root, err := source.Root()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "house.md"))
	if err != nil {
		t.Fatal(err)
	}
	layers, err := arch.ParseLayers(string(page))
	if err != nil {
		t.Fatal(err)
	}
	packages, err := source.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	return layers, packages
}

// compiled returns an importer of what packages import, as the go command has
// compiled it.
func compiled(t *testing.T, packages []*source.Package) types.Importer {
	t.Helper()
	root, err := source.Root()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"list", "-e", "-export", "-deps", "-json=ImportPath,Export"}
	for _, p := range packages {
		args = append(args, p.Import())
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	exports := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
}
