package export

import (
	"fmt"
	"strings"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// kind is what a block is to a reader.
type kind string

const (
	kindTurn      kind = "turn"      // a turn begins
	kindUser      kind = "user"      // the user's words
	kindModel     kind = "model"     // the model's
	kindReasoning kind = "reasoning" // what it thought
	kindCall      kind = "call"      // a call with its output
	kindFragment  kind = "fragment"  // what the harness, or another tool, put in
	kindNote      kind = "note"      // what happened beside the conversation
)

// block is a piece of a transcript.
type block struct {
	Kind  kind
	Seq   int64
	Time  time.Time
	Title string // one line
	Text  string // what the model saw, or what a note has to say at length
	// Output is a call's, and Status how it ended.
	Output string
	Status longrein.OutputStatus
}

// heading is what a transcript begins with.
type heading struct {
	Title  string
	Fields [][2]string
}

// teller makes blocks of records.
type teller struct {
	Options
	report Report
	// begin is called with the heading, before the first block.
	begin func(heading) error
	block func(block) error
	begun bool
	head  heading
	open  []longrein.Record // calls without an output yet
	steer map[int64]bool    // inputs that were said while a turn ran
}

func (t *teller) record(r longrein.Record) error {
	switch b := r.Body.(type) {
	case longrein.Thread:
		return t.thread(r, b)
	case longrein.Imported:
		t.field("recorded by", strings.TrimSpace(b.Tool+" "+b.Version)+", in "+b.File)
		return nil
	case longrein.Renamed:
		if !t.begun {
			t.head.Title = b.Name
			return nil
		}
		return t.note(r, "named "+b.Name, "")
	case longrein.Settings, longrein.Asked, longrein.Answered, longrein.ToolRun, longrein.Beside, longrein.Verdict:
		return nil // what they lead to is told
	case longrein.ImportedLine:
		return nil // counted in the heading of an import, and in the JSON lines
	case longrein.Input:
		t.input(r, b)
		return nil
	case longrein.Appended:
		return t.item(r, b)
	case longrein.Turn:
		return t.turn(r, b)
	case longrein.Window:
		return t.window(r, b)
	}
	title, text := noteOf(r.Body)
	return t.note(r, title, text)
}

// thread takes the log's first record; a later one begins a fork's own.
func (t *teller) thread(r longrein.Record, b longrein.Thread) error {
	if b.Parent != "" {
		return t.note(r, fmt.Sprintf("thread %s begins here, forked from %s at record %d", b.ID, b.Parent, b.ForkSeq), "")
	}
	t.head.Title = "Thread " + b.ID
	t.field("thread", b.ID)
	t.field("folder", b.Cwd)
	t.field("branch", b.Branch)
	t.field("model", b.Model)
	t.field("begun", r.Time.UTC().Format(time.RFC3339))
	t.field("longrein", b.Version)
	return nil
}

func (t *teller) field(name, value string) {
	if value != "" {
		t.head.Fields = append(t.head.Fields, [2]string{name, value})
	}
}

func (t *teller) input(r longrein.Record, b longrein.Input) {
	if b.Mode != longrein.InputSteer {
		return
	}
	if t.steer == nil {
		t.steer = map[int64]bool{}
	}
	t.steer[r.Seq] = true
}

func (t *teller) turn(r longrein.Record, b longrein.Turn) error {
	if b.State == longrein.TurnStarted {
		return t.put(r, block{Kind: kindTurn, Title: fmt.Sprintf("Turn %d", b.N)})
	}
	if err := t.unanswered(); err != nil || b.State == longrein.TurnEnded {
		return err
	}
	text := ""
	if b.Error != nil {
		text = b.Error.Text
	}
	return t.note(r, fmt.Sprintf("turn %d %s", b.N, b.State), text)
}

// window tells what the model sees from here on. The first window's initial
// context is told item by item.
func (t *teller) window(r longrein.Record, w longrein.Window) error {
	if w.N > 1 {
		title := fmt.Sprintf("window %d begins: %s; %d items are carried on", w.N, w.Why, len(w.Head)-min(w.Fresh, len(w.Head)))
		if err := t.note(r, title, ""); err != nil {
			return err
		}
	}
	for i, e := range w.Head {
		f, ok := e.Item.(longrein.Fragment)
		if !ok || i < w.Fresh && w.N > 1 {
			continue
		}
		if err := t.fragment(r, f); err != nil {
			return err
		}
	}
	return nil
}

func (t *teller) item(r longrein.Record, a longrein.Appended) error {
	switch it := a.Item.(type) {
	case longrein.Message:
		return t.message(r, it, t.steer[a.Input])
	case longrein.Reasoning:
		if it.Text == "" {
			return nil
		}
		return t.put(r, block{Kind: kindReasoning, Title: "thinking", Text: it.Text})
	case longrein.ToolCall:
		t.open = append(t.open, r)
		return nil
	case longrein.ToolOutput:
		return t.output(r, it)
	case longrein.Fragment:
		return t.fragment(r, it)
	case longrein.Opaque:
		return t.note(r, "an object of the provider's stands for older items; it cannot be read", "")
	}
	return nil
}

func (t *teller) message(r longrein.Record, m longrein.Message, steer bool) error {
	b := block{Kind: kindUser, Title: "User", Text: m.Text}
	switch {
	case m.Role == longrein.RoleAssistant:
		b.Kind, b.Title = kindModel, "Model"
	case m.Role == longrein.RoleDeveloper:
		b.Title = "Developer"
	case steer:
		b.Title = "User, while the turn ran"
	}
	return t.put(r, b)
}

func (t *teller) fragment(r longrein.Record, f longrein.Fragment) error {
	return t.put(r, block{Kind: kindFragment, Title: string(f.Tag) + ": " + f.Tag.Kind().What, Text: t.cut(r, f.Text, "an inserted text")})
}

// output tells a call with what came of it.
func (t *teller) output(r longrein.Record, out longrein.ToolOutput) error {
	for i, o := range t.open {
		c := o.Body.(longrein.Appended).Item.(longrein.ToolCall)
		if c.ID != out.CallID {
			continue
		}
		t.open = append(t.open[:i], t.open[i+1:]...)
		text := t.cut(r, out.Text, "an output of "+c.Name)
		if out.Full != nil {
			text += fmt.Sprintf("\n[the model saw this; the whole output of %d bytes is in the thread's store]", out.Full.Bytes)
		}
		return t.put(o, block{Kind: kindCall, Title: c.Name, Text: t.cut(o, c.Args, "arguments of "+c.Name), Output: text, Status: out.Status})
	}
	return t.note(r, "an output without a call", t.cut(r, out.Text, "an output"))
}

// unanswered tells the calls that have no output.
func (t *teller) unanswered() error {
	for _, o := range t.open {
		c := o.Body.(longrein.Appended).Item.(longrein.ToolCall)
		b := block{Kind: kindCall, Title: c.Name, Text: t.cut(o, c.Args, "arguments of "+c.Name), Status: longrein.OutputUnknown}
		if err := t.put(o, b); err != nil {
			return err
		}
	}
	t.open = nil
	return nil
}

func (t *teller) note(r longrein.Record, title, text string) error {
	return t.put(r, block{Kind: kindNote, Title: title, Text: t.cut(r, text, "a note")})
}

func (t *teller) put(r longrein.Record, b block) error {
	if err := t.start(); err != nil {
		return err
	}
	b.Seq, b.Time = r.Seq, r.Time
	return t.block(b)
}

func (t *teller) start() error {
	if t.begun {
		return nil
	}
	t.begun = true
	return t.begin(t.head)
}

// tell makes blocks of all records.
func (t *teller) tell(records Records) error {
	if err := t.each(records, &t.report, t.record); err != nil {
		return err
	}
	if err := t.start(); err != nil {
		return err
	}
	return t.unanswered()
}

// cut bounds a text, and says so in it.
func (t *teller) cut(r longrein.Record, text, what string) string {
	most := t.Limits.Int(limit.ExportOutput)
	if len(text) <= most {
		return text
	}
	head, tail := strings.ToValidUTF8(text[:most*3/4], ""), strings.ToValidUTF8(text[len(text)-most/4:], "")
	gone := len(text) - len(head) - len(tail)
	t.report.Limits = append(t.report.Limits, t.Limits.Hit(limit.ExportOutput, what, int64(gone), fmt.Sprintf("record %d of the thread", r.Seq)))
	return fmt.Sprintf("%s\n[%d bytes are left out here by the limit %s; record %d of the thread has them]\n%s", head, gone, limit.ExportOutput.Name, r.Seq, tail)
}
