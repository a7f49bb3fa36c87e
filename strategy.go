package longrein

import (
	"encoding/json"
	"time"
)

// Strategy is the seam to how windows are kept small. Decide is asked at every
// safe point: before a request is made, when a turn has ended, and again when the
// provider refused a request as too long. It must be pure: the same view (and, of
// a [Keeper], the same records before) gives the same move.
type Strategy interface {
	Name() string
	Decide(v View) Move
}

// Keeper is a strategy that remembers and that works beside the worker. It is
// made for one thread. What it remembers is a fold of the log: nothing else may
// change it.
type Keeper interface {
	Strategy
	// Note takes a record in: the log's first one, then all of them or those from
	// the last window record on, in order. Damaged or strange records are borne.
	Note(r Record)
	// Keep returns what has been noted, for the record of a window that begins.
	// Note finds it in that record's Kept.
	Keep() json.RawMessage
	// Reply says what a fork's answer leads to.
	Reply(b Branch) Reply
}

// View is a read-only look at a thread at a safe point.
type View struct {
	Now      time.Time // time of the last record
	Last     int64     // its sequence number
	Settings Settings
	Window   int
	Turn     int
	// Entries are the window's, in order: Fresh of initial context, the rest of
	// the head, then the tail. Not to be changed.
	Entries []Entry
	Fresh   int
	// Tokens estimates the next request's input; Overhead is the part of it
	// that no window can be without: base instructions, tools, initial context,
	// pinned items.
	Tokens   int
	Overhead int
	// Refused is set when the provider said that this context is too long.
	Refused bool
	// Idle is set when no turn runs: no request follows.
	Idle bool
	// Manual is set while a new window that the user asked for has not begun.
	Manual bool
	// Surveyed is set when Decide is asked once more because it wanted a new
	// window: what is outside has been looked at since, and this answer counts.
	Surveyed bool
	// Todo is the worker's own document, as it was found then.
	Todo string
	// Waiting is how many inputs no turn has taken yet.
	Waiting int
	// Size estimates an entry's tokens.
	Size func(Entry) int
}

// Sum estimates the tokens of entries.
func (v View) Sum(entries []Entry) int {
	n := 0
	for _, e := range entries {
		n += v.Size(e)
	}
	return n
}

// Move is a strategy's answer: [CarryOn], [StartFork], [Hold], [NewWindow] or
// [Fail].
// What Log holds is recorded before the move is made.
type Move interface{ move() }

// CarryOn leaves the window as it is.
type CarryOn struct{ Log []Body }

// StartFork begins runs beside the work. The work goes on, unless Hold is set; when
// all of them fail at once then, Decide is asked again.
type StartFork struct {
	Log   []Body
	Forks []ForkPlan
	Hold  bool
}

// Hold lets the worker wait until a fork has come to its end; then Decide is
// asked again. Without a running fork it is a CarryOn.
type Hold struct{ Log []Body }

// NewWindow begins a window. Its head is fresh initial context followed by Head,
// in which every call has its output and every output its call. Cut says what
// the model no longer sees. A strategy is asked twice: the first answer only says
// that a new window is due, the one with View.Surveyed counts.
type NewWindow struct {
	Log  []Body
	Why  string
	Head []Entry
	Cut  []LimitHit
	Told bool // Log says what is left out and where it can be read
}

// Fail ends the turn with an error, because no request can be made that would be
// of use. The thread stays usable.
type Fail struct {
	Log  []Body
	Kind ErrorKind
	Text string // what happened and what to try
}

func (Fail) move()      {}
func (CarryOn) move()   {}
func (StartFork) move() {}
func (Hold) move()      {}
func (NewWindow) move() {}

// ForkPlan is a run that a strategy wants beside the work.
type ForkPlan struct {
	Role  ForkRole
	N     int // see [Fork]
	Why   string
	Head  []Entry       // to begin with in place of the worker's entries, nil for those
	Items []Item        // what makes it another than the worker; at least one
	Bound bool          // an interrupt of the turn ends it
	Time  time.Duration // for all of it
	// Dropped is recorded when the fork is dropped, by an interrupt or the end of
	// its window, its time or the process.
	Dropped []Body
}

// Branch is a read-only look at a fork whose answer is in.
type Branch struct {
	Fork Fork
	Now  time.Time
	// Shared are the entries that it has in common with the worker, and Own what
	// follows: its instruction, its answers, and the outputs of its calls.
	Shared, Own []Entry
	Round       int // of its answers, from 1
	// Looked is set when the answer was [Look] and Reply is asked once more.
	Looked bool
}

// Answer returns the items of the newest answer, which may have none.
func (b Branch) Answer() []Item {
	at := len(b.Own)
	for at > 0 && b.Own[at-1].Step != 0 && answers(b.Own[at-1].Item) {
		at--
	}
	var items []Item
	for _, e := range b.Own[at:] {
		items = append(items, e.Item)
	}
	return items
}

func answers(it Item) bool {
	_, opaque := it.(Opaque)
	return opaque || FromModel(it)
}

// Reply is what a fork's answer leads to: [GoOn], [Look] or [End].
type Reply interface{ reply() }

// GoOn asks the fork again. Items are the outputs of its calls, one for each in
// the same order, and may end with one item more.
type GoOn struct{ Items []Item }

// Look asks for the thread's notes to be compared with what a user made of them
// on disk. What differs is recorded, and Reply asked once more.
type Look struct{}

// End ends the fork. What Log holds is recorded before its end.
type End struct {
	Log   []Body
	State ForkState // finished or failed
	Why   string
}

func (GoOn) reply() {}
func (Look) reply() {}
func (End) reply()  {}
