package ledger

import "strings"

// Missing returns the probes whose text is not visible in text, in order; see
// [Probe.In]. It looks through text once.
func Missing(probes []Probe, text string) []Probe {
	text = squeeze(text)
	found := make([]bool, len(probes))
	want := map[string][]int{} // probes by their first word
	for i, p := range probes {
		if word := firstWord(p.Text); word != "" {
			want[word] = append(want[word], i)
		} else {
			found[i] = strings.Contains(text, p.Text)
		}
	}
	for at := 0; at < len(text); at += max(wordLen(text[at:]), 1) {
		for _, i := range want[firstWord(text[at:])] {
			found[i] = found[i] || begins(text[at:], probes[i].Text)
		}
	}
	var missing []Probe
	for i, p := range probes {
		if !found[i] {
			missing = append(missing, p)
		}
	}
	return missing
}

// firstWord is the word or path that s begins with, "" where it begins with
// another sign. Full stops at its end are none of it.
func firstWord(s string) string { return strings.TrimRight(s[:wordLen(s)], ".") }

func wordLen(s string) int {
	n := 0
	for n < len(s) && (within(s[n]) || s[n] == '.') {
		n++
	}
	return n
}

// within reports whether a byte is of a word or a path.
func within(c byte) bool {
	return classes[c]&(digit|hexa|letter|slash) != 0 || c == '_' || c == '-'
}

// begins reports whether s begins with text, and no word goes on after it.
func begins(s, text string) bool {
	after, ok := strings.CutPrefix(s, text)
	return ok && (!within(text[len(text)-1]) || firstWord(after) == "")
}
