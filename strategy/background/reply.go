package background

import (
	"fmt"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/memory"
)

// Reply says what a fork's answer leads to.
func (s *Strategy) Reply(b longrein.Branch) longrein.Reply {
	switch b.Fork.Role {
	case longrein.RoleSummarizer:
		return s.replySummarizer(b)
	case longrein.RoleDecider:
		return s.replyDecider(b)
	case longrein.RoleProber:
		return s.replyProber(b)
	}
	return longrein.End{State: longrein.ForkFailed, Why: "nobody knows this role"}
}

// replySummarizer runs the calls of its answer on a draft of the notes. The run
// is over when it calls nothing more or says that it is done.
func (s *Strategy) replySummarizer(b longrein.Branch) longrein.Reply {
	fork, ok := s.live.fork(b.Fork.Name())
	if !ok {
		return longrein.End{State: longrein.ForkFailed, Why: "it was not known to run"}
	}
	draft, outputs := s.draft(fork.base, b)
	text := said(b.Answer())
	done, nothing := memory.ReadSummary(text)
	if len(outputs) > 0 && (!done || failed(outputs)) {
		return longrein.GoOn{Items: outputs}
	}
	changed := draft.Changed()
	switch err := draft.Check(); {
	case err != nil:
		return longrein.End{State: longrein.ForkFailed, Why: "the notes were not accepted: " + err.Error()}
	case len(changed) == 0 && !nothing:
		return longrein.End{State: longrein.ForkFailed, Why: "it wrote nothing, and did not say that there was nothing to add"}
	case !b.Looked:
		return longrein.Look{}
	}
	if name, ok := s.overtaken(fork.base, changed); ok {
		return longrein.End{State: longrein.ForkFailed, Why: "the user changed " + name + " meanwhile, and that version stays"}
	}
	return longrein.End{
		State: longrein.ForkFinished, Why: names(changed),
		Log: []longrein.Body{longrein.Notes{
			By: b.Fork.Name(), Window: b.Fork.Window, Boundary: b.Fork.From, At: b.Fork.At, Changed: changed,
		}},
	}
}

// draft plays all calls of a summarizer and returns the outputs of those that
// have none yet.
func (s *Strategy) draft(base memory.Notes, b longrein.Branch) (*memory.Draft, []longrein.Item) {
	known := func(seq int64) bool { return seq > 0 && seq <= b.Fork.From }
	draft := memory.NewDraft(base, memory.DraftOptions{Folder: s.o.Folder, Limits: s.o.Limits, Known: known})
	answered := map[string]bool{}
	for _, e := range b.Own {
		if o, ok := e.Item.(longrein.ToolOutput); ok {
			answered[o.CallID] = true
		}
	}
	var outputs []longrein.Item
	for _, e := range b.Own {
		c, ok := e.Item.(longrein.ToolCall)
		if !ok {
			continue
		}
		out := draft.Run(c)
		if !answered[c.ID] {
			outputs = append(outputs, out)
		}
	}
	return draft, outputs
}

// overtaken returns a changed document that a user has changed since the fork
// began.
func (s *Strategy) overtaken(base memory.Notes, changed []longrein.Document) (string, bool) {
	for _, d := range changed {
		before, had := base.Get(d.Name)
		now, has := s.state.Notes.Get(d.Name)
		if had != has || before.Text != now.Text {
			return d.Name, true
		}
	}
	return "", false
}

// replyDecider reads the verdict. A decider that calls tools is told that it
// needs none, a few times.
func (s *Strategy) replyDecider(b longrein.Branch) longrein.Reply {
	var outputs []longrein.Item
	for _, it := range b.Answer() {
		if c, ok := it.(longrein.ToolCall); ok {
			outputs = append(outputs, longrein.ToolOutput{CallID: c.ID, Text: memory.AskDeciderAgain(), Status: longrein.OutputRefused})
		}
	}
	verdict := longrein.Verdict{Fork: b.Fork.Name(), Window: b.Fork.Window}
	switch {
	case len(outputs) > 0 && b.Round < s.o.Limits.Int(limit.DeciderTries):
		return longrein.GoOn{Items: outputs}
	case len(outputs) > 0:
		verdict.Ignored = fmt.Sprintf("it called tools in all of %d answers, though it needs none", b.Round)
	default:
		read := memory.ReadVerdict(said(b.Answer()))
		verdict.Reset, verdict.Reason, verdict.Ignored = read.Reset, read.Reason, read.Problem
	}
	if verdict.Reset && verdict.Ignored == "" && s.live.wanted() {
		verdict.Ignored = "a reset is already on its way"
	}
	return longrein.End{State: longrein.ForkFinished, Why: verdictWord(verdict), Log: []longrein.Body{verdict}}
}

func verdictWord(v longrein.Verdict) string {
	switch {
	case v.Ignored != "":
		return "carry on: " + v.Ignored
	case v.Reset:
		return "reset"
	}
	return "carry on"
}

// said joins what a fork said.
func said(items []longrein.Item) string {
	var parts []string
	for _, it := range items {
		if m, ok := it.(longrein.Message); ok {
			parts = append(parts, m.Text)
		}
	}
	return strings.Join(parts, "\n")
}

func failed(outputs []longrein.Item) bool {
	return slices.ContainsFunc(outputs, func(it longrein.Item) bool {
		o, ok := it.(longrein.ToolOutput)
		return ok && o.Status != longrein.OutputOK
	})
}

func names(changed []longrein.Document) string {
	if len(changed) == 0 {
		return "nothing to add"
	}
	var list []string
	for _, d := range changed {
		list = append(list, d.Name)
	}
	return strings.Join(list, ", ")
}
