package background

import (
	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
)

// staleness says how much of a context is no longer needed, by rules alone: it is
// a hint, for a rule does not know what the task is.
type staleness struct{ tokens, total int }

func (s staleness) share() int { return s.tokens * 100 / max(s.total, 1) }

// stale adds up what the rules find: outputs of reads that were repeated or whose
// file was changed since, attempts that failed and succeeded later, and outputs
// older than the newest steps, of which the results are in the notes or in what
// the worker did next.
func (s *Strategy) stale(v longrein.View) staleness {
	sum := staleness{total: v.Tokens}
	newest := ledger.InUse(v.Entries, s.o.Limits.Int(limit.StepsInUse))
	later := map[string]bool{} // calls, and files changed, further down
	calls := argsOf(v.Entries)
	for i := len(v.Entries) - 1; i >= min(v.Fresh, len(v.Entries)); i-- {
		out, ok := v.Entries[i].Item.(longrein.ToolOutput)
		if !ok {
			continue
		}
		call := calls[out.CallID]
		superseded := later[call.Name+"\x00"+call.Args]
		for _, f := range out.Files {
			superseded = superseded || f.Op == longrein.FileRead && later[f.Path]
			if f.Op != longrein.FileRead {
				later[f.Path] = true
			}
		}
		later[call.Name+"\x00"+call.Args] = true
		if superseded || v.Entries[i].Step < newest {
			sum.tokens += v.Size(v.Entries[i])
		}
	}
	return sum
}

func argsOf(entries []longrein.Entry) map[string]longrein.ToolCall {
	calls := map[string]longrein.ToolCall{}
	for _, e := range entries {
		if c, ok := e.Item.(longrein.ToolCall); ok {
			calls[c.ID] = c
		}
	}
	return calls
}
