package assemble

import (
	"reflect"

	"github.com/longrein/longrein"
)

// Difference is what a later request has that an earlier one has not, and the
// other way round.
type Difference struct {
	From Side `json:"from"`
	To   Side `json:"to"`
	// Common is how many bytes the two bodies begin with alike, without the marks
	// that steer a provider's cache.
	Common int `json:"common"`
	// Break says that To does not begin with all of From: a provider that has From
	// in its cache reads no more than Common from there. Parting is where they part.
	Break   bool     `json:"break"`
	Parting *Parting `json:"parting,omitempty"`
	Same    int      `json:"same"` // items that are in both, unchanged
	// In the order of the requests: Removed as in From, the others as in To.
	Removed []Change `json:"removed"`
	Added   []Change `json:"added"`
	Changed []Change `json:"changed"`
}

// Side is one of two requests.
type Side struct {
	Seq    int64  `json:"seq,omitempty"` // its record, 0 for one that was not made yet
	Window int    `json:"window"`
	Items  int    `json:"items"`
	Tokens int    `json:"tokens"`
	Bytes  int    `json:"bytes"`
	Hash   string `json:"hash"`
}

// Parting is the first thing that differs: [KindBase], [KindTools], "settings", or
// an item. Seq and Kind are of what From has there, Instead of what To has.
type Parting struct {
	What    string `json:"what"`
	Item    int    `json:"item,omitempty"` // its number in the request, from 1
	Seq     int64  `json:"seq,omitempty"`
	Kind    string `json:"kind,omitempty"`
	Instead string `json:"instead,omitempty"` // empty: nothing stands there
}

// Change is an item that only one request has, or that both have and that reads
// otherwise in To. Was is then how many tokens it had in From.
type Change struct {
	Seq    int64          `json:"seq,omitempty"` // record in which it first appeared, 0 for what a head made
	Tier   longrein.Tier  `json:"tier"`
	Kind   string         `json:"kind"`
	Tokens int            `json:"tokens"`
	Was    int            `json:"was,omitempty"`
	Entry  longrein.Entry `json:"-"`
}

// Compare tells the next requests of two states of one thread apart. Count is as
// in [Explain].
func Compare(from, to *State, count func(text string) int) (Difference, error) {
	if count == nil {
		count = Tokens
	}
	d := Difference{Removed: []Change{}, Added: []Change{}, Changed: []Change{}}
	var err error
	if d.From, err = side(from, count); err != nil {
		return d, err
	}
	if d.To, err = side(to, count); err != nil {
		return d, err
	}
	d.Common = common(from.body.buf, to.body.buf)
	d.Break = d.Common < len(from.body.buf)
	if d.Break {
		d.Parting = parting(from, to, d.Common)
	}
	d.items(from.entries, to.entries, count)
	return d, nil
}

func side(s *State, count func(string) int) (Side, error) {
	_, asked, err := s.Request()
	if err != nil {
		return Side{}, err
	}
	w := weigh(s, count)
	out := Side{Window: s.Window.N, Items: len(s.entries), Bytes: asked.Bytes, Hash: asked.Hash, Tokens: w.base + w.tools}
	for _, n := range w.entries {
		out.Tokens += n
	}
	return out, nil
}

// common counts the bytes that both begin with.
func common(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// parting names what stands at the first byte that differs.
func parting(from, to *State, at int) *Parting {
	if at < len(from.opening()) || at < len(to.opening()) {
		return &Parting{What: openingPart(from, to)}
	}
	p := &Parting{What: "item"}
	n := 0
	for place, g := range from.groups() {
		if place.to > at {
			p.Item, p.Seq, p.Kind = n+1, g[0].Seq, KindOf(g[0].Item)
			break
		}
		n += len(g)
	}
	for place, g := range to.groups() {
		if place.to > at {
			p.Instead = KindOf(g[0].Item)
			break
		}
	}
	return p
}

// openingPart says what differs before all items.
func openingPart(from, to *State) string {
	switch {
	case from.Base() != to.Base():
		return KindBase
	case !reflect.DeepEqual(from.Window.Settings.Tools, to.Window.Settings.Tools):
		return KindTools
	}
	return "settings"
}
