package tool

import (
	"context"
	"fmt"

	"github.com/longrein/longrein"
)

// allowed lets the policy decide, and asks where it says so. It returns nil if
// the action may run, else the output that says why it may not.
func (s *Set) allowed(ctx context.Context, call longrein.ToolCall, a Action) *longrein.ToolResult {
	switch d := s.policy.Decide(a).(type) {
	case Allow:
		return nil
	case Refuse:
		return refused(call, "%s: %s. The user has chosen not to be asked; find another way, or say what you need", refusedWord, d.Reason)
	case Ask:
		return s.ask(ctx, call, a, d.Reason)
	}
	return refused(call, "%s: the policy gave no decision", refusedWord)
}

const refusedWord = "refused"

func (s *Set) ask(ctx context.Context, call longrein.ToolCall, a Action, reason string) *longrein.ToolResult {
	if s.o.Ask == nil {
		return refused(call, "%s: %s, and there is nobody to ask. The user can allow such things by running longrein in a terminal, or with --sandbox full", refusedWord, reason)
	}
	answer := s.o.Ask(ctx, longrein.Approval{
		CallID: call.ID, Tool: a.Tool, Action: a.Text, Reason: reason, State: longrein.ApprovalAsked,
	})
	switch {
	case answer.State == longrein.ApprovalAllowed:
		return nil
	case ctx.Err() != nil:
		res := result(call, longrein.OutputInterrupted, "interrupted while it waited for approval; it did not run")
		return &res
	case answer.Note != "":
		return refused(call, "%s by the user: %s", refusedWord, answer.Note)
	}
	return refused(call, "%s by the user; do not try the same by other means", refusedWord)
}

func refused(call longrein.ToolCall, format string, a ...any) *longrein.ToolResult {
	res := result(call, longrein.OutputRefused, fmt.Sprintf(format, a...))
	return &res
}
