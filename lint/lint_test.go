package lint_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/lint"
)

func agents(path, text string) lint.Text {
	return lint.Text{Kind: lint.Instructions, Path: path, Text: text}
}

// want is what the one finding of a subject says; no state means none at all.
type want struct {
	state lint.State
	text  string
	where string
}

func TestCheck(t *testing.T) {
	set := limit.Set{}
	specs := func(names ...string) (out []longrein.ToolSpec) {
		for _, n := range names {
			out = append(out, longrein.ToolSpec{Name: n, Schema: json.RawMessage(`{"a":1,"b":2}`)})
		}
		return out
	}
	for name, c := range map[string]struct {
		s lint.Subject
		w want
	}{
		"nothing is there": {lint.Subject{}, want{lint.OK, "no AGENTS.md here", ""}},
		"all is well": {
			lint.Subject{Texts: []lint.Text{agents("AGENTS.md", "Use tabs.\nRun <b>make</b> <NAME>.\n")}},
			want{lint.OK, "1 files with", ""},
		},
		"a file that cannot be read": {
			lint.Subject{Warnings: []longrein.Warning{{Text: "it is a loop"}}},
			want{lint.Bad, "it is a loop", ""},
		},
		"a rule is cut off": {
			lint.Subject{
				Texts: []lint.Text{agents("/p/AGENTS.md", "Build with make.\nNever push to main.\n")},
				Hits:  []longrein.LimitHit{set.Hit(limit.Instructions, "x", 20, "/p/AGENTS.md")},
			},
			want{lint.Bad, "20 of the bytes of AGENTS.md do not reach the model (limit agents-md", "/p/AGENTS.md:2"},
		},
		"what is cut off is no rule": {
			lint.Subject{
				Texts: []lint.Text{agents("/p/AGENTS.md", "Never push to main.\nThe docs are in docs.\n")},
				Hits:  []longrein.LimitHit{set.Hit(limit.Instructions, "x", 21, "/p/AGENTS.md")},
			},
			want{lint.Note, "no rule is in that part", "/p/AGENTS.md:2"},
		},
		"another file of the folder says more": {
			lint.Subject{Texts: []lint.Text{
				agents("/p/AGENTS.md", "Use tabs.\n"),
				{Kind: lint.Instructions, Path: "/p/CLAUDE.md", Text: "Use tabs.\nRun the linter.\n", Unseen: true, Instead: "/p/AGENTS.md"},
			}},
			want{lint.Note, `AGENTS.md is read here and CLAUDE.md is not, which has 1 lines that the other has not, such as "Run the linter."`, "/p/CLAUDE.md"},
		},
		"another file of the folder says the same": {
			lint.Subject{Texts: []lint.Text{
				agents("/p/AGENTS.md", "Use  tabs.\n"),
				{Kind: lint.Instructions, Path: "/p/CLAUDE.md", Text: "Use tabs.\n\n", Unseen: true, Instead: "/p/AGENTS.md"},
			}},
			want{lint.OK, "1 files", ""},
		},
		"another file of the folder points to the first": {
			lint.Subject{Texts: []lint.Text{
				agents("/p/AGENTS.md", "Use tabs.\n"),
				{Kind: lint.Instructions, Path: "/p/CLAUDE.md", Text: "@AGENTS.md\n", Unseen: true, Instead: "/p/AGENTS.md"},
			}},
			want{lint.OK, "1 files", ""},
		},
		"a file in another tool's name": {
			lint.Subject{Texts: []lint.Text{{Kind: lint.Instructions, Path: "/p/CLAUDE.md", Text: "Use tabs.", Unseen: true}}},
			want{lint.Note, `set agents_md.fallbacks = ["CLAUDE.md"]`, "/p/CLAUDE.md"},
		},
		"two files want opposite things": {
			lint.Subject{Texts: []lint.Text{agents("/p/AGENTS.md", "# Style\n\n- Use tabs.\n"), agents("/p/sub/AGENTS.md", "Please do not use tabs!\n")}},
			want{lint.Bad, `"Please do not use tabs" is the opposite of "Use tabs" in /p/AGENTS.md:3`, "/p/sub/AGENTS.md:1"},
		},
		"two files want opposite things in other words": {
			lint.Subject{Texts: []lint.Text{agents("/p/AGENTS.md", "Avoid using global variables"), agents("/p/sub/AGENTS.md", "You must always use global variables.")}},
			want{lint.Bad, "is the opposite of", "/p/sub/AGENTS.md:1"},
		},
		"two files want the same": {
			lint.Subject{Texts: []lint.Text{agents("/a", "Don't use tabs."), agents("/b", "Never use tabs.")}},
			want{lint.OK, "2 files", ""},
		},
		"what is code is no rule": {
			lint.Subject{Texts: []lint.Text{agents("/a", "Use tabs.\n```\nnever use tabs\n<notes>\n```\nWrite `<notes>`.\n")}},
			want{lint.OK, "1 files", ""},
		},
		"two files want opposite things over and over": {
			lint.Subject{Texts: []lint.Text{agents("/a", "Use tabs.\nUse tabs.\nNever use tabs.\nDo not use tabs.\nUse tabs.\n")}},
			want{lint.Bad, `"Never use tabs" is the opposite of "Use tabs" in /a:1`, "/a:3"},
		},
		"a tag of another tool": {
			lint.Subject{Texts: []lint.Text{agents("/a", "<my_rules>\nx\n</my_rules>\n<my_rules>y</my_rules>")}},
			want{lint.Note, "<my_rules> has no meaning to the harness", "/a:1"},
		},
		"a tag of the harness": {
			lint.Subject{Texts: []lint.Text{agents("/a", "hello\n<notes>\nx\n</notes>\n")}},
			want{lint.Bad, "<notes> is how the harness marks its own fragments", "/a:2"},
		},
		"a rule that is only in a skill": {
			lint.Subject{Texts: []lint.Text{
				agents("/a", "Always run the tests."),
				{Kind: lint.Skill, Path: "/s/SKILL.md", Text: "Always run the tests.\nNever push on Friday.\n"},
			}},
			want{lint.Note, `a rule such as "Never push on Friday": the model sees it only in a window`, "/s/SKILL.md:2"},
		},
		"a rule that is only in the notes": {
			lint.Subject{Texts: []lint.Text{{Kind: lint.Notes, Path: "/n/MAIN.md", Text: "The API must stay stable. Keys must not be logged."}}},
			want{lint.Note, `2 rules such as "The API must stay stable": models rewrite the notes`, "/n/MAIN.md:1"},
		},
		"skills that have no room": {
			lint.Subject{LeftOut: []string{"deploy", "review"}},
			want{lint.Note, "2 skills not in the list that the model sees, which is full: deploy, review", ""},
		},
		"a time in the base instructions": {
			lint.Subject{Texts: []lint.Text{{Kind: lint.Base, Path: "base.md", Text: "You help.\nIt is 2026-11-30T10:00:00Z.\n"}}},
			want{lint.Note, "hold a time", "base.md:2"},
		},
		"a date in the base instructions": {
			lint.Subject{Texts: []lint.Text{{Kind: lint.Base, Path: "base.md", Text: "Today is Monday, 2026-11-30.\n"}}},
			want{lint.Note, "hold a date", "base.md:1"},
		},
		"an id in the base instructions": {
			lint.Subject{Texts: []lint.Text{{Kind: lint.Base, Path: "base.md", Text: "Session 0193f2aa-7b1c-4d5e-8f90-123456789abc"}}},
			want{lint.Note, "hold a random id", "base.md:1"},
		},
		"a date that is part of a name": {
			lint.Subject{Texts: []lint.Text{{Kind: lint.Base, Path: "base.md", Text: "Follow the format of 2024-11-05 of the protocol."}}},
			want{lint.OK, "", ""},
		},
		"base instructions with a clock": {
			lint.Subject{Settings: []lint.Settings{{"thread a", longrein.Settings{Base: "run 12ab at 10:01"}}, {"thread b", longrein.Settings{Base: "run 77f0 at 10:02"}}}},
			want{lint.Bad, "differ from those of thread a in nothing but numbers", "thread b"},
		},
		"other base instructions": {
			lint.Subject{Settings: []lint.Settings{{"thread a", longrein.Settings{Base: "be short"}}, {"thread b", longrein.Settings{Base: "be long"}}}},
			want{lint.OK, "", ""},
		},
		"tools in another order": {
			lint.Subject{Settings: []lint.Settings{{"thread a", longrein.Settings{Tools: specs("x", "y", "z")}}, {"thread b", longrein.Settings{Tools: specs("z", "x", "new")}}}},
			want{lint.Bad, "the same tools stand in another order than in thread a", "thread b"},
		},
		"one tool more": {
			lint.Subject{Settings: []lint.Settings{{"thread a", longrein.Settings{Tools: specs("x", "y")}}, {"thread b", longrein.Settings{Tools: specs("x", "new", "y")}}}},
			want{lint.OK, "", ""},
		},
		"a schema in another order": {
			lint.Subject{Settings: []lint.Settings{
				{"thread a", longrein.Settings{Tools: specs("x")}},
				{"thread b", longrein.Settings{Tools: []longrein.ToolSpec{{Name: "x", Schema: json.RawMessage(`{"b":2,"a":1}`)}}}},
			}},
			want{lint.Bad, "the schema of x is written in another order", "thread b"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			found := lint.Check(c.s)
			if len(found) != 1 {
				t.Fatalf("%d findings, want one: %+v", len(found), found)
			}
			f := found[0]
			if f.State != c.w.state || !strings.Contains(f.Text, c.w.text) || f.Where != c.w.where {
				t.Errorf("got %+v\nwant %+v", f, c.w)
			}
		})
	}
}

