package thread

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/turn"
)

// handle takes a message in, unless the log has failed.
func (t *Thread) handle(m turn.Message) {
	if t.broken != nil {
		return
	}
	if r, ok := m.(turn.ForkResponse); ok {
		delete(t.forks, r.Fork)
	}
	t.apply(t.opts.Machine.Handle(t.opts.Now(), m))
}

// apply writes the records and then starts what depends on them.
func (t *Thread) apply(out turn.Out) {
	if err := t.write(out); err != nil {
		t.fail(err)
		return
	}
	for _, r := range out.Records {
		t.hub.publish(longrein.EventOf(t.opts.ID, r))
	}
	for _, e := range out.Effects {
		t.start(e)
	}
	for _, r := range out.Records {
		if n, ok := r.Body.(longrein.Notes); ok && t.opts.Notes != nil {
			t.shelve(n)
		}
	}
}

func (t *Thread) write(out turn.Out) error {
	if len(out.Records) == 0 {
		return nil
	}
	bodies := make([]longrein.Body, len(out.Records))
	for i, r := range out.Records {
		bodies[i] = r.Body
	}
	written, err := t.opts.Log.Append(out.Records[0].Time, out.Sync, bodies...)
	if err != nil {
		return err
	}
	if got, want := written[0].Seq, out.Records[0].Seq; got != want {
		return fmt.Errorf("the log gave a record the number %d, not %d: another program wrote to it", got, want)
	}
	return nil
}

// fail stops the thread: what it knows is ahead of what is recorded, so it must
// be opened anew from the log.
func (t *Thread) fail(err error) {
	t.broken = fmt.Errorf("write to the log of thread %s: %w", t.opts.ID, err)
	t.stop()
	t.hub.publish(longrein.Event{
		Type: longrein.EventTurnFailed, Thread: t.opts.ID, Time: t.opts.Now(),
		Payload: longrein.Turn{
			State: longrein.TurnFailed,
			Error: &longrein.TurnError{Kind: longrein.ErrStorage, Text: t.broken.Error()},
		},
	})
	t.rest()
}

func (t *Thread) start(e turn.Effect) {
	switch e := e.(type) {
	case turn.Survey:
		go func(ctx context.Context) { t.report(t.opts.Survey(ctx, e)) }(t.work)
	case turn.Snap:
		go func(ctx context.Context) { t.report(t.opts.Snap(ctx, e)) }(t.snapping(e))
	case turn.Ask:
		go t.request(t.work, e)
	case turn.Run:
		go t.run(longrein.WithCallKey(t.work, e.Key), e.Call)
	case turn.AskFork:
		ctx, cancel := context.WithTimeout(t.life, e.Within)
		t.forks[e.Fork] = cancel
		go t.requestFork(ctx, cancel, e)
	case turn.CancelFork:
		if cancel, ok := t.forks[e.Fork]; ok {
			cancel()
		}
	case turn.Look:
		go t.look(e.Fork)
	case turn.Cancel:
		t.cancel()
		t.work, t.cancel = context.WithCancel(t.life)
	case turn.Answer:
		t.answer(e.Approval)
	case turn.Rest:
		t.rest()
	}
}

// snapping returns what ends a snapshot: an interrupt that of a turn which has
// changed nothing yet, and only the end of the thread that of one which has.
func (t *Thread) snapping(s turn.Snap) context.Context {
	if s.When == longrein.SnapshotBefore {
		return t.work
	}
	return t.life
}

// rest tells those who wait for it that nothing runs any more.
func (t *Thread) rest() {
	for _, c := range t.resting {
		c <- t.broken
	}
	t.resting = nil
}

// run runs one tool call.
func (t *Thread) run(ctx context.Context, call longrein.ToolCall) {
	result := t.tools.Run(ctx, call)
	result.Output.CallID = call.ID
	if result.Output.Text == "" {
		result.Output.Text = "(no output)"
	}
	t.report(turn.ToolDone{Result: result, Futile: !t.tools.Known(call)})
}

// request sends one request and reports what came of it.
func (t *Thread) request(ctx context.Context, ask turn.Ask) {
	a := answer{thread: t, start: t.opts.Now(), out: turn.Response{Step: ask.Step}}
	t.report(a.stream(ctx, ask.Request))
}

// requestFork does the same for a fork, whose passing words no screen shows.
func (t *Thread) requestFork(ctx context.Context, cancel context.CancelFunc, ask turn.AskFork) {
	defer cancel()
	a := answer{thread: t, fork: ask.Fork, start: t.opts.Now(), out: turn.Response{Step: ask.Step}}
	t.report(turn.ForkResponse{Fork: ask.Fork, Response: a.stream(ctx, ask.Request)})
}

