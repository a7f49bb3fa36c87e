package environ

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
)

func initial(o Options, docs ...doc) Initial {
	var in Initial
	if text := permissions(o); text != "" {
		in.Entries = append(in.Entries, entry(longrein.TagPermissions, text))
	}
	if len(docs) > 0 {
		in.Entries = append(in.Entries, entry(longrein.TagInstructions, layout(docs)))
	}
	in.Entries = append(in.Entries, entry(longrein.TagEnvironment, environment(o.Cwd, Repository{}, o)))
	return in
}

func rendered(entries []longrein.Entry) string {
	var out []string
	for _, e := range entries {
		out = append(out, e.Item.(longrein.Fragment).Rendered())
	}
	return strings.Join(out, "\n")
}

func TestOnlyWhatChangedIsSaid(t *testing.T) {
	day := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	o := Options{Cwd: "/a", Now: day, Sandbox: "read-only", Approval: "never", Shell: "zsh", Model: "m"}
	lines := make([]string, 20)
	for i := range lines {
		lines[i] = fmt.Sprint("line ", i+1)
	}
	whole := strings.Join(lines, "\n")
	agents := doc{label: "AGENTS.md", text: whole}
	with := func(f func(*Options)) Options {
		p := o
		f(&p)
		return p
	}
	for name, c := range map[string]struct {
		now  Initial
		want string
	}{
		"nothing": {initial(o, agents), ""},
		"the date": {
			initial(with(func(p *Options) { p.Now = day.AddDate(0, 0, 1) }), agents),
			"<environment>\nchanged since you were told last:\ndate: 2026-12-01\n</environment>",
		},
		"a shell that is gone": {
			initial(with(func(p *Options) { p.Shell = "" }), agents),
			"<environment>\nchanged since you were told last:\nno longer said: shell\n</environment>",
		},
		"the approval policy and the folder": {
			initial(with(func(p *Options) { p.Approval, p.Cwd = "untrusted", "/b" }), agents),
			"<permissions>\nchanged since you were told last:\napproval: untrusted, the user is asked before every command that does more than read\n</permissions>\n" +
				"<environment>\nchanged since you were told last:\nworking directory: /b\n</environment>",
		},
		"one line of a file": {
			initial(o, doc{label: "AGENTS.md", text: strings.Replace(whole, "line 7\n", "line seven\n", 1)}),
			"<project_instructions>\n--- AGENTS.md (in place of lines 7 to 7) ---\nline seven\n</project_instructions>",
		},
		"a line more": {
			initial(o, doc{label: "AGENTS.md", text: whole + "\nand one"}),
			"<project_instructions>\n--- AGENTS.md (after line 20) ---\nand one\n</project_instructions>",
		},
		"more than half of a file": {
			initial(o, doc{label: "AGENTS.md", text: "line 1\nanother\nand one"}),
			"<project_instructions>\n--- AGENTS.md (new or changed, all of it) ---\nline 1\nanother\nand one\n</project_instructions>",
		},
		"no more than half of a file": {
			initial(o, doc{label: "AGENTS.md", text: "line 1\nanother"}),
			"<project_instructions>\n--- AGENTS.md (in place of lines 2 to 20) ---\nanother\n</project_instructions>",
		},
		"lines that are gone": {
			initial(o, doc{label: "AGENTS.md", text: strings.Join(lines[:18], "\n")}),
			"<project_instructions>\n--- AGENTS.md (in place of lines 19 to 20) ---\n</project_instructions>",
		},
		"a file that is gone and a new one": {
			initial(o, doc{label: "b/AGENTS.md", text: "Be brief."}),
			"<project_instructions>\n--- b/AGENTS.md (new or changed, all of it) ---\nBe brief.\n\n--- AGENTS.md (gone, it no longer counts) ---\n</project_instructions>",
		},
	} {
		if diff := cmp.Diff(c.want, rendered(c.now.Changes(initial(o, agents).Entries))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestWhatIsToldWholeTakesThePlaceOfAllBefore(t *testing.T) {
	with, without := initial(Options{Cwd: "/a", Shell: "zsh"}), initial(Options{Cwd: "/a"})
	if got := without.Changes(append(with.Entries, without.Entries...)); len(got) > 0 {
		t.Errorf("told again:\n%s", rendered(got))
	}
}

// However often things change, who has read the differences knows what is.
func TestDifferencesAddUp(t *testing.T) {
	word := rapid.SampledFrom([]string{"", "a", "b", "--- x ---", "--- AGENTS.md (gone, it no longer counts) ---", "no longer said: date", " ", "</project_instructions>"})
	text := rapid.Custom(func(t *rapid.T) string {
		return trim(strings.Join(rapid.SliceOfN(word, 1, 12).Draw(t, "lines"), "\n"))
	})
	rapid.Check(t, func(t *rapid.T) {
		var seen []longrein.Entry
		for step := range 6 {
			o := Options{
				Cwd:      rapid.SampledFrom([]string{"/a", "/b\nc", "/d: e"}).Draw(t, "cwd"),
				Sandbox:  rapid.SampledFrom([]string{"", "full", "read-only"}).Draw(t, "sandbox"),
				Approval: rapid.SampledFrom([]string{"", "never", "strange: yes"}).Draw(t, "approval"),
				Shell:    rapid.SampledFrom([]string{"", "zsh"}).Draw(t, "shell"),
			}
			var docs []doc
			for _, label := range []string{"AGENTS.md", "x/AGENTS.md (gone)", "y"} {
				if body := text.Draw(t, label); rapid.Bool().Draw(t, "there") && strings.TrimSpace(body) != "" {
					docs = append(docs, doc{label: label, text: body})
				}
			}
			now := initial(o, docs...)
			if step == 0 {
				seen = now.Entries
				continue
			}
			seen = append(seen, now.Changes(seen)...)
			if again := now.Changes(seen); len(again) > 0 {
				t.Fatalf("after it was said once, it is said again:\n%s\nseen:\n%s", rendered(again), rendered(seen))
			}
			if got, want := folded(seen).docs, folded(now.Entries).docs; got.difference(want) != "" || want.difference(got) != "" {
				t.Fatalf("got %q, want %q", got, want)
			}
		}
	})
}
