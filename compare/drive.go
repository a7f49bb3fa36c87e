package compare

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/turn"
)

// note follows a record.
func (r *replay) note(rec longrein.Record) {
	r.sight.note(rec)
	switch b := rec.Body.(type) {
	case longrein.Asked:
		r.asked = b
		r.steps[rec.Seq] = r.done + 1
	case longrein.Beside:
		if a, ok := b.Body.(longrein.Asked); ok {
			r.beside[b.Fork] = a
		}
	case longrein.Notes:
		r.notes = r.notes.With(b)
		r.boundary = max(r.boundary, b.Boundary)
	case longrein.Window:
		r.res.Windows++
		if b.N > 1 {
			r.res.Resets = append(r.res.Resets, Began{Step: r.done + 1, Window: b.N, Why: b.Why})
		}
	case longrein.LimitHit:
		r.tally.limit(b)
		r.hits = append(r.hits, b)
	case longrein.Turn:
		if b.Error != nil {
			r.trouble = b.Error.Text
		}
	}
}

// survey answers with the initial context that was recorded.
func (r *replay) survey() {
	r.busy++
	r.queue.send(r.now, "", func() {
		r.busy--
		r.tell(turn.Surveyed{Entries: r.s.Initial})
	})
}

// submit has the user say what begins the next turn.
func (r *replay) submit() {
	t := r.s.Turns[r.turn]
	r.user += t.Wait
	r.queue.send(r.now.Add(t.Wait), "", func() { r.tell(turn.Submit{Text: t.Input}) })
}

// tries is how often a replay goes on in a row after a turn that failed.
const tries = 3 // fixed: what fails in a replay fails again

// rest goes on with the next turn, or with one that ended before its recorded
// steps did.
func (r *replay) rest() {
	r.res.Time = r.now.Sub(r.begun) - r.user
	t := r.s.Turns[r.turn]
	if r.step < len(t.Steps) {
		r.tries++
		if r.tries <= tries && r.m.Owed() {
			r.queue.send(r.now, "", func() { r.tell(turn.Resume{}) })
			return
		}
		r.res.Failed = fmt.Sprintf("the turn ended before step %d of %d: %s", r.done+1, r.s.Steps, or(r.trouble, "nothing was left to do"))
	}
	r.turn, r.step = r.turn+1, 0
	if r.turn == len(r.s.Turns) || r.res.Failed != "" {
		r.queue = queue{}
		return
	}
	r.submit()
}

func or(s, other string) string {
	if s != "" {
		return s
	}
	return other
}

// ask answers the worker with its next recorded step.
func (r *replay) ask(a turn.Ask) {
	r.busy++
	tokens := r.count(r.asked.Tokens)
	if most := r.set.ContextWindow; most > 0 && tokens > most {
		r.refuse(a, tokens)
		return
	}
	t := r.s.Turns[r.turn]
	if r.step >= len(t.Steps) { // the recording has no answer any more
		r.queue.send(r.now, "", func() {
			r.busy--
			r.tell(turn.Interrupt{})
			r.tell(turn.Response{Step: a.Step, Err: context.Canceled})
		})
		return
	}
	step := &t.Steps[r.step]
	u := r.usage(fmt.Sprintf("window %d", r.asked.Window), a.Request.Body, tokens, step.Tokens, true)
	r.spend(u, &r.res.Requests.Worker)
	r.point(a, step, u)
	took := r.o.Profile.Speed.of(u)
	r.queue.send(r.now.Add(took), "", func() { r.answer(a, step, u, took) })
}

// count is how many tokens the provider makes of an estimate. The machine learns
// from the first answer how far its estimates are off.
func (r *replay) count(estimate int) int {
	if r.learned {
		return estimate
	}
	return int(float64(estimate) * r.s.Estimate.Scale)
}

func (r *replay) refuse(a turn.Ask, tokens int) {
	r.res.Requests.Refused++
	r.show(Moment{
		Refused: true, Request: a.Request, Entries: r.m.State().Entries(), Fresh: r.m.State().Window.Fresh,
		Point: Point{
			Step: r.done + 1, Turn: r.turn + 1, Window: r.asked.Window, Tokens: tokens, Cost: r.res.Cost, At: r.now.Sub(r.begun),
			Recorded: r.recordedSeq(),
		},
	})
	r.queue.send(r.now.Add(r.o.Profile.Speed.Base), "", func() {
		r.busy--
		r.tell(turn.Response{Step: a.Step, Err: tooLong(tokens, r.set.ContextWindow)})
	})
}

// recordedSeq is the recorded request of the step that comes next, 0 for none.
func (r *replay) recordedSeq() int64 {
	if t := r.s.Turns[r.turn]; r.step < len(t.Steps) {
		return t.Steps[r.step].Seq
	}
	return 0
}

