package compare

import (
	"iter"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Session is a recorded session, ready for replays. It is not changed after
// [Read], so several replays may use it at once.
type Session struct {
	Name     string // by which reports speak of it
	Tool     string // that recorded it
	Thread   longrein.Thread
	Settings longrein.Settings // of its first window
	Initial  []longrein.Entry  // initial context
	Turns    []Turn
	Steps    int
	// Tools are those that the recording declares, and every change of them. A
	// replay declares what Settings do.
	Tools []Declared
	// Summaries are those that models made while it was recorded.
	Summaries []Summary
	// Inserted counts what the tool put in while turns ran. It is not replayed:
	// the machine inserts what it needs itself.
	Inserted int
	Estimate Estimate
	// Damaged are the first of the records, or of another tool's lines, that could
	// not be read, and Unread is how many there are.
	Damaged []error
	Unread  int

	start time.Time
	words *vocabulary
	marks []bookmark // one for each step
}

// Turn is what the user said and the steps that it led to.
type Turn struct {
	Input string
	Wait  time.Duration // before it, since the turn before ended
	Steps []Step
	Cut   bool // it has no last word: the user stopped it, or it failed
}

// Declared is what a recorded window declares to the model as its tools.
type Declared struct {
	Step   int   // that comes next
	Seq    int64 // of the window's record
	Window int
	Tools  []longrein.ToolSpec
}

// Step is one response of the model and what its calls came to.
type Step struct {
	N       int   // from 1, over the whole session
	Seq     int64 // of the recorded request, 0 for none
	Items   []longrein.Item
	Outputs []Output // one for each call, in order
	Steers  []string // what the user said before it was over
	Stop    longrein.Stop
	Tokens  int64 // of output, as reported or estimated
}

// Output is a call's recorded output and how long the call took.
type Output struct {
	longrein.ToolOutput
	Took time.Duration
}

// Summary is what a model noted while the session was recorded.
type Summary struct {
	Step      int // the last one that it may cover
	Documents []longrein.Document
}

// Read takes a session out of a thread's records, in order. Recorded windows,
// forks and compactions are passed over, but for the summaries that they brought.
// An error among the records that leaves others to read is noted in Damaged; one
// that ends them is returned. A session without a step is an error, since there is
// nothing to replay.
func Read(name string, records iter.Seq2[longrein.Record, error]) (*Session, error) {
	r := &reader{s: &Session{Name: name, Tool: "longrein"}}
	var last error
	for rec, err := range records {
		if err != nil {
			last = err
			r.s.damaged(err)
			continue
		}
		last = nil
		r.record(rec)
	}
	r.finish()
	if r.s.Steps == 0 {
		if last != nil {
			return nil, last
		}
		return nil, errNoSteps
	}
	return r.s, nil
}

// damaged notes a record that could not be read. A log may hold any number.
func (s *Session) damaged(err error) {
	s.Unread++
	if len(s.Damaged) < int(limit.SessionUnread.Default) {
		s.Damaged = append(s.Damaged, err)
	}
}
