package memory_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/memory"
)

// guarded are documents that no summarizer writes.
var guarded = []string{"TODO.md", "LEDGER.md"}

// someNotes draws notes that a thread could have.
func someNotes(r *rapid.T) memory.Notes {
	line := rapid.SampledFrom([]string{"fact", "- item", "", "# head", "other fact"})
	v := longrein.Notes{Version: 1}
	for _, name := range []string{"MAIN.md", "a.md", "b/c.md", "TODO.md", "LEDGER.md"} {
		if rapid.Bool().Draw(r, name) {
			text := strings.Join(rapid.SliceOfN(line, 0, 5).Draw(r, "lines"), "\n") + "\n"
			v.Changed = append(v.Changed, longrein.Document{Name: name, Text: text})
		}
	}
	return memory.Notes{}.With(v)
}

// someCall draws a call as a model might make it, right or wrong.
func someCall(r *rapid.T) longrein.ToolCall {
	paths := rapid.SampledFrom([]string{
		"MAIN.md", "a.md", "b/c.md", "new.txt", "TODO.md", "todo.md", "LEDGER.md", folder + "/TODO.md", "./b/../TODO.md",
		"../x.md", "/etc/passwd", "b", "A.md", "", folder + "/d/e.md",
	})
	lines := rapid.SampledFrom([]string{"fact", "fact [#3]", "- item [#4 #5]", "", "[#6-#8]", "other fact [#99999]", "text [#1] text"})
	var b strings.Builder
	for range rapid.IntRange(1, 3).Draw(r, "changes") {
		switch rapid.IntRange(0, 3).Draw(r, "kind") {
		case 0:
			b.WriteString("*** Delete File: " + paths.Draw(r, "path") + "\n")
		case 1:
			b.WriteString("*** Add File: " + paths.Draw(r, "path") + "\n")
			for _, l := range rapid.SliceOfN(lines, 0, 4).Draw(r, "lines") {
				b.WriteString("+" + l + "\n")
			}
		case 2:
			b.WriteString("*** Update File: " + paths.Draw(r, "path") + "\n*** Move to: " + paths.Draw(r, "to") + "\n")
		case 3:
			b.WriteString("*** Update File: " + paths.Draw(r, "path") + "\n-" + lines.Draw(r, "old") + "\n+" + lines.Draw(r, "new") + "\n")
		}
	}
	args, _ := json.Marshal(map[string]string{"patch": "*** Begin Patch\n" + b.String() + "*** End Patch"})
	return longrein.ToolCall{ID: "c", Name: "apply_patch", Args: string(args)}
}

func options() memory.DraftOptions {
	return memory.DraftOptions{Folder: folder, Known: func(seq int64) bool { return seq < 100 }}
}

var sameDocuments = cmpopts.EquateEmpty()

func TestLawsOfDrafts(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		base := someNotes(r)
		calls := rapid.SliceOfN(rapid.Custom(someCall), 1, 6).Draw(r, "calls")
		d := memory.NewDraft(base, options())
		for _, c := range calls {
			before := d.Documents()
			out := d.Run(c)
			if out.Status != longrein.OutputOK && cmp.Diff(before, d.Documents()) != "" {
				r.Fatalf("%s changed something: %s", out.Status, c.Args)
			}
			if out.Text == "" || out.CallID != c.ID {
				r.Fatalf("output = %+v", out)
			}
		}
		for _, name := range guarded {
			old, had := base.Get(name)
			now, has := base.With(longrein.Notes{Changed: d.Changed()}).Get(name)
			if had != has || cmp.Diff(old, now) != "" {
				r.Fatalf("%s was touched", name)
			}
		}
		after := base.With(longrein.Notes{Version: 2, By: "summarizer-1", Changed: d.Changed()})
		if diff := cmp.Diff(d.Documents(), after.Documents(), sameDocuments); diff != "" {
			r.Fatalf("what changed does not lead to the draft: %s", diff)
		}
		again := memory.NewDraft(base, options())
		for _, c := range calls {
			again.Run(c)
		}
		if diff := cmp.Diff(d.Documents(), again.Documents()); diff != "" {
			r.Fatalf("the same calls give another draft: %s", diff)
		}
		if len(memory.NewDraft(after, options()).Changed()) != 0 {
			r.Fatal("a version differs from itself")
		}
	})
}

