package sim

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/sim/internal/talk"
)

func text(n int) string { return strings.Repeat("abcdefg ", n/8) }

func says(role longrein.Role, text string) longrein.Item {
	return longrein.Message{Role: role, Text: text}
}

// A request that begins with the bytes of the one before reads all of its whole
// blocks from the cache, and no more.
func TestAGrowingPromptIsReadFromTheCache(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		wire := rapid.SampledFrom(talk.Wires[:2]).Draw(rt, "wire")
		m := New(Options{})
		c := talk.New(wire, "sim:echo", text(rapid.IntRange(0, 5000).Draw(rt, "first")))
		first := talk.Ask(t, m, c.Request()).Done.Usage
		c.Items = append(c.Items, says(longrein.RoleAssistant, "x"), says(longrein.RoleUser, text(rapid.IntRange(0, 5000).Draw(rt, "more"))))
		second := talk.Ask(t, m, c.Request()).Done.Usage
		least, most := (first.Input-1)/blockTokens*blockTokens, first.Input
		if second.Cached < least-blockTokens || second.Cached > most {
			rt.Fatalf("cached %d of a prefix of %d tokens", second.Cached, first.Input)
		}
		if second.Cached%blockTokens != 0 || second.CacheWrite%blockTokens != 0 {
			rt.Fatalf("cached %d, written %d: no whole blocks", second.Cached, second.CacheWrite)
		}
		again := talk.Ask(t, m, c.Request()).Done.Usage
		if again.Cached < (again.Input-1)/blockTokens*blockTokens || again.Cached > again.Input || again.CacheWrite != 0 {
			rt.Fatalf("the same request again: %+v", again)
		}
	})
}

func TestWhatTheCacheTellsApart(t *testing.T) {
	tests := map[string]struct {
		change func(*talk.Conversation)
		hit    bool
	}{
		"the same request":    {func(*talk.Conversation) {}, true},
		"another cache key":   {func(c *talk.Conversation) { c.Key = "other" }, false},
		"another model":       {func(c *talk.Conversation) { c.Model = "sim:refuse" }, false},
		"another system text": {func(c *talk.Conversation) { c.System = "Other." }, false},
		"a change at the end": {func(c *talk.Conversation) { c.Items = append(c.Items, says(longrein.RoleUser, "x")) }, true},
		"a change at the start": {func(c *talk.Conversation) {
			c.Items = append([]longrein.Item{says(longrein.RoleUser, "x")}, c.Items...)
		}, false},
		"another output limit":   {func(c *talk.Conversation) { c.Max = 77 }, true},
		"another, shorter start": {func(c *talk.Conversation) { c.Items[0] = says(longrein.RoleUser, "x") }, false},
	}
	for name, tt := range tests {
		for _, wire := range talk.Wires[:2] {
			t.Run(name+" on "+string(wire), func(t *testing.T) {
				m := New(Options{})
				c := talk.New(wire, "sim:echo", text(4000))
				talk.Ask(t, m, c.Request())
				tt.change(c)
				if got := talk.Ask(t, m, c.Request()).Done.Usage.Cached > 0; got != tt.hit {
					t.Errorf("cached = %v, want %v", got, tt.hit)
				}
			})
		}
	}
}

func TestShortPromptsAreNotCachedBelowTheMinimum(t *testing.T) {
	m := New(Options{CacheMin: 1024})
	for _, wire := range talk.Wires {
		c := talk.New(wire, "sim:echo", text(3000))
		c.Marks = true
		talk.Ask(t, m, c.Request())
		if u := talk.Ask(t, m, c.Request()).Done.Usage; u.Cached+u.CacheWrite != 0 {
			t.Errorf("%s: %d tokens: cached %d, written %d, want none", wire, u.Input, u.Cached, u.CacheWrite)
		}
		c.Items = append(c.Items, says(longrein.RoleAssistant, "x"), says(longrein.RoleUser, text(3000)))
		talk.Ask(t, m, c.Request())
		if u := talk.Ask(t, m, c.Request()).Done.Usage; u.Cached < 1024 {
			t.Errorf("%s: %d tokens: cached %d, want at least 1024", wire, u.Input, u.Cached)
		}
	}
}

