package compare

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/session"
)

var errNoSteps = errors.New("no model answered in it, so there is nothing to replay")

// reader makes a session of records.
type reader struct {
	s     *Session
	meter meter

	window int
	turn   *Turn // that is being read
	begun  bool  // a turn was, and nothing has been said in it yet
	ended  time.Time
	step   *Step // that takes further items
	asked  int64 // the request that is out, 0 when it was answered
	// loose are the model's items of the response that is being read.
	loose   []longrein.Item
	at      time.Time            // of the last record
	started map[string]time.Time // when calls began
	said    time.Time            // when the step's response was whole
}

func (r *reader) record(rec longrein.Record) {
	if r.s.start.IsZero() {
		r.s.start = rec.Time
	}
	r.at = rec.Time
	switch b := rec.Body.(type) {
	case longrein.Thread:
		r.s.Thread = b
	case longrein.Settings:
		if r.window == 0 {
			r.s.Settings = b
		}
	case longrein.Window:
		r.beginWindow(b)
		r.declare(rec.Seq, b)
	case longrein.Turn:
		r.mark(b)
	case longrein.Appended:
		r.item(b)
	case longrein.ToolRun:
		r.run(b)
	case longrein.Asked:
		r.asked, r.loose = rec.Seq, nil
		r.meter.ask()
	case longrein.Answered:
		r.answer(b)
	case longrein.Notes:
		r.notes(b)
	case longrein.Compaction:
		if b.Status == longrein.CompactionCompleted && b.Summary != "" {
			r.summary(longrein.Document{Name: longrein.MainDocument, Text: b.Summary})
		}
	}
}

// beginWindow takes the first window's initial context, and what a later one's
// head sums up.
func (r *reader) beginWindow(w longrein.Window) {
	r.window = w.N
	r.meter.begin(r.base(w), w)
	if w.N == 1 {
		r.s.Settings = w.Settings
		r.s.Initial = w.Head[:min(w.Fresh, len(w.Head))]
		return
	}
	var text []string
	for _, e := range w.Head[min(w.Fresh, len(w.Head)):] {
		if f, ok := e.Item.(longrein.Fragment); ok && f.Tag == session.TagSummary {
			text = append(text, strings.TrimSpace(f.Text))
		}
	}
	if len(text) > 0 {
		r.summary(longrein.Document{Name: longrein.MainDocument, Text: strings.Join(text, "\n\n") + "\n"})
	}
}

// declare notes the tools of a window where they are not those of the one before.
func (r *reader) declare(seq int64, w longrein.Window) {
	tools := w.Settings.Tools
	var before []longrein.ToolSpec
	if n := len(r.s.Tools); n > 0 {
		before = r.s.Tools[n-1].Tools
	}
	if slices.EqualFunc(tools, before, sameTool) {
		return
	}
	r.s.Tools = append(r.s.Tools, Declared{Step: r.s.Steps + 1, Seq: seq, Window: w.N, Tools: tools})
}

// sameTool reports whether the model is told the same of two tools.
func sameTool(a, b longrein.ToolSpec) bool {
	return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Schema, b.Schema)
}

func (r *reader) base(w longrein.Window) string {
	if w.Settings.Base != "" {
		return w.Settings.Base
	}
	return r.s.Thread.Base
}

func (r *reader) notes(n longrein.Notes) {
	if strings.HasPrefix(n.By, string(longrein.RoleSummarizer)) {
		r.summary(n.Changed...)
	}
}

func (r *reader) summary(docs ...longrein.Document) {
	r.s.Summaries = append(r.s.Summaries, Summary{Step: r.s.Steps, Documents: docs})
}

// mark notes where turns begin and end.
func (r *reader) mark(t longrein.Turn) {
	r.settle()
	switch t.State {
	case longrein.TurnStarted:
		r.begun = true
		return
	case longrein.TurnInterrupted, longrein.TurnFailed:
		if r.turn != nil {
			r.turn.Cut = true
		}
	}
	r.ended = r.at
}

