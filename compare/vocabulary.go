package compare

import (
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// Kind is a kind of what later steps of a session use.
type Kind uint8

// The kinds. An error is a value that was first seen on a line that tells of one;
// an instruction is a sentence of the user's.
const (
	Instructions Kind = iota
	Paths
	Identifiers
	Numbers
	Errors
	Kinds // how many there are
)

const (
	none Kind = 100 + iota
	word      // of an instruction
)

// String is the kind's name in reports.
func (k Kind) String() string {
	return [...]string{"instructions", "paths", "identifiers", "numbers", "errors"}[k]
}

// id stands for a value, a word of an instruction, or an instruction.
type id int32

// vocabulary holds what the model used, and where it was seen in the session's
// texts. What no step used is of no interest, so it stays small.
type vocabulary struct {
	ids   map[string]id
	kinds []Kind
	names []string
	// parts are an instruction's words; in which lists a word's instructions.
	parts map[id][]id
	in    map[id][]id
	texts map[string][]id // what each recorded text holds
}

// bookmark is what a step used that had been seen before, and not lately.
type bookmark struct{ uses []id }

// afar is how many steps long a value must not have been seen or used for its use
// to count: what is nearer stands in every context.
const afar = 10

func (v *vocabulary) add(name string, k Kind) id {
	if known, ok := v.ids[name]; ok {
		return known
	}
	name = strings.Clone(name)
	n := id(len(v.kinds))
	v.ids[name] = n
	v.kinds, v.names = append(v.kinds, k), append(v.names, name)
	return n
}

// index finds what every step of the session uses.
func (s *Session) index() {
	v := &vocabulary{ids: map[string]id{}, parts: map[id][]id{}, in: map[id][]id{}, texts: map[string][]id{}}
	s.words = v
	for step := range s.each {
		for _, it := range step.Items {
			v.learn(it)
		}
	}
	x := indexer{v: v, scan: newScanner(v)}
	for _, e := range s.Initial {
		text, _ := said(e.Item)
		x.see(text)
	}
	for _, t := range s.Turns {
		x.input(t.Input)
		for _, step := range t.Steps {
			s.marks = append(s.marks, bookmark{x.step(step)})
		}
	}
}

// each yields the session's steps in order.
func (s *Session) each(yield func(Step) bool) {
	for _, t := range s.Turns {
		for _, step := range t.Steps {
			if !yield(step) {
				return
			}
		}
	}
}

// learn takes in the values that the model used.
func (v *vocabulary) learn(it longrein.Item) {
	text, escaped := said(it)
	for t := range tokens(text, escaped) {
		if k := t.kind(); k != none {
			v.add(t.text, k)
		}
	}
}

// said is what an item says, and whether it says it in JSON. A model's hidden
// reasoning says nothing.
func said(it longrein.Item) (text string, escaped bool) {
	switch it := it.(type) {
	case longrein.Message:
		return it.Text, false
	case longrein.ToolCall:
		return it.Args, true
	case longrein.ToolOutput:
		return it.Text, false
	case longrein.Fragment:
		return it.Text, false
	}
	return "", false
}

// indexer goes through a session in order.
type indexer struct {
	v    *vocabulary
	scan *scanner
	at   int   // the step
	seen []int // the step in which a value was seen or used last, plus 1; 0: never seen
}

func (x *indexer) last(i id) *int {
	for int(i) >= len(x.seen) {
		x.seen = append(x.seen, 0)
	}
	return &x.seen[i]
}

// see takes a text from outside in.
func (x *indexer) see(text string) {
	found := x.scan.text(text, false, func(i id, at int) {
		if *x.last(i) == 0 && x.v.kinds[i] == Identifiers && tellsOfError(text, at) {
			x.v.kinds[i] = Errors
		}
	})
	x.keep(text, found)
}

// keep notes what a text holds, and that it was there to be seen.
func (x *indexer) keep(text string, found []id) {
	x.v.texts[text] = slices.Clone(found)
	for _, i := range found {
		*x.last(i) = x.at + 1
	}
}

// input takes in what the user said: its sentences and its values.
func (x *indexer) input(text string) {
	var own []id
	for sentence := range sentences(text) {
		own = append(own, x.v.instruction(sentence))
	}
	x.scan.grow()
	x.see(text)
	x.keep(text, append(x.v.texts[text], own...))
}

// step returns what the model used in it.
func (x *indexer) step(s Step) []id {
	x.at = s.N
	var used []id
	for _, it := range s.Items {
		text, escaped := said(it)
		found := x.scan.text(text, escaped, nil)
		x.v.texts[text] = found
		used = append(used, found...)
	}
	used = append(used, x.v.instructed(used)...)
	var uses []id
	for _, i := range used {
		last := x.last(i)
		if x.v.kinds[i] < Kinds && *last > 0 && *last-1+afar <= x.at {
			uses = append(uses, i)
		}
		if *last > 0 {
			*last = x.at + 1
		}
	}
	for _, o := range s.Outputs {
		x.see(o.Text)
	}
	for _, text := range s.Steers {
		x.input(text)
	}
	return uses
}
