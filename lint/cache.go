package lint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/longrein/longrein"
)

// moving are forms of what is different each time it is made.
var moving = []struct {
	what string
	form *regexp.Regexp
}{
	{"a time", regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}`)},
	{"a date", regexp.MustCompile(`(?i)\b(today|now|date|time)\b( is)?:? +\w{0,9},? ?\d{4}-\d{2}-\d{2}`)},
	{"a random id", regexp.MustCompile(`\b[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b`)},
	{"a place for something that changes", regexp.MustCompile(`(?i)\{\{ *(date|now|time|today|uuid|random)|\$\((date|uuidgen)|\$\{?(date|random|uuid)\b`)},
}

// clocks finds what keeps base instructions, which every request begins with, from
// being the same in each.
func clocks(s Subject) []Finding {
	var found []Finding
	for _, t := range s.told(Base) {
		for l := range prose(t.Text) {
			for _, m := range moving {
				if m.form.MatchString(l.text) {
					found = append(found, Finding{"cache", Note, fmt.Sprintf("the base instructions hold %s; if it changes, the provider's cache is lost from there on, so take it out: the model is told the date elsewhere", m.what), t.at(l.line)})
				}
			}
		}
	}
	for i := 1; i < len(s.Settings); i++ {
		a, b := s.Settings[i-1], s.Settings[i]
		if a.Base != b.Base && steady(a.Base) == steady(b.Base) {
			found = append(found, Finding{"cache", Bad, fmt.Sprintf("the base instructions differ from those of %s in nothing but numbers, as a clock or an id would; every thread pays for them anew, so take it out", a.Where), b.Where})
		}
	}
	return found
}

var digits = regexp.MustCompile(`[0-9a-f]*[0-9][0-9a-f]*`)

// steady is a text with its numbers taken out.
func steady(text string) string { return digits.ReplaceAllString(text, "0") }

// toolOrder finds tools that stand in another order, or are written in another
// way, than in the settings before.
func toolOrder(s Subject) []Finding {
	var found []Finding
	for i := 1; i < len(s.Settings); i++ {
		a, b := s.Settings[i-1], s.Settings[i]
		if what := shuffled(a.Tools, b.Tools); what != "" {
			found = append(found, Finding{"cache", Bad, fmt.Sprintf("%s than in %s; requests begin with the tools, so nothing of one is in the cache for the other: give them in a fixed order", what, a.Where), b.Where})
		}
	}
	return found
}

// shuffled says how two lists differ that hold the same tools, "" if they do not.
func shuffled(a, b []longrein.ToolSpec) string {
	byName := map[string]longrein.ToolSpec{}
	var first, second []string
	for _, t := range a {
		byName[t.Name] = t
	}
	for _, t := range b {
		if _, ok := byName[t.Name]; ok {
			second = append(second, t.Name)
		}
	}
	for _, t := range a {
		if slices.Contains(second, t.Name) {
			first = append(first, t.Name)
		}
	}
	if !slices.Equal(first, second) {
		return "the same tools stand in another order"
	}
	for _, t := range b {
		if old, ok := byName[t.Name]; ok && rewritten(old.Schema, t.Schema) {
			return fmt.Sprintf("the schema of %s is written in another order", t.Name)
		}
	}
	return ""
}

// rewritten reports whether two schemas say the same in different bytes.
func rewritten(a, b json.RawMessage) bool {
	return !bytes.Equal(a, b) && bytes.Equal(sorted(a), sorted(b))
}

// sorted is JSON with its keys in order, or nil if it is none.
func sorted(raw json.RawMessage) []byte {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	out, _ := json.Marshal(v) // what was unmarshalled can be marshalled
	return out
}
