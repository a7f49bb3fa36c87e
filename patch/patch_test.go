package patch_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein/patch"
)

// apply does the first change of a patch, without its marks, to a text.
func apply(content, text string) (string, error) {
	p, err := patch.Parse("*** Begin Patch\n" + text + "\n*** End Patch\n")
	if err != nil {
		return "", err
	}
	return patch.Apply(content, p.Changes[0].Hunks)
}

func TestAPatchIsReadAsItIsWritten(t *testing.T) {
	p, err := patch.Parse(patch.Example)
	if err != nil {
		t.Fatal(err)
	}
	want := []patch.Change{
		{Kind: patch.Update, Path: "path", Hunks: []patch.Hunk{{Anchor: "optional line above", Lines: []patch.HunkLine{
			{Op: ' ', Text: "kept line"}, {Op: '-', Text: "old line"}, {Op: '+', Text: "new line"},
		}}}},
		{Kind: patch.Add, Path: "path", Text: "line\n"},
		{Kind: patch.Delete, Path: "path"},
	}
	if diff := cmp.Diff(want, p.Changes, cmp.AllowUnexported(patch.Hunk{})); diff != "" {
		t.Error(diff)
	}
}

func TestAChangeSaysWhatItComesTo(t *testing.T) {
	p, err := patch.Parse("*** Begin Patch\n*** Update File: a\n-1\n+2\n+3\n*** Update File: b\n*** Move to: c\n*** Add File: d\n+1\n*** Delete File: e\n*** End Patch")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range p.Changes {
		got = append(got, c.String())
	}
	if diff := cmp.Diff([]string{"M a (+2 -1)", "R b -> c (+0 -0)", "A d (+1)", "D e"}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a", "b", "c", "d", "e"}, p.Paths()); diff != "" {
		t.Error(diff)
	}
}

func TestAPatchNeedsBothMarks(t *testing.T) {
	for name, text := range map[string]string{"no begin": "*** Delete File: a", "cut": "*** Begin Patch\n*** Add File: a\n+1", "empty": "*** Begin Patch\n*** End Patch", "nothing": ""} {
		if _, err := patch.Parse(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The law of patches: made from a random edit and applied, a patch gives the
// edited file, or is refused because it fits twice. It never gives another one.
func TestPatchesOfRandomEdits(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		word := rapid.SampledFrom([]string{"a", "b", "  c", "", "\td", "}", "line of code();", "é€"})
		old := rapid.SliceOfN(word, 1, 30).Draw(r, "old")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(r, "end")
		last := rapid.SampledFrom([]string{"", end}).Draw(r, "last")
		if len(old) == 1 && last == "" {
			end = "\n" // there is no line end to learn from
		}
		if old[len(old)-1] == "" {
			last = end // else the last line would not be there
		}
		from := rapid.IntRange(0, len(old)).Draw(r, "from")
		to := rapid.IntRange(from, len(old)).Draw(r, "to")
		insert := rapid.SliceOfN(word, 0, 5).Draw(r, "insert")
		context := rapid.IntRange(0, 4).Draw(r, "context")

		changed := append(append(append([]string{}, old[:from]...), insert...), old[to:]...)
		if from == to && len(insert) == 0 || len(changed) == 0 || last == "" && changed[len(changed)-1] == "" {
			r.Skip()
		}
		before, after := strings.Join(old, end)+last, strings.Join(changed, end)+last
		got, err := apply(before, hunkOf(old, insert, from, to, context))
		switch {
		case err != nil && strings.Contains(err.Error(), "more than once"):
			return
		case err != nil:
			r.Fatal(err)
		case context == 0 && from == to:
			return // without any line there is only the end to add to
		}
		if got != after {
			r.Fatalf("got %q, want %q", got, after)
		}
	})
}

func hunkOf(old, insert []string, from, to, context int) string {
	var b strings.Builder
	b.WriteString("*** Update File: f\n@@\n")
	line := func(op string, lines []string) {
		for _, l := range lines {
			b.WriteString(op + l + "\n")
		}
	}
	line(" ", old[max(0, from-context):from])
	line("-", old[from:to])
	line("+", insert)
	line(" ", old[to:min(len(old), to+context)])
	return strings.TrimSuffix(b.String(), "\n")
}

// Without care, a hunk of lines that are all alike takes lines times lines.
func TestLinesThatAreAllAlikeAreQuick(t *testing.T) {
	const n = 50_000
	_, err := apply(strings.Repeat("x\n", 2*n), "*** Update File: a\n"+strings.Repeat("-x\n", n)+"-y")
	if err == nil || !strings.Contains(err.Error(), "are not there") {
		t.Error(err)
	}
	got, err := apply(strings.Repeat("x\n", n)+"y\n", "*** Update File: a\n"+strings.Repeat("-x\n", n/2)+" y")
	if err != nil || got != strings.Repeat("x\n", n/2)+"y\n" {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestHowAHunkIsFound(t *testing.T) {
	tests := map[string]struct{ text, patch, want, err string }{
		"an anchor that is only part of a line": {"func f() {\n1\n}\nfunc g() {\n1\n}\n", "*** Update File: a\n@@ func g\n-1\n+2", "func f() {\n1\n}\nfunc g() {\n2\n}\n", ""},
		"lines that overlap themselves":         {"1\n1\n1\n2\n", "*** Update File: a\n-1\n-1\n-2\n+3", "1\n3\n", ""},
		"lines that overlap, twice":             {"1\n1\n1\n", "*** Update File: a\n-1\n-1\n+3", "", "more than once, at line 1 and at line 2"},
		"the end of the file":                   {"1\n1\n1\n", "*** Update File: a\n-1\n-1\n+3\n*** End of File", "1\n3\n", ""},
		"more lines than the file has":          {"1\n", "*** Update File: a\n-1\n-2\n+3\n*** End of File", "", "not there at the end of the file"},
		"an end that is above":                  {"1\n2\n", "*** Update File: a\n-2\n+3\n@@\n-1\n+4", "", "hunk 2 of 2: its lines are at line 1, above"},
		"an end that the file does not have":    {"1\n", "*** Update File: a\n-1\n-x\n+3", "", "the file ends where the patch has"},
		"a near line":                           {"some words here\n", "*** Update File: a\n-some words there\n+x", "", `the file has "some words here" where the patch has "some words there"`},
		"no near line":                          {"1\n", "*** Update File: a\n-zzzz\n+x", "", "nothing like it"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := apply(tt.text, tt.patch)
			if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("*** Begin Patch\n*** Update File: a\n@@ x\n 1\n-2\n+3\n*** End of File\n*** End Patch", "1\n2\n")
	f.Add(patch.Example, "old line\n")
	f.Fuzz(func(t *testing.T, text, content string) {
		p, err := patch.Parse(text)
		if err != nil {
			return
		}
		if len(p.Changes) == 0 {
			t.Error("a patch without a change was read")
		}
		for _, c := range p.Changes {
			if c.Path == "" || c.String() == "" {
				t.Errorf("change = %+v", c)
			}
			if again, err := patch.Apply(content, nil); again != content || err != nil {
				t.Errorf("without hunks %q became %q, %v", content, again, err)
			}
			_, _ = patch.Apply(content, c.Hunks)
		}
	})
}
