package longrein

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// Record is one line of a thread's log. Seq counts from 1 without gaps; Time is
// UTC with milliseconds and is the only clock that replay knows.
type Record struct {
	Seq  int64
	Time time.Time
	Body Body
}

// Body is what a record says. Types that this program does not know arrive as
// [Unknown] and are kept and passed over, so an older program can read a newer
// log.
type Body interface{ recordType() string }

// Type returns the record's type as the log writes it, such as "item".
func (r Record) Type() string { return r.Body.recordType() }

// Thread is a log's first record. Its number is 1, or in a fork ForkSeq+1.
type Thread struct {
	ID      string `json:"id"` // UUIDv7
	Cwd     string `json:"cwd"`
	Version string `json:"version"` // of the program that began the thread
	Format  int    `json:"format"`  // of the log; see [LogFormat]
	Model   string `json:"model"`
	Branch  string `json:"branch,omitempty"` // of git, when cwd is in a work tree
	Commit  string `json:"commit,omitempty"`
	// A thread that was forked from another goes on where that one stood: all of
	// the parent's records up to ForkSeq come before it, and its own first record,
	// this one, has the number after that.
	Parent  string `json:"parent,omitempty"`
	ForkSeq int64  `json:"fork_seq,omitempty"`
	// ForkByte is where the line of record ForkSeq ends in the parent's file, and
	// ForkSum the checksum that stands there. They are the log's own.
	ForkByte int64  `json:"fork_byte,omitempty"`
	ForkSum  string `json:"fork_sum,omitempty"`
	// Origin is the thread at the root of a line of forks, whose id a provider's
	// cache knows them all by. Empty means the thread itself.
	Origin string `json:"origin,omitempty"`
	// Base is the thread's base instructions, fixed when it began.
	Base string `json:"base,omitempty"`
}

// CacheKey is what a provider is told so that requests with the same beginning
// meet: forks of one thread share it.
func (t Thread) CacheKey() string {
	if t.Origin != "" {
		return t.Origin
	}
	return t.ID
}

// LogFormat is the version of the log that this program writes. A log of a
// higher version is read as far as it is understood and never written to.
const LogFormat = 1

// Settings holds everything besides items that a request is made of. A settings
// record takes effect when the next window begins, so that a window only grows.
type Settings struct {
	Provider  string `json:"provider"`
	Model     string `json:"model"`
	Wire      Wire   `json:"wire"`
	Simulated bool   `json:"simulated,omitempty"`
	// ContextWindow is in tokens, 0 when unknown; ContextSource says who gave it.
	ContextWindow int     `json:"context_window,omitempty"`
	ContextSource string  `json:"context_source,omitempty"`
	MaxOutput     int     `json:"max_output,omitempty"` // tokens, 0: the provider's own limit
	Effort        string  `json:"effort,omitempty"`     // reasoning effort, as the provider names it
	Price         Price   `json:"price"`
	Dialect       Dialect `json:"dialect"`
	// Base overrides the thread's base instructions when it is not empty.
	Base     string     `json:"base,omitempty"`
	Tools    []ToolSpec `json:"tools,omitempty"`
	Strategy string     `json:"strategy,omitempty"`
	Approval string     `json:"approval,omitempty"`
	Sandbox  string     `json:"sandbox,omitempty"`
}

// Room is how many tokens a request may have: the context window without what the
// answer may take. An output limit above half of the window is a bound on an
// answer, not a plan for it. It is 0 when the window is not known.
func (s Settings) Room() int { return s.ContextWindow - min(s.MaxOutput, s.ContextWindow/2) }

// Price is in US dollars for a million tokens. Zero everywhere means unknown or
// free.
type Price struct {
	Input      float64 `json:"input,omitempty"`
	Cached     float64 `json:"cached,omitempty"`
	CacheWrite float64 `json:"cache_write,omitempty"`
	Output     float64 `json:"output,omitempty"`
}

// Cost returns what u costs at p, in US dollars. It is never negative, whatever
// a server reports.
func (p Price) Cost(u Usage) float64 {
	plain := max(u.Input-u.Cached-u.CacheWrite, 0)
	return (float64(plain)*p.Input + float64(u.Cached)*p.Cached +
		float64(u.CacheWrite)*p.CacheWrite + float64(u.Output)*p.Output) / 1e6
}

// Turn marks a change in a turn's life. N counts turns from 1.
type Turn struct {
	N     int        `json:"n"`
	State TurnState  `json:"state"`
	Error *TurnError `json:"error,omitempty"` // set when State is TurnFailed
}

// TurnState is where a turn stands.
type TurnState string

// A turn starts, and then ends in one of the other three ways.
const (
	TurnStarted     TurnState = "started"
	TurnEnded       TurnState = "ended"
	TurnInterrupted TurnState = "interrupted"
	TurnFailed      TurnState = "failed"
)

