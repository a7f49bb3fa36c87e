package index

import (
	"cmp"
	"encoding/json"
	"iter"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Entry is what a list shows of one thread.
type Entry struct {
	ID   string
	Path string // of the log, from the logs' folder, with slashes
	Name string // given by the user, may be empty
	Cwd  string
	// Branch is of git when the thread began, empty outside a work tree.
	Branch string
	Model  string // of the newest window
	// Parent is the thread that this one was forked from, after its record ForkSeq.
	Parent  string
	ForkSeq int64
	// First is the first words of the user, on one line. A fork in which nothing was
	// said yet has those of its parent, and says so in Inherited.
	First     string
	Inherited bool
	// State is that of the newest turn, empty before the first. TurnStarted
	// means that the turn runs, or that its process died.
	State    longrein.TurnState
	Turns    int // that the model sees; a fork's begin with those that it shares
	Requests int // that were answered, those of forks among them, as in Tokens and Cost; a fork's own
	Tokens   longrein.Usage
	Cost     float64 // US dollars
	Created  time.Time
	Updated  time.Time // time of the newest record
	Archived bool
	Seq      int64 // of the newest record in this row
	// Size and Modified are of the log when it was last looked at.
	Size     int64
	Modified time.Time
	// Damaged says what of the log could not be read; empty when all could.
	Damaged string
}

// Fold returns e with the record r added. Folding a log in one go or in parts
// gives the same row.
func Fold(limits limit.Set, e Entry, r longrein.Record) Entry {
	e.Seq, e.Updated = r.Seq, r.Time
	switch b := r.Body.(type) {
	case longrein.Thread:
		e.ID, e.Cwd, e.Branch, e.Created = b.ID, b.Cwd, b.Branch, r.Time
		e.Parent, e.ForkSeq = b.Parent, b.ForkSeq
		e.Model = cmp.Or(e.Model, b.Model) // of a fork, what it took over
	case longrein.Window:
		e = e.stands(b)
	case longrein.Input:
		if e.First == "" || e.Inherited {
			e.First, e.Inherited = words(b.Text, limits.Int(limit.FirstWords)), false
		}
	case longrein.Turn:
		e.Turns, e.State = b.N, b.State
	case longrein.Answered:
		e = e.paid(b.Usage, b.Cost)
	case longrein.Beside:
		if a, ok := b.Body.(longrein.Answered); ok {
			e = e.paid(a.Usage, a.Cost)
		}
	case longrein.Fork:
		if b.State == longrein.ForkStale { // its answer came too late for a record of its own
			e = e.paid(b.Usage, b.Cost)
		}
	case longrein.Renamed:
		e.Name = b.Name
	case longrein.Unknown:
		e = foldArchived(e, b)
	}
	return e
}

// stands is e with what a window says of the thread; it tells what came of a
// rollback.
func (e Entry) stands(w longrein.Window) Entry {
	e.Model, e.Turns = w.Settings.Model, w.Turns
	if w.Running {
		e.State = longrein.TurnStarted
	} else {
		e.State = cmp.Or(w.Ended, e.State)
	}
	return e
}

// inherited is what the row of a fork begins with: what it shares, without what
// that cost.
func inherited(limits limit.Set, shared iter.Seq[longrein.Record]) Entry {
	var e Entry
	for r := range shared {
		e = Fold(limits, e, r)
	}
	return Entry{Model: e.Model, First: e.First, Inherited: e.First != "", State: e.State, Turns: e.Turns}
}

// paid adds an answer.
func (e Entry) paid(u longrein.Usage, cost float64) Entry {
	e.Requests++
	e.Tokens = e.Tokens.Add(u)
	e.Cost += cost
	return e
}

// words returns the start of text on one line, in at most n bytes. Control
// characters, which could write to the terminal, become spaces.
func words(text string, n int) string {
	if len(text) > 4*n { // spaces fold away, but not for ever
		text = text[:4*n]
	}
	clean := func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}
	text = strings.Join(strings.Fields(strings.Map(clean, text)), " ")
	if len(text) <= n {
		return text
	}
	text = text[:n-len("…")]
	for !utf8.ValidString(text) {
		text = text[:len(text)-1]
	}
	return strings.TrimSpace(text) + "…"
}

const archived = "archived"

// Archive returns the record that puts a thread into the archive, or takes it out
// again. Append it to the thread's log: only lists care about it, everything else
// passes it over as [longrein.Unknown].
func Archive(on bool) longrein.Body {
	raw := json.RawMessage(`{"archived":false}`)
	if on {
		raw = json.RawMessage(`{"archived":true}`)
	}
	return longrein.Unknown{Name: archived, Raw: raw}
}

func foldArchived(e Entry, b longrein.Unknown) Entry {
	var said struct {
		Archived *bool `json:"archived"`
	}
	if b.Name == archived && json.Unmarshal(b.Raw, &said) == nil && said.Archived != nil {
		e.Archived = *said.Archived
	}
	return e
}
