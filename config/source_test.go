package config

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein/limit"
)

func TestVariables(t *testing.T) {
	s := mustLoad(t, "",
		"LONGREIN_MODEL=2026", "LONGREIN_MAX_OUTPUT_TOKENS=4096", "LONGREIN_EFFORT=", "LONGREIN_LIMITS_TOOL_OUTPUT=32KiB",
		"LONGREIN_LIMITS_TURN_STEPS=7", "LONGREIN_TOOLS_NETWORK=true", `LONGREIN_AGENTS_MD_FALLBACKS=["A.md"]`, "LONGREIN_OTHER_PROGRAM=1")
	if s.Model != "2026" || s.MaxOutputTokens != 4096 || s.Effort != "" || !s.Tools.Network || s.Fallbacks[0] != "A.md" {
		t.Errorf("got %+v", s)
	}
	if diff := cmp.Diff(limit.Set{"tool-output": 32768, "turn-steps": 7}, s.Limits); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	if got := s.Source("limits.tool-output"); got != "LONGREIN_LIMITS_TOOL_OUTPUT" {
		t.Errorf("source = %q", got)
	}
	if len(s.Warnings) > 0 {
		t.Errorf("warnings %v", s.Warnings)
	}
}

func TestASlipInAVariableIsAWarning(t *testing.T) {
	s := mustLoad(t, "", "LONGREIN_MODLE=x")
	want := "the variable LONGREIN_MODLE is no setting and was passed over; did you mean LONGREIN_MODEL?"
	if len(s.Warnings) != 1 || s.Warnings[0].Text != want {
		t.Errorf("got %v, want %q", s.Warnings, want)
	}
}

func TestProblemsOfVariablesAndFlags(t *testing.T) {
	for name, c := range map[string]struct {
		env   string
		flag  Flag
		where string
		text  string
	}{
		"a variable of the wrong type":  {env: "LONGREIN_TOOLS_NETWORK=maybe", where: "LONGREIN_TOOLS_NETWORK", text: "tools.network: want true or false, not a string"},
		"a variable of no limit":        {env: "LONGREIN_LIMITS_TOOL_OUTPUTS=1", where: "LONGREIN_LIMITS_TOOL_OUTPUTS", text: `limits.tool-outputs: there is no such limit (longrein limits lists them); did you mean "tool-output"?`},
		"a flag with an unknown word":   {flag: Flag{"--sandbox", "none"}, where: "--sandbox", text: "sandbox: want read-only, workspace-write or full"},
		"an assignment to no key":       {flag: Flag{"-c", "modle=x"}, where: "-c modle", text: `there is no key modle; did you mean "model"?`},
		"an assignment without a value": {flag: Flag{"-c", "model"}, where: "-c", text: "want KEY=VALUE, such as sandbox=read-only"},
		"an assignment without a key":   {flag: Flag{"-c", "=x"}, where: "-c", text: `"" is no key; want one such as sandbox, limits.tool-output or models."gpt-5.4".effort`},
		"two keys in one":               {flag: Flag{"-c", "a = 1\nb=2"}, where: "-c a", text: "there is no key a; possible here: model, provider, strategy, approval, sandbox, effort, max_output_tokens, base_instructions, base_instructions_file, personality, snapshots, providers, models, limits, memory, tools, agents_md, skills, threads or privacy"},
		"a key below a value":           {flag: Flag{"-c", "model.x=1"}, where: "-c model.x", text: "model is a string and has no keys in it"},
		"an unknown strategy":           {flag: Flag{"--strategy", "recnt"}, where: "--strategy", text: `strategy: want recent or pack; did you mean "recent"?`},
	} {
		o := Options{Home: t.TempDir(), Cwd: t.TempDir(), Env: []string{c.env}, Strategies: []string{"recent", "pack"}}
		if c.flag.Name != "" {
			o.Flags = []Flag{c.flag}
		}
		_, err := Load(o)
		var e *Error
		if !errors.As(err, &e) || len(e.Problems) != 1 || e.Problems[0] != (Problem{c.where, c.text}) {
			t.Errorf("%s: got %v, want %s: %s", name, err, c.where, c.text)
		}
	}
}

func TestAssignments(t *testing.T) {
	cwd := t.TempDir()
	s, err := Load(Options{Home: t.TempDir(), Cwd: cwd, Flags: []Flag{
		{"-c", "model=gpt-5.4"},
		{"-c", `models."gpt-5.4".context_window = 1000`},
		{"-c", `models.'a=b'.effort=x=y`},
		{"-c", `providers.here={base_url="http://h/v1", headers={A="b"}}`},
		{"-c", "tools.writable=['sub']"},
		{"-c", "max_output_tokens=7 # seven"},
		{"-c", "base_instructions=Say \"hi\" # always"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"a text without quotes", s.Model, "gpt-5.4"},
		{"a quoted part", s.Models["gpt-5.4"].ContextWindow, 1000},
		{"an = in quotes", s.Models["a=b"].Effort, "x=y"},
		{"an inline table", s.Providers["here"].Headers["A"], "b"},
		{"a path below the working directory", s.Tools.Writable[0], cwd + "/sub"},
		{"a comment behind a number", s.MaxOutputTokens, 7},
		{"a text that is no TOML", s.Base, `Say "hi" # always`},
		{"a source", s.Source(`models."gpt-5.4".context_window`), `-c models."gpt-5.4".context_window`},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestSizesAndDurationsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, 1<<40).Draw(t, "ms")) * time.Millisecond
		if got, err := millis(d.String()); err != nil || got != d.Milliseconds() {
			t.Errorf("millis(%q) = %d, %v", d, got, err)
		}
		if n, err := size(rapid.String().Draw(t, "text")); err == nil && n < 0 {
			t.Errorf("a size of %d", n)
		}
	})
	for text, want := range map[string]int64{"0B": 0, "1 kB": 1000, "64KiB": 65536, "2mb": 2e6, "8GiB": 8 << 30} {
		if got, err := size(text); err != nil || got != want {
			t.Errorf("size(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "B", "5", "5  KiB", "-1B", "1.5MiB", "9223372036854775807GiB", "5KiB "} {
		if n, err := size(text); err == nil {
			t.Errorf("size(%q) = %d, want an error", text, n)
		}
	}
}

func TestDistanceIsAMetric(t *testing.T) {
	word := rapid.StringMatching(`[a-c]{0,6}`)
	const far = 100
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		ab := distance(a, b, far)
		if (ab == 0) != (a == b) || ab != distance(b, a, far) || distance(a, c, far) > ab+distance(b, c, far) {
			t.Errorf("distance(%q, %q) = %d", a, b, ab)
		}
	})
}

func FuzzAssignment(f *testing.F) {
	f.Add("model=gpt")
	f.Add("models.\"a.b\".effort='x'")
	f.Fuzz(func(t *testing.T, text string) {
		l := loader{settings: builtIn()}
		l.assignment(Flag{"-c", text})
		if n := len(l.problems) + len(l.settings.sources); n == 0 && !strings.Contains(text, "{") {
			t.Errorf("%q was neither taken nor refused", text)
		}
	})
}