func TestTheMessagesWireCachesUpToItsBreakpoints(t *testing.T) {
	m := New(Options{})
	c := talk.New(longrein.WireMessages, "sim:echo", text(4000))
	if u := talk.Ask(t, m, c.Request()).Done.Usage; u.Cached+u.CacheWrite != 0 {
		t.Errorf("without a breakpoint: %+v, want nothing cached", u)
	}
	c.Marks = true
	first := talk.Ask(t, m, c.Request()).Done.Usage
	if first.CacheWrite != first.Input || first.Cached != 0 {
		t.Errorf("with one at the end: %+v, want all written", first)
	}
	c.Items = append(c.Items, says(longrein.RoleAssistant, "x"), says(longrein.RoleUser, text(400)))
	second := talk.Ask(t, m, c.Request()).Done.Usage
	if second.Cached != first.Input || second.CacheWrite != second.Input-first.Input {
		t.Errorf("with the breakpoint moved on: %+v, want %d cached and the rest written", second, first.Input)
	}
	c.Marks = false
	if u := talk.Ask(t, m, c.Request()).Done.Usage; u.Cached != 0 {
		t.Errorf("with the breakpoint gone: %+v, want nothing read", u)
	}
}

func TestABreakpointLooksBackTwentyBlocks(t *testing.T) {
	for more, hit := range map[int]bool{18: true, 19: true, 20: false, 40: false} {
		m := New(Options{})
		c := talk.New(longrein.WireMessages, "sim:echo", text(4000))
		c.Marks = true
		talk.Ask(t, m, c.Request())
		for range more {
			c.Items = append(c.Items, says(longrein.RoleUser, "x"))
		}
		if got := talk.Ask(t, m, c.Request()).Done.Usage.Cached > 0; got != hit {
			t.Errorf("%d blocks more: cached = %v, want %v", more, got, hit)
		}
	}
}

func TestTheCacheIsBounded(t *testing.T) {
	c, at := newCache(100, 0, Latency{}), time.Unix(1, 0)
	for i := range uint64(10_000) {
		c.put(i, 0)
		c.has(1, at) // stays in use
		if n := len(c.now) + len(c.old); n > 100 {
			t.Fatalf("%d prefixes are kept, want at most 100", n)
		}
	}
	if !c.has(1, at) || !c.has(9_999, at) || c.has(5_000, at) {
		t.Errorf("used, new, old = %v, %v, %v, want true, true, false", c.has(1, at), c.has(9_999, at), c.has(5_000, at))
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

// What is written can be read when the answer begins, so forks that are sent
// together with a step do not share what is new in it.
func TestRequestsThatArriveTogetherDoNotShareWhatIsNew(t *testing.T) {
	for _, wire := range talk.Wires {
		synctest.Test(t, func(t *testing.T) {
			m := New(Options{Latency: Latency{Base: time.Second}})
			c := talk.New(wire, "sim:echo", text(8000))
			c.Marks = true
			usages := make([]longrein.Usage, 2)
			var wait sync.WaitGroup
			for i := range usages {
				wait.Go(func() { usages[i] = talk.Ask(t, m, c.Request()).Done.Usage })
			}
			wait.Wait()
			after := talk.Ask(t, m, c.Request()).Done.Usage
			if usages[0].Cached+usages[1].Cached != 0 || after.Cached < after.Input-blockTokens {
				t.Errorf("%s: together %d and %d are cached, then %d of %d", wire, usages[0].Cached, usages[1].Cached, after.Cached, after.Input)
			}
		})
	}
}

// A fork reads from the cache what the worker's newest request had.
func TestForksReadTheWorkersPrefixFromTheCache(t *testing.T) {
	for _, wire := range talk.Wires {
		m := New(Options{})
		c := talk.New(wire, "sim:read200", text(60_000))
		c.Marks, c.Key = true, "the thread"
		worker := c.Step(t, m, talk.RunTool).Done.Usage
		for _, it := range []longrein.Item{notes{}.instruct("#1 x"), roleChange("role: decider\n")} {
			u := talk.Ask(t, m, forked(c, it).Request()).Done.Usage
			if share := float64(u.Cached) / float64(worker.Input); share < 0.99 || share > 1.01 {
				t.Errorf("%s: %.3f of the worker's request is cached", wire, share)
			}
		}
	}
}
