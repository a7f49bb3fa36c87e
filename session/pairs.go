package session

import "github.com/longrein/longrein"

// pairs gives each call of a list its output right behind the calls that it
// stands among, and leaves out outputs without a call.
func pairs(items []longrein.Item) []longrein.Item {
	outputs := map[string]longrein.ToolOutput{}
	for _, it := range items {
		if o, ok := it.(longrein.ToolOutput); ok {
			outputs[o.CallID] = o
		}
	}
	var out []longrein.Item
	var open []longrein.ToolOutput
	seen := map[string]bool{}
	answer := func() {
		for _, o := range open {
			out = append(out, o)
		}
		open = nil
	}
	for _, it := range items {
		switch it := it.(type) {
		case longrein.ToolOutput:
			answer()
			continue
		case longrein.ToolCall:
			if it.ID == "" || seen[it.ID] {
				continue
			}
			seen[it.ID] = true
			o, ok := outputs[it.ID]
			if !ok {
				o = longrein.ToolOutput{CallID: it.ID, Text: lostOutput, Status: longrein.OutputUnknown}
			}
			open = append(open, o)
		case longrein.Message, longrein.Fragment:
			answer()
		}
		out = append(out, it)
	}
	answer()
	return out
}
