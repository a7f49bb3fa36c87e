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
	// concurrent use when the spec says Parallel. [CallKey] of ctx names the call.
	Run(ctx context.Context, call ToolCall) ToolResult
}

type callKey struct{}

// WithCallKey returns a context for running the call that the key names.
func WithCallKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, callKey{}, key)
}

// CallKey names a tool call for ever and everywhere: the thread's id, a slash, and
// the sequence number of the record with the call. A service that takes idempotency
// keys may be handed it: a call that is run again after a crash has the same key, and
// no other call has it. It is "" where no call runs.
func CallKey(ctx context.Context) string {
	key, _ := ctx.Value(callKey{}).(string)
	return key
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
