package compare

import (
	"slices"
	"strings"
)

// Bounds of what counts as instructions: what is longer is pasted material.
const (
	// fixed: all comparisons count the same
	instructionText = 16 << 10 // bytes of one input
	// fixed: all comparisons count the same
	instructionMost = 64 // sentences of one input
)

// sentences yields those of an input.
func sentences(text string) func(yield func(string) bool) {
	text = text[:min(len(text), instructionText)]
	return func(yield func(string) bool) {
		n := 0
		for line := range strings.Lines(text) {
			for line = strings.TrimSpace(line); line != ""; {
				end := sentenceEnd(line)
				if n++; n > instructionMost || !yield(line[:end]) {
					return
				}
				line = strings.TrimSpace(line[end:])
			}
		}
	}
}

func sentenceEnd(line string) int {
	for i := 0; i+1 < len(line); i++ {
		if strings.IndexByte(".!?;", line[i]) >= 0 && line[i+1] == ' ' {
			return i + 1
		}
	}
	return len(line)
}

// instruction takes in a sentence with the words that it is known by.
func (v *vocabulary) instruction(sentence string) id {
	n := v.add("\x00"+sentence, Instructions)
	if v.parts[n] != nil {
		return n
	}
	v.parts[n] = []id{}
	for t := range tokens(sentence, false) {
		key, ok := t.word()
		if !ok {
			continue
		}
		w := v.add(key, word)
		if !slices.Contains(v.parts[n], w) {
			v.parts[n] = append(v.parts[n], w)
			v.in[w] = append(v.in[w], n)
		}
	}
	return n
}

// word returns what a word that says something is known by.
func (t token) word() (string, bool) {
	if t.what&^(small|large) != 0 || len(t.text) < 5 {
		return "", false
	}
	key := strings.ToLower(t.text)
	return key, !idle[key]
}

// idle are the frequent words that say nothing of a task.
var idle = map[string]bool{}

func init() {
	for _, w := range strings.Fields("about above after again against always among another because before being below between could doing " +
		"during every first further having their there these thing things think those through under until using where which while whose " +
		"would should please really right still other others since maybe might never only into make sure want need like just also") {
		idle[w] = true
	}
}

// enough is how many of an instruction's words make it recognised: half, and no
// fewer than two.
func enough(words int) int { return max(2, (words+1)/2) }

// instructed returns the instructions that the words among used recall.
func (v *vocabulary) instructed(used []id) []id {
	hits := map[id]int{}
	var order, out []id
	for _, w := range slices.Compact(slices.Sorted(slices.Values(used))) {
		for _, n := range v.in[w] {
			if hits[n] == 0 {
				order = append(order, n)
			}
			hits[n]++
		}
	}
	for _, n := range order {
		if hits[n] >= enough(len(v.parts[n])) {
			out = append(out, n)
		}
	}
	return out
}
