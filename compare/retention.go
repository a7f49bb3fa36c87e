package compare

import (
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
)

// sight knows which values a worker's context shows, and how. It follows the
// context as it grows, so each text is looked at once in a window.
type sight struct {
	v        *vocabulary
	scan     *scanner
	verbatim []int32 // how often the context shows a value
	noted    []int32 // how often its summaries, notes and ledgers do
	named    []int32 // how often what the context only names does
	docs     map[string][]id
	window   int
	taken    int              // entries of the window
	first    map[int64]string // texts by the record in which they appeared
	kinds    [Kinds]Retained
}

func newSight(v *vocabulary) *sight {
	n := len(v.kinds)
	return &sight{
		v: v, scan: newScanner(v), docs: map[string][]id{}, first: map[int64]string{},
		verbatim: make([]int32, n), noted: make([]int32, n), named: make([]int32, n),
	}
}

// note follows a record.
func (s *sight) note(r longrein.Record) {
	switch b := r.Body.(type) {
	case longrein.Appended:
		if o, ok := b.Item.(longrein.ToolOutput); ok {
			s.first[r.Seq] = o.Text
		}
	case longrein.Notes:
		for _, d := range b.Changed {
			count(s.named, s.docs[d.Name], -1)
			s.docs[d.Name] = s.scan.text(d.Text, false, nil)
			if d.Deleted {
				delete(s.docs, d.Name)
			}
			count(s.named, s.docs[d.Name], 1)
		}
	}
}

func count(in []int32, values []id, n int32) {
	for _, i := range values {
		in[i] += n
	}
}

// look takes in what the context shows since the last time.
func (s *sight) look(state *assemble.State) {
	if state.Window.N != s.window {
		s.window, s.taken = state.Window.N, 0
		clear(s.verbatim)
		clear(s.noted)
		clear(s.named)
		for _, values := range s.docs { // in any order: they are sums
			count(s.named, values, 1)
		}
	}
	entries := state.Entries()
	for i, e := range entries[s.taken:] {
		s.see(e, s.taken+i < state.Window.Fresh)
	}
	s.taken = len(entries)
}

func (s *sight) see(e longrein.Entry, fresh bool) {
	text, escaped := said(e.Item)
	if text == "" {
		return
	}
	values := s.values(text, escaped)
	if fresh || verbatim(e) {
		count(s.verbatim, values, 1)
	} else {
		count(s.noted, values, 1)
	}
	if whole, ok := s.first[e.Seq]; ok && whole != text {
		count(s.named, s.values(whole, false), 1) // it was cut, and says where the rest is
	}
}

func (s *sight) values(text string, escaped bool) []id {
	if known, ok := s.v.texts[text]; ok {
		return known
	}
	return s.scan.text(text, escaped, nil)
}

// verbatim reports whether an entry is what was said, and not what a head or the
// harness makes of it.
func verbatim(e longrein.Entry) bool {
	if f, ok := e.Item.(longrein.Fragment); ok {
		return f.Tag == longrein.TagPinned || f.Tag == longrein.TagRestored
	}
	return e.Seq > 0
}

// use counts how the values that a step uses can be seen, and returns how many
// cannot.
func (s *sight) use(uses []id) (lost int) {
	for _, i := range uses {
		k := &s.kinds[s.v.kinds[i]]
		k.Uses++
		switch s.how(i) {
		case Verbatim:
			k.Verbatim++
		case InSummary:
			k.Summary++
		case ByReference:
			k.Reference++
		default:
			k.Lost++
			lost++
		}
	}
	return lost
}

// how says how a value can be seen.
func (s *sight) how(i id) How {
	switch {
	case s.verbatim[i] > 0:
		return Verbatim
	case s.in(s.noted, i):
		return InSummary
	case s.in(s.named, i):
		return ByReference
	}
	return NotAtAll
}

// seen says of each value how it can be seen.
func (s *sight) seen(uses []id) []Use {
	var out []Use
	for _, i := range uses {
		out = append(out, Use{s.v.kinds[i], strings.TrimPrefix(s.v.names[i], "\x00"), s.how(i)})
	}
	return out
}

// in reports whether a value is shown, or enough of an instruction's words.
func (s *sight) in(shown []int32, i id) bool {
	parts := s.v.parts[i]
	if s.v.kinds[i] != Instructions {
		return shown[i] > 0
	}
	n := 0
	for _, w := range parts {
		if shown[w] > 0 {
			n++
		}
	}
	return n >= enough(len(parts))
}

// retained returns the counts by kind.
func (s *sight) retained() []Retained {
	var out []Retained
	for k := range Kinds {
		s.kinds[k].Kind = k.String()
		out = append(out, s.kinds[k])
	}
	return out
}
