package wire

import (
	"cmp"
	"iter"
	"slices"

	"github.com/longrein/longrein"
)

// Groups splits entries into what a wire encodes together: all that the model
// made in one step, all tool outputs of one step, or one other entry. Joined,
// the groups are the entries again, only that the outputs of one step follow
// the order of their calls. The groups share memory with entries where they can.
func Groups(entries []longrein.Entry) iter.Seq[[]longrein.Entry] {
	return func(yield func([]longrein.Entry) bool) {
		calls := map[string]int{}
		for rest := entries; len(rest) > 0; {
			n := together(rest)
			g := rest[:n:n]
			rest = rest[n:]
			noteCalls(calls, g)
			if !yield(inCallOrder(calls, g)) {
				return
			}
		}
	}
}

// together counts the entries that form one group with the first.
func together(entries []longrein.Entry) int {
	first, kind := entries[0], kindOf(entries[0].Item)
	n := 1
	for kind != alone && n < len(entries) && entries[n].Step == first.Step && kindOf(entries[n].Item) == kind {
		n++
	}
	return n
}

type groupKind int

const (
	alone groupKind = iota
	fromModel
	outputs
)

func kindOf(it longrein.Item) groupKind {
	if longrein.FromModel(it) {
		return fromModel
	}
	if _, ok := it.(longrein.ToolOutput); ok {
		return outputs
	}
	return alone
}

func noteCalls(calls map[string]int, g []longrein.Entry) {
	for _, e := range g {
		if c, ok := e.Item.(longrein.ToolCall); ok {
			calls[c.ID] = len(calls) + 1
		}
	}
}

// inCallOrder returns g with its outputs in the order of their calls; outputs
// of calls that are not known keep their order and come first.
func inCallOrder(calls map[string]int, g []longrein.Entry) []longrein.Entry {
	order := func(a, b longrein.Entry) int {
		return cmp.Compare(callOf(calls, a), callOf(calls, b))
	}
	if kindOf(g[0].Item) != outputs || slices.IsSortedFunc(g, order) {
		return g
	}
	g = slices.Clone(g)
	slices.SortStableFunc(g, order)
	return g
}

func callOf(calls map[string]int, e longrein.Entry) int {
	return calls[e.Item.(longrein.ToolOutput).CallID]
}

// untilSaid leaves out of what the model made the reasoning that nothing follows,
// as in an answer that the output limit cut: servers that sign reasoning refuse it
// without what it led to.
func untilSaid(g []longrein.Entry) []longrein.Entry {
	for n := len(g); n > 0; n-- {
		switch it := g[n-1].Item.(type) {
		case longrein.ToolCall:
			return g[:n]
		case longrein.Message:
			if !isBlank(it.Text) {
				return g[:n]
			}
		}
	}
	return nil
}
