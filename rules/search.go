package rules

import (
	"cmp"
	"slices"
	"strings"
)

// weights say what a word counts where it is found: a rule's ID says best what
// it is about, and examples say it at length.
const (
	inName      = 8
	inNumbers   = 4
	inStatement = 4
	inExamples  = 1
)

// Search returns the rules of a list in which words are found, the best first:
// those with the most of the words, and of these the ones that have them in
// their ID or statement. Parts of words count, in any case.
func Search(rules []Rule, words []string) []Rule {
	type hit struct {
		rule         Rule
		found, score int
	}
	var hits []hit
	for _, r := range rules {
		h := hit{rule: r}
		for _, word := range words {
			if s := score(r, strings.ToLower(word)); s > 0 {
				h.found++
				h.score += s
			}
		}
		if h.found > 0 {
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.found, a.found), cmp.Compare(b.score, a.score))
	})
	out := make([]Rule, len(hits))
	for i, h := range hits {
		out[i] = h.rule
	}
	return out
}

// score says how well a word in small letters describes a rule.
func score(r Rule, word string) int {
	sum := inName*has(r.ID, word) + inStatement*has(r.Statement+" "+r.Formula, word) +
		inNumbers*has(strings.Join(r.Limits, " ")+" "+strings.Join(r.Settings, " "), word)
	for _, e := range r.Examples {
		if has(e.Given+" "+e.When+" "+e.Then+" "+e.Test, word) > 0 {
			return sum + inExamples
		}
	}
	return sum
}

func has(text, word string) int {
	if strings.Contains(strings.ToLower(text), word) {
		return 1
	}
	return 0
}