// TurnError is why a turn failed: Kind for programs, Text for people.
type TurnError struct {
	Kind ErrorKind `json:"kind"`
	Text string    `json:"text"`
}

// Input is something the user typed, logged before it is acknowledged. It
// becomes an item when a turn takes it; until then it waits.
type Input struct {
	Text string    `json:"text"`
	Mode InputMode `json:"mode"`
}

// InputMode says when an input is taken.
type InputMode string

// A submitted or queued input starts a turn when none runs; a steer joins the
// turn that runs at its next safe point.
const (
	InputSubmit InputMode = "submit"
	InputSteer  InputMode = "steer"
)

// Appended is an item that joined the current window. Input is the sequence
// number of the [Input] it came from, 0 for none.
type Appended struct {
	Entry
	Input int64 `json:"input,omitempty"`
}

// MarshalJSON writes the entry's fields and, when set, input.
func (a Appended) MarshalJSON() ([]byte, error) {
	b, err := a.Entry.MarshalJSON()
	if err != nil || a.Input == 0 {
		return b, err
	}
	return fmt.Appendf(b[:len(b)-1], `,"input":%d}`, a.Input), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (a *Appended) UnmarshalJSON(b []byte) error {
	var raw struct {
		rawEntry
		Input int64 `json:"input"`
	}
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	entry, err := raw.entry()
	a.Entry, a.Input = entry, raw.Input
	return err
}

// ToolRun marks a tool call's life outside the window. A call without a started
// record has never run. A finished one carries its output until the item that
// the model sees is recorded, in call order.
type ToolRun struct {
	CallID string      `json:"call_id"`
	State  ToolState   `json:"state"`
	Output *ToolOutput `json:"output,omitempty"`
}

// ToolState is where a tool call stands.
type ToolState string

// The states a tool run is logged in.
const (
	ToolStarted  ToolState = "started"
	ToolFinished ToolState = "finished"
)

// Asked is a request that is about to be sent. Hash is the SHA-256 of its body
// in hexadecimal; the body itself is rebuilt from the log. Its own sequence
// number is the step of everything it brings.
type Asked struct {
	Turn   int    `json:"turn"`
	Window int    `json:"window"`
	Model  string `json:"model"`
	Hash   string `json:"hash"`
	Bytes  int    `json:"bytes"`
	Tokens int    `json:"tokens"` // estimate of the input
	Cached int    `json:"cached"` // estimate of what the provider has in its cache
}

// Answered is a response that has been recorded whole.
type Answered struct {
	Step  int64   `json:"step"`
	Usage Usage   `json:"usage"`
	Cost  float64 `json:"cost"` // US dollars
	Model string  `json:"model,omitempty"`
	Stop  Stop    `json:"stop,omitempty"`
	// Millis from request to first event and to the end; Retries before it.
	FirstMillis int64 `json:"first_ms"`
	Millis      int64 `json:"ms"`
	Retries     int   `json:"retries,omitempty"`
}

// Usage is in tokens, as the provider reported it. Input counts all of the
// input, with Cached and CacheWrite as parts of it; Reasoning is a part of
// Output. Reported is false when the provider said nothing.
type Usage struct {
	Input      int64 `json:"input"`
	Cached     int64 `json:"cached"`
	CacheWrite int64 `json:"cache_write,omitempty"`
	Output     int64 `json:"output"`
	Reasoning  int64 `json:"reasoning,omitempty"`
	Reported   bool  `json:"reported"`
}

// Add returns the sum of u and v.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Input: u.Input + v.Input, Cached: u.Cached + v.Cached, CacheWrite: u.CacheWrite + v.CacheWrite,
		Output: u.Output + v.Output, Reasoning: u.Reasoning + v.Reasoning, Reported: u.Reported || v.Reported,
	}
}

// Window begins a window. It is a checkpoint: what is needed to go on is in it
// or behind it.
type Window struct {
	N        int    `json:"n"` // from 1
	Why      string `json:"why"`
	Boundary int64  `json:"boundary,omitempty"` // last record that the head stands for
	// Settings are those in force from here on.
	Settings Settings `json:"settings"`
	Head     []Entry  `json:"head"`
	// Fresh is how many entries of the head are initial context.
	Fresh int `json:"fresh"`
	// Scale is how many tokens the provider counts for one of our estimate, 0
	// while that is not known.
	Scale float64 `json:"scale,omitempty"`
	// What the thread had come to, so that older records need not be read.
	Turns   int       `json:"turns"`
	Steps   int       `json:"steps,omitempty"`   // of the running turn
	Running bool      `json:"running,omitempty"` // a turn runs across this point
	Snapped bool      `json:"snapped,omitempty"` // before whose first change a snapshot was taken
	Ended   TurnState `json:"ended,omitempty"`   // how the last turn ended, when none runs
	Total   Totals    `json:"total"`
	// Forks is the highest number that a fork of each role had, so that names are
	// used once, also after the thread was taken back.
	Forks map[ForkRole]int `json:"forks,omitempty"`
	// Beside sums the forks' answers so far; Total leaves them out.
	Beside  Totals    `json:"beside,omitzero"`
	Pending []Waiting `json:"pending,omitempty"`
	Notes   int       `json:"notes,omitempty"` // version of the thread's notes
	Pins    []Pinned  `json:"pins,omitempty"`  // in force
	// Kept is what the strategy had noted; see [Keeper].
	Kept json.RawMessage `json:"kept,omitempty"`
}

