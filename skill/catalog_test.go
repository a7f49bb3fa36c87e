package skill_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/skill"
)

func TestRoots(t *testing.T) {
	p := skill.Places{Cwd: "/p/a/b", Project: "/p", Config: "/c", Home: "/h", Extra: []string{"/x", "/c/skills"}}
	var got []string
	for _, r := range p.Roots() {
		got = append(got, string(r.Level)+" "+r.Path)
	}
	want := []string{
		"project /p/a/b/.longrein/skills", "project /p/a/b/.agents/skills", "project /p/a/b/.claude/skills",
		"project /p/a/.longrein/skills", "project /p/a/.agents/skills", "project /p/a/.claude/skills",
		"project /p/.longrein/skills", "project /p/.agents/skills", "project /p/.claude/skills",
		"user /c/skills", "user /h/.agents/skills", "user /h/.claude/skills", "plugin /x",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("roots (-want +got):\n%s", diff)
	}
}

func TestRootsOfAHomeThatIsAProject(t *testing.T) {
	var got []string
	for _, r := range (skill.Places{Cwd: "/h", Project: "/h", Home: "/h"}).Roots() {
		got = append(got, string(r.Level)+" "+r.Path)
	}
	want := []string{"project /h/.longrein/skills", "user /h/.agents/skills", "user /h/.claude/skills"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("roots (-want +got):\n%s", diff)
	}
}

func TestRootsOutsideOfAProject(t *testing.T) {
	for _, project := range []string{"", "/elsewhere"} {
		if got := (skill.Places{Cwd: "/p/a", Project: project}).Roots(); len(got) != 3 || got[0].Path != "/p/a/.longrein/skills" {
			t.Errorf("project %q: roots %v", project, got)
		}
	}
}

// good writes a skill of that name into a folder.
func good(tb testing.TB, folder, name string) string {
	tb.Helper()
	return write(tb, filepath.Join(folder, name, "SKILL.md"), head("name: "+name, "description: Does "+name+"."))
}

func symlink(tb testing.TB, to, at string) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		tb.Fatal(err)
	}
	if err := os.Symlink(to, at); err != nil {
		tb.Skip("no links here:", err)
	}
}

// folder is a new folder without links in its path.
func folder(tb testing.TB) string {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	return dir
}

// paths are those of the skills, below a folder.
func paths(f *skill.Found, below string) string {
	var all []string
	for _, s := range f.Skills {
		all = append(all, strings.TrimPrefix(filepath.Dir(s.Path), below+"/"))
	}
	return strings.Join(all, " ")
}

