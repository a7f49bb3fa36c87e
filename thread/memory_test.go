package thread

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/strategy/background"
	"github.com/longrein/longrein/turn"
)

// play answers a request; n counts those of a role, from 1.
type play func(ctx context.Context, n int, yield func(longrein.ModelEvent, error) bool)

// cast plays a model in each role, and counts what is asked of it.
type cast struct {
	worker, summarizer, decider play

	mu     sync.Mutex
	asked  map[string]int
	out    int // worker's requests
	outMax int
}

func (c *cast) Stream(ctx context.Context, req longrein.Request) iter.Seq2[longrein.ModelEvent, error] {
	role, p := "worker", c.worker
	switch {
	case bytes.Contains(req.Body, []byte("role: summarizer")):
		role, p = "summarizer", c.summarizer
	case bytes.Contains(req.Body, []byte("role: decider")):
		role, p = "decider", c.decider
	}
	return func(yield func(longrein.ModelEvent, error) bool) {
		n := c.begin(role)
		defer c.end(role)
		p(ctx, n, yield)
	}
}

func (c *cast) begin(role string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[role]++
	if role == "worker" {
		c.out++
		c.outMax = max(c.outMax, c.out)
	}
	return c.asked[role]
}

func (c *cast) end(role string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if role == "worker" {
		c.out--
	}
}

// after waits for so long in the bubble's time; false when the request has ended.
func after(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// works makes so many calls, a second each, and then says that it is done.
func works(calls int) play {
	return func(ctx context.Context, n int, yield func(longrein.ModelEvent, error) bool) {
		switch {
		case !after(ctx, time.Second):
			yield(nil, ctx.Err())
		case n <= calls:
			answers(call(fmt.Sprintf("w%d", n)))(ctx, yield)
		default:
			answers(say("done"))(ctx, yield)
		}
	}
}

// hung never answers.
func hung(ctx context.Context, _ int, yield func(longrein.ModelEvent, error) bool) {
	<-ctx.Done()
	yield(nil, ctx.Err())
}

func carriesOn(ctx context.Context, _ int, yield func(longrein.ModelEvent, error) bool) {
	answers(say("CARRY ON"))(ctx, yield)
}

// notesIt writes MAIN.md.
func notesIt(ctx context.Context, n int, yield func(longrein.ModelEvent, error) bool) {
	answers(say("NOTES DONE"), longrein.ToolCall{ID: "n", Name: "apply_patch", Args: fmt.Sprintf(
		`{"patch":"*** Begin Patch\n*** Add File: MAIN.md\n+noted %d\n*** End Patch"}`, n)})(ctx, yield)
}

// remembering is a thread of background memory. Records are those of a process
// that is gone.
type remembering struct {
	*Thread
	log  *fakeLog
	cast *cast
	ran  []string // tools
}

func newCast() *cast {
	return &cast{worker: works(6), summarizer: notesIt, decider: carriesOn, asked: map[string]int{}}
}

func remembers(t *testing.T, c *cast, limits limit.Set, records ...longrein.Record) *remembering {
	t.Helper()
	r := &remembering{log: &fakeLog{records: records}, cast: c}
	m := turn.New(turn.Options{Limits: limits, Stays: true, Strategy: background.New(background.Options{Fixed: true, Limits: limits})})
	if err := m.Load(records...); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	tools := &fakeTools{run: func(_ context.Context, c longrein.ToolCall) longrein.ToolResult {
		mu.Lock()
		defer mu.Unlock()
		r.ran = append(r.ran, c.Name)
		return longrein.ToolResult{Output: longrein.ToolOutput{Text: strings.Repeat("word ", 900), Status: longrein.OutputOK}}
	}}
	r.Thread = New(Options{
		ID: "t", Machine: m, Log: r.log, Now: time.Now, Limits: limits,
		Model:  provider.Retry(c, limits),
		Tools:  func(longrein.Ask) Tools { return tools },
		Survey: func(context.Context, turn.Survey) turn.Surveyed { return turn.Surveyed{} },
		Replay: r.log.after,
	})
	if len(records) > 0 {
		return r
	}
	set := settings
	set.ContextWindow = 40_000
	if err := r.Begin(t.Context(), longrein.Thread{ID: "t"}, set); err != nil {
		t.Fatal(err)
	}
	return r
}

// goes submits a task and waits for the end of its turn; it returns how long that
// took.
func (r *remembering) goes(t *testing.T) time.Duration {
	t.Helper()
	begin := time.Now()
	if err := errors.Join(r.Submit(t.Context(), "the task"), r.Wait(t.Context())); err != nil {
		t.Fatal(err)
	}
	return time.Since(begin)
}

// ends returns the forks that have come to an end, by name.
func (r *remembering) ends() map[string]longrein.Fork {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	ends := map[string]longrein.Fork{}
	for _, rec := range r.log.records {
		if f, ok := rec.Body.(longrein.Fork); ok && f.State != longrein.ForkStarted && f.State != longrein.ForkSkipped {
			ends[f.Name()] = f
		}
	}
	return ends
}

// Cases 2, 16 and 95: forks run beside a worker that loses no time by them, and
// their calls reach no tool.
func TestForksTakeNoTimeOfTheWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast()
		c.summarizer = func(ctx context.Context, n int, yield func(longrein.ModelEvent, error) bool) {
			if after(ctx, 90*time.Second) {
				notesIt(ctx, n, yield)
			}
		}
		r := remembers(t, c, nil)
		defer r.Close()
		if took := r.goes(t); took != 7*time.Second {
			t.Errorf("seven requests of a second took %v", took)
		}
		after(t.Context(), 2*time.Minute)
		synctest.Wait()
		if f := r.ends()["summarizer-1"]; f.State != longrein.ForkFinished {
			t.Errorf("the summarizer ended with %+v", f)
		}
		if len(r.ran) != 6 || strings.Contains(fmt.Sprint(r.ran), "apply_patch") {
			t.Errorf("the tools %v have run, want the worker's six", r.ran)
		}
	})
}

