package catalogue_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/catalogue"
)

func TestLookup(t *testing.T) {
	want := catalogue.Info{
		Provider: "anthropic", ID: "claude-haiku-4-5-20251001", ContextWindow: 200_000, MaxOutput: 64_000,
		Price:     longrein.Price{Input: 1, Cached: 0.1, CacheWrite: 1.25, Output: 5},
		CanReason: true,
	}
	for _, id := range []string{
		"claude-haiku-4-5-20251001", "claude-haiku-4-5", "anthropic/claude-haiku-4.5",
		"Claude-Haiku-4-5@20251001", "claude-haiku-4-5-latest",
	} {
		got, ok := catalogue.Lookup("anthropic", id)
		got.MaxOutput, got.Effort, got.Efforts, got.CanReason = want.MaxOutput, "", nil, true
		if d := cmp.Diff(want, got); !ok || d != "" {
			t.Errorf("%s: %v %s", id, ok, d)
		}
	}
}

func TestLookupPrices(t *testing.T) {
	for _, c := range []struct {
		provider, model string
		want            longrein.Price
	}{
		{"openai", "gpt-5.4", longrein.Price{Input: 2.5, Cached: 0.25, CacheWrite: 2.5, Output: 15}},
		{"deepseek", "deepseek-v4-flash", longrein.Price{Input: 0.14, Cached: 0.0028, CacheWrite: 0.14, Output: 0.28}},
		{"gemini", "gemini-3.7-flash", longrein.Price{Input: 0.75, Cached: 0.075, CacheWrite: 0.75, Output: 3.75}},
		{"my-proxy", "gpt-5.4", longrein.Price{}},
	} {
		got, ok := catalogue.Lookup(c.provider, c.model)
		if !ok || got.Price != c.want || got.ContextWindow == 0 {
			t.Errorf("%s/%s: %v %+v, want %+v", c.provider, c.model, ok, got, c.want)
		}
	}
}

func TestLookupOfWhatIsNotThere(t *testing.T) {
	for _, c := range [][2]string{
		{"openai", "claude-opus-5"}, {"openai", "gpt"}, {"openai", ""}, {"", ""}, {"nobody", "no-model"}, {"openai\n", "@ "},
	} {
		if got, ok := catalogue.Lookup(c[0], c[1]); ok {
			t.Errorf("%q: %+v", c, got)
		}
	}
}

func TestVersion(t *testing.T) {
	if v := catalogue.Version(); !strings.HasPrefix(v, "catwalk v") || !strings.Contains(v, " of 20") {
		t.Errorf("version = %q", v)
	}
}

func FuzzLookup(f *testing.F) {
	f.Add("openai", "gpt-5.4-2026-03-05")
	f.Add("", "/")
	f.Add("@", "\t\n")
	f.Fuzz(func(t *testing.T, provider, model string) {
		if got, ok := catalogue.Lookup(provider, model); ok != (got.ID != "") {
			t.Errorf("%v: %+v", ok, got)
		}
	})
}

func BenchmarkLookup(b *testing.B) {
	for name, c := range map[string][2]string{
		"exact": {"openai", "gpt-5.4"}, "loose": {"anthropic", "claude-haiku-4.5"}, "of a stranger": {"work", "no-such-model"},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				catalogue.Lookup(c[0], c[1])
			}
		})
	}
}
