package environ

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// tree makes files below a new folder and returns it, without symbolic links.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		write(t, filepath.Join(root, name), content)
	}
	return root
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func look(t *testing.T, o Options) Initial {
	t.Helper()
	in, err := Look(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// text returns the fragment of a tag, "" if there is none.
func text(in Initial, tag longrein.Tag) string {
	for _, e := range in.Entries {
		if f := e.Item.(longrein.Fragment); f.Tag == tag {
			return f.Text
		}
	}
	return ""
}

const aCommit = "0123456789abcdef0123456789abcdef01234567"

func TestWhatTheModelSees(t *testing.T) {
	root := tree(t, map[string]string{
		"repo/.git/HEAD":            "ref: refs/heads/main\n",
		"repo/.git/refs/heads/main": aCommit + "\n",
		"repo/AGENTS.md":            "Write tests first.\n",
		"repo/deep/AGENTS.md":       "\n\n",
		"repo/deep/er/CLAUDE.md":    "Only Go here.\r\nNo cgo.\r\n",
		"home/AGENTS.md":            "Answer in English.\n",
	})
	in := look(t, Options{
		Cwd: filepath.Join(root, "repo/deep/er"), Now: time.Date(2026, 11, 30, 23, 0, 0, 0, time.FixedZone("", 3600)),
		Global: filepath.Join(root, "home"), Fallbacks: []string{"", "CLAUDE.md"},
		Sandbox: "workspace-write", Approval: "on-request", Shell: "bash", Model: "sim:demo", Notes: "/data/notes/id",
	})
	var got strings.Builder
	for _, e := range in.Entries {
		f := e.Item.(longrein.Fragment)
		if f.Role != f.Tag.Kind().Role {
			t.Errorf("%s speaks as %s", f.Tag, f.Role)
		}
		got.WriteString(f.Rendered() + "\n")
	}
	golden(t, "initial.txt", strings.NewReplacer(root, "/ROOT", runtime.GOOS+"/"+runtime.GOARCH, "OS/ARCH").Replace(got.String()))
	if in.Branch != "main" || in.Commit != aCommit || in.Root != filepath.Join(root, "repo") {
		t.Errorf("got %+v", in.Repository)
	}
	if len(in.Hits)+len(in.Warnings) > 0 {
		t.Errorf("hits %v, warnings %v", in.Hits, in.Warnings)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		write(t, path, got)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestOutsideOfARepositoryOnlyTheWorkingDirectoryCounts(t *testing.T) {
	root := tree(t, map[string]string{"AGENTS.md": "above", "in/AGENTS.md": "here"})
	in := look(t, Options{Cwd: filepath.Join(root, "in")})
	if got, want := text(in, longrein.TagInstructions), "--- AGENTS.md ---\nhere"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if in.Repository != (Repository{}) {
		t.Errorf("got %+v", in.Repository)
	}
}

func TestWithoutInstructionsThereIsOnlyTheEnvironment(t *testing.T) {
	in := look(t, Options{Cwd: tree(t, nil), Global: "/does/not/exist"})
	if len(in.Entries) != 1 || text(in, longrein.TagEnvironment) == "" {
		t.Errorf("got %v", in.Entries)
	}
}

func TestThePermissionsAreShortInEveryMode(t *testing.T) {
	root := tree(t, nil)
	for _, sandbox := range []string{"read-only", "workspace-write", "full", ""} {
		for _, approval := range []string{"never", "on-request", "on-failure", "untrusted", ""} {
			in := look(t, Options{Cwd: root, Sandbox: sandbox, Approval: approval, Shell: "zsh"})
			got := text(in, longrein.TagPermissions)
			if len(got) > 350 {
				t.Errorf("%s, %s: %d bytes", sandbox, approval, len(got))
			}
			if strings.Contains(got, "sandbox:") != (sandbox != "") || strings.Contains(got, "approval:") != (approval != "") {
				t.Errorf("%s, %s:\n%s", sandbox, approval, got)
			}
		}
	}
}

func TestANameCannotPassForALine(t *testing.T) {
	root := filepath.Join(tree(t, nil), "a\nsandbox: none")
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := text(look(t, Options{Cwd: root}), longrein.TagEnvironment); strings.Contains(got, "\nsandbox") {
		t.Errorf("got\n%s", got)
	}
}

// A log keeps only UTF-8: what it would change seems to be different when the thread
// goes on.
func TestANameThatIsNoTextIsQuoted(t *testing.T) {
	root := filepath.Join(tree(t, nil), "a\xffb")
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Skip(err)
	}
	if got := text(look(t, Options{Cwd: root}), longrein.TagEnvironment); !strings.Contains(got, `/a\xffb"`) {
		t.Errorf("got\n%q", got)
	}
}

func TestAWorkingDirectoryThatIsNoneIsAnError(t *testing.T) {
	root := tree(t, map[string]string{"file": ""})
	for name, want := range map[string]string{"gone": "does not exist; choose another one with -C", "file": "is a file; choose a folder with -C"} {
		_, err := Look(context.Background(), Options{Cwd: filepath.Join(root, name)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
		if name == "gone" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the cause is lost: %v", err)
		}
	}
	if got := Git(filepath.Join(root, "gone")); got != (Repository{}) {
		t.Errorf("got %+v", got)
	}
}

func TestACancelledLookEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Look(ctx, Options{Cwd: t.TempDir()}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkLook(b *testing.B) {
	cwd, err := os.Getwd()
	if err != nil {
		b.Fatal(err)
	}
	o := Options{Cwd: cwd, Global: b.TempDir(), Sandbox: "full"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Look(context.Background(), o); err != nil {
			b.Fatal(err)
		}
	}
}