func TestATagThatIsNotClosedIsToldBesideItsMeaning(t *testing.T) {
	found := lint.Check(lint.Subject{Texts: []lint.Text{agents("/a", "<team_rules>\nbe kind\n")}})
	if len(found) != 2 || !strings.Contains(found[0].Text, "no meaning") || !strings.Contains(found[1].Text, "without the other") {
		t.Errorf("got %+v", found)
	}
}

func TestManyFindingsOfAKindAreCounted(t *testing.T) {
	var text strings.Builder
	for _, w := range []string{"a_a", "b_b", "c_c", "d_d"} {
		text.WriteString("<" + w + ">x</" + w + ">\n")
	}
	text.WriteString("<goal>x</goal>\n")
	found := lint.Check(lint.Subject{Texts: []lint.Text{agents("/a", text.String())}, Limits: limit.Set{limit.LintFindings.Name: 2}})
	if len(found) != 3 || found[0].State != lint.Bad || !strings.Contains(found[2].Text, "3 more like these") {
		t.Errorf("got %+v, want the worst first and the rest counted", found)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("Use tabs. Never use tabs.\n<notes>", "```\n~~~", int64(3))
	f.Add("é’s must; don’t!", "<a_b></a_b></a_b>\r\n", int64(-1))
	f.Fuzz(func(t *testing.T, a, b string, cut int64) {
		s := lint.Subject{
			Texts: []lint.Text{
				agents("/a", a),
				{Kind: lint.Base, Path: "base", Text: b},
				{Kind: lint.Skill, Path: "/s", Text: a},
				{Kind: lint.Instructions, Path: "/b", Text: b, Unseen: true, Instead: "/a"},
			},
			Hits: []longrein.LimitHit{limit.Set{}.Hit(limit.Instructions, "x", cut, "/a")},
		}
		for _, found := range lint.Check(s) {
			if found.Text == "" || found.What == "" {
				t.Errorf("an empty finding: %+v", found)
			}
		}
	})
}

// A second one of a kind does not close the first.
func TestTagsThatStandAlone(t *testing.T) {
	for text, line := range map[string]string{
		"<my_rules>\n<my_rules>":                   "/a:1",
		"</my_rules>\n</my_rules>":                 "/a:1",
		"</my_rules>\n<my_rules>":                  "/a:1",
		"<my_rules>\n</my_rules>\n</my_rules>":     "/a:3",
		"<my_rules>\n<my_rules>\n</my_rules>\nend": "/a:1",
	} {
		found := lint.Check(lint.Subject{Texts: []lint.Text{agents("/a", text)}})
		if len(found) != 2 || !strings.Contains(found[1].Text, "opened or closed without the other") || found[1].Where != line {
			t.Errorf("%q: %+v, want one that stands alone at %s", text, found, line)
		}
	}
}
