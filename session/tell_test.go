package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/session"
)

// tell is a recording as text: what became of its lines, and each session as a
// log would have it.
func tell(rec *session.Recording) string {
	var b strings.Builder
	r := &rec.Report
	fmt.Fprintf(&b, "%s\n%s\n", rec.Format, r)
	fmt.Fprintf(&b, "outputs without call %d, compactions %d, by the provider %d, repeats %d, attachments %v, salvaged %d\n",
		r.OrphanOutputs, r.Compactions, r.Provided, r.Repeats, r.Attachments, r.Salvaged)
	for _, c := range r.Passed {
		fmt.Fprintf(&b, "passed %d %s\n", c.N, c.Kind)
	}
	for _, l := range r.Unread {
		fmt.Fprintf(&b, "unread %d: %s: %s\n", l.N, l.Why, cut(string(l.Raw)))
	}
	for _, s := range rec.Sessions {
		fmt.Fprintf(&b, "\nsession %q agent %q parent %q in %q, version %q, model %q, title %q, %d turns, %d steps\n",
			s.ID, s.Agent, s.Parent, s.Cwd, s.Version, s.Model, s.Title, s.Turns(), s.Steps())
		for r := range s.Records("new") {
			fmt.Fprintf(&b, "%3d %s %s\n", r.Seq, r.Time.Format("15:04:05"), body(r.Body))
		}
	}
	return b.String()
}

func body(b longrein.Body) string {
	switch b := b.(type) {
	case longrein.Thread:
		return fmt.Sprintf("thread in %s, model %s, base %q", b.Cwd, b.Model, cut(b.Base))
	case longrein.Settings:
		return fmt.Sprintf("settings %s %s %s %d", b.Provider, b.Model, b.Wire, b.ContextWindow)
	case longrein.Window:
		out := fmt.Sprintf("window %d %s, boundary %d, fresh %d, running %v", b.N, b.Why, b.Boundary, b.Fresh, b.Running)
		for _, e := range b.Head {
			out += fmt.Sprintf("\n        | #%d %s", e.Seq, item(e.Item))
		}
		return out
	case longrein.Turn:
		if b.Error != nil {
			return fmt.Sprintf("turn %d %s: %s", b.N, b.State, b.Error.Text)
		}
		return fmt.Sprintf("turn %d %s", b.N, b.State)
	case longrein.Input:
		return fmt.Sprintf("input %s %q", b.Mode, cut(b.Text))
	case longrein.Appended:
		return fmt.Sprintf("item of %d: %s", b.Step, item(b.Item))
	case longrein.Asked:
		return fmt.Sprintf("request of turn %d, window %d to %s", b.Turn, b.Window, b.Model)
	case longrein.Answered:
		return fmt.Sprintf("usage %+v cost %g, %s", b.Usage, b.Cost, b.Stop)
	}
	return fmt.Sprintf("%T %+v", b, b)
}

func item(it longrein.Item) string {
	switch it := it.(type) {
	case longrein.Message:
		return fmt.Sprintf("%s says %q", it.Role, cut(it.Text))
	case longrein.Reasoning:
		return fmt.Sprintf("thinks %q raw %d bytes", cut(it.Text), len(it.Raw))
	case longrein.ToolCall:
		return fmt.Sprintf("call %s %s %s", it.ID, it.Name, cut(it.Args))
	case longrein.ToolOutput:
		out := fmt.Sprintf("output %s %s %q", it.CallID, it.Status, cut(it.Text))
		for _, f := range it.Files {
			out += fmt.Sprintf(" %s %s", f.Op, f.Path)
		}
		return out
	case longrein.Fragment:
		return fmt.Sprintf("%s <%s> %q", it.Role, it.Tag, cut(it.Text))
	}
	return fmt.Sprint(it)
}

func cut(s string) string {
	const longest = 70
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return s
}

