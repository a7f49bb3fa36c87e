package lint

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/longrein/longrein/limit"
)

// cuts says what of the files a limit leaves out. It is bad when a rule is there.
func cuts(s Subject) []Finding {
	var found []Finding
	for _, h := range s.Hits {
		f := Finding{"instructions", Note, "", h.Where}
		if h.Name == limit.LintFile.Name {
			f.Text = fmt.Sprintf("only the first %d bytes of it were looked at (limit %s)", h.Value, h.Name)
			found = append(found, f)
			continue
		}
		for _, t := range s.Texts {
			if t.Path == h.Where {
				f.State, f.Where = lost(t, h.Cut)
			}
		}
		what := "no rule is in that part"
		if f.State == Bad {
			what = "a rule is in that part"
		}
		f.Text = fmt.Sprintf("%d of the bytes of %s do not reach the model (limit %s = %d %s), and %s; shorten the file, move details into files that it names, or set limits.%s higher",
			h.Cut, filepath.Base(h.Where), h.Name, h.Value, h.Unit, what, h.Name)
		found = append(found, f)
	}
	return found
}

// lost says whether a rule stands in the last bytes of a file, which are cut, and
// where.
func lost(t Text, cut int64) (State, string) {
	kept := int(min(max(max(t.Size, int64(len(t.Text)))-cut, 0), int64(len(t.Text))))
	for _, one := range sentences(t.Text) {
		if one.at >= kept && binds(one.text) {
			return Bad, t.at(one.line)
		}
	}
	return Note, t.at(1 + strings.Count(t.Text[:kept], "\n"))
}

// hidden finds files that look as if they were read and are not.
func hidden(s Subject) []Finding {
	var found []Finding
	for _, t := range s.Texts {
		if !t.Unseen || strings.TrimSpace(t.Text) == "" {
			continue
		}
		name := filepath.Base(t.Path)
		if t.Instead == "" {
			found = append(found, Finding{"instructions", Note, fmt.Sprintf("%s is not read; if it is meant for the model, set agents_md.fallbacks = [%q]", name, name), t.Path})
			continue
		}
		own, first := onlyIn(t.Text, s.textOf(t.Instead))
		if own == 0 || strings.TrimSpace(t.Text) == "@"+filepath.Base(t.Instead) {
			continue
		}
		found = append(found, Finding{"instructions", Note, fmt.Sprintf("%s is read here and %s is not, which has %d lines that the other has not, such as %q; move what should count into one file",
			filepath.Base(t.Instead), name, own, short(first)), t.Path})
	}
	return found
}

func (s Subject) textOf(path string) string {
	for _, t := range s.Texts {
		if t.Path == path {
			return t.Text
		}
	}
	return ""
}

// onlyIn counts the lines of a text that another has not, and returns the first.
func onlyIn(text, other string) (n int, first string) {
	has := map[string]bool{"": true}
	for line := range strings.Lines(other) {
		has[strings.Join(strings.Fields(line), " ")] = true
	}
	for line := range strings.Lines(text) {
		line = strings.Join(strings.Fields(line), " ")
		if has[line] {
			continue
		}
		if n++; n == 1 {
			first = line
		}
	}
	return n, first
}
