package assemble

import (
	"bytes"
	"fmt"
	"hash"

	"github.com/longrein/longrein"
)

// branch is a fork's request: a copy of the window's at the safe point where the
// fork began, which then grows by the fork's own entries.
type branch struct {
	name        string
	shared, own []longrein.Entry
	body        body
	count       counter
}

// all returns the fork's entries. What it shares does not change any more, and
// what it adds goes to memory of its own.
func (b *branch) all() []longrein.Entry {
	return append(b.shared[:len(b.shared):len(b.shared)], b.own...)
}

// Branch returns the entries that the running fork of that name shares with the
// worker and its own; false when there is none.
func (s *State) Branch(name string) (shared, own []longrein.Entry, ok bool) {
	b := s.find(name)
	if b == nil {
		return nil, nil, false
	}
	return b.shared, b.own[:len(b.own):len(b.own)], true
}

func (s *State) find(name string) *branch {
	for _, b := range s.branches {
		if b.name == name {
			return b
		}
	}
	return nil
}

// fork folds a point in a fork's life.
func (s *State) fork(f longrein.Fork) error {
	if f.State != longrein.ForkStarted {
		s.branches = without(s.branches, f.Name())
		return nil
	}
	if s.Window.N != f.Window || f.At != len(s.entries) {
		return nil // the log was damaged before it: its requests cannot be rebuilt
	}
	if len(f.Head) > 0 {
		return s.tryOut(f)
	}
	if err := s.body.grow(s.entries); err != nil {
		return err
	}
	s.branches = append(s.branches, &branch{
		name: f.Name(), shared: s.Entries(), body: s.body.clone(), count: s.count,
	})
	return nil
}

// tryOut opens a request as a window would begin with that head.
func (s *State) tryOut(f longrein.Fork) error {
	b := &branch{name: f.Name(), count: counter{ratio: s.count.ratio}}
	b.body.open(s.body.enc, s.body.head)
	b.count.overhead(s.body.head)
	b.shared = append(s.entries[:s.Window.Fresh:s.Window.Fresh], f.Head...)
	for i, e := range b.shared {
		b.count.add(e, i < s.Window.Fresh)
	}
	s.branches = append(s.branches, b)
	return b.body.grow(b.shared)
}

func without(branches []*branch, name string) []*branch {
	var rest []*branch
	for _, b := range branches {
		if b.name != name {
			rest = append(rest, b)
		}
	}
	return rest
}

// beside folds a record of a fork's own.
func (s *State) beside(seq int64, r longrein.Beside) error {
	b := s.find(r.Fork)
	if b == nil {
		return nil
	}
	switch body := r.Body.(type) {
	case longrein.Appended:
		body.Seq = seq
		b.own = append(b.own, body.Entry)
		b.count.add(body.Entry, false)
	case longrein.Asked:
		b.count.asked()
		return b.body.asked(b.all())
	case longrein.Answered:
		if body.Usage.Reported {
			b.count.reported(int(body.Usage.Input))
		}
	}
	return nil
}

// BranchRequest returns the next request of a running fork and what announces
// it. Its body stays as [State.Request] says of its own.
func (s *State) BranchRequest(name string) (longrein.Request, longrein.Asked, error) {
	b := s.find(name)
	if b == nil {
		return longrein.Request{}, longrein.Asked{}, fmt.Errorf("assemble request: there is no running fork %s", name)
	}
	if err := b.body.grow(b.all()); err != nil {
		return longrein.Request{}, longrein.Asked{}, err
	}
	req, asked := s.announce(&b.body, &b.count)
	return req, asked, nil
}

// clone returns a body that grows on its own.
func (b *body) clone() body {
	c := *b
	c.parting = b.last
	c.buf = bytes.Clone(b.buf)
	c.sheets, c.sheet = [2]sheet{}, 0
	sum, err := b.sum.(hash.Cloner).Clone()
	if err != nil {
		panic("assemble: a running SHA-256 cannot be copied: " + err.Error())
	}
	c.sum = sum
	return c
}
