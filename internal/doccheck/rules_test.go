package doccheck_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/longrein/longrein/internal/doccheck"
	"github.com/longrein/longrein/internal/source"
)

func TestUncommented(t *testing.T) {
	tests := map[string]struct{ code, want string }{
		"no package comment":             {"package a", "package a has no comment"},
		"a package comment":              {"// Package a is.\npackage a", ""},
		"an exported function":           {"// Package a is.\npackage a\nfunc F() {}", `begins with "F"`},
		"a comment about something else": {"// Package a is.\npackage a\n// Does it.\nfunc F() {}", `begins with "F"`},
		"a comment with its name":        {"// Package a is.\npackage a\n// F does it.\nfunc F() {}", ""},
		"an article before the name":     {"// Package a is.\npackage a\n// A T is it.\ntype T int", ""},
		"a method of a hidden type":      {"// Package a is.\npackage a\ntype t int\nfunc (t) F() {}", ""},
		"a method of an exported type":   {"// Package a is.\npackage a\n// T is.\ntype T[P any] struct{}\nfunc (*T[P]) F() {}", `begins with "F"`},
		"constants under one comment":    {"// Package a is.\npackage a\n// The states.\nconst (\nA = 1\nB = 2\n)", ""},
		"constants without any":          {"// Package a is.\npackage a\nconst (\nA = 1\n)", `begins with "A"`},
		"a name in a command":            {"// Command a is.\npackage main\nfunc F() {}", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			expect(t, doccheck.Uncommented(load(t, tt.code)), tt.want)
		})
	}
}

func TestOversized(t *testing.T) {
	function := "package a\nfunc f() {\n" + strings.Repeat("f()\n", 60) + "}\n"
	file := "package a\n" + strings.Repeat("var _ = 1\n", 500)
	expect(t, doccheck.Oversized(load(t, function), nil), "f has 62 lines")
	expect(t, doccheck.Oversized(load(t, function), map[string]string{"a/a.go:f": "a table"}), "")
	expect(t, doccheck.Oversized(load(t, file), nil), "a/a.go has 50")
	expect(t, doccheck.Oversized(load(t, file), map[string]string{"a/a.go": "a table"}), "")
}

func TestPrivate(t *testing.T) {
	tests := map[string]struct{ line, want string }{
		"a home folder":         {"see /ho" + "me/carol/src", "of one machine"},
		"an example's home":     {"see /home/user/src", ""},
		"the checkout":          {"in /srv/checkout.", ""},
		"the checkout's file":   {"in /srv/checkout/a.go", "/srv/checkout"},
		"another with its name": {"in /srv/checkouts", ""},
		"a registry":            {"https://npm.regis" + "try.example.net/x", "of one machine"},
		"the root's home":       {"see /ro" + "ot/src", "of one machine"},
		"a process's root":      {"see /proc/1/root/src", ""},
		"a plain address":       {"https://example.com/x", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			expect(t, doccheck.Private("/srv/checkout", "a.md", tt.line), tt.want)
		})
	}
}

func TestBroken(t *testing.T) {
	exists := func(name string) bool { return name == "docs/there.md" }
	expect(t, doccheck.Broken("docs/a.md", "[x](there.md#part) [y](https://example.com)", exists), "")
	expect(t, doccheck.Broken("docs/a.md", "[x](../there.md)", exists), "../there.md leads nowhere")
}

func TestUnlisted(t *testing.T) {
	required := []doccheck.Module{{Path: "example.com/x", Version: "v1.0.0"}, {Path: "example.com/x/sub", Version: "v2.0.0"}, {Path: "example.com/y", Version: "v3.0.0"}}
	packages := []*source.Package{load(t, "package a\nimport _ \"example.com/x/sub/p\"")}
	direct := doccheck.Direct(packages, required, []string{"example.com/y/cmd/tool"})

	whole := "| `example.com/x/sub@v2.0.0` | MIT |\n| `example.com/y@v3.0.0` | MIT |\n"
	expect(t, doccheck.Unlisted(direct, doccheck.Listed(whole)), "")
	expect(t, doccheck.Unlisted(direct, doccheck.Listed("| `example.com/y@v3.0.0` | MIT |\n")), "has no row for example.com/x/sub")
	expect(t, doccheck.Unlisted(direct, doccheck.Listed(strings.Replace(whole, "v2", "v1", 1))), "go.mod says v2.0.0")
	expect(t, doccheck.Unlisted(direct, doccheck.Listed(whole+"| `example.com/x@v1.0.0` | MIT |\n")), "which no package imports")
}

// load returns the package of one file a/a.go.
func load(t *testing.T, code string) *source.Package {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "a"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "a", "a.go"), []byte(code+"\n"), 0o600); err != nil {
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