// Case 21: what a provider refuses for now is asked again within the fork's time,
// and the worker is not slowed.
func TestAForkIsAskedAgainBesideTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast()
		c.summarizer = func(ctx context.Context, n int, yield func(longrein.ModelEvent, error) bool) {
			if n < 3 {
				yield(nil, &longrein.ModelError{Kind: longrein.ErrRateLimited, Status: 429, Text: "too many requests"})
				return
			}
			notesIt(ctx, n, yield)
		}
		r := remembers(t, c, nil)
		defer r.Close()
		if took := r.goes(t); took != 7*time.Second {
			t.Errorf("seven requests of a second took %v", took)
		}
		after(t.Context(), time.Minute)
		synctest.Wait()
		if f := r.ends()["summarizer-1"]; f.State != longrein.ForkFinished || f.Requests != 1 {
			t.Errorf("the summarizer ended with %+v, want it finished with its one request", f)
		}
	})
}

// Cases 22 and 56: a fork that hangs is dropped when its time is over, covers
// nothing, and the next trigger starts another.
func TestAForkThatHangsIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast()
		c.summarizer = hung
		r := remembers(t, c, limit.Set{"fork-time": 60_000})
		defer r.Close()
		if took := r.goes(t); took != 7*time.Second {
			t.Errorf("seven requests of a second took %v", took)
		}
		after(t.Context(), 2*time.Minute)
		synctest.Wait()
		f := r.ends()["summarizer-1"]
		if f.State != longrein.ForkDropped || f.Millis != 60_000 || !strings.Contains(f.Why, "after 1m0s") {
			t.Errorf("the summarizer ended with %+v, want it dropped after a minute", f)
		}
		for _, rec := range r.log.records {
			if n, ok := rec.Body.(longrein.Notes); ok {
				t.Errorf("there are notes: %+v", n)
			}
		}
		c.summarizer, c.worker = notesIt, works(20)
		r.goes(t)
		synctest.Wait()
		if got := len(r.ends()); got < 4 {
			t.Errorf("%d forks have ended, want others after the one that was dropped", got)
		}
	})
}

// Cases 62 and 103: an interrupt ends the turn and no fork; one that fails is
// told to whoever watches, with the reason.
func TestAnInterruptEndsNoFork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast()
		c.worker = works(1_000)
		c.summarizer = func(ctx context.Context, n int, yield func(longrein.ModelEvent, error) bool) {
			if after(ctx, 30*time.Second) {
				notesIt(ctx, n, yield)
			}
		}
		c.decider = func(ctx context.Context, _ int, yield func(longrein.ModelEvent, error) bool) {
			yield(nil, &longrein.ModelError{Kind: longrein.ErrAuth, Text: "the key is not accepted"})
		}
		r := remembers(t, c, nil)
		defer r.Close()
		events := r.Watch(t.Context(), 0)
		_ = r.Submit(t.Context(), "the task")
		after(t.Context(), 10*time.Second)
		if err := errors.Join(r.Interrupt(t.Context()), r.Wait(t.Context())); err != nil {
			t.Fatal(err)
		}
		after(t.Context(), time.Minute)
		synctest.Wait()
		if f := r.ends()["summarizer-1"]; f.State != longrein.ForkFinished {
			t.Errorf("the summarizer ended with %+v", f)
		}
		for e := range events {
			if f, ok := e.Payload.(longrein.Fork); ok && e.Type == longrein.EventForkCompleted {
				if f.Name() == "decider-1" && f.State == longrein.ForkFailed && strings.Contains(f.Why, "the key is not accepted") {
					return
				}
			}
		}
	})
}

