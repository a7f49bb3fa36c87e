package compact

import (
	"fmt"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Reply reads a compactor's answer. One that calls tools is told that it needs
// none, a few times. An answer without text is a summary that is empty.
func (s *Strategy) Reply(b longrein.Branch) longrein.Reply {
	run := s.live.run
	if run == nil || run.Fork != b.Fork.Name() {
		return failed("it was not known to run")
	}
	var refusals []longrein.Item
	var said []string
	opaque := 0
	for _, it := range b.Answer() {
		switch it := it.(type) {
		case longrein.ToolCall:
			refusals = append(refusals, longrein.ToolOutput{CallID: it.ID, Text: noTools, Status: longrein.OutputRefused})
		case longrein.Message:
			said = append(said, it.Text)
		case longrein.Opaque:
			opaque++
		}
	}
	switch {
	case len(refusals) > 0 && b.Round < s.o.Limits.Int(limit.CompactorTries):
		return longrein.GoOn{Items: refusals}
	case len(refusals) > 0:
		return failed(fmt.Sprintf("it called tools in all of %d answers, though it needs none", b.Round))
	case run.By == longrein.CompactedByProvider && opaque != 1:
		return failed(fmt.Sprintf("the provider answered with %d compacted items, not one", opaque))
	}
	return s.completed(*run, b.Fork, strings.TrimSpace(strings.Join(said, "\n")))
}

func (s *Strategy) completed(run longrein.Compaction, f longrein.Fork, summary string) longrein.Reply {
	run.Status, run.Boundary = longrein.CompactionCompleted, f.From
	why := "summed up by the provider"
	if run.By == longrein.CompactedByModel {
		run.Summary = summary
		why = fmt.Sprintf("a summary of %d bytes", len(summary))
	}
	return longrein.End{State: longrein.ForkFinished, Why: why, Log: []longrein.Body{run}}
}

func failed(why string) longrein.Reply {
	return longrein.End{State: longrein.ForkFailed, Why: why}
}