// look compares the notes with what a user made of them. A folder that does not
// answer is not waited for.
func (t *Thread) look(fork string) {
	found := make(chan turn.Looked, 1)
	if t.opts.Notes == nil {
		found <- turn.Looked{}
	} else {
		go func() { found <- t.opts.Notes.Look() }()
	}
	most := t.opts.Limits.Duration(limit.NotesLook)
	timer := time.NewTimer(most)
	defer timer.Stop()
	var l turn.Looked
	select {
	case l = <-found:
	case <-timer.C:
		l.Err = fmt.Errorf("the notes folder did not answer within %v", most)
	case <-t.life.Done():
		return
	}
	l.Fork = fork
	t.report(l)
}

// shelve has the notes brought to where people and the worker can read them. That
// takes a disk some milliseconds, which the work does not wait for.
func (t *Thread) shelve(n longrein.Notes) {
	if t.shelf == nil {
		t.shelf, t.shelved = make(chan longrein.Notes, 64), make(chan struct{}) // fixed: a disk that is further behind is waited for; the log has them
		go t.publish()
	}
	t.shelf <- n
}

// shelfPause lets the work go first: writing notes takes a disk the same time that
// the log needs for the window that begins when they are in. Pure pacing, nothing
// is cut.
const shelfPause = 100 * time.Millisecond // fixed: pacing; nothing is cut

// publish brings the notes there in turn. They are in the log, whatever becomes of
// that.
func (t *Thread) publish() {
	defer close(t.shelved)
	for n := range t.shelf {
		select {
		case <-time.After(shelfPause):
		case <-t.life.Done():
		}
		if err := t.opts.Notes.Publish(n); err != nil {
			w := longrein.Warning{Text: fmt.Sprintf("the notes are in the log, and could not be written beside it: %v", err)}
			go t.report(turn.Warn{Warning: w}) // the loop may be waiting for room on the shelf
		}
	}
}

// answer collects a response as it arrives.
type answer struct {
	thread *Thread
	fork   string // whose it is, "" for the worker's
	start  time.Time
	said   strings.Builder // text that no item holds yet
	whole  bool
	out    turn.Response
}

func (a *answer) stream(ctx context.Context, req longrein.Request) turn.Response {
	for ev, err := range a.thread.opts.Model.Stream(ctx, req) {
		if err != nil {
			a.out.Err = err
			break
		}
		a.take(ev)
	}
	return a.end()
}

func (a *answer) take(ev longrein.ModelEvent) {
	if a.out.FirstMillis == 0 {
		a.out.FirstMillis = a.millis()
	}
	switch ev := ev.(type) {
	case longrein.Delta:
		if ev.Kind == longrein.DeltaText {
			a.said.WriteString(ev.Text)
		}
		if a.fork == "" {
			a.thread.passing(longrein.EventItemUpdated, ev)
		}
	case longrein.ItemDone:
		a.out.Items = append(a.out.Items, ev.Item)
		if _, ok := ev.Item.(longrein.Message); ok {
			a.said.Reset()
		}
	case longrein.Retrying:
		a.void(ev)
	case longrein.Finished:
		a.out.Done, a.whole = ev, true
	}
}

// void forgets a failed attempt; what it said is not part of the answer.
func (a *answer) void(r longrein.Retrying) {
	a.out.Items = nil
	a.said.Reset()
	a.out.Retries++
	a.out.FirstMillis = 0
	who := ""
	if a.fork != "" {
		who = a.fork + ": "
	} else {
		a.thread.passing(longrein.EventItemUpdated, r)
	}
	a.thread.report(turn.Warn{Warning: longrein.Warning{Text: fmt.Sprintf(
		"%s%v; asking again in %v (try %d of %d)", who, r.Cause, r.Wait.Round(time.Millisecond), r.Attempt+1, r.Max)}})
}

// end returns the response. What had been said when the stream broke is an item
// of its own.
func (a *answer) end() turn.Response {
	a.out.Millis = a.millis()
	if a.out.Err == nil && !a.whole {
		a.out.Err = &longrein.ModelError{Kind: longrein.ErrStreamCut, Text: "the response ended before it was complete"}
	}
	if a.out.Err != nil && a.said.Len() > 0 {
		a.out.Items = append(a.out.Items, longrein.Message{Role: longrein.RoleAssistant, Text: a.said.String()})
	}
	return a.out
}

func (a *answer) millis() int64 {
	return max(a.thread.opts.Now().Sub(a.start).Milliseconds(), 1)
}

// passing publishes something that is not logged.
func (t *Thread) passing(kind longrein.EventType, payload any) {
	t.hub.publish(longrein.Event{Type: kind, Thread: t.opts.ID, Time: t.opts.Now(), Payload: payload})
}
