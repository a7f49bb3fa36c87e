package lint_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/lint"
)

// write writes a file and the folders above it.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func look(t *testing.T, o lint.Options) []lint.Finding {
	t.Helper()
	s, err := lint.Read(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return lint.Check(s)
}

func TestFilesFromTheRootToTheFolderAreRead(t *testing.T) {
	root := t.TempDir()
	sub := filepath.Join(root, "a", "b")
	write(t, filepath.Join(root, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(root, "AGENTS.md"), "Use tabs.\n")
	write(t, filepath.Join(root, "a", "CLAUDE.md"), "Be brief.\n")
	write(t, filepath.Join(sub, "AGENTS.override.md"), "Never use tabs.\r\n")
	write(t, filepath.Join(sub, "AGENTS.md"), "Say please.\n")
	found := look(t, lint.Options{Cwd: sub})
	for _, want := range []string{"CLAUDE.md is not read", "is the opposite of", "AGENTS.override.md is read here and AGENTS.md is not"} {
		if !says(found, want) {
			t.Errorf("nothing says %q: %+v", want, found)
		}
	}
	if found := look(t, lint.Options{Cwd: sub, Fallbacks: []string{"CLAUDE.md"}}); says(found, "CLAUDE.md is not read") {
		t.Errorf("a fallback counts as not read: %+v", found)
	}
}

func says(found []lint.Finding, text string) bool {
	for _, f := range found {
		if strings.Contains(f.Text, text) {
			return true
		}
	}
	return false
}

func TestBadFilesAreFindings(t *testing.T) {
	for name, c := range map[string]struct {
		make func(t *testing.T, path string)
		want string
	}{
		"a folder": {func(t *testing.T, path string) { write(t, filepath.Join(path, "x"), "") }, "it is a folder"},
		"a loop": {func(t *testing.T, path string) {
			if err := os.Symlink(filepath.Base(path), path); err != nil {
				t.Skip(err)
			}
		}, "AGENTS.md"},
		"no UTF-8": {func(t *testing.T, path string) { write(t, path, "caf\xe9 au lait\n") }, "not UTF-8"},
		"too long": {func(t *testing.T, path string) { write(t, path, strings.Repeat("Never stop here.\n", 3000)) }, "do not reach the model"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c.make(t, filepath.Join(dir, "AGENTS.md"))
			found := look(t, lint.Options{Cwd: dir})
			if len(found) != 1 || found[0].State != lint.Bad || !strings.Contains(found[0].Text, c.want) {
				t.Errorf("got %+v, want one bad finding that says %q", found, c.want)
			}
		})
	}
}

func TestALongFileIsLookedAtInPart(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "AGENTS.md"), strings.Repeat("Be kind to all.\n", 200)+"Never stop.\n")
	found := look(t, lint.Options{Cwd: dir, Limits: limit.Set{limit.LintFile.Name: 1024}})
	if !says(found, "only the first 1024 bytes") {
		t.Errorf("got %+v", found)
	}
}

func TestNoFolderIsAnError(t *testing.T) {
	if _, err := lint.Read(t.Context(), lint.Options{Cwd: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("a folder that is not there was looked at")
	}
}