func TestLook(t *testing.T) {
	tests := map[string]struct {
		make  func(t *testing.T, dir string) // the project is dir/p, its root for skills dir/p/s, the user's dir/u
		want  string                         // the skills
		wrong string                         // a problem, "" for none
	}{
		"nothing there": {func(*testing.T, string) {}, "", ""},
		"skills in order of roots, then by name": {func(t *testing.T, dir string) {
			good(t, dir+"/u", "a")
			good(t, dir+"/p/s", "c")
			good(t, dir+"/p/s", "b")
			good(t, dir+"/p/s/deep/deeper", "d")
		}, "p/s/b p/s/c p/s/deep/deeper/d u/a", ""},
		"what lies in a skill is the skill's": {func(t *testing.T, dir string) {
			good(t, dir+"/p/s", "a")
			good(t, dir+"/p/s/a/assets", "b")
		}, "p/s/a", ""},
		"hidden folders are passed over": {func(t *testing.T, dir string) {
			good(t, dir+"/p/s/.git", "a")
		}, "", ""},
		"a bad one beside a good one": {func(t *testing.T, dir string) {
			good(t, dir+"/p/s", "a")
			write(t, dir+"/p/s/b/SKILL.md", "# B\n")
		}, "p/s/a", "s/b/SKILL.md:1: it does not begin with a front matter"},
		"another case of the file's name": {func(t *testing.T, dir string) {
			write(t, dir+"/p/s/b/Skill.md", head("description: B."))
		}, "", "s/b/Skill.md: a skill's file has to be called SKILL.md"},
		"a folder called SKILL.md": {func(t *testing.T, dir string) {
			good(t, dir+"/p/s/b", "SKILL.md")
		}, "", "s/b/SKILL.md: it cannot be read, so the skill is not there: it is a folder"},
		"a root that is a file": {func(t *testing.T, dir string) {
			write(t, dir+"/p/s", "")
		}, "", "p/s: it has to be a folder"},
		"a root that is a skill itself, and has more": {func(t *testing.T, dir string) {
			write(t, dir+"/p/s/SKILL.md", head("name: s", "description: S."))
			good(t, dir+"/p/s", "a")
		}, "p/s/a p/s", ""},
		"two of a name": {func(t *testing.T, dir string) {
			good(t, dir+"/p/s", "a")
			good(t, dir+"/u", "a")
		}, "p/s/a u/a", `u/a/SKILL.md: "a" is also the name of`},
		"a link in a project to a folder in it": {func(t *testing.T, dir string) {
			good(t, dir+"/p/tools", "a")
			symlink(t, "../tools/a", dir+"/p/s/a")
		}, "p/s/a", ""},
		"a link in a project out of it": {func(t *testing.T, dir string) {
			good(t, dir, "a")
			symlink(t, dir+"/a", dir+"/p/s/a")
		}, "", "p/s/a: it leads to "},
		"a file that is a link out of the project": {func(t *testing.T, dir string) {
			good(t, dir, "a")
			symlink(t, dir+"/a/SKILL.md", dir+"/p/s/a/SKILL.md")
		}, "", "/p, and was not followed"},
		"a root that is a link out of the project": {func(t *testing.T, dir string) {
			good(t, dir+"/elsewhere", "a")
			symlink(t, dir+"/elsewhere", dir+"/p/s")
		}, "", "p/s: it leads to "},
		"a link of the user's own": {func(t *testing.T, dir string) {
			good(t, dir, "a")
			symlink(t, dir+"/a", dir+"/u/a")
		}, "u/a", "the link leads out of"},
		"a link to a file": {func(t *testing.T, dir string) {
			symlink(t, write(t, dir+"/p/x", ""), dir+"/p/s/x")
		}, "", ""},
		"a link to nothing": {func(t *testing.T, dir string) {
			symlink(t, "nothing", dir+"/p/s/x")
		}, "", "s/x: the link leads nowhere"},
		"a link to itself": {func(t *testing.T, dir string) {
			symlink(t, "x", dir+"/p/s/x")
		}, "", "s/x: the link leads nowhere"},
		"a link back to a folder around it": {func(t *testing.T, dir string) {
			good(t, dir+"/p/s/more", "a")
			symlink(t, "..", dir+"/p/s/more/up")
		}, "p/s/more/a", "up: the link leads back to "},
		"two folders that lead to each other": {func(t *testing.T, dir string) {
			good(t, dir+"/p/s/one", "a")
			good(t, dir+"/p/s/two", "b")
			symlink(t, "../two", dir+"/p/s/one/two")
			symlink(t, "../one", dir+"/p/s/two/one")
		}, "p/s/one/a p/s/one/two/b", "s/two: it is the same folder as"},
		"the same folder by two paths": {func(t *testing.T, dir string) {
			good(t, dir+"/p/s", "a")
			symlink(t, dir+"/p/s", dir+"/u")
		}, "p/s/a", "u: it is the same folder as "},
		"a path that no line can hold": {func(t *testing.T, dir string) {
			good(t, dir+"/p/s/a\nb", "a")
		}, "", `/p/s/a\nb/a/SKILL.md": its path cannot be shown to a model`},
		"a path that ends a fragment": {func(t *testing.T, dir string) {
			good(t, dir+"/p/s/a<", "skill>")
		}, "", "/p/s/a</skill>/SKILL.md: its path cannot be shown to a model"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := folder(t)
			if err := os.Mkdir(dir+"/p", 0o700); err != nil {
				t.Fatal(err)
			}
			tt.make(t, dir)
			f, err := skill.Find(context.Background(), []skill.Root{
				{Path: dir + "/p/s", Level: skill.LevelProject, Within: dir + "/p"}, {Path: dir + "/u", Level: skill.LevelUser},
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := paths(f, dir); got != tt.want {
				t.Errorf("skills %q, want %q", got, tt.want)
			}
			expectProblem(t, f.Problems, tt.wrong)
		})
	}
}

func TestLookIsBounded(t *testing.T) {
	dir := folder(t)
	for i := range 30 {
		good(t, dir, fmt.Sprintf("s%02d", i))
	}
	good(t, dir+"/x/x/x", "deep")
	for i := range 200 {
		write(t, fmt.Sprintf("%s/many/%03d", dir, i), "")
	}
	tests := map[string]struct {
		limits limit.Set
		skills int
		want   string
	}{
		"with room for all":       {nil, 31, ""},
		"folders that are many":   {set(t, limit.SkillFolders, 10), 8, "not all folders in " + dir + " are looked at (limit skill-folders = 10)"},
		"folders that are deep":   {set(t, limit.SkillDepth, 2), 30, "folders that lie too deep in " + dir + " are not looked at (limit skill-depth = 2)"},
		"names that are too many": {set(t, limit.SkillEntries, 100), 30, "not everything in " + dir + "/many is looked at (limit skill-entries = 100)"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, err := skill.Find(context.Background(), []skill.Root{{Path: dir, Level: skill.LevelUser}}, tt.limits)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Skills) != tt.skills || (len(f.Hits) == 0) != (tt.want == "") {
				t.Errorf("%d skills, want %d; hits %v", len(f.Skills), tt.skills, f.Hits)
			}
			expectProblem(t, f.Problems, tt.want)
		})
	}
}