// Cases 78 and 80: a process that is killed while forks run leaves a log from
// which the next one drops them, goes on, and runs others.
func TestAKilledProcessIsGoneOnFrom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast()
		c.worker, c.summarizer, c.decider = works(1_000), hung, hung
		killed := remembers(t, c, nil)
		_ = killed.Submit(t.Context(), "the task")
		after(t.Context(), 10*time.Second)
		synctest.Wait()
		killed.log.mu.Lock()
		records := append([]longrein.Record(nil), killed.log.records...)
		killed.log.fail = errors.New("killed")
		killed.log.mu.Unlock()
		_ = killed.Close()

		r := remembers(t, newCast(), nil, records...)
		defer r.Close()
		if err := errors.Join(r.Resume(t.Context()), r.Wait(t.Context())); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		ends := r.ends()
		for name, want := range map[string]longrein.ForkState{
			"summarizer-1": longrein.ForkDropped, "decider-1": longrein.ForkDropped, "summarizer-2": longrein.ForkFinished,
		} {
			if ends[name].State != want {
				t.Errorf("%s ended with %+v, want it %s", name, ends[name], want)
			}
		}
		if last[longrein.Turn](t, r.log).State != longrein.TurnEnded {
			t.Error("the turn did not come to its end")
		}
	})
}

// Case 92: five messages in a second make one worker after the other, in order.
func TestManyMessagesMakeNoSecondWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast()
		c.worker = works(0)
		r := remembers(t, c, nil)
		defer r.Close()
		for i := range 5 {
			if err := r.Submit(t.Context(), fmt.Sprint("message ", i)); err != nil {
				t.Fatal(err)
			}
			after(t.Context(), 200*time.Millisecond)
		}
		if err := r.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if c.outMax != 1 {
			t.Errorf("%d requests of the worker were out at once", c.outMax)
		}
		if diff := r.heard(); diff != "message 0 message 1 message 2 message 3 message 4" {
			t.Errorf("the model was told %q", diff)
		}
	})
}

// heard is what the user said, in the order in which it became items.
func (r *remembering) heard() string {
	var said []string
	for _, rec := range r.log.records {
		if a, ok := rec.Body.(longrein.Appended); ok && a.Input != 0 {
			said = append(said, a.Item.(longrein.Message).Text)
		}
	}
	return strings.Join(said, " ")
}

// Case 93: a message that comes at the moment when the turn ends is taken.
func TestAMessageAtTheEndOfATurnIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 20 {
			c := newCast()
			c.worker = works(0)
			r := remembers(t, c, nil)
			_ = r.Submit(t.Context(), "first")
			after(t.Context(), time.Second) // the answer comes at this very moment
			if err := errors.Join(r.Submit(t.Context(), "second"), r.Wait(t.Context())); err != nil {
				t.Fatal(err)
			}
			if got := r.heard(); got != "first second" || c.asked["worker"] != 2 {
				t.Errorf("the model was told %q in %d requests", got, c.asked["worker"])
			}
			_ = r.Close()
		}
	})
}

// Cases 90 and 91: what two senders say has one order, which whoever watches sees,
// from the beginning or from where they were before.
func TestAllWatchersSeeOneOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast()
		r := remembers(t, c, nil)
		defer r.Close()
		first, second := r.Watch(t.Context(), 0), r.Watch(t.Context(), 0)
		var senders sync.WaitGroup
		for _, who := range []string{"a", "b"} {
			senders.Go(func() {
				for i := range 3 {
					_ = r.Submit(t.Context(), fmt.Sprint(who, i))
				}
			})
		}
		senders.Wait()
		_ = r.Wait(t.Context())
		synctest.Wait()
		all := seqs(first, int64(len(r.log.records)))
		if got := seqs(second, int64(len(r.log.records))); got != all {
			t.Errorf("one sees %s and the other %s", all, got)
		}
		again := r.Watch(t.Context(), 10)
		if got := seqs(again, int64(len(r.log.records))); !strings.HasSuffix(all, got) || !strings.HasPrefix(got, "11 ") {
			t.Errorf("from record 10 on %s are seen", got)
		}
		if c.outMax != 1 {
			t.Errorf("%d requests of the worker were out at once", c.outMax)
		}
	})
}

// seqs are the numbers of the records that are seen, up to the last one.
func seqs(events iter.Seq[longrein.Event], until int64) string {
	var out []string
	for e := range events {
		if e.Seq != 0 {
			out = append(out, fmt.Sprint(e.Seq))
		}
		if e.Seq >= until {
			break
		}
	}
	return strings.Join(out, " ")
}
