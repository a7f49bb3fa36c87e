package crashtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/turn"
)

// tools are what the model of a life may call. Only the first may run again.
var tools = []longrein.ToolSpec{
	{Name: "look", Description: "Look.", Schema: []byte(`{"type":"object"}`), Parallel: true, ReadOnly: true},
	{Name: "do", Description: "Do.", Schema: []byte(`{"type":"object"}`)},
	{Name: "send", Description: "Send.", Schema: []byte(`{"type":"object"}`), Parallel: true},
}

// readOnly reports whether a call may run again. A tool that is not there only
// says so.
func readOnly(name string) bool { return name != "do" && name != "send" }

// script is everything outside a thread, drawn from a seed: what users say, what
// the model answers, what tools return.
type script struct{ *rand.Rand }

func (s script) oneIn(n int) bool { return s.IntN(n) == 0 }

func pick[T any](s script, from ...T) T { return from[s.IntN(len(from))] }

// text is some words. Many are said again, so that logs refer to them.
func (s script) text(most int) string {
	word := fmt.Sprintf("word%d ", s.IntN(40))
	return fmt.Sprintf("%d: ", s.IntN(30)) + strings.Repeat(word, 1+s.IntN(max(1, most/len(word))))
}

// settings are those of a thread, with a window so small that it is soon full.
func (s script) settings(strategy string) longrein.Settings {
	return longrein.Settings{
		Provider: "sim", Model: pick(s, "sim:a", "sim:b"), ContextWindow: pick(s, 1500, 2500, 4000),
		Wire:  pick(s, longrein.WireResponses, longrein.WireChat, longrein.WireMessages),
		Tools: tools, Strategy: strategy, Price: longrein.Price{Input: 1, Cached: 0.1, Output: 5},
	}
}

// survey answers what a thread asks of the outside.
func (s script) survey(e turn.Survey) turn.Surveyed {
	env := longrein.Entry{Item: longrein.NewFragment(longrein.TagEnvironment, fmt.Sprintf("cwd: /src\nday: %d", s.IntN(5)))}
	out := turn.Surveyed{Todo: pick(s, "", "- go on")}
	if e.Window {
		out.Entries = []longrein.Entry{env}
	} else if s.oneIn(4) {
		out.Changes = []longrein.Entry{env}
	}
	if s.oneIn(12) {
		out.Edits = []longrein.Document{{Name: longrein.MainDocument, Text: "the user's: " + s.text(60)}}
	}
	return out
}

var errBroken = &longrein.ModelError{Kind: longrein.ErrNetwork, Text: "the connection broke"}

// answer is what the model says to the worker.
func (s script) answer(e turn.Ask) turn.Response {
	r := turn.Response{Step: e.Step, Millis: 7, Done: s.finished(len(e.Request.Body))}
	switch s.IntN(16) {
	case 0:
		r.Err = errBroken
	case 1:
		r.Err = &longrein.ModelError{Kind: longrein.ErrTooLong, Text: "too long"}
	}
	if s.oneIn(2) {
		r.Items = append(r.Items, longrein.Message{Role: longrein.RoleAssistant, Text: s.text(400)})
	}
	if s.oneIn(5) {
		r.Items = append(r.Items, longrein.Reasoning{Text: "hm"})
	}
	if s.oneIn(4) {
		return r
	}
	r.Done.Stop = longrein.StopTools
	for range 1 + s.IntN(4) {
		r.Items = append(r.Items, longrein.ToolCall{
			ID:   pick(s, "", "x", "y", fmt.Sprint("c", s.IntN(1000))),
			Name: pick(s, "look", "look", "do", "send", "nonsense"),
			Args: fmt.Sprintf(`{"n":%d}`, s.IntN(9)),
		})
	}
	return r
}

func (s script) finished(bytes int) longrein.Finished {
	return longrein.Finished{Stop: longrein.StopEnd, Model: "sim", Usage: longrein.Usage{
		Input: int64(bytes / 4), Cached: int64(bytes / 8), Output: 10, Reported: true,
	}}
}

// besides is what a fork says. Bad answers are among them.
func (s script) besides(e turn.AskFork) turn.ForkResponse {
	note := longrein.ToolCall{ID: "n", Name: "apply_patch", Args: fmt.Sprintf(
		`{"patch":"*** Begin Patch\n*** Add File: %s\n+noted %d [#3]\n*** End Patch"}`,
		pick(s, "MAIN.md", "topics/a.md", "TODO.md"), s.IntN(1000))}
	say := func(text string) longrein.Item { return longrein.Message{Role: longrein.RoleAssistant, Text: text} }
	r := turn.Response{Step: e.Step, Millis: 7, Done: s.finished(len(e.Request.Body))}
	switch s.IntN(7) {
	case 0:
		r.Err = errBroken
	case 1:
		r.Items = []longrein.Item{say("Most is done with.\nRESET")}
	case 2:
		r.Items = []longrein.Item{say("CARRY ON")}
	case 3:
		r.Items = []longrein.Item{note}
	case 4:
		r.Items = []longrein.Item{say("NOTHING TO ADD")}
	default:
		r.Items = []longrein.Item{say("NOTES DONE " + s.text(300)), note}
	}
	return turn.ForkResponse{Fork: e.Fork, Response: r}
}

// output is what a tool returns. Now and then it is long, and once in a while so
// long that it becomes a blob.
func (s script) output(c longrein.ToolCall, blobs bool) turn.ToolDone {
	text := s.text(pick(s, 30, 300, 1500))
	if blobs && s.oneIn(12) {
		text = fmt.Sprint(s.IntN(3)) + strings.Repeat(" the long output", 300)
	}
	return turn.ToolDone{
		Result: longrein.ToolResult{Output: longrein.ToolOutput{
			CallID: c.ID, Text: text, Status: pick(s, longrein.OutputOK, longrein.OutputOK, longrein.OutputFailed),
		}},
		Futile: c.Name == "nonsense",
	}
}

// stopped is the answer to an effect that an interrupt has ended.
func stopped(e turn.Effect) turn.Message {
	switch e := e.(type) {
	case turn.Ask:
		return turn.Response{Step: e.Step, Err: context.Canceled}
	case turn.Run:
		return turn.ToolDone{Result: longrein.ToolResult{Output: longrein.ToolOutput{
			CallID: e.Call.ID, Text: "stopped", Status: longrein.OutputInterrupted,
		}}}
	case turn.AskFork:
		return turn.ForkResponse{Fork: e.Fork, Response: turn.Response{Step: e.Step, Err: context.Canceled}}
	}
	return turn.Surveyed{Err: context.Canceled}
}
