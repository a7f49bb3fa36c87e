package environ

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// repo is files in a repository.
func repo(t *testing.T, files map[string]string) string {
	t.Helper()
	root := tree(t, files)
	write(t, filepath.Join(root, ".git/HEAD"), "ref: refs/heads/main\n")
	return root
}

func room(bytes int64) limit.Set { return limit.Set{limit.Instructions.Name: bytes} }

func TestTheFirstFileOfAFolderCounts(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"the override before the usual": {map[string]string{"AGENTS.md": "usual", "AGENTS.override.md": "override"}, "--- AGENTS.override.md ---\noverride"},
		"the usual before a fallback":   {map[string]string{"AGENTS.md": "usual", "A.md": "a"}, "--- AGENTS.md ---\nusual"},
		"the first fallback":            {map[string]string{"B.md": "b", "A.md": "a"}, "--- A.md ---\na"},
		"a folder of that name":         {map[string]string{"AGENTS.md/x": "", "B.md": "b"}, "--- B.md ---\nb"},
		"an empty override hides":       {map[string]string{"AGENTS.override.md": " \n", "AGENTS.md": "usual"}, ""},
		"a byte order mark":             {map[string]string{"AGENTS.md": "\uFEFFx\r\ny\rz"}, "--- AGENTS.md ---\nx\ny\rz"},
	} {
		in := look(t, Options{Cwd: repo(t, c.files), Fallbacks: []string{"A.md", " ", "B.md"}})
		if got := text(in, longrein.TagInstructions); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		if len(in.Hits)+len(in.Warnings) > 0 {
			t.Errorf("%s: hits %v, warnings %v", name, in.Hits, in.Warnings)
		}
	}
}

