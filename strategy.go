package longrein

import "time"

// Strategy is the seam to how windows are kept small. Decide is asked at every
// safe point before a request is made, and again when the provider refused one
// as too long. It must be pure: the same view gives the same move.
type Strategy interface {
	Name() string
	Decide(v View) Move
}

// View is a read-only look at a thread at a safe point.
type View struct {
	Now      time.Time // time of the last record
	Settings Settings
	Window   int
	// Entries are the window's, in order: Fresh of initial context, the rest of
	// the head, then the tail. Not to be changed.
	Entries []Entry
	Fresh   int
	// Tokens estimates the next request's input; Overhead is the part of it
	// that no window can be without: base instructions, tools, initial context.
	Tokens   int
	Overhead int
	// Refused is set when the provider said that this context is too long.
	Refused bool
	// Size estimates an entry's tokens.
	Size func(Entry) int
}

// Move is a strategy's answer: [CarryOn] or [NewWindow].
type Move interface{ move() }

// CarryOn leaves the window as it is.
type CarryOn struct{}

// NewWindow begins a window. Its head is fresh initial context followed by Head,
// in which every call has its output and every output its call. Cut says what the model no longer sees.
type NewWindow struct {
	Why  string
	Head []Entry
	Cut  []LimitHit
}

func (CarryOn) move()   {}
func (NewWindow) move() {}