// checkLaws checks what holds for every recording, whatever was read.
func checkLaws(t *testing.T, rec *session.Recording) {
	t.Helper()
	r := rec.Report
	sum := r.Blank + r.Taken + r.Lost
	for _, c := range r.Passed {
		sum += c.N
	}
	if sum != r.Lines {
		t.Errorf("%d lines, and %d are accounted for: %+v", r.Lines, sum, r)
	}
	for _, s := range rec.Sessions {
		checkRecords(t, s)
	}
}

// checkRecords checks that a session's records could be a thread's log.
func checkRecords(t *testing.T, s *session.Session) {
	t.Helper()
	c := recordChecker{T: t, calls: map[string]bool{}}
	for r := range s.Records("new") {
		c.record(r)
		if t.Failed() {
			t.Fatalf("at record %d, %T", r.Seq, r.Body)
		}
	}
	c.settled()
	if c.running {
		t.Error("the last turn has no end")
	}
}

type recordChecker struct {
	*testing.T
	last    longrein.Record
	calls   map[string]bool // answered or not
	running bool
	windows int
}

func (c *recordChecker) record(r longrein.Record) {
	c.Helper()
	if r.Seq != c.last.Seq+1 || r.Time.Before(c.last.Time) {
		c.Errorf("record %d at %v follows %d at %v", r.Seq, r.Time, c.last.Seq, c.last.Time)
	}
	c.last = r
	raw, err := longrein.MarshalBody(r.Body)
	if err != nil {
		c.Error(err)
	}
	if _, err := longrein.UnmarshalBody(r.Type(), raw); err != nil {
		c.Error(err)
	}
	switch b := r.Body.(type) {
	case longrein.Turn:
		if started := b.State == longrein.TurnStarted; started == c.running {
			c.Errorf("turn %d is %s, and running is %v", b.N, b.State, c.running)
		}
		c.running = b.State == longrein.TurnStarted
	case longrein.Window:
		c.windows++
		if c.windows != b.N || b.Fresh > len(b.Head) {
			c.Errorf("window %d is the %d., fresh %d of %d", b.N, c.windows, b.Fresh, len(b.Head))
		}
		c.head(b.Head)
	case longrein.Asked:
		c.settled()
	case longrein.Appended:
		c.item(b.Item)
	}
}

func (c *recordChecker) item(it longrein.Item) {
	c.Helper()
	switch it := it.(type) {
	case longrein.ToolCall:
		if _, used := c.calls[it.ID]; used || it.ID == "" || it.Name == "" {
			c.Errorf("call %+v: its id is used or missing, or its name is", it)
		}
		c.calls[it.ID] = false
	case longrein.ToolOutput:
		if answered, made := c.calls[it.CallID]; !made || answered || it.Text == "" {
			c.Errorf("output %q: no call, answered before, or empty", it.CallID)
		}
		c.calls[it.CallID] = true
	case longrein.Fragment:
		if it.Tag == "" || it.Role == "" {
			c.Errorf("fragment %+v without a tag or a role", it)
		}
		if it.Text != longrein.NewFragment(it.Tag, it.Text).Text {
			c.Errorf("a fragment that its text ends: %+v", it)
		}
	}
}

// settled checks that every call has its output.
func (c *recordChecker) settled() {
	c.Helper()
	for id, answered := range c.calls {
		if !answered {
			c.Errorf("call %s has no output here", id)
		}
	}
}

// head checks that a head's calls and outputs are pairs.
func (c *recordChecker) head(head []longrein.Entry) {
	c.Helper()
	open := map[string]bool{}
	for _, e := range head {
		switch it := e.Item.(type) {
		case longrein.ToolCall:
			open[it.ID] = true
		case longrein.ToolOutput:
			if !open[it.CallID] {
				c.Errorf("the head has an output %q without its call", it.CallID)
			}
			delete(open, it.CallID)
		}
	}
	if len(open) > 0 {
		c.Errorf("the head has calls without outputs: %v", open)
	}
}
