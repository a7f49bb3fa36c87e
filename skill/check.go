package skill

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/longrein/longrein/limit"
)

// Check looks closely at what was found, for those who write skills: it adds to the
// problems of Found what is wrong with texts and with the files beside them. Its
// only error is the context's.
func (f *Found) Check(ctx context.Context, limits limit.Set) ([]Problem, error) {
	problems := append([]Problem(nil), f.Problems...)
	for _, s := range f.Skills {
		if err := ctx.Err(); err != nil {
			return problems, err
		}
		problems = append(problems, checkText(s, limits)...)
		problems = append(problems, checkFiles(ctx, s, limits)...)
	}
	return problems, ctx.Err()
}

func checkText(s Skill, limits limit.Set) []Problem {
	t, err := Load(s, limits)
	if err != nil {
		return []Problem{{Error, s.Path, 0, err.Error()}}
	}
	problems := t.Problems
	for _, h := range t.Hits {
		problems = append(problems, Problem{Warning, s.Path, 0, fmt.Sprintf(
			"a mention loads %d bytes of its text (limit %s), and %d more are left out. Move details into files beside it", h.Value, h.Name, h.Cut)})
	}
	for _, target := range targets(t.Text) {
		if _, err := os.Stat(filepath.Join(s.Folder(), filepath.FromSlash(target))); err != nil {
			problems = append(problems, Problem{Warning, s.Path, 0, fmt.Sprintf("it links to %q, which is not in its folder. Add the file or remove the link", oneLine(target))})
		}
	}
	return problems
}

var (
	markdownLink = regexp.MustCompile(`\]\(([^()<>\s#]+)(?:#[^()\s]*)?\)`)
	scheme       = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*:|/|\\|~)`)
)

// targets are the files beside a skill to which its text links, outside of code.
func targets(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, m := range markdownLink.FindAllStringSubmatch(prose(text), -1) {
		if target := m[1]; !scheme.MatchString(target) && !seen[target] {
			seen[target] = true
			out = append(out, target)
		}
	}
	return out
}

// prose is a text without what stands in code.
func prose(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n := code(text, i)
		if n == 0 {
			b.WriteByte(text[i])
			n = 1
		}
		i += n
	}
	return b.String()
}

// checkFiles looks for links in a skill's folder that lead out of it.
func checkFiles(ctx context.Context, s Skill, limits limit.Set) []Problem {
	folder, err := filepath.EvalSymlinks(s.Folder())
	if err != nil {
		return nil
	}
	var problems []Problem
	add := func(path, format string, args ...any) {
		problems = append(problems, Problem{Warning, path, 0, fmt.Sprintf(format, args...)})
	}
	looked, most := 0, limits.Int(limit.SkillEntries)
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if looked++; looked > most {
			add(s.Folder(), "it has more than %d files (limit %s), which are not all looked at. Move what the skill does not need somewhere else", most, limit.SkillEntries.Name)
			return fs.SkipAll
		}
		if err != nil || d.Type()&fs.ModeSymlink == 0 {
			return ctx.Err()
		}
		switch real, err := filepath.EvalSymlinks(path); {
		case err != nil:
			add(path, "the link leads nowhere: %s. Remove it or put it right", reason(err))
		case !inside(real, folder):
			add(path, "the link leads out of the skill's folder, to %s. Copy the file: whoever gets the skill has only its folder", visible(real))
		}
		return nil
	})
	return problems
}
