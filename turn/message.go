package turn

import (
	"time"

	"github.com/longrein/longrein"
)

// Message is something that happened, told to the machine.
type Message interface{ message() }

// Submit is a user's input for a turn of its own; it waits when a turn runs, and
// picks one up that was cut off.
type Submit struct{ Text string }

// Steer is a user's input for the turn that runs, taken at its next safe point.
// Without a turn it starts one, and it picks one up that was cut off.
type Steer struct{ Text string }

// Interrupt stops the turn; what was recorded stays.
type Interrupt struct{}

// Resume goes on with what a crash, an interruption or a failure cut off.
type Resume struct{}

// Change sets what the next window begins with.
type Change struct{ Settings longrein.Settings }

// Surveyed answers a [Survey]: the initial context as it is now.
type Surveyed struct {
	Entries []longrein.Entry
	// Changes is what differs from what the survey says the model has seen, and
	// Skills are the texts of the skills that the inputs mention.
	Changes  []longrein.Entry
	Skills   []longrein.Entry
	Hits     []longrein.LimitHit
	Warnings []longrein.Warning
	// Edits are what a user made of the thread's notes, and Todo is the worker's
	// own document among them.
	Edits []longrein.Document
	Todo  string
	Err   error
}

// Response answers an [Ask]. Err is nil when it arrived whole; otherwise Items
// is what had arrived.
type Response struct {
	Step        int64
	Items       []longrein.Item
	Done        longrein.Finished
	FirstMillis int64
	Millis      int64
	Retries     int
	Err         error
}

// ToolDone answers a [Run]. Futile says that the call could not be run at all:
// an unknown tool, or arguments that cannot be read.
type ToolDone struct {
	Result longrein.ToolResult
	Futile bool
}

// ForkResponse answers an [AskFork].
type ForkResponse struct {
	Fork string
	Response
}

// Looked answers a [Look]: what a user made of the thread's notes.
type Looked struct {
	Fork     string
	Edits    []longrein.Document
	Warnings []longrein.Warning
	Err      error // they could not be looked at: the fork's work does not count
}

// Pin has every head carry an item from now on, or, when it is Once, shows it to
// the model again at the next safe point.
type Pin struct{ longrein.Pinned }

// Renew asks for a new window without waiting for it to be due.
type Renew struct{}

// Snapped answers a [Snap]. A snapshot that could not be taken has no tree.
type Snapped struct {
	Snapshot longrein.Snapshot
	Hits     []longrein.LimitHit
	Warnings []longrein.Warning
}

// Rollback takes the thread back to where it stood after an older record. Window is
// the [Machine.Checkpoint] of a machine that was loaded up to there, and Notes what
// the notes differ by. No turn may run.
type Rollback struct {
	longrein.Rollback
	Window longrein.Window
	Notes  []longrein.Document
}

// Undo says that files were put back. The model is told with its next request. No
// turn may run.
type Undo struct{ longrein.Undone }

// Leave says that the process is about to end: what runs beside the work is
// dropped, and begun again by a later one.
type Leave struct{}

// Approval is an approval that a running tool asks for, or its answer.
type Approval struct{ longrein.Approval }

// Warn is a warning to record.
type Warn struct{ longrein.Warning }

func (Submit) message()       {}
func (Steer) message()        {}
func (Interrupt) message()    {}
func (Resume) message()       {}
func (Change) message()       {}
func (Surveyed) message()     {}
func (Response) message()     {}
func (ToolDone) message()     {}
func (ForkResponse) message() {}
func (Looked) message()       {}
func (Pin) message()          {}
func (Renew) message()        {}
func (Snapped) message()      {}
func (Rollback) message()     {}
func (Undo) message()         {}
func (Leave) message()        {}
func (Approval) message()     {}
func (Warn) message()         {}

// Effect is something slow that the machine wants done.
type Effect interface{ effect() }

// Survey asks what is outside; answered by one [Surveyed].
type Survey struct {
	// Window is set when a new window is about to begin, for which all of the
	// initial context is wanted.
	Window bool
	// Seen are otherwise the fragments of the window that tell of the outside, the
	// skills among them.
	Seen   []longrein.Entry
	Inputs []string // that are about to be taken
}

// Snap asks for a snapshot of the thread's files; answered by one [Snapped].
type Snap struct {
	When longrein.SnapshotTime
	Turn int
}

// Ask sends a request; answered by one [Response] with the same step.
type Ask struct {
	Step    int64
	Request longrein.Request
}

// Run runs a tool call; answered by one [ToolDone]. Key is its [longrein.CallKey].
type Run struct {
	Call longrein.ToolCall
	Key  string
}

// AskFork sends a fork's request; answered by one [ForkResponse] with the same
// step, which is an error when the time Within is over.
type AskFork struct {
	Fork    string
	Step    int64
	Request longrein.Request
	Within  time.Duration
}

// CancelFork ends a fork's request, which still answers.
type CancelFork struct{ Fork string }

// Look asks what a user made of the thread's notes; answered by one [Looked].
type Look struct{ Fork string }

// Cancel ends the worker's request and tools; each still answers.
type Cancel struct{}

// Answer hands a decided approval to the tool that waits for it.
type Answer struct{ Approval longrein.Approval }

// Rest says that the turn is over and nothing runs.
type Rest struct{}

func (Survey) effect()     {}
func (Snap) effect()       {}
func (Ask) effect()        {}
func (Run) effect()        {}
func (AskFork) effect()    {}
func (CancelFork) effect() {}
func (Look) effect()       {}
func (Cancel) effect()     {}
func (Answer) effect()     {}
func (Rest) effect()       {}

// Out is what a message led to. The records must be in the log before any effect
// is started, and durable there when Sync is set.
type Out struct {
	Records []longrein.Record
	Sync    bool
	Effects []Effect
}
