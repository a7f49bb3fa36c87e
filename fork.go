package longrein

import (
	"encoding/json"
	"fmt"
)

// ForkRole is what a run beside the work is for.
type ForkRole string

// The roles: the summarizer keeps the notes, the decider says whether a new
// window is due, the prober asks questions about a head that is about to begin,
// the compactor sums up a window while the worker waits.
const (
	RoleSummarizer ForkRole = "summarizer"
	RoleDecider    ForkRole = "decider"
	RoleProber     ForkRole = "prober"
	RoleCompactor  ForkRole = "compactor"
)

// Fork marks a point in the life of a run beside the work. It begins with what
// the worker saw at a safe point and goes its own way from there; its requests,
// answers and items are [Beside] records.
type Fork struct {
	Role   ForkRole  `json:"role"`
	N      int       `json:"n"`      // counts the runs of its role in this thread, from 1
	Window int       `json:"window"` // in which it was born
	State  ForkState `json:"state"`
	// From is the last record that it shares with the worker, and At how many of
	// the window's entries it begins with.
	From int64 `json:"from"`
	At   int   `json:"at"`
	// Head is what a fork begins with in place of that, after the window's
	// initial context; empty for all but those that try a head out.
	Head []Entry `json:"head,omitempty"`
	Why  string  `json:"why,omitempty"` // it was started, or has come to this end
	// Kind classifies what a failed fork failed of.
	Kind ErrorKind `json:"kind,omitempty"`
	// What it came to, with its end.
	Requests int     `json:"requests,omitempty"`
	Usage    Usage   `json:"usage,omitzero"`
	Cost     float64 `json:"cost,omitempty"` // US dollars
	Millis   int64   `json:"ms,omitempty"`   // from its start
}

// Name is the fork's own, such as "summarizer-3".
func (f Fork) Name() string { return fmt.Sprintf("%s-%d", f.Role, f.N) }

// ForkState is where a fork stands.
type ForkState string

// A fork starts and ends in one of the other ways. What is skipped was due and
// never started; what is dropped was cut off, by the end of its window, of its
// time or of the process; a stale one answered after that.
const (
	ForkStarted  ForkState = "started"
	ForkFinished ForkState = "finished"
	ForkFailed   ForkState = "failed"
	ForkDropped  ForkState = "dropped"
	ForkStale    ForkState = "stale"
	ForkSkipped  ForkState = "skipped"
)

// Beside is a record of a fork's own: an [Appended] item, a request that was
// [Asked], or its [Answered].
type Beside struct {
	Fork string // its name
	Body Body
}

// rawBeside is a Beside whose body is not decoded yet.
type rawBeside struct {
	Fork string          `json:"fork"`
	Type string          `json:"type"`
	Body json.RawMessage `json:"body"`
}

