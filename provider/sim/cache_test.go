package sim

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/longrein/longrein"
)

func text(n int) string { return strings.Repeat("abcdefg ", n/8) }

func says(role longrein.Role, text string) longrein.Item {
	return longrein.Message{Role: role, Text: text}
}

// A request that begins with the bytes of the one before reads all of its whole
// blocks from the cache, and no more.
func TestAGrowingPromptIsReadFromTheCache(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		wire := rapid.SampledFrom(wires[:2]).Draw(rt, "wire")
		m := New(Options{})
		c := talk(wire, "sim:echo", text(rapid.IntRange(0, 5000).Draw(rt, "first")))
		first := ask(t, m, c.request()).done.Usage
		c.items = append(c.items, says(longrein.RoleAssistant, "x"), says(longrein.RoleUser, text(rapid.IntRange(0, 5000).Draw(rt, "more"))))
		second := ask(t, m, c.request()).done.Usage
		least, most := (first.Input-1)/blockTokens*blockTokens, first.Input
		if second.Cached < least-blockTokens || second.Cached > most {
			rt.Fatalf("cached %d of a prefix of %d tokens", second.Cached, first.Input)
		}
		if second.Cached%blockTokens != 0 || second.CacheWrite%blockTokens != 0 {
			rt.Fatalf("cached %d, written %d: no whole blocks", second.Cached, second.CacheWrite)
		}
		again := ask(t, m, c.request()).done.Usage
		if again.Cached < (again.Input-1)/blockTokens*blockTokens || again.Cached > again.Input || again.CacheWrite != 0 {
			rt.Fatalf("the same request again: %+v", again)
		}
	})
}

func TestWhatTheCacheTellsApart(t *testing.T) {
	tests := map[string]struct {
		change func(*conversation)
		hit    bool
	}{
		"the same request":       {func(*conversation) {}, true},
		"another cache key":      {func(c *conversation) { c.key = "other" }, false},
		"another model":          {func(c *conversation) { c.model = "sim:refuse" }, false},
		"another system text":    {func(c *conversation) { c.system = "Other." }, false},
		"a change at the end":    {func(c *conversation) { c.items = append(c.items, says(longrein.RoleUser, "x")) }, true},
		"a change at the start":  {func(c *conversation) { c.items = append([]longrein.Item{says(longrein.RoleUser, "x")}, c.items...) }, false},
		"another output limit":   {func(c *conversation) { c.max = 77 }, true},
		"another, shorter start": {func(c *conversation) { c.items[0] = says(longrein.RoleUser, "x") }, false},
	}
	for name, tt := range tests {
		for _, wire := range wires[:2] {
			t.Run(name+" on "+string(wire), func(t *testing.T) {
				m := New(Options{})
				c := talk(wire, "sim:echo", text(4000))
				ask(t, m, c.request())
				tt.change(c)
				if got := ask(t, m, c.request()).done.Usage.Cached > 0; got != tt.hit {
					t.Errorf("cached = %v, want %v", got, tt.hit)
				}
			})
		}
	}
}

func TestShortPromptsAreNotCachedBelowTheMinimum(t *testing.T) {
	m := New(Options{CacheMin: 1024})
	for _, wire := range wires {
		c := talk(wire, "sim:echo", text(3000))
		c.marks = true
		ask(t, m, c.request())
		if u := ask(t, m, c.request()).done.Usage; u.Cached+u.CacheWrite != 0 {
			t.Errorf("%s: %d tokens: cached %d, written %d, want none", wire, u.Input, u.Cached, u.CacheWrite)
		}
		c.items = append(c.items, says(longrein.RoleAssistant, "x"), says(longrein.RoleUser, text(3000)))
		ask(t, m, c.request())
		if u := ask(t, m, c.request()).done.Usage; u.Cached < 1024 {
			t.Errorf("%s: %d tokens: cached %d, want at least 1024", wire, u.Input, u.Cached)
		}
	}
}

func TestTheMessagesWireCachesUpToItsBreakpoints(t *testing.T) {
	m := New(Options{})
	c := talk(longrein.WireMessages, "sim:echo", text(4000))
	if u := ask(t, m, c.request()).done.Usage; u.Cached+u.CacheWrite != 0 {
		t.Errorf("without a breakpoint: %+v, want nothing cached", u)
	}
	c.marks = true
	first := ask(t, m, c.request()).done.Usage
	if first.CacheWrite != first.Input || first.Cached != 0 {
		t.Errorf("with one at the end: %+v, want all written", first)
	}
	c.items = append(c.items, says(longrein.RoleAssistant, "x"), says(longrein.RoleUser, text(400)))
	second := ask(t, m, c.request()).done.Usage
	if second.Cached != first.Input || second.CacheWrite != second.Input-first.Input {
		t.Errorf("with the breakpoint moved on: %+v, want %d cached and the rest written", second, first.Input)
	}
	c.marks = false
	if u := ask(t, m, c.request()).done.Usage; u.Cached != 0 {
		t.Errorf("with the breakpoint gone: %+v, want nothing read", u)
	}
}

func TestABreakpointLooksBackTwentyBlocks(t *testing.T) {
	for more, hit := range map[int]bool{18: true, 19: true, 20: false, 40: false} {
		m := New(Options{})
		c := talk(longrein.WireMessages, "sim:echo", text(4000))
		c.marks = true
		ask(t, m, c.request())
		for range more {
			c.items = append(c.items, says(longrein.RoleUser, "x"))
		}
		if got := ask(t, m, c.request()).done.Usage.Cached > 0; got != hit {
			t.Errorf("%d blocks more: cached = %v, want %v", more, got, hit)
		}
	}
}

func TestTheCacheIsBounded(t *testing.T) {
	c := newCache(100, 0)
	for i := range uint64(10_000) {
		c.put(i)
		c.has(1) // stays in use
		if n := len(c.now) + len(c.old); n > 100 {
			t.Fatalf("%d prefixes are kept, want at most 100", n)
		}
	}
	if !c.has(1) || !c.has(9_999) || c.has(5_000) {
		t.Errorf("used, new, old = %v, %v, %v, want true, true, false", c.has(1), c.has(9_999), c.has(5_000))
	}
}

func TestCacheControlIsNoPartOfThePrompt(t *testing.T) {
	want := `{"type":"text","text":"a"}`
	for _, block := range []string{
		`{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}`,
		`{"cache_control":{"type":"ephemeral","ttl":"1h"},"type":"text","text":"a"}`,
		`{"type":"text", "cache_control" : {"type":"ephemeral"} ,"text":"a"}`,
		want,
	} {
		p := &prompt{}
		p.addBlock([]byte(block))
		got := ""
		for _, b := range p.parts[0].pieces {
			got += string(b)
		}
		if strings.ReplaceAll(got, " ", "") != want {
			t.Errorf("%s is read as %s, want %s", block, got, want)
		}
		if p.parts[0].stop != (block != want) {
			t.Errorf("%s: breakpoint = %v", block, p.parts[0].stop)
		}
	}
}
