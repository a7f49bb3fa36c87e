package memory_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/memory"
)

// cited shows a document's paragraphs with what they rest on.
func cited(d longrein.Document) map[string][]int64 {
	out := map[string][]int64{}
	for _, p := range memory.Paragraphs(d) {
		out[p.Text] = p.Seqs
	}
	return out
}

func TestCitationsAreTakenOutAndKept(t *testing.T) {
	tests := map[string]struct {
		text, want string
		seqs       map[string][]int64
		unknown    int
	}{
		"one number":                     {"A. [#12]", "A.\n", map[string][]int64{"A.": {12}}, 0},
		"several, in any order":          {"A. [#15 #12, #13]", "A.\n", map[string][]int64{"A.": {12, 13, 15}}, 0},
		"a range":                        {"A. [#12-#14]", "A.\n", map[string][]int64{"A.": {12, 13, 14}}, 0},
		"a range backwards":              {"A. [#14–12]", "A.\n", map[string][]int64{"A.": {12, 13, 14}}, 0},
		"several brackets":               {"A. [#12] [#14]", "A.\n", map[string][]int64{"A.": {12, 14}}, 0},
		"before the full stop":           {"A [#12].", "A.\n", map[string][]int64{"A.": {12}}, 0},
		"between two full stops":         {"A. [#12].", "A.\n", map[string][]int64{"A.": {12}}, 0},
		"on a line of its own":           {"A.\n[#12]", "A.\n", map[string][]int64{"A.": {12}}, 0},
		"after a blank line":             {"A.\n\n[#12]\n\nB.", "A.\n\n\nB.\n", map[string][]int64{"A.": {12}, "B.": nil}, 0},
		"each list item":                 {"- a [#1]\n- b [#2]\n  goes on [#3]\n  - c [#4]\n1. d", "- a\n- b\n  goes on\n  - c\n1. d\n", map[string][]int64{"- a": {1}, "- b\n  goes on": {2, 3}, "- c": {4}, "1. d": nil}, 0},
		"a row of a table":               {"| a | b [#5] |\n| c | d | [#6]", "| a | b |\n| c | d |\n", map[string][]int64{"| a | b |\n| c | d |": {5, 6}}, 0},
		"after a code block":             {"```\nmake\n\n- x [#1]\n```\n[#12]", "```\nmake\n\n- x [#1]\n```\n", map[string][]int64{"```\nmake\n\n- x [#1]\n```": {12}}, 0},
		"in the middle it is text":       {"See [#12] there.", "See [#12] there.\n", map[string][]int64{"See [#12] there.": nil}, 0},
		"a link is text":                 {"See [#12](https://x)", "See [#12](https://x)\n", map[string][]int64{"See [#12](https://x)": nil}, 0},
		"unknown numbers are counted":    {"A. [#12 #5000 #6000]", "A.\n", map[string][]int64{"A.": {12}}, 2},
		"a range that nothing is in":     {"A. [#5000-#6000]", "A.\n", map[string][]int64{"A.": nil}, 1},
		"an endless range":               {"A. [#1-#999999999999999999]", "A.\n", nil, 0},
		"a number that is too long":      {"A. [#9999999999999999999]", "A. [#9999999999999999999]\n", map[string][]int64{"A. [#9999999999999999999]": nil}, 0},
		"a heading is no paragraph":      {"# T [#1]\nA [#2]", "# T\nA\n", map[string][]int64{"A": {2}}, 0},
		"a citation above all":           {"[#1]\nA", "A\n", map[string][]int64{"A": nil}, 0},
		"the same paragraph twice":       {"A [#1]\n\nA [#2]", "A\n\nA\n", map[string][]int64{"A": {1, 2}}, 0},
		"other scripts":                  {"结论。[#12]", "结论。\n", map[string][]int64{"结论。": {12}}, 0},
		"something else in the brackets": {"A [#12 and #13]", "A [#12 and #13]\n", map[string][]int64{"A [#12 and #13]": nil}, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := draft("MAIN.md", "x\n")
			mustEdit(t, d, "*** Add File: a.md\n+"+strings.ReplaceAll(tt.text, "\n", "\n+"))
			doc, _ := memory.Notes{}.With(longrein.Notes{Changed: d.Documents()}).Get("a.md")
			if diff := cmp.Diff(tt.want, doc.Text); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.seqs, cited(doc)); diff != "" && tt.seqs != nil {
				t.Error(diff)
			}
			if d.Unknown() != tt.unknown {
				t.Errorf("unknown = %d, want %d", d.Unknown(), tt.unknown)
			}
		})
	}
}

