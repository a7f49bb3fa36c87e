package file_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/longrein/longrein/tool/file"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// workTree is a git repository with an ignored file.
func workTree(t testing.TB) string {
	t.Helper()
	dir := folder(t, map[string]string{
		".gitignore": "*.log\n/out/\n", "a.go": "package a\n// needle one\n", "x/b.go": "needle two\nnone\nneedle three\n",
		"x/y/z/deep.txt": "needle " + strings.Repeat("long ", 100) + "\n", "x.log": "needle\n", "out/gen.go": "needle\n", ".ci/run": "needle ci\n",
	})
	for _, args := range [][]string{{"init", "-q"}, {"add", "a.go"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	return dir
}

// A listing runs git outside of the sandbox, over settings that a model may have
// written.
func TestListRunsNoProgramOfARepository(t *testing.T) {
	dir := folder(t, map[string]string{"f": "x"})
	ran := filepath.Join(t.TempDir(), "ran")
	program := "touch " + ran + "; git-upload-pack"
	for _, args := range [][]string{
		{"init", "-q"},
		{"config", "core.repositoryformatversion", "1"},
		{"config", "core.fsmonitor", program},
		{"config", "extensions.partialClone", "o"},
		{"config", "remote.o.promisor", "true"},
		{"config", "remote.o.url", dir},
		{"config", "remote.o.uploadpack", program},
		{"config", "protocol.allow", "always"},
		{"-c", "core.fsmonitor=false", "update-index", "--add", "--cacheinfo", "100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,.gitignore"},
		{"-c", "core.fsmonitor=false", "update-index", "--skip-worktree", ".gitignore"},
	} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	if _, err := file.List(t.Context(), file.ListQuery{Dir: dir, Most: 10}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program that the repository's settings name was run")
	}
}

func TestList(t *testing.T) {
	dir := workTree(t)
	tests := map[string]struct {
		q    file.ListQuery
		want file.Listing
	}{
		"all that is not ignored": {file.ListQuery{Dir: dir, Most: 10}, file.Listing{Entries: []string{".ci/run", ".gitignore", "a.go", "x/b.go", "x/y/z/deep.txt"}}},
		"not too deep":            {file.ListQuery{Dir: dir, Depth: 1, Most: 10}, file.Listing{Entries: []string{".ci/ (1 files)", ".gitignore", "a.go", "x/ (2 files)"}}},
		"by name":                 {file.ListQuery{Dir: dir, Pattern: "*.go", Most: 10}, file.Listing{Entries: []string{"a.go", "x/b.go"}}},
		"by path":                 {file.ListQuery{Dir: dir, Pattern: "x/**/*.txt", Most: 10}, file.Listing{Entries: []string{"x/y/z/deep.txt"}}},
		"the first of many":       {file.ListQuery{Dir: dir, Most: 2}, file.Listing{Entries: []string{".ci/run", ".gitignore"}, More: 3}},
		"an ignored folder":       {file.ListQuery{Dir: filepath.Join(dir, "out"), Most: 9}, file.Listing{Entries: []string{"gen.go"}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := file.List(t.Context(), tt.q)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestListOutsideOfAWorkTree(t *testing.T) {
	dir := folder(t, map[string]string{"b": "", "a/c": "", ".git/x": ""})
	got, err := file.List(t.Context(), file.ListQuery{Dir: dir, Most: 10})
	if diff := cmp.Diff(file.Listing{Entries: []string{"a/c", "b"}}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for name, q := range map[string]file.ListQuery{"no folder": {Dir: dir + "/none"}, "a file": {Dir: dir + "/b"}, "a bad glob": {Dir: dir, Pattern: "[x"}} {
		if _, err := file.List(t.Context(), q); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Both ways of searching give the same.
func TestSearch(t *testing.T) {
	dir := workTree(t)
	tests := map[string]struct {
		q    file.SearchQuery
		want file.Found
	}{
		"in all files": {
			file.SearchQuery{Pattern: "needle [a-z]+$", Most: 10},
			file.Found{Lines: []string{".ci/run:1:needle ci", "a.go:2:// needle one", "x/b.go:1:needle two", "x/b.go:3:needle three"}},
		},
		"in a folder":         {file.SearchQuery{Pattern: "three", Path: "x", Most: 10}, file.Found{Lines: []string{"x/b.go:3:needle three"}}},
		"in a file":           {file.SearchQuery{Pattern: "two", Path: "x/b.go", Most: 10}, file.Found{Lines: []string{"x/b.go:1:needle two"}}},
		"in files of a glob":  {file.SearchQuery{Pattern: "needle", Glob: "*.go", Most: 10}, file.Found{Lines: []string{"a.go:2:// needle one", "x/b.go:1:needle two", "x/b.go:3:needle three"}}},
		"the first of many":   {file.SearchQuery{Pattern: "needle", Most: 2}, file.Found{Lines: []string{".ci/run:1:needle ci", "a.go:2:// needle one"}, More: true}},
		"a long line is cut":  {file.SearchQuery{Pattern: "long", Most: 10, Line: 30}, file.Found{Lines: []string{"x/y/z/deep.txt:1:needle long l…"}, Long: 1}},
		"nothing":             {file.SearchQuery{Pattern: "no such thing", Most: 10}, file.Found{}},
		"an option is a word": {file.SearchQuery{Pattern: "--files", Most: 10}, file.Found{}},
	}
	for _, with := range []string{"ripgrep", "Go alone"} {
		t.Run(with, func(t *testing.T) {
			if _, err := exec.LookPath("rg"); with == "ripgrep" && err != nil {
				t.Skip("NOT TESTED: ripgrep is not installed")
			}
			if with == "Go alone" {
				without(t, "rg")
			}
			for name, tt := range tests {
				t.Run(name, func(t *testing.T) {
					tt.q.Dir, tt.q.Files = dir, 100
					if tt.q.Line == 0 {
						tt.q.Line = 300
					}
					got, err := file.Search(t.Context(), tt.q)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(tt.want, got); diff != "" {
						t.Error(diff)
					}
				})
			}
			for name, q := range map[string]file.SearchQuery{"a bad pattern": {Pattern: "("}, "no path": {Pattern: "x", Path: "nope"}} {
				q.Dir = dir
				if _, err := file.Search(t.Context(), q); err == nil {
					t.Errorf("%s: no error", name)
				}
			}
		})
	}
}

// without hides a program: PATH is left with git only.
func without(t *testing.T, program string) {
	t.Helper()
	bin := t.TempDir()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(git, filepath.Join(bin, "git")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	if _, err := exec.LookPath(program); err == nil {
		t.Fatalf("%s is still found", program)
	}
}

func TestSearchEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	got, err := file.Search(ctx, file.SearchQuery{Dir: workTree(t), Pattern: "needle", Most: 10, Line: 300, Files: 10})
	if err == nil && !got.Late {
		t.Errorf("found %+v", got)
	}
}
