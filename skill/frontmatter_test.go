package skill_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/skill"
)

const fmtPath = "/p/.agents/skills/fmt/SKILL.md"

func TestParse(t *testing.T) {
	raw := "---\nname: fmt\ndescription: >\n  Formats Go code.\n  Use it before a commit.\nlicense: MIT\ncompatibility: Needs Go\n" +
		"allowed-tools: Bash(git add *) Read\nmetadata:\n  author: somebody\n  requires-env: A_KEY, B_KEY A_KEY\nfurther: thing\n---\n\nText.\n"
	got, problems, ok := skill.Parse(fmtPath, []byte(raw), nil)
	want := skill.Skill{
		Name: "fmt", Description: "Formats Go code. Use it before a commit.", License: "MIT", Compatibility: "Needs Go",
		Tools:    []string{"Bash(git add *)", "Read"},
		Metadata: map[string]string{"author": "somebody", "requires-env": "A_KEY B_KEY A_KEY"},
		Env:      []string{"A_KEY", "B_KEY"},
		Path:     fmtPath,
	}
	if diff := cmp.Diff(want, got); diff != "" || !ok || len(problems) > 0 {
		t.Errorf("ok %v, problems %v, skill (-want +got):\n%s", ok, problems, diff)
	}
}

// set returns limits with one of them set.
func set(tb testing.TB, l *limit.Limit, v int64) limit.Set {
	tb.Helper()
	limits, err := limit.Set{}.With(l.Name, v)
	if err != nil {
		tb.Fatal(err)
	}
	return limits
}

// head is a SKILL.md with this front matter.
func head(lines ...string) string { return "---\n" + strings.Join(lines, "\n") + "\n---\nText.\n" }

func TestParseTellsWhatIsWrong(t *testing.T) {
	described := "description: Formats."
	tests := map[string]struct {
		raw  string
		name string // of the skill; empty when there is none
		want string // the problem, "" for none
	}{
		"nothing is wrong":                     {head("name: fmt", described), "fmt", ""},
		"a blank file":                         {"", "", "SKILL.md:1: it does not begin with a front matter"},
		"a text alone":                         {"# Fmt\n", "", ":1: it does not begin with a front matter"},
		"a blank line first":                   {"\n" + head("name: fmt", described), "", ":1: it does not begin with a front matter"},
		"a front matter without an end":        {"---\nname: fmt\n" + described + "\n", "", "does not end"},
		"a front matter over its limit":        {head("name: fmt", described, "x: "+strings.Repeat("y", 5000)), "", "more than 4096 bytes (limit skill-front-matter)"},
		"over its limit and no end in sight":   {"---\nname: fmt\nx: " + strings.Repeat("y", 5000), "", "more than 4096 bytes (limit skill-front-matter)"},
		"an empty front matter":                {"---\n---\n", "", "no description"},
		"a list for a mapping":                 {head("- name"), "", `no lines of the form "key: value"`},
		"no name":                              {head(described), "fmt", `SKILL.md:1: it has no name; that of its folder was taken. Add "name: fmt"`},
		"an empty name":                        {head("name:", described), "fmt", "SKILL.md:2: it has no name"},
		"a name with a slash":                  {head("name: go/fmt", described), "go-fmt", `SKILL.md:2: the name "go/fmt" may have only a to z`},
		"a name with capitals and spaces":      {head("name: Go  Fmt!", described), "go-fmt", `it is called "go-fmt" here`},
		"a name with dots to another folder":   {head("name: ../../etc", described), "etc", `it is called "etc" here`},
		"a name without a usable letter":       {head("name: 整形", described), "fmt", `it is called "fmt" here`},
		"a name that is too long":              {head("name: "+strings.Repeat("long-", 20), described), strings.TrimSuffix(strings.Repeat("long-", 13)[:64], "-"), "more than 64 characters (limit skill-name)"},
		"a name that is not the folder's":      {head("name: format", described), "format", `its name is "format" and its folder's is "fmt"`},
		"a name that is a list":                {head("name: [a, b]", described), "fmt", "name has to be a text"},
		"no description":                       {head("name: fmt"), "", "it has no description"},
		"a blank description":                  {head("name: fmt", `description: " "`), "", "SKILL.md:3: it has no description"},
		"a description that is a mapping":      {head("name: fmt", "description: {a: b}"), "", "description has to be a text"},
		"a description that is a number":       {head("name: fmt", "description: 42"), "fmt", ""},
		"a description that is too long":       {head("name: fmt", "description: "+strings.Repeat("ä", 1025)), "fmt", "more than 1024 characters (limit skill-description)"},
		"a slip in a key":                      {head("name: fmt", "descripton: Formats."), "", `SKILL.md:3: there is no key "descripton"; did you mean "description"?`},
		"a key twice":                          {head("name: fmt", "name: other", described), "fmt", `SKILL.md:3: "name" stands there twice`},
		"a colon in the description":           {head("name: fmt", "description: Use when: it is late"), "fmt", "SKILL.md:3: the value has characters that mean something in YAML"},
		"an at sign at the description's head": {head("name: fmt", "description: @fmt formats"), "fmt", "SKILL.md:3: the value has"},
		"a tab before a key":                   {head("name: fmt", described, "metadata:", "\tauthor: me"), "fmt", "SKILL.md:5: the line begins with a tab"},
		"YAML that is beyond repair":           {head("name: fmt", "description: \"Formats"), "", "no valid YAML"},
		"a control character":                  {head("name: fmt", "description: a\x00b"), "", "no valid YAML"},
		"bytes that are no UTF-8":              {head("name: fmt", "description: a\xffb"), "fmt", "SKILL.md:3: it is not UTF-8 here"},
		"an alias":                             {head("name: &n fmt", described, "license: *n"), "fmt", "SKILL.md:4: license refers to another value"},
		"a byte order mark":                    {"\uFEFF" + head("name: fmt", described), "fmt", "byte order mark"},
		"lines that end in CR LF":              {strings.ReplaceAll(head("name: fmt", described), "\n", "\r\n"), "fmt", "CR LF"},
		"a variable that is none":              {head("name: fmt", described, "metadata:", "  env: A-KEY B"), "fmt", `SKILL.md:5: "A-KEY" in env is no name`},
		"metadata that is a text":              {head("name: fmt", described, "metadata: me"), "fmt", "metadata has to have lines"},
		"metadata of several storeys":          {head("name: fmt", described, "metadata:", "  a: {b: c}"), "fmt", `metadata "a" is no text`},
		"hidden characters in the description": {head("name: fmt", "description: \"For\u202Emats\U000E0041.\\u0007\""), "fmt", ""},
	}
	limits := set(t, limit.SkillFrontMatter, 4096)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, problems, ok := skill.Parse(fmtPath, []byte(tt.raw), limits)
			expectProblem(t, problems, tt.want)
			if ok != (tt.name != "") || ok && s.Name != tt.name {
				t.Errorf("skill %q, ok %v; want %q", s.Name, ok, tt.name)
			}
		})
	}
}

