package compare

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// prompts is a cache whose requests have a token for each byte.
type prompts struct {
	cache
	now time.Time
}

func (p *prompts) ask(stream, body string) (cached, written int) {
	return p.cache.ask(p.now, stream, []byte(body), len(body), true)
}

func newPrompts(c Cache) *prompts {
	return &prompts{cache: cache{Cache: c}, now: time.Unix(1_800_000_000, 0)}
}

var (
	byPrefix = Cache{Block: 128, Least: 1024, Life: 5 * time.Minute}
	byMarks  = Cache{Marked: true, Block: 1, Least: 1024, Life: 5 * time.Minute}
)

func TestAPrefixIsFoundInWholeBlocks(t *testing.T) {
	p := newPrompts(byPrefix)
	text := strings.Repeat("a", 2_000)
	for _, c := range []struct {
		name, stream, body string
		wait               time.Duration
		want               int
	}{
		{"the first request", "window 1", text + "]}", 0, 0},
		{"one that extends it", "window 1", text + ",b]}", time.Second, 1_920},
		{"a fork of it", "fork", text + ",b,c]}", time.Second, 1_920},
		{"another beginning", "window 2", "b" + text + "]}", time.Second, 0},
		{"a short common beginning", "window 3", text[:1_000] + "b]}", time.Second, 0},
		{"after the cache's life", "window 1", text + ",b,d]}", 6 * time.Minute, 0},
		{"and at once again", "window 1", text + ",b,d,e]}", 0, 1_920},
	} {
		p.now = p.now.Add(c.wait)
		if got, written := p.ask(c.stream, c.body); got != c.want || written != 0 {
			t.Errorf("%s: %d cached and %d written, want %d and none", c.name, got, written, c.want)
		}
	}
}

func TestOnlyWhatABreakpointEndsIsKept(t *testing.T) {
	p := newPrompts(byMarks)
	mark := string(cacheMark)
	head, a, b := strings.Repeat("h", 1_500), strings.Repeat("a", 500), strings.Repeat("b", 500)
	cached, written := p.ask("window 1", head+mark+a+mark+"]}")
	if cached != 0 || written < 1_990 {
		t.Errorf("%d cached and %d written, want none and the request", cached, written)
	}
	if cached, written = p.ask("window 1", head+mark+a+mark+b+mark+"]}"); cached < 1_990 || cached > 2_100 || written < 400 {
		t.Errorf("%d cached and %d written, want the request before and what is new", cached, written)
	}
	if cached, _ = p.ask("window 2", head+mark+b+mark+"]}"); cached < 1_400 || cached > 1_600 {
		t.Errorf("%d cached, want the head", cached)
	}
	if cached, _ = p.ask("window 3", head+a+mark+"]}"); cached < 1_400 || cached > 2_100 {
		t.Errorf("%d cached, want the head", cached)
	}
}

func TestUseKeepsOnlyWhatWasUsedAlive(t *testing.T) {
	p := newPrompts(byPrefix)
	p.ask("window 1", strings.Repeat("a", 4_000)+"]}")
	p.now = p.now.Add(4 * time.Minute)
	p.ask("window 2", strings.Repeat("a", 2_048)+"b]}")
	p.now = p.now.Add(4 * time.Minute)
	if got, _ := p.ask("window 1", strings.Repeat("a", 4_000)+",c]}"); got < 1_920 || got > 2_048 {
		t.Errorf("%d cached, want what the other window has used", got)
	}
}

// TestTheCacheAgreesWithAPlainOne compares streams that grow, with moving marks,
// with a look at all of every request.
func TestTheCacheAgreesWithAPlainOne(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		quick, plain := newPrompts(byPrefix), newPrompts(byPrefix)
		marked := rapid.Bool().Draw(rt, "marked")
		if marked {
			quick, plain = newPrompts(byMarks), newPrompts(byMarks)
		}
		groups := map[string][]string{}
		for range rapid.IntRange(1, 30).Draw(rt, "requests") {
			stream := rapid.SampledFrom([]string{"window 1", "window 2", "window 3"}).Draw(rt, "stream")
			if groups[stream] == nil {
				groups[stream] = []string{strings.Repeat("h", 1_200)}
			}
			more := strings.Repeat(rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "letter"), rapid.IntRange(1, 900).Draw(rt, "size"))
			groups[stream] = append(groups[stream], more)
			body := ""
			for i, g := range groups[stream] {
				body += g
				if marked && (i == 0 || i >= len(groups[stream])-2) {
					body += string(cacheMark)
				}
			}
			now := time.Duration(rapid.IntRange(0, 200).Draw(rt, "seconds")) * time.Second
			quick.now, plain.now = quick.now.Add(now), plain.now.Add(now)
			text, _ := unmark(nil, []byte(body))
			a1, a2 := quick.cache.ask(quick.now, stream, []byte(body+"]}"), len(text), true)
			b1, b2 := plain.cache.ask(plain.now, stream, []byte(body+"]}"), len(text), false)
			if a1 != b1 || a2 != b2 {
				rt.Fatalf("%d and %d, want %d and %d", a1, a2, b1, b2)
			}
		}
	})
}
