package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/longrein/longrein/internal/source"
)

func TestLoadReadsThisModuleAndNothingElse(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":             "module x",
		"a.go":               "package a\nimport _ \"fmt\" // pure: for the test\n",
		"b/b.go":             "package b",
		"b/b_test.go":        "package b_test",
		"b/testdata/bad.go":  "no Go",
		".hidden/bad.go":     "no Go",
		"nested/go.mod":      "module y",
		"nested/nested.go":   "package nested",
		"b/other_windows.go": "package b",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	packages, err := source.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(packages) != 2 || packages[0].Dir != "." || packages[1].Dir != "b" {
		t.Fatalf("got %d packages, want . and b", len(packages))
	}
	if n := len(packages[1].Code()); n != 2 {
		t.Errorf("package b has %d files that are no tests, want 2", n)
	}
	if at := packages[0].Files[0].Imports()["fmt"]; at != "a.go:2" {
		t.Errorf("fmt is imported at %q, want a.go:2", at)
	}
	if why, ok := packages[0].Files[0].Reason("pure", 2); !ok || why != "for the test" {
		t.Errorf("the reason is %q, %v", why, ok)
	}
}
