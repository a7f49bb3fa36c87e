package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Report says what became of every line of a file. Of a JSON document its elements
// count as lines: messages, events, and what stands beside them; of one that is
// a line itself, that line too.
//
//	Lines = Blank + Taken + the sum of Passed + Lost
type Report struct {
	Lines  int
	Blank  int
	Taken  int     // lines that sessions are made of
	Passed []Count // lines that are understood, or of an unknown kind, and not needed; by kind
	Lost   int     // lines that could not be read
	// Unread lists the first of those that were lost.
	Unread []Line
	// Salvaged counts records found in lines that are lost otherwise.
	Salvaged int

	// What the whole file holds, abandoned branches and sub-agents included.
	Calls         int // tool calls, each once
	Provided      int // calls that the provider ran itself, not in Calls
	OrphanCalls   int // of these, the ones without an output
	OrphanOutputs int // outputs without a call; their lines are listed as unread
	Compactions   int
	Repeats       int // calls and outputs recorded more than once
	Attachments   Attachments
	// Limits are the named limits that bit.
	Limits []longrein.LimitHit
}

// Count is how many lines of a kind there were.
type Count struct {
	Kind string
	N    int
}

// Line is a line that could not be read.
type Line struct {
	N   int64 // from 1
	Why string
	Raw []byte // its beginning
}

// Attachments counts images and files whose place in the text holds a note.
type Attachments struct {
	N     int
	Bytes int64 // as far as they were in the recording
}

// String is the report as one line for people.
func (r *Report) String() string {
	passed := 0
	for _, c := range r.Passed {
		passed += c.N
	}
	return fmt.Sprintf("%d lines: %d taken, %d passed over, %d not readable, %d blank; %d calls, %d without output",
		r.Lines, r.Taken, passed, r.Lost, r.Blank, r.Calls, r.OrphanCalls)
}

// tally collects a report.
type tally struct {
	Report
	limits limit.Set
	passed map[string]int
	at     int64   // the line or element that is read
	fields []field // of its objects
	// Items that compactions carried on, and could not.
	carried, refused int
	keeper           func(Kept) error // may be nil
	keepErr          error
}

func newTally(set limit.Set) *tally { return &tally{limits: set, passed: map[string]int{}} }

// otherKinds is the kind of all kinds beyond the limit.
const otherKinds = "other kinds"

func (t *tally) pass(kind string, n int) {
	kind = plain(kind)
	if _, known := t.passed[kind]; !known && len(t.passed) >= t.limits.Int(limit.SessionKinds) {
		kind = otherKinds
	} else if !known {
		kind = strings.Clone(kind) // not to hold on to its line
	}
	t.passed[kind] += n
}

// named is a kind that a file names, which may be empty.
func named(kind string) string { return cmp.Or(kind, "no kind named") }

// plain makes a name that came from a file fit for a list.
func plain(kind string) string {
	const longest = 64 // fixed: a name in a list; the file has the whole
	if len(kind) > longest {
		kind = strings.ToValidUTF8(kind[:longest], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError {
			return '?'
		}
		return r
	}, kind)
}

func (t *tally) lose(n int64, why string, raw []byte) {
	t.Lost++
	t.list(n, why, raw)
	t.keep(Kept{N: n, Kind: why, Lost: true}, raw)
}

// list keeps what a line holds, bounded.
func (t *tally) list(n int64, why string, raw []byte) {
	if len(t.Unread) >= t.limits.Int(limit.SessionUnread) {
		return
	}
	raw = raw[:min(len(raw), t.limits.Int(limit.SessionRaw))]
	t.Unread = append(t.Unread, Line{N: n, Why: why, Raw: slices.Clone(raw)})
}

// carry reports whether a compaction may carry on n items more.
func (t *tally) carry(n int) bool {
	if t.carried += n; t.carried <= t.limits.Int(limit.SessionCarried) {
		return true
	}
	t.carried -= n
	t.refused += n
	return false
}

// drop makes n taken lines passed ones.
func (t *tally) drop(kind string, n int) {
	if n == 0 {
		return
	}
	t.Taken -= n
	t.pass(kind, n)
}

// report is the finished report.
func (t *tally) report() Report {
	for kind, n := range t.passed {
		t.Passed = append(t.Passed, Count{kind, n})
	}
	slices.SortFunc(t.Passed, func(a, b Count) int { return cmp.Compare(a.Kind, b.Kind) })
	if over := t.Lost - len(t.Unread); over > 0 {
		t.Limits = append(t.Limits, t.limits.Hit(limit.SessionUnread, "lines that could not be read", int64(over), "in the file"))
	}
	if n := t.passed[otherKinds]; n > 0 {
		hit := t.limits.Hit(limit.SessionKinds, "lines of further kinds", int64(n), "in the file")
		hit.CutUnit = "lines"
		t.Limits = append(t.Limits, hit)
	}
	if t.refused > 0 {
		t.Limits = append(t.Limits, t.limits.Hit(limit.SessionCarried, "items that compactions kept", int64(t.refused), "before the compaction"))
	}
	return t.Report
}