// A paragraph keeps what it rests on wherever it is moved.
func TestCitationsSurviveMoves(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,8}( [a-z]{1,8}){0,4}`), 1, 8, rapid.ID).Draw(r, "paragraphs")
		var text strings.Builder
		want := map[string][]int64{}
		for i, w := range words {
			text.WriteString("+" + w + " [#" + string(rune('1'+i)) + "]\n+\n")
			want[w] = []int64{int64(i + 1)}
		}
		d := memory.NewDraft(memory.Notes{}, options())
		mustRun(r, d, "*** Add File: MAIN.md\n"+text.String())
		moved := rapid.Permutation(words).Draw(r, "moved")
		at := rapid.IntRange(0, len(moved)).Draw(r, "at")
		d = memory.NewDraft(memory.Notes{}.With(longrein.Notes{Changed: d.Changed()}), options())
		mustRun(r, d, "*** Add File: MAIN.md\n"+added(moved[:at])+"*** Add File: topics/x.md\n"+added(moved[at:]))
		got := map[string][]int64{}
		for _, doc := range d.Documents() {
			for _, p := range memory.Paragraphs(doc) {
				got[p.Text] = p.Seqs
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			r.Fatal(diff)
		}
	})
}

// added are paragraphs as the lines of an added file.
func added(paragraphs []string) string {
	var b strings.Builder
	b.WriteString("+# Head\n")
	for _, p := range paragraphs {
		b.WriteString("+\n+" + p + "\n")
	}
	return b.String()
}

func mustRun(r *rapid.T, d *memory.Draft, patch string) {
	r.Helper()
	args, _ := json.Marshal(map[string]string{"patch": "*** Begin Patch\n" + patch + "*** End Patch"})
	if out := d.Run(longrein.ToolCall{ID: "c", Name: "apply_patch", Args: string(args)}); out.Status != longrein.OutputOK {
		r.Fatal(out.Text)
	}
}

// However a path is written, what a draft holds has a name that is one below the
// notes folder, and is not one of the guarded documents.
func FuzzPaths(f *testing.F) {
	for _, p := range []string{"MAIN.md", folder + "/a/b.md", "../x.md", "a/../TODO.md", `a\b.md`, "TODO.MD", "//x.md", "C:x.md", "a.md/", "\x00.md", "ﬁ.md", "./LEDGER.md"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		d := draft("MAIN.md", "1\n", "TODO.md", "1\n", "LEDGER.md", "1\n")
		d.Run(call(t, "apply_patch", "patch", "*** Begin Patch\n*** Add File: "+p+"\n+2\n*** End Patch"))
		for _, tool := range []string{"read_file", "list_files", "search_files"} {
			if out := d.Run(call(t, tool, "path", p, "pattern", "x")); out.Text == "" || !utf8.ValidString(out.Text) {
				t.Errorf("%s: %+v", tool, out)
			}
		}
		for _, doc := range d.Changed() {
			for part := range strings.SplitSeq(doc.Name, "/") {
				if part == "" || part[0] == '.' || len(doc.Name) > 100 || strings.ContainsAny(part, "\\: \x00\n") {
					t.Errorf("%q became %q", p, doc.Name)
				}
			}
			for _, name := range guarded {
				if strings.EqualFold(doc.Name, name) {
					t.Errorf("%q became %s", p, doc.Name)
				}
			}
		}
	})
}

// Whatever is written, the text that stays has no citation to take out, and the
// same patch again changes nothing.
func FuzzCitations(f *testing.F) {
	for _, s := range []string{"a [#1]", "a\n\n[#1 #2].", "```\n[#1]\n```", "| a [#1] |", "[#1-#9][#2]", "- a [#1].", "a [#1] [#2", "x [#1]\r\ny", "a. [#1]. [#2]."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := draft("MAIN.md", "1\n")
		first := call(t, "apply_patch", "patch", "*** Begin Patch\n*** Add File: a.md\n+"+strings.ReplaceAll(text, "\n", "\n+")+"\n*** End Patch")
		if d.Run(first).Status != longrein.OutputOK {
			return
		}
		before := d.Documents()
		if out := d.Run(first); out.Status != longrein.OutputOK || cmp.Diff(before, d.Documents()) != "" {
			t.Errorf("again: %s", out.Text)
		}
		for _, doc := range before {
			for _, p := range memory.Paragraphs(doc) {
				for i, seq := range p.Seqs {
					if seq >= 1000 || i > 0 && seq <= p.Seqs[i-1] {
						t.Errorf("%q rests on %v", p.Text, p.Seqs)
					}
				}
			}
		}
	})
}
