package assemble

import (
	"slices"

	"github.com/longrein/longrein"
)

// TierPart is what a request holds of one tier, and of each kind in it. The tiers
// sum up to the report's tokens, and the kinds of a tier to the tier's.
type TierPart struct {
	Tier longrein.Tier `json:"tier"`
	Part
	Kinds []KindPart `json:"kinds"` // in the order in which the model first meets them
}

// KindPart is what a request holds of one kind of item; see [KindOf].
type KindPart struct {
	Kind string `json:"kind"`
	Part
}

// Part is a part of a request. Entries is 0 for what stands outside the list of
// items. Cached is as much of its tokens as the request
// before held too, in the same window, and the provider should have in its cache.
type Part struct {
	Entries int     `json:"entries"`
	Tokens  int     `json:"tokens"`
	Cached  int     `json:"cached"`
	Share   float64 `json:"share"` // of the report's tokens, 0 to 1
}

// What stands outside the items of a request.
const (
	KindBase  = "base instructions"
	KindTools = "tools"
)

// KindOf names an item's kind as people know it: "user message", "reasoning",
// "tool call", "tool output", "provider's item", or a fragment's tag.
func KindOf(it longrein.Item) string {
	switch it := it.(type) {
	case longrein.Message:
		return string(it.Role) + " message"
	case longrein.ToolCall:
		return "tool call"
	case longrein.ToolOutput:
		return "tool output"
	case longrein.Fragment:
		return string(it.Tag)
	case longrein.Opaque:
		return "provider's item"
	}
	return longrein.Kind(it)
}

// weights are the tokens of each part of a request, counted once.
type weights struct {
	base, tools int
	entries     []int
}

func weigh(s *State, count func(string) int) weights {
	w := weights{base: count(s.Base()), tools: toolTokens(s.Window.Settings.Tools, count)}
	for _, e := range s.entries {
		w.entries = append(w.entries, entryTokens(e, count))
	}
	return w
}

func toolTokens(tools []longrein.ToolSpec, count func(string) int) (n int) {
	for _, t := range tools {
		n += perEntry + count(t.Name) + count(t.Description) + count(string(t.Schema))
	}
	return n
}

func entryTokens(e longrein.Entry, count func(string) int) int {
	return perEntry + count(Text(e))
}

// tiers splits a request of so many tokens up.
func tiers(s *State, w weights, total int) []TierPart {
	var p partition
	add := func(tier longrein.Tier, kind string, entries, tokens int, cached bool) {
		part := Part{Entries: entries, Tokens: tokens}
		if cached {
			part.Cached = tokens
		}
		p.add(tier, kind, part)
	}
	sent := s.sent()
	add(longrein.TierBase, KindBase, 0, w.base, s.requested())
	add(longrein.TierBase, KindTools, 0, w.tools, s.requested())
	for i, e := range s.entries {
		add(longrein.TierOf(e), KindOf(e.Item), 1, w.entries[i], i < sent)
	}
	return p.parts(total)
}

// partition gathers parts by tier and kind.
type partition struct{ tiers []TierPart }

func (p *partition) add(tier longrein.Tier, kind string, part Part) {
	if part.Tokens == 0 {
		return
	}
	i := slices.IndexFunc(p.tiers, func(t TierPart) bool { return t.Tier == tier })
	if i < 0 {
		i = len(p.tiers)
		p.tiers = append(p.tiers, TierPart{Tier: tier})
	}
	t := &p.tiers[i]
	j := slices.IndexFunc(t.Kinds, func(k KindPart) bool { return k.Kind == kind })
	if j < 0 {
		j = len(t.Kinds)
		t.Kinds = append(t.Kinds, KindPart{Kind: kind})
	}
	t.plus(part)
	t.Kinds[j].plus(part)
}

func (p *Part) plus(q Part) {
	p.Entries += q.Entries
	p.Tokens += q.Tokens
	p.Cached += q.Cached
}

// parts returns the tiers in the order of [longrein.Tiers], with their shares.
func (p *partition) parts(total int) []TierPart {
	out := []TierPart{}
	for _, tier := range longrein.Tiers {
		for _, t := range p.tiers {
			if t.Tier == tier {
				out = append(out, t)
			}
		}
	}
	for i := range out {
		out[i].share(total)
		for j := range out[i].Kinds {
			out[i].Kinds[j].share(total)
		}
	}
	return out
}

func (p *Part) share(total int) { p.Share = float64(p.Tokens) / float64(max(total, 1)) }
