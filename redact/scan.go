package redact

import (
	"strings"
	"sync"
)

// mark is what a secret of a form begins with.
type mark struct {
	text string
	form int // in forms; -1: a value that is given to a variable
}

// index tells by two bytes which marks can begin there, as an index into groups; 0
// for nearly all pairs, so that most of a text is passed over at a glance. It is made
// for the first text.
var index = sync.OnceValues(func() (starts *[1 << 16]uint8, groups [][]mark) {
	byPair := map[uint16][]mark{}
	for i := range 256 { // fixed: every byte may follow
		for _, c := range []byte("=:") {
			byPair[pair(c, byte(i))] = []mark{{string(c), -1}}
		}
	}
	for i, f := range forms {
		for _, m := range f.marks {
			key := pair(m[0], m[1])
			byPair[key] = append(byPair[key], mark{m, i})
		}
	}
	starts, groups = new([1 << 16]uint8), [][]mark{nil}
	known := map[string]uint8{}
	for key := range 1 << 16 { // fixed: every pair
		marks := byPair[uint16(key)]
		if marks == nil {
			continue
		}
		var name strings.Builder
		for _, m := range marks {
			name.WriteString(m.text + "\n")
		}
		n, ok := known[name.String()]
		if !ok {
			n = uint8(len(groups))
			known[name.String()] = n
			groups = append(groups, marks)
		}
		starts[key] = n
	}
	return starts, groups
})

func pair(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

// appendFormed finds secrets of the well-known forms, and values that are given to
// variables with telling names.
func appendFormed(found []span, text string) []span {
	starts, groups := index()
	next := make([]int, len(forms)+1) // where each form may match again; the last is the variables'
	for i := 0; i+1 < len(text); i++ {
		group := starts[pair(text[i], text[i+1])]
		if group == 0 {
			continue
		}
		for _, m := range groups[group] {
			slot := m.form
			if slot < 0 {
				slot = len(forms)
			}
			if i < next[slot] || !strings.HasPrefix(text[i:], m.text) {
				continue
			}
			if s, ok := m.at(text, i); ok {
				found = append(found, s)
				next[slot] = s.to
			}
		}
	}
	return found
}

// at returns the secret whose mark stands at i.
func (m mark) at(text string, i int) (span, bool) {
	if m.form < 0 {
		return assigned(text, i)
	}
	f := &forms[m.form]
	if !f.inside && i > 0 && inWord(text[i-1]) {
		return span{}, false
	}
	at := f.match().FindStringSubmatchIndex(text[i:min(len(text), i+longestValue)])
	switch {
	case at == nil:
		return span{}, false
	case len(at) > 2:
		at = at[2:]
	}
	found := span{i + at[0], i + at[1], f.name}
	value := text[found.from:found.to]
	return found, !f.looks || looksSecret(value) && !template(value) && value[0] != '$'
}

func inWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
