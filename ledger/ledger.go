package ledger

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Ledger is what is known of a thread up to a record. Its zero value is ready for
// a log's first record. It is changed by [Ledger.Note] alone and not copied.
//
// Its JSON holds all of it: a ledger that was written and read again goes on as
// if nothing had happened. The same records give the same bytes.
type Ledger struct{ kept }

// kept is the ledger as its JSON holds it.
type kept struct {
	Last   int64          `json:"last,omitempty"`   // the newest record noted
	Folder string         `json:"folder,omitempty"` // the thread's
	Calls  table[pending] `json:"calls,omitzero"`   // that have no output yet

	Changed table[file]    `json:"changed,omitzero"`
	Read    table[file]    `json:"read,omitzero"` // and never changed
	Failing table[attempt] `json:"failing,omitzero"`
	Done    table[attempt] `json:"done,omitzero"` // commands that ended well, and errors that are resolved

	Requests    []saying         `json:"requests,omitempty"`
	Constraints table[saying]    `json:"constraints,omitzero"`
	Plan        plan             `json:"plan,omitzero"`
	Approvals   table[approval]  `json:"approvals,omitzero"`
	Values      table[value]     `json:"values,omitzero"`
	Candidates  table[candidate] `json:"candidates,omitzero"`

	Left left `json:"left,omitzero"`
}

// left counts what limits made leave.
type left struct {
	Files       int `json:"files,omitempty"`
	Calls       int `json:"calls,omitempty"`
	Requests    int `json:"requests,omitempty"`
	Constraints int `json:"constraints,omitempty"`
	Approvals   int `json:"approvals,omitempty"`
	Values      int `json:"values,omitempty"`
	Candidates  int `json:"candidates,omitempty"`
}

// Note takes a record in, within the limits of set. Noting records in parts, with
// the ledger written to JSON and read between, gives the same as noting them at
// once. A record that was noted before changes nothing, and so do those of forks
// and a window's head, which repeats items.
func (l *Ledger) Note(r longrein.Record, set limit.Set) {
	if r.Seq <= l.Last || r.Body == nil {
		return
	}
	l.Last = r.Seq
	n := noting{l, r.Seq, set}
	switch b := r.Body.(type) {
	case longrein.Thread:
		l.Folder = clip(b.Cwd, n.most())
	case longrein.Appended:
		n.item(b.Item)
	case longrein.Approval:
		n.approval(b)
	case longrein.Window:
		l.Calls = table[pending]{} // every call has its output where a window begins
	}
}

// noting is a record on its way into a ledger.
type noting struct {
	*Ledger
	seq int64
	set limit.Set
}

func (n noting) item(it longrein.Item) {
	switch it := it.(type) {
	case longrein.Message:
		n.message(it)
	case longrein.ToolCall:
		n.call(it)
	case longrein.ToolOutput:
		n.output(it)
	}
}

func (n noting) message(m longrein.Message) {
	switch m.Role {
	case longrein.RoleUser:
		n.request(m.Text)
		n.seen(m.Text)
	case longrein.RoleAssistant:
		n.used(m.Text, false)
	}
}

// most is how many bytes the ledger holds of one thing.
func (n noting) most() int { return n.set.Int(limit.LedgerLine) }

// line returns s on one line, or its start with a mark where that is too long.
func (n noting) line(s string) string {
	s = squeeze(strings.ToValidUTF8(s, "?"))
	if len(s) <= n.most() {
		return s
	}
	return strings.TrimSpace(clip(s, n.most())) + "…"
}

// name returns a path as [longrein.FileTouch] has it, on one line.
func (n noting) name(p string) string {
	p = path.Clean(p)
	if below, ok := strings.CutPrefix(p, strings.TrimSuffix(n.Folder, "/")+"/"); ok && n.Folder != "" {
		p = below
	}
	return n.line(p)
}

// MarshalJSON writes the whole ledger.
func (l Ledger) MarshalJSON() ([]byte, error) { return encode(l.kept) }

// UnmarshalJSON reads what MarshalJSON wrote, in place of what l held.
func (l *Ledger) UnmarshalJSON(b []byte) error {
	l.kept = kept{}
	return json.Unmarshal(b, &l.kept)
}
