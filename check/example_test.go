package check_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/check"
	"github.com/longrein/longrein/compare"
	"github.com/longrein/longrein/strategy/recent"
)

// A policy of one rule, held against a session of two steps.
func Example() {
	session, err := compare.Read("a short day", recorded)
	if err != nil {
		fmt.Println(err)
		return
	}
	policy, err := check.Parse("policy.toml", []byte("[[rule]]\nkind = \"never\"\npattern = 'sk-[a-z0-9]+'\n"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := policy.Check(context.Background(), session, func(s check.Setup) (compare.Options, error) {
		profile, err := compare.ParseProfile("openai/gpt-5.4", nil)
		return compare.Options{Strategy: recent.Strategy{}, Profile: profile, Window: s.Window}, err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range report.Verdicts {
		fmt.Printf("%s: %s, step %d: %s\n", v.State, v.Rule, v.Failure.Step, v.Failure.Got)
	}
	// Output:
	// failed: no request matches "sk-[a-z0-9]+", step 2: the output of a call matches: 9 bytes from byte 4 on (not shown, it may be a secret)
}

// recorded yields a session in which a command prints a key.
func recorded(yield func(longrein.Record, error) bool) {
	r := record()
	r.ask("Print the settings.")
	r.step("I print them.", "key=sk-abc123")
	r.step("Here they are.", "")
	for _, rec := range r.records {
		yield(rec, nil)
	}
}

// TestTheExampleOfTheDocs runs the policy that docs/check.md quotes.
func TestTheExampleOfTheDocs(t *testing.T) {
	file, err := os.ReadFile("../docs/examples/policy.toml")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/check.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), indented(string(file))) {
		t.Error("docs/check.md does not quote docs/examples/policy.toml as it is")
	}
	report := judge(t, long(t, 60), string(file))
	for _, v := range report.Verdicts {
		if v.State != check.Held {
			t.Errorf("%s: %s %s %+v", v.Rule, v.State, v.Note, v.Failure)
		}
	}
}

// TestTheDocsNameEveryKind holds the page to what there is.
func TestTheDocsNameEveryKind(t *testing.T) {
	page, err := os.ReadFile("../docs/check.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range check.Kinds() {
		row := "| `" + k.Name + "` |"
		at := strings.Index(string(page), row)
		if at < 0 {
			t.Errorf("docs/check.md has no row %q", row)
			continue
		}
		line, _, _ := strings.Cut(string(page)[at:], "\n")
		for _, need := range append(k.Needs, k.Takes...) {
			for key := range strings.SplitSeq(need, " or ") {
				if !strings.Contains(line, "`"+key+"`") {
					t.Errorf("docs/check.md: the row of %s does not name %s", k.Name, key)
				}
			}
		}
	}
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString("    ")
		}
		b.WriteString(line)
	}
	return b.String()
}
