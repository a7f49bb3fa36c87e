package tool

import (
	"context"
	"fmt"
	"slices"

	"github.com/longrein/longrein"
)

// planStep is one step of a plan, as update_plan takes it.
type planStep struct {
	Step   string `json:"step"`
	Status string `json:"status"`
}

// plan changes nothing: the call itself, in the log, is the plan.
func (s *Set) plan(a *args) job {
	var steps []planStep
	if !a.take("plan", `a list of {"step":"…","status":"pending|in_progress|completed"}`, &steps) {
		a.fail("%q is missing", "plan")
	}
	a.text("note")
	done := 0
	for _, step := range steps {
		if !slices.Contains([]string{"pending", "in_progress", "completed"}, step.Status) {
			a.fail("the status of %q must be pending, in_progress or completed, not %q", step.Step, step.Status)
		}
		if step.Status == "completed" {
			done++
		}
	}
	return job{true, func(_ context.Context, call longrein.ToolCall) longrein.ToolResult {
		return result(call, longrein.OutputOK, fmt.Sprintf("plan shown: %d of %d steps completed", done, len(steps)))
	}}
}
