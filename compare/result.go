package compare

import (
	"time"

	"github.com/longrein/longrein"
)

// Result is what a strategy came to on a session.
type Result struct {
	Session  string  `json:"session"`
	Tool     string  `json:"tool"` // that recorded it
	Turns    int     `json:"turns"`
	Strategy string  `json:"strategy"`
	Profile  Profile `json:"profile"`
	Window   int     `json:"context_window"` // tokens, 0: unknown
	Steps    int     `json:"steps"`          // of the session that were replayed
	Recorded int     `json:"recorded_steps"`

	Requests Requests       `json:"requests"`
	Usage    longrein.Usage `json:"usage"` // of all requests
	Uncached int64          `json:"uncached"`
	HitShare float64        `json:"hit_share"` // of the input, from 0 to 1
	Cost     float64        `json:"cost"`      // US dollars
	ForkCost float64        `json:"fork_cost"` // the forks' part of it
	Windows  int            `json:"windows"`
	Peak     int            `json:"peak"`     // tokens of the largest request of the worker's
	Stall    time.Duration  `json:"stall_ns"` // that the worker waited for memory
	Time     time.Duration  `json:"time_ns"`  // of the whole, without the user's
	// Breaks counts the worker's requests within a window whose beginning the
	// cache should have had and did not, for age or another reason.
	Breaks int `json:"breaks"`
	// Answers counts forks' answers by who gave them.
	Answers   []Count    `json:"answers"`
	Limits    []LimitCut `json:"limits"`
	Retention []Retained `json:"retention"` // by kind, in the kinds' order
	Estimate  Estimate   `json:"estimate"`
	// Inserted counts what the tool put into the session while turns ran, and
	// Unread the records or lines that could not be read. Neither is replayed.
	Inserted int `json:"inserted,omitempty"`
	Unread   int `json:"unread,omitempty"`
	// Failed says why the replay ended before the session did.
	Failed string `json:"failed,omitempty"`

	Points []Point `json:"points"` // one for each request of the worker's
	Resets []Began `json:"resets"` // windows after the first one
}

// Requests counts requests by who made them.
type Requests struct {
	Worker  int `json:"worker"`
	Forks   int `json:"forks"`
	Refused int `json:"refused,omitempty"` // of the worker's, as too long
}

// Count is how many there are of something.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// LimitCut sums what a limit cut.
type LimitCut struct {
	Name  string `json:"name"`
	Times int    `json:"times"`
	Cut   int64  `json:"cut"`
	Unit  string `json:"unit"`
}

// Retained says how values of a kind could be seen when a step used them. Counted
// are uses of what had been seen before, but not in the steps just before.
type Retained struct {
	Kind      string `json:"kind"`
	Uses      int    `json:"uses"`
	Verbatim  int    `json:"verbatim"`  // in an item as it was
	Summary   int    `json:"summary"`   // in a summary, notes or a ledger
	Reference int    `json:"reference"` // in a document or an output that the context names
	Lost      int    `json:"lost"`      // not at all
}

// Point is a request of the worker's.
type Point struct {
	Step     int           `json:"step"` // of the session, from 1
	Turn     int           `json:"turn"`
	Window   int           `json:"window"`
	Tokens   int           `json:"tokens"`
	Cached   int           `json:"cached"`
	Cost     float64       `json:"cost"`     // US dollars, of all up to here
	Uses     int           `json:"uses"`     // see [Retained]
	Lost     int           `json:"lost"`     // of them
	Stall    time.Duration `json:"stall_ns"` // before it
	At       time.Duration `json:"at_ns"`    // since the beginning
	Recorded int64         `json:"seq,omitempty"`
	// Break says that it is one of [Result.Breaks].
	Break bool `json:"break,omitempty"`
}

// Use is a value that a step used, and how it could be seen then.
type Use struct {
	Kind  Kind
	Value string
	How   How
}

// How a value can be seen.
type How uint8

// From the best to not at all; see [Retained].
const (
	Verbatim How = iota
	InSummary
	ByReference
	NotAtAll
)

// Began is a window that took another one's place.
type Began struct {
	Step   int    `json:"step"` // that came next
	Window int    `json:"window"`
	Why    string `json:"why"`
}

// add sums r and s, but not their kinds.
func (r Retained) add(s Retained) Retained {
	r.Uses += s.Uses
	r.Verbatim += s.Verbatim
	r.Summary += s.Summary
	r.Reference += s.Reference
	r.Lost += s.Lost
	return r
}

// All sums the kinds of a result.
func (r *Result) All() Retained {
	all := Retained{Kind: "all"}
	for _, k := range r.Retention {
		all = all.add(k)
	}
	return all
}
