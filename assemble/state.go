package assemble

import (
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/wire"
)

// State is a thread's current window, folded from its log. The zero value is
// ready for a log's first record. It is not safe for concurrent use.
type State struct {
	Thread longrein.Thread
	Window longrein.Window // without its head, which is in Entries
	// Next holds the settings that the next window will begin with.
	Next    longrein.Settings
	Last    int64 // sequence number of the last record
	Asked   longrein.Asked
	entries []longrein.Entry
	// tentative are items of a response that is not yet recorded whole.
	tentative []longrein.Entry
	body      body
	count     counter
	branches  []*branch // of the forks that run
	cuts      []longrein.LimitHit
	sizes     sizes // of the window's entries, as far as somebody asked
}

// Add folds r, which must follow the last record that was added. A log's tail
// may be added from a window record on, after the thread's first record.
func (s *State) Add(r longrein.Record) error {
	s.Last = r.Seq
	switch b := r.Body.(type) {
	case longrein.Thread:
		s.Thread = b
	case longrein.Settings:
		s.Next = b
	case longrein.Window:
		return s.begin(b)
	case longrein.Appended:
		b.Seq = r.Seq
		s.append(b.Entry)
	case longrein.Asked:
		s.tentative = nil
		s.Asked = b
		s.count.asked()
		if s.Window.N == 0 {
			return nil // its window's record was lost, and with it the body
		}
		return s.body.asked(s.entries)
	case longrein.Answered:
		s.commit(b)
	case longrein.LimitHit:
		s.cuts = append(s.cuts, b)
	case longrein.Fork:
		return s.fork(b)
	case longrein.Beside:
		return s.beside(r.Seq, b)
	}
	return nil
}

// begin starts a window: everything before it leaves the model's sight.
func (s *State) begin(w longrein.Window) error {
	enc, err := wire.For(w.Settings.Wire)
	if err != nil {
		return fmt.Errorf("begin window %d: %w", w.N, err)
	}
	s.entries = append([]longrein.Entry(nil), w.Head...)
	s.tentative, s.branches, s.cuts, s.sizes = nil, nil, nil, sizes{}
	s.Asked = longrein.Asked{}
	w.Head = nil
	s.Window, s.Next = w, w.Settings
	head := wire.Head{Settings: w.Settings, Base: s.Base(), Thread: s.Thread.CacheKey()}
	s.body.open(enc, head)
	s.count = counter{ratio: w.Scale}
	s.count.overhead(head)
	for i, e := range s.entries {
		s.count.add(e, i < w.Fresh)
	}
	return nil
}

// append takes an entry in; what the model made waits until its response is whole.
func (s *State) append(e longrein.Entry) {
	if e.Step != 0 && longrein.FromModel(e.Item) {
		s.tentative = append(s.tentative, e)
		return
	}
	s.entries = append(s.entries, e)
	s.count.add(e, false)
}

func (s *State) commit(a longrein.Answered) {
	for _, e := range s.tentative {
		if e.Step == a.Step {
			s.entries = append(s.entries, e)
			s.count.add(e, false)
		}
	}
	s.tentative = nil
	if a.Usage.Reported {
		s.count.reported(int(a.Usage.Input))
	}
}

// Base returns the base instructions in force: the settings' override, else the
// thread's own.
func (s *State) Base() string {
	if s.Window.Settings.Base != "" {
		return s.Window.Settings.Base
	}
	return s.Thread.Base
}

// Entries returns what the model sees, in order. The slice must not be changed.
func (s *State) Entries() []longrein.Entry { return s.entries[:len(s.entries):len(s.entries)] }

// Scale is how many tokens the provider counts for one that is estimated here, 0
// while it has reported nothing.
func (s *State) Scale() float64 { return s.count.ratio }

// Tokens estimates the input of the next request: what the provider last
// reported, plus an estimate of what was added since.
func (s *State) Tokens() int { return s.count.total() }

// View returns what a strategy is shown. Refused tells it that the provider
// refused this context as too long.
func (s *State) View(r longrein.Record, refused bool) longrein.View {
	return longrein.View{
		Now:      r.Time,
		Last:     r.Seq,
		Settings: s.Next,
		Window:   s.Window.N,
		Entries:  s.Entries(),
		Fresh:    s.Window.Fresh,
		Tokens:   s.Tokens(),
		Overhead: s.count.scale(s.count.head + s.count.fresh),
		Refused:  refused,
		Size:     func(e longrein.Entry) int { return s.count.scale(s.sizes.of(e)) },
	}
}

// Request returns the next request and the record that announces it. The body
// stays as it is until Request was called twice more, which is long after the
// request is over; who keeps it longer copies it.
func (s *State) Request() (longrein.Request, longrein.Asked, error) {
	if s.Window.N == 0 {
		return longrein.Request{}, longrein.Asked{}, fmt.Errorf("assemble request: thread %s has no window yet", s.Thread.ID)
	}
	if err := s.body.grow(s.entries); err != nil {
		return longrein.Request{}, longrein.Asked{}, err
	}
	req, asked := s.announce(&s.body, &s.count)
	return req, asked, nil
}

// announce renders a request and makes the record that announces it.
func (s *State) announce(b *body, c *counter) (longrein.Request, longrein.Asked) {
	bytes, sum := b.render()
	set := s.Window.Settings
	req := longrein.Request{Thread: s.Thread.ID, Model: set.Model, Wire: set.Wire, Body: bytes}
	return req, longrein.Asked{
		Window: s.Window.N,
		Model:  set.Model,
		Hash:   sum,
		Bytes:  len(bytes),
		Tokens: c.total(),
		Cached: c.prefix,
	}
}
