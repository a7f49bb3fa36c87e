package session

import (
	"cmp"
	"errors"
	"strconv"

	"github.com/longrein/longrein"
)

var errOrphan = errors.New("an output without a call in this recording")

// What stands where a recording has nothing.
const (
	emptyOutput = "(no output)"
	lostOutput  = "(the recording holds no output of this call)"
	noName      = "unnamed"

	providedOutput = "(done by the provider; the recording holds no output)"
)

// calls pairs calls with outputs. Other tools' ids can be missing or repeated;
// ours are unique.
type calls struct {
	byTheirs map[string]*call
	used     map[string]int // how often an id of theirs was taken
	nameless []*call        // open calls without an id, oldest first
	turn     int            // counts turns
	open     int            // calls of this turn without an output
}

type call struct {
	item     longrein.ToolCall
	step     *Step
	turn     int
	answered bool
}

// leave ends a turn, and returns how many of its calls are open.
func (c *calls) leave() int {
	open := c.open
	c.open, c.nameless = 0, nil
	c.turn++
	return open
}

// unique returns an id of ours for one of theirs.
func (c *calls) unique(theirs string) string {
	if c.used == nil {
		c.used = map[string]int{}
	}
	base := cmp.Or(theirs, "call")
	for {
		c.used[base]++
		n := c.used[base]
		id := base
		if n > 1 || theirs == "" {
			id = base + "-" + strconv.Itoa(n)
		}
		if id == base || c.used[id] == 0 {
			c.used[id] = max(c.used[id], 1)
			return id
		}
	}
}

// call adds a call to a response. One that was recorded before, with the same id
// and arguments, is not added again.
func (b *builder) call(key, theirs, name, args string) {
	if args == "" {
		args = "{}"
	}
	name = cmp.Or(name, noName)
	if old := b.calls.byTheirs[theirs]; theirs != "" && old != nil && old.item.Name == name && old.item.Args == args {
		b.Repeats++
		return
	}
	s := b.respond(key)
	c := &call{step: s, turn: b.calls.turn, item: longrein.ToolCall{ID: b.calls.unique(theirs), Name: name, Args: args}}
	b.calls.await(theirs, c)
	b.Calls++
	b.calls.open++
	b.make(s, c.item)
}

func (c *calls) await(theirs string, waiting *call) {
	if theirs == "" {
		c.nameless = append(c.nameless, waiting)
		return
	}
	if c.byTheirs == nil {
		c.byTheirs = map[string]*call{}
	}
	c.byTheirs[theirs] = waiting
}

// provided adds a call that the provider ran itself: its output is not recorded,
// and it is none of the calls that are counted.
func (b *builder) provided(key, name, args string) {
	s := b.respond(key)
	c := longrein.ToolCall{ID: b.calls.unique(""), Name: cmp.Or(name, noName), Args: cmp.Or(args, "{}")}
	b.make(s, c)
	s.Outputs = append(s.Outputs, longrein.ToolOutput{CallID: c.ID, Text: providedOutput, Status: longrein.OutputOK})
	b.Provided++
}

// output answers a call. An output without an id belongs to the oldest open call
// without one.
func (b *builder) output(theirs, text string, status longrein.OutputStatus) error {
	return b.outputExit(theirs, text, status, nil)
}

// outputExit is output with a command's exit status, where that is known.
func (b *builder) outputExit(theirs, text string, status longrein.OutputStatus, exit *int) error {
	c := b.calls.byTheirs[theirs]
	if theirs == "" && len(b.calls.nameless) > 0 {
		c = b.calls.nameless[0]
		b.calls.nameless = b.calls.nameless[1:]
	}
	if c == nil {
		b.OrphanOutputs++
		return errOrphan
	}
	if c.answered {
		b.Repeats++
		return nil
	}
	c.answered = true
	if c.turn == b.calls.turn {
		b.calls.open--
	}
	b.items++
	c.step.Outputs = append(c.step.Outputs, longrein.ToolOutput{
		CallID: c.item.ID, Text: cmp.Or(text, emptyOutput), Status: status, Exit: exit,
	})
	if b.step == c.step {
		b.step = nil
	}
	return nil
}

// settle gives each call its output, in the order of the calls.
func (b *builder) settle() {
	for _, m := range b.s.Moments {
		if s, ok := m.What.(*Step); ok {
			b.OrphanCalls += s.settle()
		}
	}
}

func (s *Step) settle() (lost int) {
	outputs := make(map[string]longrein.ToolOutput, len(s.Outputs))
	for _, o := range s.Outputs {
		outputs[o.CallID] = o
	}
	s.Outputs = nil
	for _, it := range s.Items {
		c, ok := it.(longrein.ToolCall)
		if !ok {
			continue
		}
		o, ok := outputs[c.ID]
		if !ok {
			o = longrein.ToolOutput{CallID: c.ID, Text: lostOutput, Status: longrein.OutputUnknown}
			lost++
		}
		s.Outputs = append(s.Outputs, o)
	}
	s.Lost = lost
	return lost
}
