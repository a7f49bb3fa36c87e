package assemble

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/longrein/longrein"
	"pgregory.net/rapid"
)

// grown is a window with a few steps and messages, and how many entries its last
// request held.
func grown(rt *rapid.T, b *builder) (sent int) {
	for range rapid.IntRange(0, 6).Draw(rt, "steps") {
		sent = len(b.Entries())
		b.step(rt, rapid.StringN(1, 200, -1).Draw(rt, "output"))
		if rapid.Bool().Draw(rt, "steered") {
			b.add(rt, longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: "also this"}}})
		}
	}
	return sent
}

func TestPartsSumUpToTheReport(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := opened(rt, rapid.SampledFrom([]longrein.Wire{longrein.WireResponses, longrein.WireChat, longrein.WireMessages}).Draw(rt, "wire"))
		sent := grown(rt, b)
		r, err := Explain(&b.State, nil)
		if err != nil {
			rt.Fatal(err)
		}
		layers, tiers, entries, share := 0, 0, 0, 0.0
		for _, l := range r.Layers {
			layers += l.Tokens
		}
		for _, tier := range r.Tiers {
			var sum Part
			for _, k := range tier.Kinds {
				sum.plus(k.Part)
			}
			sum.Share = tier.Share
			if sum != tier.Part {
				rt.Fatalf("the kinds of %s sum up to %+v, the tier says %+v", tier.Tier, sum, tier.Part)
			}
			tiers, entries, share = tiers+tier.Tokens, entries+tier.Entries, share+tier.Share
		}
		if tiers != r.Tokens || layers != r.Tokens || entries != len(b.Entries()) {
			rt.Fatalf("tiers sum up to %d, layers to %d, the report says %d; %d of %d entries", tiers, layers, r.Tokens, entries, len(b.Entries()))
		}
		if share < 0.999 || share > 1.001 {
			rt.Fatalf("the shares sum up to %f", share)
		}
		checkCached(rt, b, r, sent)
	})
}

// checkCached fails unless what counts as cached is what the last request held.
func checkCached(rt *rapid.T, b *builder, r Report, sent int) {
	want := 0
	if sent > 0 {
		want = Tokens(b.Base()) + toolTokens(b.Window.Settings.Tools, Tokens)
	}
	for _, e := range b.Entries()[:sent] {
		want += entryTokens(e, Tokens)
	}
	got := 0
	for _, tier := range r.Tiers {
		got += tier.Cached
	}
	if got != want {
		rt.Fatalf("%d tokens are expected in the cache, the request before had %d", got, want)
	}
}

func TestTiersStandInTheirOrder(t *testing.T) {
	b := opened(t, longrein.WireResponses)
	b.step(t, "some output")
	b.add(t,
		longrein.Appended{Entry: longrein.Entry{Item: longrein.NewFragment(longrein.TagSkill, "how to tag")}},
		longrein.Appended{Entry: longrein.Entry{Item: longrein.NewFragment(longrein.TagPermissions, "sandbox: full")}},
	)
	r, err := Explain(&b.State, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, tier := range r.Tiers {
		for _, k := range tier.Kinds {
			got = append(got, string(tier.Tier)+"/"+k.Kind)
		}
	}
	want := []string{
		"base instructions/base instructions", "base instructions/tools", "initial context/environment",
		"developer messages/permissions", "user messages/user message", "skills/skill", "work/tool call", "work/tool output",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("parts:\n%s", diff)
	}
}

// BenchmarkUnchangedRequest is what a request costs to which nothing was added:
// over a list of 300 skills, instructions of ten folders and 5,000 items.
func BenchmarkUnchangedRequest(b *testing.B) {
	w := opened(b, longrein.WireResponses)
	settings := w.Window.Settings
	w.add(b, longrein.Window{N: 2, Why: "start", Settings: settings, Fresh: 3, Head: []longrein.Entry{
		{Item: longrein.NewFragment(longrein.TagInstructions, strings.Repeat("## AGENTS.md of a folder\n"+strings.Repeat("- Keep to this rule of the project.\n", 80), 10))},
		{Item: longrein.NewFragment(longrein.TagSkills, strings.Repeat("- release-notes: Writes what users notice of a change.\n", 300))},
		{Item: longrein.NewFragment(longrein.TagEnvironment, "cwd: /")},
	}})
	for range 2500 {
		w.step(b, strings.Repeat("some text of a file\n", 15))
	}
	for b.Loop() {
		if _, _, err := w.Request(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(w.Entries())), "items")
}
