package compare

import (
	"context"
	"fmt"
	"slices"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/turn"
)

// askFork has a fork answered. It is paid for in full, even if it is cancelled.
func (r *replay) askFork(a turn.AskFork) {
	tokens := r.count(r.beside[a.Fork].Tokens)
	if most := r.set.ContextWindow; most > 0 && tokens > most {
		r.fail(a, tooLong(tokens, most))
		return
	}
	asking := r.asking(a)
	ctx, cancel := context.WithTimeout(r.ctx, a.Within)
	reply, err := r.o.Answers.Answer(ctx, asking)
	cancel()
	if err != nil {
		r.fail(a, err)
		return
	}
	r.tally.answers[reply.By]++
	output := reply.Done.Usage.Output
	if output == 0 {
		output = sizeOf(reply.Items)
	}
	u := r.usage(a.Fork, a.Request.Body, tokens, output, false)
	r.res.ForkCost += r.spend(u, &r.res.Requests.Forks)
	shown := slices.Concat(asking.Shared, asking.Own)
	r.show(Moment{Fork: a.Fork, Request: a.Request, Entries: shown, Fresh: r.m.State().Window.Fresh})
	r.send(a, u, reply)
}

// send brings the answer when the provider has made it, or an error when the
// fork's time is over before.
func (r *replay) send(a turn.AskFork, u longrein.Usage, reply Reply) {
	took := r.o.Profile.Speed.of(u)
	answer := turn.Response{
		Step: a.Step, Items: reply.Items, Millis: took.Milliseconds(),
		Done: longrein.Finished{Usage: u, Model: r.set.Model, Stop: reply.Done.Stop},
	}
	if took > a.Within {
		took, answer = a.Within, turn.Response{Step: a.Step, Err: context.DeadlineExceeded}
	}
	r.queue.send(r.now.Add(took), a.Fork, func() {
		r.tell(turn.ForkResponse{Fork: a.Fork, Response: answer})
	})
}

func (r *replay) fail(a turn.AskFork, err error) {
	if r.ctx.Err() != nil {
		r.err = r.ctx.Err()
	}
	r.queue.send(r.now.Add(r.o.Profile.Speed.Base), a.Fork, func() {
		r.tell(turn.ForkResponse{Fork: a.Fork, Response: turn.Response{Step: a.Step, Err: err}})
	})
}

func (r *replay) cancelFork(name string) {
	if r.queue.cut(name) {
		r.queue.send(r.now, name, func() {
			r.tell(turn.ForkResponse{Fork: name, Response: turn.Response{Err: context.Canceled}})
		})
	}
}

// asking is what an answer is made of.
func (r *replay) asking(a turn.AskFork) Asking {
	shared, own, _ := r.m.State().Branch(a.Fork)
	q := Asking{
		Fork: a.Fork, Request: a.Request, Shared: shared, Own: own,
		Notes: r.notes, Boundary: r.boundary,
	}
	for _, role := range []longrein.ForkRole{longrein.RoleSummarizer, longrein.RoleDecider, longrein.RoleProber, longrein.RoleCompactor} {
		var n int
		if _, err := fmt.Sscanf(a.Fork, string(role)+"-%d", &n); err == nil {
			q.Role = role
		}
	}
	if (q.Role == longrein.RoleSummarizer || q.Role == longrein.RoleCompactor) && len(own) == 1 {
		q.Recorded, q.After = r.recorded(shared)
	}
	return q
}

// recorded returns what models noted while the session was recorded, up to where
// the replay is and since the last time, and how many of the entries it may know.
func (r *replay) recorded(shared []longrein.Entry) (*Summary, int) {
	var sum *Summary
	for ; r.summed < len(r.s.Summaries) && r.s.Summaries[r.summed].Step <= r.done; r.summed++ {
		next := r.s.Summaries[r.summed]
		if sum == nil {
			sum = &Summary{}
		}
		sum.Step = next.Step
		sum.Documents = merged(sum.Documents, next.Documents)
	}
	if sum == nil {
		return nil, 0
	}
	after := len(shared)
	for after > 0 {
		if e := shared[after-1]; e.Step != 0 && r.steps[e.Step] <= sum.Step {
			break
		}
		after--
	}
	return sum, after
}

// merged are documents with the newer ones in their places.
func merged(docs, newer []longrein.Document) []longrein.Document {
	docs = slices.Clone(docs)
	for _, d := range newer {
		docs = slices.DeleteFunc(docs, func(old longrein.Document) bool { return old.Name == d.Name })
		docs = append(docs, d)
	}
	return docs
}