// MarshalJSON writes {"fork":"summarizer-3","type":"item","body":{…}}.
func (b Beside) MarshalJSON() ([]byte, error) {
	body, err := MarshalBody(b.Body)
	if err != nil {
		return nil, err
	}
	return marshal(rawBeside{b.Fork, b.Body.recordType(), body})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (b *Beside) UnmarshalJSON(data []byte) error {
	var raw rawBeside
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	body, err := UnmarshalBody(raw.Type, raw.Body)
	b.Fork, b.Body = raw.Fork, body
	return err
}

// Notes is a new version of the thread's own memory documents.
type Notes struct {
	Version int `json:"version"` // from 1
	// By is the fork that wrote it, "user" for an edit from outside, or
	// "harness" for documents that no model writes.
	By     string `json:"by"`
	Window int    `json:"window,omitempty"`
	// Boundary is the last record that the notes now cover, and At how many of
	// the window's entries; 0 leaves both where they were.
	Boundary int64      `json:"boundary,omitempty"`
	At       int        `json:"at,omitempty"`
	Changed  []Document `json:"changed"`
}

// Writers of notes that are no forks.
const (
	ByUser    = "user"
	ByHarness = "harness"
)

// Document is one of a thread's notes. Name is a slash-separated path such as
// "MAIN.md"; Text is the whole of it.
type Document struct {
	Name    string   `json:"name"`
	Text    string   `json:"text,omitempty"`
	Deleted bool     `json:"deleted,omitempty"`
	Sources []Source `json:"sources,omitempty"`
}

// Documents with a meaning of their own.
const (
	MainDocument   = "MAIN.md"   // what nearly every step needs; the summarizer's
	TodoDocument   = "TODO.md"   // the worker's own
	LedgerDocument = "LEDGER.md" // what the harness knows for certain; no model's
)

// Source says which records a paragraph of a document rests on.
type Source struct {
	Paragraph string  `json:"paragraph"` // the first 12 hexadecimal digits of its SHA-256
	Seqs      []int64 `json:"seqs"`
}

// Verdict is what a decider said.
type Verdict struct {
	Fork   string `json:"fork"`
	Window int    `json:"window"` // the one it judged
	Reset  bool   `json:"reset"`
	Reason string `json:"reason,omitempty"`
	// Ignored says why the verdict has no effect: its window is over, or it could
	// not be read. Empty when it counts.
	Ignored string `json:"ignored,omitempty"`
}

// Reset is a step on the way from one window to the next. The window record
// itself is the last one.
type Reset struct {
	Window int        `json:"window"` // that is to end
	Phase  ResetPhase `json:"phase"`
	Why    string     `json:"why"`
	By     string     `json:"by,omitempty"` // the decider, or "harness"
	// With requested: what the rewrite costs in US dollars, what each later step
	// then saves, and after how many steps it has paid for itself.
	Price     float64 `json:"price,omitempty"`
	Saving    float64 `json:"saving,omitempty"`
	BreakEven int     `json:"break_even,omitempty"`
	// With built: tokens of the old context and of the new head, entries carried
	// over unchanged, and tokens that from now on only the notes and the log have.
	Before  int `json:"before,omitempty"`
	After   int `json:"after,omitempty"`
	Carried int `json:"carried,omitempty"`
	Left    int `json:"left,omitempty"`
	// With probed: questions put to the head, those it answered, and what was
	// added to it for the others.
	Probes   int      `json:"probes,omitempty"`
	Passed   int      `json:"passed,omitempty"`
	Repaired []string `json:"repaired,omitempty"`
	// With examined: questions put to a model, with the answers of the old
	// context and of the new head.
	Questions []Question `json:"questions,omitempty"`
}

// Question is one that a head was tried with. Got is empty until it was answered.
type Question struct {
	Ask  string `json:"ask"`
	Want string `json:"want"` // the answer of the old context
	Got  string `json:"got,omitempty"`
	OK   bool   `json:"ok,omitempty"`
}

// ResetPhase is how far a reset has come.
type ResetPhase string

// A reset is requested and waits for a summarizer that still runs; its head may be
// examined with a model's questions; it is built and probed at a safe point. It may
// be refused at any of these.
const (
	ResetRequested ResetPhase = "requested"
	ResetWaiting   ResetPhase = "waiting"
	ResetExamined  ResetPhase = "examined"
	ResetBuilt     ResetPhase = "built"
	ResetProbed    ResetPhase = "probed"
	ResetRefused   ResetPhase = "refused"
)

// Pinned is an item that every head carries from now on, or no longer when Off
// is set. With Once it is shown again at the next safe point and not carried.
type Pinned struct {
	Seq  int64 `json:"seq"` // the item's record
	Off  bool  `json:"off,omitempty"`
	Once bool  `json:"once,omitempty"`
	Item Item  `json:"-"`
}

// MarshalJSON writes the item with its kind.
func (p Pinned) MarshalJSON() ([]byte, error) {
	raw := struct {
		Seq  int64           `json:"seq"`
		Off  bool            `json:"off,omitempty"`
		Once bool            `json:"once,omitempty"`
		Item json.RawMessage `json:"item,omitempty"`
	}{Seq: p.Seq, Off: p.Off, Once: p.Once}
	if p.Item != nil {
		item, err := marshalItem(p.Item)
		if err != nil {
			return nil, err
		}
		raw.Item = item
	}
	return marshal(raw)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *Pinned) UnmarshalJSON(b []byte) error {
	var raw struct {
		Seq  int64           `json:"seq"`
		Off  bool            `json:"off"`
		Once bool            `json:"once"`
		Item json.RawMessage `json:"item"`
	}
	err := json.Unmarshal(b, &raw)
	p.Seq, p.Off, p.Once = raw.Seq, raw.Off, raw.Once
	if err == nil && len(raw.Item) > 0 {
		p.Item, err = unmarshalItem(raw.Item)
	}
	return err
}

func (Fork) recordType() string    { return "fork" }
func (Beside) recordType() string  { return "beside" }
func (Notes) recordType() string   { return "notes" }
func (Verdict) recordType() string { return "verdict" }
func (Reset) recordType() string   { return "reset" }
func (Pinned) recordType() string  { return "pin" }
