package memory

import (
	"cmp"
	"slices"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Part is what one kind of item takes of a context.
type Part struct {
	Name   string
	Tokens int
	Share  float64 // of all parts, from 0 to 1
}

// Breakdown returns what a context consists of, by kind of item and, for calls
// and outputs, by tool; the largest first. The first fresh entries are initial
// context. When there are more than limit.BreakdownParts, the small ones are put
// together as "other", which comes last.
func Breakdown(entries []longrein.Entry, fresh int, size func(longrein.Entry) int) []Part {
	names := partNames{}
	sum := map[string]int{}
	total := 0
	for i, e := range entries {
		name := names.of(e.Item)
		if i < fresh {
			name = "initial context"
		}
		n := size(e)
		sum[name] += n
		total += n
	}
	var parts []Part
	for name, n := range sum { // pure: sorted below
		parts = append(parts, Part{Name: name, Tokens: n})
	}
	slices.SortFunc(parts, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Name, b.Name))
	})
	parts = merged(parts, limit.Set{}.Int(limit.BreakdownParts))
	for i := range parts {
		parts[i].Share = float64(parts[i].Tokens) / float64(max(total, 1))
	}
	return parts
}

// merged leaves at most `most` parts.
func merged(parts []Part, most int) []Part {
	if len(parts) <= most {
		return parts
	}
	other := Part{Name: "other"}
	for _, p := range parts[most-1:] {
		other.Tokens += p.Tokens
	}
	return append(parts[:most-1], other)
}

// partNames remembers which tool a call was of.
type partNames map[string]string

func (n partNames) of(it longrein.Item) string {
	switch it := it.(type) {
	case longrein.Message:
		return string(it.Role) + " messages"
	case longrein.Reasoning:
		return "reasoning"
	case longrein.ToolCall:
		n[it.ID] = toolName(it.Name)
		return "calls of " + n[it.ID]
	case longrein.ToolOutput:
		return "outputs of " + cmp.Or(n[it.CallID], "an unknown tool")
	case longrein.Fragment:
		return string(it.Tag)
	}
	return "other"
}
