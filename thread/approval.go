package thread

import (
	"context"
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/turn"
)

// question is an approval that a tool waits for.
type question struct {
	longrein.Approval
	reply chan longrein.Approval
}

// ask records the question, and waits for [Thread.Decide] or the end of ctx.
func (t *Thread) ask(ctx context.Context, a longrein.Approval) longrein.Approval {
	a.State = longrein.ApprovalAsked
	q := question{Approval: a, reply: make(chan longrein.Approval, 1)}
	err := t.do(context.WithoutCancel(ctx), func(t *Thread) error {
		if ctx.Err() != nil {
			return ctx.Err() // nobody waits for the answer any more
		}
		t.waiting[a.CallID] = q
		t.handle(turn.Approval{Approval: a})
		return t.broken
	})
	if err != nil {
		return refused(a, err.Error())
	}
	select {
	case decided := <-q.reply:
		return decided
	case <-ctx.Done():
		no := refused(a, "the turn was interrupted")
		t.report(turn.Approval{Approval: no})
		return no
	case <-t.done:
		return refused(a, ErrClosed.Error())
	}
}

func refused(a longrein.Approval, note string) longrein.Approval {
	a.State, a.Note = longrein.ApprovalRefused, note
	return a
}

// Decide answers the approval that the call waits for. The note is shown to the
// model when it is refused.
func (t *Thread) Decide(ctx context.Context, callID string, allow bool, note string) error {
	return t.do(ctx, func(t *Thread) error {
		q, ok := t.waiting[callID]
		if !ok {
			return fmt.Errorf("no approval waits for the call %s", callID)
		}
		a := refused(q.Approval, note)
		if allow {
			a.State = longrein.ApprovalAllowed
		}
		t.handle(turn.Approval{Approval: a})
		return t.broken
	})
}

// answer hands a recorded decision to the tool.
func (t *Thread) answer(a longrein.Approval) {
	q, ok := t.waiting[a.CallID]
	if !ok {
		return
	}
	delete(t.waiting, a.CallID)
	q.reply <- a
}
