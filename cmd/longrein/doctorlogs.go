package main

import (
	"context"
	"fmt"

	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/rollout"
)

// logFindings reads every log from beginning to end, with its blobs, and says what
// is damaged. With repair it puts right what it can.
func logFindings(ctx context.Context, s *rollout.Store, repair bool) (found []finding) {
	damaged := []string{}
	for f, err := range s.Check(ctx) {
		if err != nil {
			found = append(found, finding{What: "logs", State: bad, Text: err.Error()})
			continue
		}
		if len(damaged) == 0 || damaged[len(damaged)-1] != f.Thread {
			damaged = append(damaged, f.Thread)
		}
		if !repair {
			found = append(found, finding{What: "logs", State: bad, Text: f.String()})
		}
	}
	switch {
	case ctx.Err() != nil:
		return append(found, finding{What: "logs", State: note, Text: "not all were looked at"})
	case len(found)+len(damaged) == 0:
		return []finding{{What: "logs", State: good, Text: "every record and blob is as it was written"}}
	case !repair:
		return append(found, finding{What: "logs", State: note, Text: "longrein doctor --repair puts right what it can, and keeps the logs as they were beside it"})
	}
	for _, id := range damaged {
		found = append(found, repaired(ctx, s, id)...)
	}
	return found
}

// repaired mends a log and says what became of it.
func repaired(ctx context.Context, s *rollout.Store, id string) []finding {
	r, err := s.Repair(ctx, id)
	if err != nil {
		return []finding{{What: "repair", State: bad, Text: err.Error()}}
	}
	text := fmt.Sprintf("thread %s: records brought back: %d, lost: %d", id, r.Restored, r.Lost)
	if len(r.Blobs) > 0 {
		text += fmt.Sprintf(", %d damaged %s moved aside", len(r.Blobs), plural(len(r.Blobs), "blob"))
	}
	if r.Original != "" {
		text += "; as it was: " + r.Original
	}
	found := []finding{{What: "repair", State: good, Text: text}}
	for _, w := range r.Warnings {
		found = append(found, finding{What: "repair", State: note, Text: w})
	}
	for _, f := range r.Left {
		found = append(found, finding{What: "repair", State: bad, Text: "left: " + f.String()})
	}
	return found
}

func snapshotFinding(ctx context.Context, h *harness.Harness) finding {
	if err := h.CheckSnapshots(ctx); err != nil {
		return finding{What: "snapshots", State: bad, Text: err.Error() + "; undo may fail there, and a new snapshot makes a damaged one anew"}
	}
	return finding{What: "snapshots", State: good, Text: "what undo needs is whole"}
}
