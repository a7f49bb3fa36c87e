package thread

import (
	"context"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/turn"
)

// failing is a log whose n-th append fails, after it has written some records.
type failing struct {
	fakeLog
	n, written int
}

func (l *failing) Append(now time.Time, sync bool, bodies ...longrein.Body) ([]longrein.Record, error) {
	l.n--
	if l.n == 0 {
		_, _ = l.fakeLog.Append(now, sync, bodies[:min(l.written, len(bodies))]...)
	}
	if l.n <= 0 {
		return nil, syscall.EIO
	}
	return l.fakeLog.Append(now, sync, bodies...)
}

// Wherever the log fails, everyone who waits is told, nothing runs on, and what
// the log holds is gone on with, no call of it run twice.
func TestALogThatFailsAnywhere(t *testing.T) {
	for n := 2; ; n++ {
		reached := false
		for written := range 8 {
			synctest.Test(t, func(t *testing.T) { reached = failAt(t, n, written) })
		}
		if !reached {
			if n < 6 {
				t.Errorf("only %d appends were tried", n-2)
			}
			return
		}
	}
}

// failAt plays a turn on a log that fails, and then goes on with what it holds.
// It returns false when the log did not come to fail.
func failAt(t *testing.T, n, written int) bool {
	t.Helper()
	place := fmt.Sprintf("append %d fails after %d records", n, written)
	f := newFixture(t)
	log, runs := &failing{n: n, written: written}, map[string]int{}
	f.tools.run = func(_ context.Context, c longrein.ToolCall) longrein.ToolResult {
		runs[c.ID]++
		return longrein.ToolResult{Output: longrein.ToolOutput{Text: "ok", Status: longrein.OutputOK}}
	}
	opts := f.opts
	opts.Log, opts.Machine = log, turn.New(turn.Options{})
	_ = f.Close()

	a := New(opts)
	begun := a.Begin(t.Context(), longrein.Thread{ID: "t"}, settings)
	f.model.answers = append(f.model.answers, answers(call("a"), call("b")), answers(say("done")))
	submitted := a.Submit(t.Context(), "go")
	waited := a.Wait(t.Context())
	_ = a.Close()
	if log.n > 0 {
		return false
	}
	if begun == nil && submitted == nil && waited == nil {
		t.Errorf("%s: nobody was told", place)
	}

	opts.Machine = turn.New(turn.Options{})
	if err := opts.Machine.Load(log.records...); err != nil {
		t.Fatalf("%s: %v", place, err)
	}
	opts.Log = &fakeLog{records: slices.Clone(log.records)}
	f.model.answers = append(f.model.answers, answers(call("c")), answers(say("done")))
	b := New(opts)
	_ = b.Resume(t.Context())
	if err := b.Wait(t.Context()); err != nil {
		t.Errorf("%s: going on: %v", place, err)
	}
	_ = b.Close()
	for id, n := range runs {
		if n > 1 {
			t.Errorf("%s: the call %s ran %d times", place, id, n)
		}
	}
	return true
}
