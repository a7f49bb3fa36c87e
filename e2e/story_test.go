//go:build unix

package e2e_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/rollout"
)

// story is a thread's log, read.
type story struct {
	t       *testing.T
	id      string
	records []longrein.Record
	calls   []*call // in order
	asked   []longrein.Asked
	whole   int // responses that were recorded whole
	turns   []longrein.Turn
	said    int // messages of the model
}

// call is a tool call and what came of it.
type call struct {
	longrein.ToolCall
	outputs []longrein.ToolOutput
}

// story reads the newest thread. Its log must be without damage but for half a line
// at the end, which no process has moved aside yet.
func (p *place) story() *story {
	p.t.Helper()
	file, ok := p.log()
	if !ok {
		p.t.Fatal("there is no thread")
	}
	s := &story{t: p.t, id: file.ID}
	for r, err := range p.store().Read(file.ID) {
		var bad *rollout.ErrDamaged
		if errors.As(err, &bad) && bad.Torn {
			break
		}
		if err != nil {
			p.t.Fatal(err)
		}
		s.add(r)
	}
	return s
}

func (p *place) store() *rollout.Store { return &rollout.Store{Root: p.home} }

// log returns the newest thread's file.
func (p *place) log() (rollout.File, bool) {
	p.t.Helper()
	for f, err := range p.store().Files() {
		if err != nil {
			p.t.Fatal(err)
		}
		return f, true
	}
	return rollout.File{}, false
}

func (s *story) add(r longrein.Record) {
	s.records = append(s.records, r)
	switch b := r.Body.(type) {
	case longrein.Asked:
		s.asked = append(s.asked, b)
	case longrein.Answered:
		s.whole++
	case longrein.Turn:
		s.turns = append(s.turns, b)
	case longrein.Appended:
		s.item(b.Item)
	}
}

func (s *story) item(it longrein.Item) {
	switch it := it.(type) {
	case longrein.Message:
		if it.Role == longrein.RoleAssistant {
			s.said++
		}
	case longrein.ToolCall:
		s.calls = append(s.calls, &call{ToolCall: it})
	case longrein.ToolOutput:
		for _, c := range slices.Backward(s.calls) {
			if c.ID == it.CallID {
				c.outputs = append(c.outputs, it)
				return
			}
		}
		s.t.Errorf("the output of call %q has no call", it.CallID)
	}
}

// texts returns what the log says to people: warnings and limits.
func (s *story) texts() []string {
	var out []string
	for _, r := range s.records {
		switch b := r.Body.(type) {
		case longrein.Warning:
			out = append(out, b.Text)
		case longrein.LimitHit:
			out = append(out, b.Name+": "+b.What)
		}
	}
	return out
}

// windows says in which window each request was made, by the beginning of its
// hash.
func (s *story) windows() map[string]int {
	w := map[string]int{}
	for _, a := range s.asked {
		w[a.Hash[:16]] = a.Window
	}
	return w
}

// ended returns how the last turn stands.
func (s *story) ended() longrein.TurnState {
	if len(s.turns) == 0 {
		return ""
	}
	return s.turns[len(s.turns)-1].State
}

// unknown returns how many calls ended in a way that nobody knows.
func (s *story) unknown() int {
	n := 0
	for _, c := range s.calls {
		for _, out := range c.outputs {
			if out.Status == longrein.OutputUnknown {
				n++
			}
		}
	}
	return n
}

// checkCalls checks that every call has its one output, and ran as often as the
// output says: once when it finished, at most once when nobody knows.
func (p *place) checkCalls(s *story) {
	p.t.Helper()
	ran := p.steps()
	for n, times := range ran {
		if times > 1 {
			p.t.Errorf("step %s ran %d times", n, times)
		}
	}
	for _, c := range s.calls {
		if len(c.outputs) != 1 {
			p.t.Errorf("call %s has %d outputs", c.ID, len(c.outputs))
			continue
		}
		if out := c.outputs[0]; out.Status == longrein.OutputOK && ran[stepOf(c)] != 1 {
			p.t.Errorf("call %s finished, and step %s ran %d times", c.ID, stepOf(c), ran[stepOf(c)])
		}
	}
}

// steps returns how often each step's command ran, by what the commands wrote.
func (p *place) steps() map[string]int {
	p.t.Helper()
	b, err := os.ReadFile(filepath.Join(p.dir, "src", "steps.log"))
	if err != nil {
		p.t.Fatal(err)
	}
	ran := map[string]int{}
	for _, n := range strings.Fields(string(b)) {
		ran[n]++
	}
	return ran
}

var echo = regexp.MustCompile(`echo (\d+) >> steps\.log`)

// stepOf returns the number that a call's command writes.
func stepOf(c *call) string {
	if m := echo.FindStringSubmatch(c.Args); m != nil {
		return m[1]
	}
	return ""
}

// verify has the program rebuild every request from the log.
func (p *place) verify(s *story) {
	p.t.Helper()
	r := p.start("verify", s.id)
	if code := r.wait(); code != 0 {
		p.t.Errorf("verify: exit code %d\n%s%s", code, slices.Concat(r.lines...), r.said())
	}
}