func TestTheDeepestFilesAreKeptFirst(t *testing.T) {
	root := repo(t, map[string]string{
		"AGENTS.md":     "root 1\nroot 2\n",
		"a/AGENTS.md":   "middle 1\nmiddle 2\n",
		"a/b/AGENTS.md": "deep 1\n",
	})
	in := look(t, Options{Cwd: filepath.Join(root, "a/b"), Limits: room(18)})
	want := fmt.Sprintf("--- AGENTS.md ---\n[cut: 14 of 14 bytes of %[1]s/AGENTS.md left out; read the file]\n\n"+
		"--- a/AGENTS.md ---\nmiddle 1\n[cut: 9 of 18 bytes of %[1]s/a/AGENTS.md left out; read the file]\n\n"+
		"--- a/b/AGENTS.md ---\ndeep 1", root)
	if diff := cmp.Diff(want, text(in, longrein.TagInstructions)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	hit := func(file string, line int, cut int64) longrein.LimitHit {
		path := filepath.Join(root, file)
		return longrein.LimitHit{Name: "agents-md", Value: 18, Unit: "bytes", What: fmt.Sprintf("%s from line %d on", path, line), Cut: cut, Where: path}
	}
	if diff := cmp.Diff([]longrein.LimitHit{hit("a/AGENTS.md", 2, 9), hit("AGENTS.md", 1, 14)}, in.Hits); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
}

func TestALineWithoutEndIsCutBetweenCharacters(t *testing.T) {
	in := look(t, Options{Cwd: repo(t, map[string]string{"AGENTS.md": "語語語語"}), Limits: room(8)})
	got := text(in, longrein.TagInstructions)
	if !strings.HasPrefix(got, "--- AGENTS.md ---\n語語\n[cut: 6 of 12 bytes of ") {
		t.Errorf("got %q", got)
	}
}

// A file cannot seem to be several, and neither can a name that stands in a mark.
func TestNoLineOfAFilePassesForAHeading(t *testing.T) {
	root := repo(t, map[string]string{
		"AGENTS.md":                 "--- a ---\n--- b --- \t\n--- c ---\r\n---  ---\n----\n--- d",
		"x\n--- y ---\nz/AGENTS.md": "one\ntwo\n",
	})
	in := look(t, Options{Cwd: filepath.Join(root, "x\n--- y ---\nz"), Limits: room(4)})
	for line := range strings.Lines(text(in, longrein.TagInstructions)) {
		if line = strings.TrimSpace(line); isHeading(line) && line != "--- AGENTS.md ---" && !strings.Contains(line, `"x\n--- y ---\nz/AGENTS.md"`) {
			t.Errorf("%q passes for a heading", line)
		}
	}
	if strings.Contains(in.Hits[0].What, "\n") {
		t.Errorf("%q passes for several lines", in.Hits[0].What)
	}
	whole := text(look(t, Options{Cwd: root}), longrein.TagInstructions)
	if want := "--- AGENTS.md ---\n --- a ---\n --- b --- \t\n --- c ---\n ---  ---\n----\n--- d"; whole != want {
		t.Errorf("got %q, want %q", whole, want)
	}
}

func TestTheUsersOwnInstructionsHaveRoomOfTheirOwn(t *testing.T) {
	home := tree(t, map[string]string{"AGENTS.md": "one\ntwo\n"})
	in := look(t, Options{
		Cwd: repo(t, map[string]string{"AGENTS.md": "project"}), Global: home,
		Limits: limit.Set{limit.GlobalInstructions.Name: 5, limit.Instructions.Name: 7},
	})
	want := fmt.Sprintf("--- %[1]s/AGENTS.md (for all projects) ---\none\n[cut: 4 of 8 bytes of %[1]s/AGENTS.md left out; read the file]\n\n--- AGENTS.md ---\nproject", home)
	if diff := cmp.Diff(want, text(in, longrein.TagInstructions)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(in.Hits) != 1 || in.Hits[0].Name != limit.GlobalInstructions.Name {
		t.Errorf("hits %v", in.Hits)
	}
}

func TestAHugeFileIsReadInPart(t *testing.T) {
	root := repo(t, map[string]string{"AGENTS.md": strings.Repeat("a line\n", 100)})
	if err := os.Truncate(filepath.Join(root, "AGENTS.md"), 1<<30); err != nil {
		t.Skip(err)
	}
	in := look(t, Options{Cwd: root, Limits: room(100)})
	if len(in.Hits) != 1 || in.Hits[0].Cut != 1<<30-98 {
		t.Errorf("hits %v", in.Hits)
	}
}

func TestFilesThatCannotBeUsedAreTold(t *testing.T) {
	secret := tree(t, map[string]string{"id": "private"})
	for name, c := range map[string]struct {
		make func(path string) error
		want string
	}{
		"a pipe":                 {func(p string) error { return syscall.Mkfifo(p, 0o600) }, "it is a named pipe"},
		"a device":               {func(p string) error { return syscall.Mknod(p, syscall.S_IFCHR|0o600, 1<<8|3) }, "it is a device"},
		"a link to a device":     {func(p string) error { return os.Symlink("/dev/zero", p) }, "leads out of the project"},
		"a link to itself":       {func(p string) error { return os.Symlink(filepath.Base(p), p) }, "too many levels of symbolic links"},
		"a link to nothing":      {func(p string) error { return os.Symlink("nowhere", p) }, "a link to a file that does not exist"},
		"a link out of it":       {func(p string) error { return os.Symlink(filepath.Join(secret, "id"), p) }, "leads out of the project"},
		"a link up out of it":    {func(p string) error { return os.Symlink("../../../../../../../../etc/passwd", p) }, "leads out of the project"},
		"a file not for us":      {func(p string) error { return os.WriteFile(p, []byte("x"), 0) }, "permission denied"},
		"bytes that are no text": {func(p string) error { return os.WriteFile(p, []byte("a\xff\xfeb"), 0o600) }, "is not UTF-8 everywhere"},
	} {
		root := repo(t, map[string]string{"sub/AGENTS.md": "below"})
		if err := c.make(filepath.Join(root, "AGENTS.md")); err != nil {
			t.Logf("%s: not possible here: %v", name, err)
			continue
		}
		if name == "a file not for us" && os.Getuid() == 0 {
			continue
		}
		in := look(t, Options{Cwd: filepath.Join(root, "sub")})
		got := text(in, longrein.TagInstructions)
		if len(in.Warnings) != 1 || !strings.Contains(in.Warnings[0].Text, c.want) || !strings.Contains(in.Warnings[0].Text, filepath.Join(root, "AGENTS.md")) {
			t.Errorf("%s: warnings %v, want %q", name, in.Warnings, c.want)
		}
		if !strings.HasSuffix(got, "--- sub/AGENTS.md ---\nbelow") || strings.Contains(got, "private") || !utf8.ValidString(got) {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestALinkInsideTheProjectIsFollowed(t *testing.T) {
	root := repo(t, map[string]string{"docs/rules.md": "rules"})
	if err := os.Symlink("docs/rules.md", filepath.Join(root, "AGENTS.md")); err != nil {
		t.Skip(err)
	}
	if got, want := text(look(t, Options{Cwd: root}), longrein.TagInstructions), "--- AGENTS.md ---\nrules"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestALinkedWorkingDirectoryHasTheRepositoryItIsIn(t *testing.T) {
	root := repo(t, map[string]string{"AGENTS.md": "root", "sub/x": ""})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(root, "sub"), link); err != nil {
		t.Skip(err)
	}
	in := look(t, Options{Cwd: link})
	if in.Root != root || !strings.Contains(text(in, longrein.TagInstructions), "root") {
		t.Errorf("root %q", in.Root)
	}
}

// However the files are, the text has at most the room there is, is UTF-8, and
// every byte that is missing is accounted for.
func TestCleanedTextFitsAndIsAccountedFor(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "\n", "\r\n", "\r", "語", "🦀", "\xff", "\xe8\xaa", "\uFFFD", " "})
	rapid.Check(t, func(t *rapid.T) {
		mark := rapid.SampledFrom([]string{"", "\uFEFF"}).Draw(t, "byte order mark")
		raw := mark + strings.Join(rapid.SliceOfN(part, 0, 60).Draw(t, "parts"), "")
		room := rapid.Int64Range(0, 80).Draw(t, "room")
		c := clean([]byte(raw), room, false)
		if int64(len(c.text)) > room || !utf8.ValidString(c.text) || c.kept > len(raw) {
			t.Errorf("got %+v", c)
		}
		rest, whole := clean([]byte(raw[c.kept:]), 1<<20, false), clean([]byte(raw), 1<<20, false)
		if c.text+rest.text != whole.text {
			t.Errorf("%q and then %q, want %q", c.text, rest.text, whole.text)
		}
		if c.kept < len(raw) && strings.Contains(c.text, "\n") && !strings.HasSuffix(c.text, "\n") {
			t.Errorf("%q is not cut at a line end", c.text)
		}
	})
}

func FuzzClean(f *testing.F) {
	f.Add([]byte("\uFEFFone\r\ntwo\xff"), 5, true)
	f.Fuzz(func(t *testing.T, raw []byte, room int, more bool) {
		c := clean(raw, int64(room), more)
		if room >= 0 && len(c.text) > room || !utf8.ValidString(c.text) || c.kept > len(raw) {
			t.Errorf("got %+v", c)
		}
	})
}
