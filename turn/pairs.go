package turn

import "github.com/longrein/longrein"

// whole returns entries with every call directly answered and every output
// directly asked for, as each wire demands: a call that has lost its output gets
// one that says so, an output that has lost its call is left out. The entries
// themselves come back when nothing was lost.
func whole(entries []longrein.Entry) (kept []longrein.Entry, lost int) {
	answered := map[string]int{}
	for _, e := range entries {
		if o, ok := e.Item.(longrein.ToolOutput); ok {
			answered[o.CallID]++
		}
	}
	asked := map[string]int{}
	for _, e := range entries {
		switch it := e.Item.(type) {
		case longrein.ToolCall:
			kept = append(kept, e)
			asked[it.ID]++
			if answered[it.ID] < asked[it.ID] {
				kept = append(kept, lostOutput(e, it.ID))
				lost++
			}
		case longrein.ToolOutput:
			if asked[it.CallID] == 0 {
				lost++
				continue
			}
			kept = append(kept, e)
		default:
			kept = append(kept, e)
		}
	}
	if lost == 0 {
		return entries, 0
	}
	return kept, lost
}

func lostOutput(call longrein.Entry, callID string) longrein.Entry {
	return longrein.Entry{Seq: call.Seq, Step: call.Step, Item: longrein.ToolOutput{
		CallID: callID, Status: longrein.OutputUnknown,
		Text: "The output of this call is lost. It may have had its effect; check before you repeat it.",
	}}
}