// expectProblem checks that one of the problems has a text in it, or that there is none.
func expectProblem(t *testing.T, problems []skill.Problem, want string) {
	t.Helper()
	var all []string
	for _, p := range problems {
		all = append(all, p.String())
	}
	text := strings.Join(all, "\n")
	if want == "" && text != "" || !strings.Contains(text, want) {
		t.Errorf("problems %q, want %q", text, want)
	}
}

func TestAliasesThatGrowAreNotFollowed(t *testing.T) {
	var b strings.Builder
	b.WriteString("---\nname: fmt\ndescription: Formats.\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := range 20 {
		a := string(rune('a' + i))
		prev := "a0"
		if i > 0 {
			prev = string(rune('a'+i-1)) + "1"
		}
		b.WriteString(a + "1: &" + a + "1 [" + strings.TrimSuffix(strings.Repeat("*"+prev+",", 9), ",") + "]\n")
	}
	b.WriteString("metadata:\n  env: *t1\n---\n")
	s, _, ok := skill.Parse(fmtPath, []byte(b.String()), nil)
	if !ok || len(s.Env) > 0 {
		t.Errorf("skill %+v, ok %v", s, ok)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "---\n---\n", head("name: fmt", "description: Formats."), head("name: a/b", "description: x: y"),
		head("name: fmt", "\tdescription: |", "  a", "metadata: {env: [A, B]}"), "\uFEFF---\r\nname: x\r\n---\r\n",
		head("&a name: *a", "? [x]", ": y", "<<: *a"), head("description: \xff"),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, problems, ok := skill.Parse(fmtPath, raw, nil)
		for _, p := range problems {
			if ok && p.Severity == skill.Error || !utf8.ValidString(p.Text) || strings.ContainsAny(p.Text, "\n\r\x00") || p.Line < 0 {
				t.Errorf("ok %v, problem %+v", ok, p)
			}
		}
		if !ok && len(problems) == 0 {
			t.Error("there is no skill, and no word of why")
		}
		if ok && (s.Name == "" || len(s.Name) > 64 || strings.Trim(s.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" ||
			s.Description == "" || utf8.RuneCountInString(s.Description) > 1024 || strings.ContainsAny(s.Description, "\n\r\x00")) {
			t.Errorf("skill %+v", s)
		}
		if m := skill.Mentions("$" + s.Name); ok && len(m) > 0 && m[0].Name != s.Name {
			t.Errorf("the name %q cannot be mentioned: %v", s.Name, m)
		}
	})
}
