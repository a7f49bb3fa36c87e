package longrein

import (
	"context"
	"encoding/json"
)

// ToolSpec is what a model is told of a tool, and how calls of it may be run.
type ToolSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"` // a JSON Schema object for the arguments
	// Parallel calls may run beside other parallel calls.
	Parallel bool `json:"parallel,omitempty"`
	// ReadOnly calls change nothing and are run again when a crash lost their
	// output.
	ReadOnly bool `json:"read_only,omitempty"`
}

// Tool is the seam to something the model can do.
type Tool interface {
	Spec() ToolSpec
	// Run runs one call. Whatever goes wrong becomes an output that the model
	// can read; Run returns when ctx ends, with what it has. Safe for
	// concurrent use when the spec says Parallel.
	Run(ctx context.Context, call ToolCall) ToolResult
}

// ToolResult is a call's output, with the limits that cut it.
type ToolResult struct {
	Output ToolOutput
	Limits []LimitHit
}

// Ask asks whoever can say yes whether an action may run, and waits for the
// answer or for ctx to end. The answer is an [Approval] that is allowed or
// refused.
type Ask func(ctx context.Context, a Approval) Approval