func (r *reader) item(a longrein.Appended) {
	r.meter.add(a.Entry)
	switch it := a.Item.(type) {
	case longrein.ToolOutput:
		r.settle()
		r.output(it)
	case longrein.Fragment:
		if a.Step == 0 {
			r.s.Inserted++
		}
	case longrein.Message:
		if it.Role == longrein.RoleAssistant {
			r.loose = append(r.loose, it)
			return
		}
		r.settle()
		r.input(it.Text)
	default:
		r.loose = append(r.loose, it)
	}
}

// input begins a turn, or is said in one that runs.
func (r *reader) input(text string) {
	switch {
	case r.turn == nil || r.begun:
		r.open(text)
	case len(r.turn.Steps) == 0:
		r.turn.Input += "\n\n" + text
	default:
		last := &r.turn.Steps[len(r.turn.Steps)-1]
		last.Steers = append(last.Steers, text)
	}
	r.begun = false
}

func (r *reader) open(text string) {
	t := Turn{Input: text}
	if !r.ended.IsZero() {
		t.Wait = max(r.at.Sub(r.ended), 0)
	}
	r.s.Turns = append(r.s.Turns, t)
	r.turn = &r.s.Turns[len(r.s.Turns)-1]
}

// answer makes a step of a response that is whole.
func (r *reader) answer(a longrein.Answered) {
	r.meter.answered(a.Usage)
	r.asked = 0
	if a.Stop == longrein.StopInterrupted {
		r.loose = nil // it led to nothing
		return
	}
	r.respond(a.Step, a.Stop, a.Usage)
}

// settle makes a step of items whose usage nobody recorded. Those of a request
// that was never answered are left out: the window never had them.
func (r *reader) settle() {
	if len(r.loose) > 0 && r.asked == 0 {
		r.respond(0, "", longrein.Usage{})
	}
	r.loose = nil
}

func (r *reader) respond(seq int64, stop longrein.Stop, u longrein.Usage) {
	if len(r.loose) == 0 {
		return
	}
	if r.turn == nil {
		r.open("(the recording does not tell what was asked)")
	}
	if r.begun { // a turn that was cut off goes on
		r.turn.Cut, r.begun = false, false
	}
	r.s.Steps++
	s := Step{N: r.s.Steps, Seq: seq, Items: r.loose, Stop: stop, Tokens: u.Output}
	for _, c := range calls(r.loose) {
		s.Outputs = append(s.Outputs, Output{ToolOutput: longrein.ToolOutput{
			CallID: c.ID, Status: longrein.OutputUnknown, Text: "The recording does not hold the output of this call.",
		}})
	}
	if s.Tokens == 0 {
		s.Tokens = sizeOf(s.Items)
	}
	r.turn.Steps = append(r.turn.Steps, s)
	r.step = &r.turn.Steps[len(r.turn.Steps)-1]
	r.loose, r.said, r.started = nil, r.at, map[string]time.Time{}
}

func (r *reader) run(t longrein.ToolRun) {
	if t.State == longrein.ToolStarted && r.started != nil {
		r.started[t.CallID] = r.at
	}
	if t.State == longrein.ToolFinished && t.Output != nil {
		r.output(*t.Output)
	}
}

// output files a call's output; the first one of a call counts for the time that
// it took, the last one for what it says.
func (r *reader) output(o longrein.ToolOutput) {
	if r.step == nil {
		return
	}
	i := slices.IndexFunc(r.step.Outputs, func(old Output) bool { return old.CallID == o.CallID })
	if i < 0 {
		return
	}
	old := &r.step.Outputs[i]
	from, ok := r.started[o.CallID]
	if !ok {
		from = r.said
	}
	if old.Took == 0 {
		old.Took = max(r.at.Sub(from), 0)
	}
	old.ToolOutput = o
}

func (r *reader) finish() {
	r.settle()
	r.s.Turns = slices.DeleteFunc(r.s.Turns, func(t Turn) bool { return len(t.Steps) == 0 && t.Cut })
	for i := range r.s.Turns {
		t := &r.s.Turns[i]
		n := len(t.Steps)
		t.Cut = n == 0 || t.Cut || len(t.Steps[n-1].Outputs) > 0
	}
	r.s.Estimate = r.meter.estimate()
	r.s.index()
}

func calls(items []longrein.Item) []longrein.ToolCall {
	var out []longrein.ToolCall
	for _, it := range items {
		if c, ok := it.(longrein.ToolCall); ok {
			out = append(out, c)
		}
	}
	return out
}
