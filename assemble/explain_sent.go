package assemble

import (
	"iter"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/wire"
)

// requested reports whether this window has had a request.
func (s *State) requested() bool { return s.Asked.Hash != "" }

// sent counts the entries that this window's last request held.
func (s *State) sent() (n int) {
	if !s.requested() {
		return 0
	}
	for at, group := range s.groups() {
		if at.from >= s.body.prev.to {
			break
		}
		n += len(group)
	}
	return n
}

// groups yields the entries that are encoded together, with their place in the
// body. Each request ends with a group, so it is no matter in how many steps the
// body grew.
func (s *State) groups() iter.Seq2[span, []longrein.Entry] {
	return func(yield func(span, []longrein.Entry) bool) {
		b := &s.body
		at := len(s.opening())
		first := true
		var buf []byte
		for g := range wire.Groups(s.entries) {
			buf = b.enc.Group(buf[:0], b.head, g)
			if len(buf) > 0 && !first {
				at++ // a comma
			}
			first = first && len(buf) == 0
			if !yield(span{at, at + len(buf)}, g) {
				return
			}
			at += len(buf)
		}
	}
}

// opening is what stands before all entries: settings, base instructions, tools.
func (s *State) opening() []byte { return s.body.enc.Open(nil, s.body.head) }

// Cuts returns what limits have cut, dropped or refused in this window so far. The
// slice must not be changed.
func (s *State) Cuts() []longrein.LimitHit { return s.cuts[:len(s.cuts):len(s.cuts)] }
