package skill_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein/skill"
)

func TestMentions(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"both signs":                             {"use $fmt and @notes", "$fmt @notes"},
		"an environment variable":                {"use $fmt and $HOME and $Path", "$fmt"},
		"a name that goes on":                    {"$fmt-x", "$fmt-x"},
		"the end of a sentence":                  {"$fmt. @notes, (@more) \"$most\"!", "$fmt @notes @more $most"},
		"a name and a suffix":                    {"$fmt.skill", "$fmt"},
		"a file or a host after @":               {"@main.go and @example.com", ""},
		"a sign within a word":                   {"x$fmt me@fmt a-@b", ""},
		"a mail address":                         {"write to jürgen@notes or <a.b+c@fmt>", ""},
		"a path or a package":                    {"@types/node $fmt/run.sh ./@fmt", ""},
		"a sign that is doubled":                 {"$$fmt @@fmt $@fmt", ""},
		"code and shell":                         {"`$fmt` and ``a ` @fmt`` ${fmt} $fmt=1 $fmt(x) @fmt[0] $(fmt)", ""},
		"a block of code":                        {"```sh\n$fmt\n```\n$after\n~~~\n@in\n~~~\n@behind", "$after @behind"},
		"a block that does not end":              {"$before\n```\n$fmt\n", "$before"},
		"a longer fence around a shorter one":    {"````\n```\n$fmt\n```\n````\n$after", "$after"},
		"a backquote alone":                      {"it`s $fmt", "$fmt"},
		"backquotes in two paragraphs":           {"a ` b\n\n$fmt ` c", "$fmt"},
		"a link":                                 {"[$fmt](/p/fmt/SKILL.md) and [@x](<a (b)/SKILL.md>)", "[$fmt](/p/fmt/SKILL.md) [@x](a (b)/SKILL.md)"},
		"a link to the net":                      {"[@fmt](https://example.com/fmt)", ""},
		"twice":                                  {"$fmt $fmt @fmt", "$fmt @fmt"},
		"a price and a sum":                      {"$5 and $5.50 and $ 3 and US$ and @ 5", "$5"},
		"names with colons and underscores":      {"$plugin:fmt $a_b $fmt: now $fmt- now", "$plugin:fmt $a_b $fmt"},
		"between words of a script without gaps": {"用$fmt处理", "$fmt"},
		"before a letter with an accent":         {"$fmté", ""},
		"a line for each":                        {"@a\n@b\r\n\t@c", "@a @b @c"},
		"nothing":                                {"", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, m := range skill.Mentions(tt.text) {
				got = append(got, m.String())
			}
			if g := strings.Join(got, " "); g != tt.want {
				t.Errorf("mentions %q, want %q", g, tt.want)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	f := &skill.Found{Skills: []skill.Skill{
		{Name: "fmt", Path: "/one/fmt/SKILL.md"},
		{Name: "release-notes", Path: "/one/release-notes/SKILL.md"},
		{Name: "twin", Path: "/one/twin/SKILL.md"},
		{Name: "twin", Path: "/two/twin/SKILL.md"},
		{Name: "bob", Path: "/one/bob/SKILL.md"},
	}}
	tests := map[string]struct{ text, want, hint string }{
		"in the order of the list":  {"@release-notes with $fmt", "/one/fmt /one/release-notes", ""},
		"the same one twice":        {"$fmt @fmt [$fmt](/one/fmt)", "/one/fmt", ""},
		"two of a name":             {"$twin", "", `2 skills are called "twin", so none was loaded; say which: [$twin](/one/twin/SKILL.md) or [$twin](/two/twin/SKILL.md)`},
		"two of a name, and a link": {"[$twin](/two/twin/SKILL.md)", "/two/twin", ""},
		"a link to a folder":        {"[@twin](/two/twin/)", "/two/twin", ""},
		"a link under another name": {"[$that](/one/fmt/SKILL.md)", "/one/fmt", ""},
		"a link to no skill":        {"[$fmt](/three/fmt/SKILL.md)", "", "there is no skill at /three/fmt/SKILL.md, so none was loaded; there is [$fmt](/one/fmt/SKILL.md)"},
		"a link to nothing near":    {"[$xyz](/three/xyz)", "", "there is no skill at /three/xyz, so none was loaded; longrein skills list shows those there are"},
		"a slip in a name":          {"use $relaese-notes", "", "there is no skill $relaese-notes, so none was loaded; did you mean $release-notes?"},
		"another case":              {"use @Twin", "", "did you mean @twin?"},
		"people":                    {"ask @alice, @rob and @carol", "", ""},
		"variables of a program":    {"$x = $count + $i", "", ""},
		"no mention":                {"fmt the twin", "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			skills, hints := f.Resolve(tt.text)
			var folders []string
			for _, s := range skills {
				folders = append(folders, s.Folder())
			}
			if got := strings.Join(folders, " "); got != tt.want {
				t.Errorf("skills %q, want %q", got, tt.want)
			}
			if hint := strings.Join(hints, "\n"); tt.hint == "" && hint != "" || !strings.Contains(hint, tt.hint) {
				t.Errorf("hints %q, want %q", hint, tt.hint)
			}
		})
	}
}

func FuzzMentions(f *testing.F) {
	for _, seed := range []string{"$fmt", "a@b", "[$a](b)", "```\n$a", "`$a`", "用@a。", strings.Repeat("`a ", 20), "~~~~\n~~~\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range skill.Mentions(text) {
			if m.Name == "" || !strings.Contains(text, m.Sigil+m.Name) || !strings.Contains(text, m.Path) {
				t.Errorf("mention %+v is not in %q", m, text)
			}
			if alone := skill.Mentions(fmt.Sprintf("use %s now", m)); m.Path == "" && (len(alone) != 1 || alone[0] != m) {
				t.Errorf("mention %v alone is %v", m, alone)
			}
		}
	})
}
