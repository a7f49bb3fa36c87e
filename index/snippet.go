package index

import (
	"slices"

	"github.com/longrein/longrein/limit"
)

// choose returns the passage that says most about the terms, the first of several.
func choose(ps []passage, terms []term) (best passage) {
	most := -1.0
	for _, p := range ps {
		toks, score := slices.Collect(tokens(p.text)), 0.0
		for _, t := range terms {
			if t.find(toks) >= 0 {
				score += t.worth
			}
		}
		if p.kind == KindAsked {
			score *= 1.5 // fixed: what was asked tells more than what came of it
		}
		if score > most {
			best, most = p, score
		}
	}
	return best
}

// snippet is what is shown of a text: a piece of it on one line, around the first
// term that it has, and where the terms are in it.
func snippet(limits limit.Set, text string, terms []term) (string, [][2]int) {
	toks := slices.Collect(tokens(text))
	first := len(toks)
	for _, t := range terms {
		if i := t.find(toks); i >= 0 {
			first = min(first, i)
		}
	}
	from, most := 0, limits.Int(limit.SearchSnippet)
	if first < len(toks) && toks[first].end > most*2/3 {
		from = toks[max(first-4, 0)].start // fixed: a few words before say what it is about
		if toks[first].start-from > most/2 {
			from = toks[first].start
		}
	}
	line := words(text[from:], most)
	if from > 0 {
		line = "…" + line
	}
	return line, marks(line, terms)
}

// marks are the places of terms in a line, in order and apart.
func marks(line string, terms []term) [][2]int {
	toks := slices.Collect(tokens(line))
	var out [][2]int
	for i := 0; i < len(toks); i++ {
		n := 0
		for _, t := range terms {
			if t.at(toks[i:]) {
				n = max(n, len(t.words))
			}
		}
		if n > 0 {
			out = append(out, [2]int{toks[i].start, toks[i+n-1].end})
			i += n - 1
		}
	}
	return out
}
