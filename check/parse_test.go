package check_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein/check"
)

var strategies = []string{"background", "compact", "pack", "recent"}

func TestProblemsOfAPolicy(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"no TOML":                           {"[policy", "policy.toml:1:7: toml: expected ']'"},
		"an empty file":                     {"", "policy.toml: there is no [[rule]] in it, so it says nothing; longrein check --list shows the kinds"},
		"a slip in a table":                 {"\n[[rules]]\nkind = 'cost'", `policy.toml:2:3: there is no table rules; did you mean "rule"?`},
		"a rule that is no list":            {"[rule]\nkind = 'cost'", "policy.toml:1:2: rule is a list of tables; each begins with [[rule]]"},
		"a policy that is no table":         {"policy = 1\n[[rule]]\nkind = 'windows'\nmost_windows = 1", "policy.toml:1:1: policy is a table; it begins with [policy]"},
		"a slip in a key of the policy":     {"[policy]\nstratgy = 'pack'\n[[rule]]\nkind = 'windows'\nmost_windows = 1", `policy.toml:2:1: there is no key policy.stratgy; did you mean "strategy"?`},
		"a key far from any":                {"[policy]\nzebra = 1\n[[rule]]\nkind = 'windows'\nmost_windows = 1", "policy.toml:2:1: there is no key policy.zebra; possible here: name, strategy, window, profile"},
		"a slip in a strategy":              {"[policy]\nstrategy = 'backround'\n[[rule]]\nkind = 'windows'\nmost_windows = 1", `policy.toml:2:1: strategy: there is no strategy "backround"; did you mean "background"?`},
		"an unknown profile":                {"[policy]\nprofile = 'nobody'\n[[rule]]\nkind = 'windows'\nmost_windows = 1", `policy.toml:2:1: profile: there is no provider profile "nobody"`},
		"a window that is none":             {"[policy]\nwindow = 'large'\n[[rule]]\nkind = 'windows'\nmost_windows = 1", "policy.toml:2:1: window: want a number of tokens, not a string"},
		"a rule without a kind":             {"[[rule]]\ntext = 'x'", "policy.toml:1:3: a rule needs a kind: survives, never, always,"},
		"a slip in a kind":                  {"[[rule]]\nkind = 'survive'", `policy.toml:2:1: there is no kind "survive"; did you mean "survives"?`},
		"a kind that is no text":            {"[[rule]]\nkind = 3", "policy.toml:2:1: kind: want a string, not a whole number"},
		"a slip in a key of a rule":         {"[[rule]]\nkind = 'survives'\ntxt = 'x'", "policy.toml:1:3: a rule of kind survives needs text\npolicy.toml:3:1: a rule of kind survives has no key txt; did you mean \"text\"?"},
		"a key of another kind":             {"[[rule]]\nkind = 'windows'\nmost_windows = 1\nof = 'paths'", "policy.toml:4:1: a rule of kind windows has no key of; possible here: most_windows, name, optional, strategy, window, profile"},
		"neither of two":                    {"[[rule]]\nkind = 'context'", "policy.toml:1:3: a rule of kind context needs most_tokens or most_percent"},
		"both of two":                       {"[[rule]]\nkind = 'context'\nmost_tokens = 5\nmost_percent = 5", "policy.toml:4:1: a rule of kind context takes most_tokens or most_percent, not both"},
		"an empty text":                     {"[[rule]]\nkind = 'survives'\ntext = ' '", "policy.toml:3:1: text: want a text that is not empty"},
		"a pattern that is none":            {"[[rule]]\nkind = 'never'\npattern = '('", "policy.toml:3:1: pattern: want a regular expression as RE2 has it: error parsing regexp: missing closing )"},
		"a pattern that matches everything": {"[[rule]]\nkind = 'never'\npattern = 'x*'", "policy.toml:3:1: pattern: the pattern matches an empty text, so it matches always"},
		"an amount below nothing":           {"[[rule]]\nkind = 'cost'\nmost_usd = -1", "policy.toml:3:1: most_usd: want an amount of US dollars, not below 0 and not above 1,000,000,000,000"},
		"an amount that is no number":       {"[[rule]]\nkind = 'cost'\nmost_usd = nan", "policy.toml:3:1: most_usd: want an amount"},
		"a share above all":                 {"[[rule]]\nkind = 'cache-hits'\nleast_percent = 101", "policy.toml:3:1: least_percent: want a share from 0 to 100, not below 0 and not above 100"},
		"half a window":                     {"[[rule]]\nkind = 'windows'\nmost_windows = 1.5", "policy.toml:3:1: most_windows: want a number of windows, not a number"},
		"an unknown kind of value":          {"[[rule]]\nkind = 'retention'\nleast_percent = 5\nof = 'path'", `policy.toml:4:1: of: want one of all, instructions, paths, identifiers, numbers, errors; did you mean "paths"?`},
		"two rules of one name":             {"[[rule]]\nkind = 'windows'\nmost_windows = 1\n[[rule]]\nkind = 'windows'\nmost_windows = 1", `policy.toml:4:3: the rule "the session takes at most 1 window" is there already, on line 1; give one of them another name`},
		"a problem in the second rule":      {"[[rule]]\nkind = 'windows'\nmost_windows = 1\n\n[[rule]]\nkind = 'stall'\nmost_seconds = true", "policy.toml:7:1: most_seconds: want a number of seconds, not true or false"},
		"a date":                            {"[[rule]]\nkind = 'stall'\nmost_seconds = 2026-01-01", "policy.toml:3:1: most_seconds: want a number of seconds, not a date or time"},
		"rules in one line":                 {"rule = [{kind = 'stall'}]", "policy.toml:1:1: a rule of kind stall needs most_seconds"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := check.Parse("policy.toml", []byte(c.file), strategies)
			var e *check.Error
			if !errors.As(err, &e) || !strings.HasPrefix(e.Error(), c.want) {
				t.Errorf("got:\n%v\nwant:\n%s", err, c.want)
			}
		})
	}
}