func tooLong(tokens, most int) error {
	return &longrein.ModelError{Kind: longrein.ErrTooLong, Text: fmt.Sprintf("the request has %d tokens, and the simulated provider takes %d", tokens, most)}
}

// usage is what the provider counts of a request.
func (r *replay) usage(stream string, body []byte, tokens int, output int64, steady bool) longrein.Usage {
	cached, written := r.cache.ask(r.now, stream, body, tokens, steady)
	return longrein.Usage{
		Input: int64(tokens), Cached: int64(min(cached, tokens)), CacheWrite: int64(min(written, tokens-min(cached, tokens))),
		Output: output, Reported: true,
	}
}

// spend adds a request to the sums and returns what it costs.
func (r *replay) spend(u longrein.Usage, requests *int) float64 {
	cost := r.o.Profile.Price.Cost(u)
	*requests++
	r.res.Usage = r.res.Usage.Add(u)
	r.res.Cost += cost
	return cost
}

// point notes what a request of the worker's comes to, and what it shows of what
// its answer uses.
func (r *replay) point(a turn.Ask, step *Step, u longrein.Usage) {
	r.stalled()
	r.sight.look(r.m.State())
	uses := r.s.marks[step.N-1].uses
	p := Point{
		Step: step.N, Turn: r.turn + 1, Window: r.asked.Window, Tokens: int(u.Input), Cached: int(u.Cached),
		Cost: r.res.Cost, Uses: len(uses), Lost: r.sight.use(uses), Stall: r.waited,
		At: r.now.Sub(r.begun), Recorded: step.Seq,
	}
	if n := len(r.res.Points); n > 0 {
		before := r.res.Points[n-1]
		if before.Window == p.Window && p.Cached < before.Tokens-slack && r.cache.Block > 0 && before.Tokens >= r.cache.Least+slack {
			r.res.Breaks++
			p.Break = true
		}
	}
	r.res.Peak = max(r.res.Peak, p.Tokens)
	r.res.Points = append(r.res.Points, p)
	r.waited = 0
	m := Moment{Point: p, Request: a.Request, Entries: r.m.State().Entries(), Fresh: r.m.State().Window.Fresh, Limits: r.hits}
	if r.o.Watch != nil {
		m.Uses = r.sight.seen(uses)
	}
	r.show(m)
	r.hits = nil
}

func (r *replay) show(m Moment) {
	if r.o.Watch != nil {
		r.o.Watch(m)
	}
}

// answer gives the worker what was recorded. What the user said before the
// response was over comes first, so that it is taken at the safe point behind it.
func (r *replay) answer(a turn.Ask, step *Step, u longrein.Usage, took time.Duration) {
	r.busy--
	r.learned, r.tries = true, 0
	r.done++
	r.step++
	r.current, r.calls, r.open = step, 0, 0
	for _, text := range step.Steers {
		r.tell(turn.Steer{Text: text})
	}
	r.tell(turn.Response{
		Step: a.Step, Items: r.adapted(step.Items), Millis: took.Milliseconds(),
		Done: longrein.Finished{Usage: u, Model: r.set.Model, Stop: r.stop(step)},
	})
}

// stop is why the response ended. One without calls that was not the turn's last
// was paused, or the turn would be over.
func (r *replay) stop(step *Step) longrein.Stop {
	last := r.step == len(r.s.Turns[r.turn].Steps)
	switch {
	case len(step.Outputs) > 0:
		return longrein.StopTools
	case !last && len(step.Steers) == 0:
		return longrein.StopPaused
	}
	return longrein.StopEnd
}

// adapted gives reasoning the wire and the model of this replay, since it goes
// back to no other.
func (r *replay) adapted(items []longrein.Item) []longrein.Item {
	out := slices.Clone(items)
	for i, it := range out {
		if th, ok := it.(longrein.Reasoning); ok {
			th.Wire, th.Model = r.set.Wire, r.set.Model
			out[i] = th
		}
	}
	return out
}

// call answers a call with its recorded output.
func (r *replay) call(c longrein.ToolCall) {
	out := r.current.Outputs[r.calls]
	r.calls++
	r.open++
	r.busy++
	out.CallID, out.Text = c.ID, or(out.Text, "(no output)")
	r.queue.send(r.now.Add(out.Took), "", func() {
		r.open--
		r.busy--
		if r.cutOff() {
			r.tell(turn.Interrupt{})
		}
		r.tell(turn.ToolDone{Result: longrein.ToolResult{Output: out.ToolOutput}})
	})
}

// cutOff reports whether the turn was cut off when this, its last call, was done.
func (r *replay) cutOff() bool {
	t := r.s.Turns[r.turn]
	return t.Cut && r.step == len(t.Steps) && r.open == 0 && r.calls == len(r.current.Outputs)
}
