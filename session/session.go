package session

import (
	"time"

	"github.com/longrein/longrein"
)

// Recording is what a file holds.
type Recording struct {
	Format Format
	// Sessions are in the order in which they begin in the file. Most forms hold
	// one; those of sub-agents have their Agent set.
	Sessions []*Session
	Report   Report
}

// Session is one conversation as its tool recorded it. Fields that the recording
// does not tell are empty.
type Session struct {
	Format   Format
	ID       string // as the tool names it
	Agent    string // of the sub-agent whose session this is
	Parent   string // ID of the session that this one came from
	Title    string
	Cwd      string
	Branch   string // of git
	Commit   string
	Version  string // of the tool; the newest, when it changed on the way
	Provider string
	Model    string // the first that was named
	Base     string // base instructions
	// ContextWindow is the model's, in tokens.
	ContextWindow int
	Started       time.Time // zero when no time was recorded
	Moments       []Moment
}

// Moment is something that happened in a session. Time is that of the moment
// before where none was recorded.
type Moment struct {
	Time time.Time
	Line int64 // of the file, or of the element of a document, from 1
	What What

	node  int32 // in the tree of lines, see branches
	taken int   // lines taken before this one
	items int   // items before it
}

// What can happen: [Input], [Inserted], [*Step], [Compaction], [Cleared] or
// [TurnEnd].
type What interface{ what() }

// Input is what the user said. Steer says that it was said while a turn ran;
// any other input begins a turn.
type Input struct {
	Text  string
	Steer bool
}

// Inserted is what the tool itself put in, under its own tag.
type Inserted struct{ longrein.Fragment }

// Step is one model response and what its calls came to. Each call of Items has
// its output in Outputs, in the order of the calls.
type Step struct {
	Items   []longrein.Item
	Outputs []longrein.ToolOutput
	Usage   longrein.Usage
	Cost    float64 // US dollars, 0 when not recorded
	Model   string
	Stop    longrein.Stop
	Lost    int // outputs that the recording does not hold and that say so

	at int // index of its moment
}

// Compaction is where the tool put a summary in place of what came before.
type Compaction struct {
	Summary string // empty when it is not recorded, or encrypted
	// Kept is what the context began with afterwards, the summary included. When
	// it is nil, that is the initial context, the summary, and everything from
	// the moment with the index From on; From is negative when nothing was kept.
	Kept []longrein.Item
	From int
}

// Cleared is where the tool took old outputs out of the context.
type Cleared struct{ Calls []string }

// TurnEnd is where a turn ended, as far as the recording says so.
type TurnEnd struct {
	State longrein.TurnState
	Error *longrein.TurnError // set when State is failed
}

func (Input) what()      {}
func (Inserted) what()   {}
func (*Step) what()      {}
func (Compaction) what() {}
func (Cleared) what()    {}
func (TurnEnd) what()    {}

// Turns counts the inputs that begin a turn.
func (s *Session) Turns() int {
	n := 0
	for _, m := range s.Moments {
		if in, ok := m.What.(Input); ok && !in.Steer {
			n++
		}
	}
	return n
}

// Steps counts the model's responses.
func (s *Session) Steps() int {
	n := 0
	for _, m := range s.Moments {
		if _, ok := m.What.(*Step); ok {
			n++
		}
	}
	return n
}