func TestARuleIsNamedForWhatItSays(t *testing.T) {
	var policy strings.Builder
	policy.WriteString("[policy]\nname = 'mine'\nstrategy = 'pack'\n")
	for _, k := range check.Kinds() {
		policy.WriteString(k.Example)
	}
	policy.WriteString("[[rule]]\nkind = 'windows'\nmost_windows = 4\nstrategy = 'recent'\nwindow = 32_000\n[[rule]]\nname = 'own'\nkind = 'context'\nmost_percent = 60\n")
	var got []string
	p := parse(t, policy.String())
	for _, r := range p.Rules {
		got = append(got, r.Name)
	}
	want := []string{
		`"Never touch the generated files." survives 3 new windows`,
		`no request matches "sk-[A-Za-z0-9_-]{20,}|AKIA[0-9A-Z]{16}"`,
		`every request matches "(?i)careful worker"`,
		"the declared tools and their order stay the same within a session",
		"the context stays within 60,000 tokens after step 20",
		"no cache break inside a window, unless the cache has expired",
		"the session costs at most 0.40 USD (openai/gpt-5.4)",
		"at least 80% of the input comes from the cache",
		"the session takes at most 4 windows",
		"memory takes at most 15% of the cost",
		"the worker waits for memory at most 30 s",
		"when a step uses instructions seen before, at least 90% can still be seen verbatim or in a summary",
		"the session takes at most 4 windows (recent, window 32,000)",
		"own",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if p.Name != "mine" || p.Rules[0].Line != 4 {
		t.Errorf("policy %q, first rule on line %d", p.Name, p.Rules[0].Line)
	}
}

func FuzzParse(f *testing.F) {
	example, err := os.ReadFile("../docs/examples/policy.toml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(example))
	f.Add("\uFEFFrule = [{kind = 'never', pattern = '('}, 3]\npolicy.window = 9")
	f.Add("[[rule]]\r\nkind = 'context'\nmost_tokens = 1\n[[rule.kind]]\n[rule.x.y]\na.b = 1")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := check.Parse("p", []byte(text), strategies)
		var e *check.Error
		if err != nil && (!errors.As(err, &e) || len(e.Problems) == 0) {
			t.Fatalf("an error that says nothing: %v", err)
		}
		if err == nil && len(p.Rules) == 0 {
			t.Fatal("a policy without rules")
		}
	})
}