// Totals sums a thread's answers so far.
type Totals struct {
	Requests int     `json:"requests"`
	Usage    Usage   `json:"usage"`
	Cost     float64 `json:"cost"`
}

// Waiting is an input that no turn has taken yet, with its sequence number.
type Waiting struct {
	Seq int64 `json:"seq"`
	Input
}

// LimitHit says that a named limit cut, dropped, refused or delayed something:
// what, how much of it, and where the whole can still be read.
type LimitHit struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
	Unit  string `json:"unit"`
	What  string `json:"what"`
	Cut   int64  `json:"cut"`
	// CutUnit is what Cut counts; empty means Unit.
	CutUnit string `json:"cut_unit,omitempty"`
	Where   string `json:"where,omitempty"`
}

// Approval is a tool call that waits, or waited, for a yes.
type Approval struct {
	CallID string        `json:"call_id"`
	Tool   string        `json:"tool"`
	Action string        `json:"action"` // what would run, as a person reads it
	Reason string        `json:"reason"` // why it is asked
	State  ApprovalState `json:"state"`
	Note   string        `json:"note,omitempty"` // what the answerer said
}

// ApprovalState is where an approval stands.
type ApprovalState string

// An approval is asked for and then allowed or refused.
const (
	ApprovalAsked   ApprovalState = "asked"
	ApprovalAllowed ApprovalState = "allowed"
	ApprovalRefused ApprovalState = "refused"
)

// Warning is something a user should know that stopped nothing.
type Warning struct {
	Text string `json:"text"`
}

// Renamed gives the thread a name for lists.
type Renamed struct {
	Name string `json:"name"`
}

// Unknown is a record of a type that this program does not know.
type Unknown struct {
	Name string
	Raw  json.RawMessage
}

func (Thread) recordType() string    { return "thread" }
func (Settings) recordType() string  { return "settings" }
func (Turn) recordType() string      { return "turn" }
func (Input) recordType() string     { return "input" }
func (Appended) recordType() string  { return "item" }
func (ToolRun) recordType() string   { return "tool" }
func (Asked) recordType() string     { return "request" }
func (Answered) recordType() string  { return "usage" }
func (Window) recordType() string    { return "window" }
func (LimitHit) recordType() string  { return "limit" }
func (Approval) recordType() string  { return "approval" }
func (Warning) recordType() string   { return "warning" }
func (Renamed) recordType() string   { return "name" }
func (u Unknown) recordType() string { return u.Name }

// MarshalJSON returns the payload as it was read.
func (u Unknown) MarshalJSON() ([]byte, error) { return u.Raw, nil }

// decoders has one entry for each type of record.
var decoders = map[string]func([]byte) (Body, error){
	"thread":   decode[Thread],
	"settings": decode[Settings],
	"turn":     decode[Turn],
	"input":    decode[Input],
	"item":     decode[Appended],
	"tool":     decode[ToolRun],
	"request":  decode[Asked],
	"usage":    decode[Answered],
	"window":   decode[Window],
	"limit":    decode[LimitHit],
	"approval": decode[Approval],
	"warning":  decode[Warning],
	"name":     decode[Renamed],
	"fork":     decode[Fork],
	"notes":    decode[Notes],
	"verdict":  decode[Verdict],
	"reset":    decode[Reset],
	"pin":      decode[Pinned],
}

func init() { decoders["beside"] = decode[Beside] } // its decoder uses the table

func decode[T Body](b []byte) (Body, error) {
	var v T
	if err := json.Unmarshal(b, &v); err != nil {
		return nil, err
	}
	return v, nil
}

// MarshalBody returns the payload of a record's line, compact and without HTML
// escapes. The same body gives the same bytes.
func MarshalBody(b Body) ([]byte, error) {
	out, err := marshal(b)
	if err != nil {
		return nil, fmt.Errorf("encode %s record: %w", b.recordType(), err)
	}
	return out, nil
}

// UnmarshalBody reads a payload of the named type; an unknown name gives an
// [Unknown], which keeps the bytes.
func UnmarshalBody(name string, payload []byte) (Body, error) {
	dec, ok := decoders[name]
	if !ok {
		return Unknown{Name: name, Raw: bytes.Clone(payload)}, nil
	}
	b, err := dec(payload)
	if err != nil {
		return nil, fmt.Errorf("decode %s record: %w", name, err)
	}
	return b, nil
}

func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte{'\n'}), nil
}
