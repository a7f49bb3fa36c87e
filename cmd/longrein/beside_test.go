package main

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/internal/testkit"
)

// story is a log in which memory does whatever it can do.
func story() []longrein.Record {
	used := longrein.Usage{Input: 39_000, Cached: 37_800, Output: 500, Reported: true}
	fork := func(role longrein.ForkRole, n int, state longrein.ForkState, why string) longrein.Fork {
		f := longrein.Fork{Role: role, N: n, Window: 1, State: state, From: 412, Why: why}
		if state != longrein.ForkStarted && state != longrein.ForkSkipped {
			f.Requests, f.Usage, f.Cost, f.Millis = 1, used, 0.012, 1234
		}
		return f
	}
	asked := longrein.Asked{Tokens: 38_400, Cached: 37_300, Hash: "00ff00ff00ff00ff"}
	answered := longrein.Answered{Usage: used, Cost: 0.012}
	summarizer := func(n int, state longrein.ForkState, why string) longrein.Fork {
		return fork(longrein.RoleSummarizer, n, state, why)
	}
	decider := func(n int, state longrein.ForkState, why string) longrein.Fork {
		return fork(longrein.RoleDecider, n, state, why)
	}
	output := longrein.ToolOutput{CallID: "c", Text: "ok\nwell", Status: longrein.OutputOK}
	return testkit.Records(
		longrein.Thread{ID: "0193-thread", Cwd: "/src", Version: "1"},
		longrein.Turn{N: 1, State: longrein.TurnStarted},
		longrein.Window{N: 1, Settings: longrein.Settings{Model: "m", Sandbox: "full", Approval: "never"}},
		answered,
		summarizer(1, longrein.ForkStarted, "3% more"), decider(1, longrein.ForkStarted, "3% more"),
		longrein.Beside{Fork: "summarizer-1", Body: longrein.Appended{Entry: longrein.Entry{Item: longrein.Fragment{Tag: longrein.TagRole, Text: "role: summarizer\n\nKeep the notes."}}}},
		longrein.Beside{Fork: "summarizer-1", Body: asked},
		longrein.Beside{Fork: "decider-1", Body: asked},
		longrein.Beside{Fork: "summarizer-1", Body: longrein.Appended{Entry: longrein.Entry{Item: longrein.ToolCall{ID: "c", Name: "apply_patch", Args: "{}"}}}},
		longrein.Beside{Fork: "summarizer-1", Body: answered},
		longrein.Beside{Fork: "summarizer-1", Body: longrein.Appended{Entry: longrein.Entry{Item: output}}},
		longrein.Beside{Fork: "summarizer-1", Body: asked},
		longrein.Notes{Version: 1, By: "summarizer-1", Boundary: 412, Changed: []longrein.Document{{Name: "MAIN.md", Text: "x"}, {Name: "old.md", Deleted: true}}},
		summarizer(1, longrein.ForkFinished, "MAIN.md"),
		longrein.Beside{Fork: "decider-1", Body: answered},
		longrein.Verdict{Fork: "decider-1", Window: 1, Reset: true, Reason: "most of the context is read files.\nReally."},
		decider(1, longrein.ForkFinished, ""),
		longrein.Reset{Window: 1, Phase: longrein.ResetRequested, Why: "most of the context is read files", By: "decider-1", Price: 0.0123, Saving: 0.004, BreakEven: 4},
		longrein.Reset{Window: 1, Phase: longrein.ResetWaiting, Why: "a summarizer still runs"},
		longrein.Notes{Version: 2, By: longrein.ByUser, Changed: []longrein.Document{{Name: "a.md", Text: "a"}, {Name: "b.md"}, {Name: "c.md"}, {Name: "d.md"}}},
		longrein.Notes{Version: 3, By: longrein.ByHarness, Changed: []longrein.Document{{Name: "LEDGER.md", Text: "facts"}}},
		longrein.Reset{Window: 1, Phase: longrein.ResetBuilt, Why: "built", Before: 96_300, After: 18_200, Carried: 12},
		longrein.Reset{Window: 1, Phase: longrein.ResetProbed, Why: "probed", Probes: 41, Passed: 40, Repaired: []string{"a.go was changed"}},
		longrein.Window{N: 2, Why: "decider-1: most of it is read files"},
		longrein.Verdict{Fork: "decider-2", Reset: true, Ignored: "its window is over"},
		decider(2, longrein.ForkFinished, ""),
		decider(3, longrein.ForkStale, "its window had ended"),
		summarizer(2, longrein.ForkSkipped, "summarizer-1 still runs"),
		summarizer(3, longrein.ForkFailed, "it wrote \x1b[31mnothing"),
		summarizer(4, longrein.ForkDropped, "it had not come to an end after 10m0s"),
		longrein.Reset{Window: 2, Phase: longrein.ResetRequested, Why: "the window is nearly full", By: longrein.ByHarness, Price: 0.01, BreakEven: math.MaxInt32},
		longrein.Reset{Window: 2, Phase: longrein.ResetRefused, Why: "its head would fill more than half of the window"},
		longrein.Pinned{Seq: 9, Item: output}, longrein.Pinned{Seq: 9, Off: true}, longrein.Pinned{Seq: 9, Once: true, Item: output},
		summarizer(5, longrein.ForkStarted, "3% more"),
		longrein.Beside{Fork: "summarizer-5", Body: asked},
		longrein.Turn{N: 1, State: longrein.TurnEnded},
	)
}

// ending is what follows when the work is done.
var ending = longrein.Fork{Role: longrein.RoleSummarizer, N: 5, State: longrein.ForkDropped}

func TestMemoryOnAScreen(t *testing.T) {
	var out, err bytes.Buffer
	s := newScreen(&out, &err, false)
	s.now = func() time.Time { return testkit.Start }
	for _, r := range story() {
		s.show(longrein.EventOf("0193-thread", r))
	}
	s.show(longrein.EventOf("0193-thread", longrein.Record{Seq: 99, Body: ending}))
	testkit.Golden(t, "screen.txt", err.Bytes())
}

func TestMemoryInALog(t *testing.T) {
	for name, all := range map[string]bool{"log.txt": false, "log-forks.txt": true} {
		var out bytes.Buffer
		p := logPrinter{w: &out, all: all}
		for _, r := range story() {
			p.print(r)
		}
		p.end()
		testkit.Golden(t, name, out.Bytes())
	}
}

func TestTheLiveLineNamesTheForksThatRun(t *testing.T) {
	var err bytes.Buffer
	s := newScreen(&err, &err, true)
	s.show(longrein.Event{Payload: longrein.Asked{}})
	for _, role := range []longrein.ForkRole{longrein.RoleSummarizer, longrein.RoleDecider} {
		s.show(longrein.Event{Payload: longrein.Fork{Role: role, N: 1, State: longrein.ForkStarted}})
	}
	if line := err.String()[strings.LastIndex(err.String(), "\r"):]; !strings.Contains(line, "thinking · summarizer-1 · decider-1 · ") {
		t.Errorf("the line is %q", line)
	}
	err.Reset()
	s.show(longrein.Event{Payload: longrein.Fork{Role: longrein.RoleDecider, N: 1, State: longrein.ForkFailed, Why: "\x1b[31m"}})
	if got := err.String(); !strings.Contains(got, "\x1b[2m· decider-1 failed: �[31m\x1b[0m\n") || strings.Contains(got, "summarizer-1 · decider-1") {
		t.Errorf("the screen shows %q", got)
	}
}