func TestParagraphsKeepTheirSources(t *testing.T) {
	start := func(t *testing.T) *memory.Draft {
		d := draft("MAIN.md", "x\n")
		mustEdit(t, d, "*** Add File: a.md\n+Fact one. [#1]\n+\n+Fact two. [#2]\n+\n+- item three [#3]")
		return memory.NewDraft(notes().With(longrein.Notes{Changed: d.Documents()}), memory.DraftOptions{Folder: folder})
	}
	all := map[string][]int64{"Fact one.": {1}, "Fact two.": {2}, "- item three": {3}}
	tests := map[string]struct {
		patch, doc string
		want       map[string][]int64
	}{
		"beside an edit":                     {"*** Update File: a.md\n-Fact two.\n+Fact 2. [#9]", "a.md", map[string][]int64{"Fact one.": {1}, "Fact 2.": {9}, "- item three": {3}}},
		"in a document that is moved":        {"*** Update File: a.md\n*** Move to: b/c.md", "b/c.md", all},
		"in a document that is written anew": {"*** Add File: a.md\n+Fact two.\n+\n+Fact one.\n+- item three", "a.md", all},
		"in another document":                {"*** Delete File: a.md\n*** Add File: MAIN.md\n+Fact one.\n+  - item three", "MAIN.md", map[string][]int64{"Fact one.": {1}, "- item three": {3}}},
		"and get another":                    {"*** Update File: a.md\n-Fact one.\n+Fact one. [#7]", "a.md", map[string][]int64{"Fact one.": {1, 7}, "Fact two.": {2}, "- item three": {3}}},
		"where a patch repeats the citation": {"*** Update File: a.md\n Fact one. [#1]\n \n-Fact two. [#2]\n+Fact 2. [#2]", "a.md", map[string][]int64{"Fact one.": {1}, "Fact 2.": {2}, "- item three": {3}}},
		"below an anchor with its citation":  {"*** Update File: a.md\n@@ Fact one. [#1]\n \n-Fact two.\n+Fact two.", "a.md", all},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := start(t)
			mustEdit(t, d, tt.patch)
			for _, doc := range d.Documents() {
				if doc.Name == tt.doc {
					if diff := cmp.Diff(tt.want, cited(doc)); diff != "" {
						t.Error(diff)
					}
				}
			}
		})
	}
	t.Run("a new source alone is a change", func(t *testing.T) {
		d := start(t)
		mustEdit(t, d, "*** Update File: a.md\n-Fact one.\n+Fact one. [#7]")
		if got := texts(d.Changed()); len(got) != 1 || got["a.md"] == "" {
			t.Errorf("changed = %v", got)
		}
	})
}

func TestParagraphs(t *testing.T) {
	text := "# Title\nFirst line\nsecond line\n\n---\n* a\n  more\n\n  after a blank line\n12) b\n~~~~\n# no heading\n\n~~~\n~~~~\n\n\tindented\nTitle\n=====\n"
	var got []string
	for _, p := range memory.Paragraphs(longrein.Document{Text: text}) {
		got = append(got, p.Text)
		if len(p.Hash) != 12 {
			t.Errorf("hash = %q", p.Hash)
		}
	}
	want := []string{"First line\nsecond line", "* a\n  more", "after a blank line", "12) b\n~~~~\n# no heading\n\n~~~\n~~~~", "indented\nTitle"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
