package assemble

import "github.com/longrein/longrein"

// place is what tells an entry from others: its record where it has one, else what
// it says. A call and the output that stands in for a lost one share a record.
type place struct {
	seq        int64
	kind, text string
}

func placeOf(e longrein.Entry) place {
	p := place{seq: e.Seq, kind: KindOf(e.Item)}
	if e.Seq == 0 {
		p.text = Text(e)
	}
	return p
}

// pairs finds for entries of one request those of another.
type pairs struct {
	at     map[place][]int  // in the other, those not taken yet
	ofKind map[string][]int // of them, what heads made
	taken  []bool
}

func pairing(other []longrein.Entry) *pairs {
	p := &pairs{at: map[place][]int{}, ofKind: map[string][]int{}, taken: make([]bool, len(other))}
	for i, e := range other {
		key := placeOf(e)
		p.at[key] = append(p.at[key], i)
		if e.Seq == 0 {
			p.ofKind[key.kind] = append(p.ofKind[key.kind], i)
		}
	}
	return p
}

// same takes the entry that is e's, -1 for none. Of what heads made it is one that
// says the same.
func (p *pairs) same(e longrein.Entry) int { return p.take(p.at[placeOf(e)]) }

// successor takes what a head made in the place of e, which another head made.
func (p *pairs) successor(e longrein.Entry) int {
	if e.Seq != 0 {
		return -1
	}
	return p.take(p.ofKind[KindOf(e.Item)])
}

func (p *pairs) take(from []int) int {
	for _, i := range from {
		if !p.taken[i] {
			p.taken[i] = true
			return i
		}
	}
	return -1
}

// items tells the entries of two requests apart.
func (d *Difference) items(from, to []longrein.Entry, count func(string) int) {
	p := pairing(from)
	was := make([]int, len(to))
	for i, e := range to {
		was[i] = p.same(e)
	}
	for i, e := range to {
		if was[i] < 0 {
			was[i] = p.successor(e)
		}
		c := change(e, count)
		switch {
		case was[i] < 0:
			d.Added = append(d.Added, c)
		case Text(from[was[i]]) != Text(e):
			c.Was = entryTokens(from[was[i]], count)
			d.Changed = append(d.Changed, c)
		default:
			d.Same++
		}
	}
	for i, e := range from {
		if !p.taken[i] {
			d.Removed = append(d.Removed, change(e, count))
		}
	}
}

func change(e longrein.Entry, count func(string) int) Change {
	return Change{Seq: e.Seq, Tier: longrein.TierOf(e), Kind: KindOf(e.Item), Tokens: entryTokens(e, count), Entry: e}
}
