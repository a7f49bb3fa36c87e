package thread

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/turn"
)

func call(id string) longrein.ToolCall { return longrein.ToolCall{ID: id, Name: "do", Args: "{}"} }

func say(text string) longrein.Message {
	return longrein.Message{Role: longrein.RoleAssistant, Text: text}
}

func TestATurnRunsToItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.model.answers = append(f.model.answers, answers(call("a")), answers(say("done")))
		if err := f.Submit(t.Context(), "go"); err != nil {
			t.Fatal(err)
		}
		if err := f.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := last[longrein.Turn](t, f.log).State; got != longrein.TurnEnded {
			t.Errorf("turn %s, want ended", got)
		}
		if err := f.Close(); err != nil || !f.log.closed {
			t.Errorf("close: %v, log closed: %v", err, f.log.closed)
		}
		if err := f.Submit(t.Context(), "more"); !errors.Is(err, ErrClosed) {
			t.Errorf("submit after close: %v, want ErrClosed", err)
		}
	})
}

func TestAnInterruptEndsTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		defer f.Close()
		f.model.answers = append(f.model.answers, hangs("so far"))
		if err := f.Submit(t.Context(), "go"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := f.Interrupt(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := f.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := last[longrein.Turn](t, f.log).State; got != longrein.TurnInterrupted {
			t.Errorf("turn %s, want interrupted", got)
		}
		if !slices.ContainsFunc(f.log.records, func(r longrein.Record) bool {
			a, ok := r.Body.(longrein.Appended)
			return ok && a.Item == longrein.Item(say("so far"))
		}) {
			t.Error("what the model had said is not recorded")
		}
	})
}

func TestAFailedAttemptIsVoid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		defer f.Close()
		f.model.answers = append(f.model.answers, func(_ context.Context, yield func(longrein.ModelEvent, error) bool) {
			yield(longrein.ItemDone{Item: say("half")}, nil)
			yield(longrein.Retrying{Attempt: 1, Max: 3, Wait: time.Second, Cause: errors.New("cut")}, nil)
			yield(longrein.ItemDone{Item: say("whole")}, nil)
			yield(longrein.Finished{Stop: longrein.StopEnd}, nil)
		})
		if err := f.Submit(t.Context(), "go"); err != nil {
			t.Fatal(err)
		}
		_ = f.Wait(t.Context())
		if got := last[longrein.Appended](t, f.log).Item; got != longrein.Item(say("whole")) {
			t.Errorf("recorded %v, want only the whole answer", got)
		}
		if got := last[longrein.Answered](t, f.log).Retries; got != 1 {
			t.Errorf("%d retries recorded, want 1", got)
		}
		if w := last[longrein.Warning](t, f.log).Text; !strings.Contains(w, "try 2 of 3") {
			t.Errorf("warning %q does not name the try", w)
		}
	})
}

// What a long answer costs grows with its length and not with its square.
func TestManyDeltasAreCheap(t *testing.T) {
	f := newFixture(t)
	defer f.Close()
	f.model.answers = append(f.model.answers, func(_ context.Context, yield func(longrein.ModelEvent, error) bool) {
		for range 10_000 {
			yield(longrein.Delta{Kind: longrein.DeltaText, Text: strings.Repeat("x", 64)}, nil)
		}
		yield(nil, errors.New("cut"))
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_ = f.Submit(t.Context(), "go")
	_ = f.Wait(t.Context())
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
		t.Errorf("an answer of 640 kB took %d bytes of memory", took)
	}
}

func TestApproval(t *testing.T) {
	for _, allow := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture(t)
			defer f.Close()
			var got longrein.Approval
			f.tools.run = func(ctx context.Context, c longrein.ToolCall) longrein.ToolResult {
				got = f.tools.ask(ctx, longrein.Approval{CallID: c.ID, Tool: c.Name, Action: "rm"})
				return longrein.ToolResult{Output: longrein.ToolOutput{Text: "x", Status: longrein.OutputOK}}
			}
			f.model.answers = append(f.model.answers, answers(call("a")), answers(say("done")))
			_ = f.Submit(t.Context(), "go")
			synctest.Wait()
			if err := f.Decide(t.Context(), "b", true, ""); err == nil {
				t.Error("an answer to no question was taken")
			}
			if err := f.Decide(t.Context(), "a", allow, "because"); err != nil {
				t.Fatal(err)
			}
			_ = f.Wait(t.Context())
			if (got.State == longrein.ApprovalAllowed) != allow || got.Note != "because" {
				t.Errorf("the tool was told %+v, allow was %v", got, allow)
			}
		})
	}
}

func TestAnInterruptRefusesWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		defer f.Close()
		f.tools.run = func(ctx context.Context, c longrein.ToolCall) longrein.ToolResult {
			f.tools.ask(ctx, longrein.Approval{CallID: c.ID})
			return longrein.ToolResult{Output: longrein.ToolOutput{Text: "stopped", Status: longrein.OutputInterrupted}}
		}
		f.model.answers = append(f.model.answers, answers(call("a")))
		_ = f.Submit(t.Context(), "go")
		synctest.Wait()
		_ = f.Interrupt(t.Context())
		if err := f.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := last[longrein.Approval](t, f.log).State; got != longrein.ApprovalRefused {
			t.Errorf("approval %s, want refused", got)
		}
	})
}

