package doccheck_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/longrein/longrein/internal/doccheck"
	"github.com/longrein/longrein/internal/source"
)

// long lists what may be longer than the house likes, with the reason.
var long = map[string]string{
	"limit/table.go": "one flat table",
}

func TestEveryPackageAndExportedNameHasItsSentence(t *testing.T) {
	_, packages := house(t)
	for _, p := range packages {
		report(t, doccheck.Uncommented(p))
	}
}

func TestFilesAndFunctionsKeepTheirSize(t *testing.T) {
	_, packages := house(t)
	for _, p := range packages {
		report(t, doccheck.Oversized(p, long))
	}
}

func TestDependenciesAreListedWithTheirReason(t *testing.T) {
	root, packages := house(t)
	required, tools := goMod(t, root)
	page := read(t, root, "docs/dependencies.md")
	report(t, doccheck.Unlisted(doccheck.Direct(packages, required, tools), doccheck.Listed(page)))
}

func TestTrackedTextsNameNobodysMachine(t *testing.T) {
	root, _ := house(t)
	for _, name := range tracked(t, root) {
		if name != "go.sum" {
			report(t, doccheck.Private(filepath.ToSlash(root), name, text(root, name)))
		}
	}
}

func TestLinksLeadSomewhere(t *testing.T) {
	root, _ := house(t)
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
		return err == nil
	}
	for _, name := range tracked(t, root) {
		if filepath.Ext(name) == ".md" && !strings.Contains(name, "testdata/") {
			report(t, doccheck.Broken(name, text(root, name), exists))
		}
	}
}

var room = regexp.MustCompile(`(?m)^ {4}[├└]── (\S+)/ +(\(planned\))?`)

func TestTheHousePageNamesTheRoomsThatExist(t *testing.T) {
	root, packages := house(t)
	listed := map[string]bool{"internal": true}
	for _, m := range room.FindAllStringSubmatch(read(t, root, "docs/house.md"), -1) {
		dir, planned := m[1], m[2] != ""
		listed[strings.Split(dir, "/")[0]] = true
		_, err := os.Stat(filepath.Join(root, dir))
		if exists := err == nil; exists == planned {
			t.Errorf("docs/house.md: %s/ is listed with planned = %v, and exists = %v. Correct the page.", dir, planned, exists)
		}
	}
	for _, p := range packages {
		if first := strings.Split(p.Dir, "/")[0]; first != "." && !listed[first] {
			t.Errorf("docs/house.md does not list the room %s/. Say in its table what it is for.", first)
		}
	}
}

func TestDecisionsAreNumberedAndListed(t *testing.T) {
	root, _ := house(t)
	index := read(t, root, "docs/decisions/README.md")
	files, err := filepath.Glob(filepath.Join(root, "docs", "decisions", "[0-9]*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		name := filepath.Base(file)
		if want := []byte{'0', '0', byte('0' + (i+1)/10), byte('0' + (i+1)%10), '-'}; !strings.HasPrefix(name, string(want)) {
			t.Errorf("docs/decisions/%s: the number that follows is %s", name, want)
		}
		if !strings.Contains(index, "("+name+")") {
			t.Errorf("docs/decisions/README.md does not list %s", name)
		}
	}
}

func house(t *testing.T) (root string, packages []*source.Package) {
	t.Helper()
	root, err := source.Root()
	if err != nil {
		t.Fatal(err)
	}
	packages, err = loaded()
	if err != nil {
		t.Fatal(err)
	}
	return root, packages
}

// loaded reads the source once for all tests.
var loaded = sync.OnceValues(func() ([]*source.Package, error) {
	root, err := source.Root()
	if err != nil {
		return nil, err
	}
	return source.Load(root)
})

func report(t *testing.T, sentences []string) {
	t.Helper()
	for _, s := range sentences {
		t.Error(s)
	}
}

func read(t *testing.T, root, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// text returns a tracked file's text, empty for what is deleted or no text.
func text(root, name string) string {
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil || !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 {
		return ""
	}
	return string(b)
}

// tracked returns what git tracks; a copy without git skips the test.
func tracked(t *testing.T, root string) []string {
	t.Helper()
	out, err := exec.Command("git", "-c", "safe.directory=*", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("not a git checkout: %v", err)
	}
	return strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
}

func goMod(t *testing.T, root string) (required []doccheck.Module, tools []string) {
	t.Helper()
	cmd := exec.Command("go", "mod", "edit", "-json")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go mod edit -json: %v", err)
	}
	var mod struct {
		Require []doccheck.Module
		Tool    []struct{ Path string }
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	for _, tool := range mod.Tool {
		tools = append(tools, tool.Path)
	}
	return mod.Require, tools
}