func TestLookNoticesWhatChanged(t *testing.T) {
	dir := folder(t)
	roots := []skill.Root{{Path: dir, Level: skill.LevelUser}}
	a := good(t, dir, "a")
	good(t, dir+"/more", "b")
	age(t, dir)
	var c skill.Catalog
	last := look(t, &c, roots)
	steps := []struct {
		what string
		do   func()
		want string
	}{
		{"nothing", func() {}, "a more/b"},
		{"a new skill", func() { good(t, dir, "c") }, "a c more/b"},
		{"a new skill, deeper", func() { good(t, dir+"/more", "d") }, "a c more/b more/d"},
		{"another description of the same size", func() { write(t, a, head("name: a", "description: Xoes a.")) }, "a c more/b more/d"},
		{"a skill that has gone bad", func() { write(t, a, "gone") }, "c more/b more/d"},
		{"a skill that is good again", func() { good(t, dir, "a") }, "a c more/b more/d"},
		{"a skill that is gone", func() { os.RemoveAll(dir + "/a") }, "c more/b more/d"},
		{"a folder in its place", func() { good(t, dir+"/a", "e") }, "c a/e more/b more/d"},
	}
	for _, s := range steps {
		s.do()
		f := look(t, &c, roots)
		byName := map[string]bool{}
		for _, p := range strings.Fields(paths(f, dir)) {
			byName[p] = true
		}
		for _, p := range strings.Fields(s.want) {
			if !byName[p] || len(byName) != len(strings.Fields(s.want)) {
				t.Errorf("%s: skills %q, want %q", s.what, paths(f, dir), s.want)
			}
		}
		if (f == last) != (s.what == "nothing") {
			t.Errorf("%s: the same result %v", s.what, f == last)
		}
		last = f
	}
}

func TestLookReadsNothingThatIsAsItWas(t *testing.T) {
	dir := folder(t)
	roots := []skill.Root{{Path: dir, Level: skill.LevelUser}}
	path := good(t, dir, "a")
	age(t, dir)
	var c skill.Catalog
	first := look(t, &c, roots)

	// A file of the same size and time passes for the one that was read.
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, strings.Repeat("x", int(info.Size())))
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if look(t, &c, roots) != first {
		t.Error("a file with the same size and time was read again")
	}
	// One that was written a moment ago is not relied on, and says the same.
	good(t, dir, "a")
	now := time.Now()
	if err := os.Chtimes(path, now, now); err != nil {
		t.Fatal(err)
	}
	if look(t, &c, roots) != first {
		t.Error("a file that says the same gave another result")
	}
}

func TestLookEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := skill.Find(ctx, many(t, 3), nil); err == nil {
		t.Error("no error")
	}
}

func TestWarningsAreFew(t *testing.T) {
	dir := folder(t)
	for i := range 30 {
		write(t, fmt.Sprintf("%s/s%02d/SKILL.md", dir, i), "")
	}
	f := look(t, new(skill.Catalog), []skill.Root{{Path: dir, Level: skill.LevelUser}})
	got := f.Warnings(set(t, limit.SkillsNamed, 5))
	if len(got) != 6 || !strings.HasPrefix(got[5].Text, "25 more problems with skills (limit skills-named = 5)") {
		t.Errorf("warnings %v", got)
	}
}