// A question that comes behind an interrupt in the queue is not put.
func TestAQuestionAfterAnInterruptIsNotAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		defer f.Close()
		ask, release := make(chan struct{}), make(chan struct{})
		f.tools.run = func(ctx context.Context, c longrein.ToolCall) longrein.ToolResult {
			<-ask
			f.tools.ask(ctx, longrein.Approval{CallID: c.ID})
			return longrein.ToolResult{Output: longrein.ToolOutput{Text: "stopped", Status: longrein.OutputInterrupted}}
		}
		f.model.answers = append(f.model.answers, answers(call("a")))
		_ = f.Submit(t.Context(), "go")
		synctest.Wait()
		go f.do(t.Context(), func(*Thread) error { <-release; return nil })
		synctest.Wait()
		go f.Interrupt(t.Context())
		synctest.Wait()
		close(ask)
		synctest.Wait()
		close(release)
		_ = f.Wait(t.Context())
		synctest.Wait()
		for _, r := range f.log.records {
			if a, ok := r.Body.(longrein.Approval); ok {
				t.Errorf("recorded %+v, want no question", a)
			}
		}
	})
}

func TestALogThatFailsStopsTheThread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		defer f.Close()
		f.model.answers = append(f.model.answers, hangs(""))
		_ = f.Submit(t.Context(), "go")
		synctest.Wait()
		f.log.mu.Lock()
		f.log.fail = syscall.ENOSPC
		f.log.mu.Unlock()
		if err := f.Steer(t.Context(), "more"); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("steer: %v, want the disk's error", err)
		}
		if err := f.Wait(t.Context()); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("wait: %v, want the disk's error", err)
		}
	})
}

func TestALogThatFailsEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		defer f.Close()
		f.model.answers = append(f.model.answers, hangs(""))
		_ = f.Submit(t.Context(), "go")
		waited := make(chan error)
		go func() { waited <- f.Wait(t.Context()) }()
		synctest.Wait()
		f.log.mu.Lock()
		f.log.fail = syscall.ENOSPC
		f.log.mu.Unlock()
		_ = f.Steer(t.Context(), "more")
		if err := <-waited; !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("a wait that had begun: %v, want the disk's error", err)
		}
	})
}

func TestCloseFromManySides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.model.answers = append(f.model.answers, hangs(""))
		_ = f.Submit(t.Context(), "go")
		closed := make(chan error)
		for range 3 {
			go func() { closed <- f.Close() }()
		}
		var ok int
		for range 3 {
			switch err := <-closed; {
			case err == nil:
				ok++
			case !errors.Is(err, ErrClosed):
				t.Errorf("close: %v", err)
			}
		}
		if ok != 1 {
			t.Errorf("%d calls closed the thread, want 1", ok)
		}
	})
}

// Whoever opens a thread that was cut off, and closes it again, leaves it as it
// is and waits for nothing.
func TestALookAtATurnThatWasCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.model.answers = append(f.model.answers, hangs(""))
		_ = f.Submit(t.Context(), "go")
		synctest.Wait()
		m := turn.New(turn.Options{})
		if err := m.Load(f.log.records...); err != nil {
			t.Fatal(err)
		}
		opts := f.opts
		opts.Machine, opts.Log = m, &fakeLog{records: slices.Clone(f.log.records)}
		_ = f.Close()
		again := New(opts)
		began := time.Now()
		if err := again.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("it took %v", took)
		}
		if got := opts.Log.(*fakeLog).records; got[len(got)-1].Type() != "request" {
			t.Errorf("it left a %s record", got[len(got)-1].Type())
		}
	})
}

func TestAWireThatThereIsNotIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		defer f.Close()
		if err := f.Change(t.Context(), longrein.Settings{Wire: "pigeon"}); err == nil {
			t.Error("the settings were taken")
		}
	})
}

func TestALongPromptIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		defer f.Close()
		err := f.Submit(t.Context(), strings.Repeat("x", int(limit.Prompt.Default)+1))
		if pe := new(PromptError); !errors.As(err, &pe) || !strings.Contains(err.Error(), "--file") {
			t.Errorf("got %v, want a refusal that names --file", err)
		}
	})
}

func TestASlowWatcherMissesNoRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		defer f.Close()
		f.hub.limit = 4
		events := f.Watch(t.Context(), 0)
		f.model.answers = append(f.model.answers, answers(call("a"), call("b"), call("c")), answers(say("done")))
		_ = f.Submit(t.Context(), "go")
		_ = f.Wait(t.Context())
		var seqs []int64
		for e := range events {
			if e.Seq != 0 {
				seqs = append(seqs, e.Seq)
			}
			if e.Type == longrein.EventTurnCompleted {
				break
			}
		}
		for i, s := range seqs {
			if s != int64(i+1) {
				t.Fatalf("records %v, want all in order", seqs)
			}
		}
		if len(seqs) != len(f.log.records) {
			t.Errorf("%d records seen of %d", len(seqs), len(f.log.records))
		}
	})
}

func TestTheQueueHoldsSendersUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		defer f.Close()
		release := make(chan struct{})
		go f.do(t.Context(), func(*Thread) error { <-release; return nil })
		synctest.Wait()
		for range cap(f.ops) {
			go f.do(t.Context(), func(*Thread) error { return nil })
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := f.Steer(ctx, "one too many"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the sender beyond the queue got %v, want to wait", err)
		}
		close(release)
	})
}
