package provider_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider"
)

// script is a model that plays one line of moves for each attempt and the last
// line for all further ones.
type script struct {
	lines  [][]any // of longrein.ModelEvent, error, time.Duration
	asked  int
	bodies []string
}

func (s *script) Stream(ctx context.Context, r longrein.Request) iter.Seq2[longrein.ModelEvent, error] {
	return func(yield func(longrein.ModelEvent, error) bool) {
		line := s.lines[min(s.asked, len(s.lines)-1)]
		s.asked++
		s.bodies = append(s.bodies, string(r.Body))
		for _, move := range line {
			switch move := move.(type) {
			case longrein.ModelEvent:
				if !yield(move, nil) {
					return
				}
			case error:
				yield(nil, move)
				return
			case time.Duration:
				select {
				case <-time.After(move):
				case <-ctx.Done():
					yield(nil, ctx.Err())
					return
				}
			}
		}
	}
}

var (
	hi       = longrein.Delta{Kind: longrein.DeltaText, Text: "hi"}
	finished = longrein.Finished{Stop: longrein.StopEnd}
)

func broken(kind longrein.ErrorKind) *longrein.ModelError {
	return &longrein.ModelError{Kind: kind, Text: string(kind)}
}

// play streams to the end and tells in words what came, and how long it took.
func play(ctx context.Context, m longrein.Model) (heard []string, took time.Duration) {
	start := time.Now()
	for ev, err := range m.Stream(ctx, longrein.Request{Body: []byte("body")}) {
		switch ev := ev.(type) {
		case longrein.Retrying:
			heard = append(heard, fmt.Sprintf("retrying %d/%d: %v", ev.Attempt, ev.Max, ev.Cause))
		case longrein.Delta:
			heard = append(heard, ev.Text)
		case longrein.Finished:
			heard = append(heard, "finished")
		}
		if err != nil {
			heard = append(heard, "error: "+err.Error())
		}
	}
	return heard, time.Since(start)
}

func TestRetry(t *testing.T) {
	asks := &longrein.ModelError{Kind: longrein.ErrRateLimited, Text: "busy", RetryAfter: 20 * time.Second}
	asksLong := &longrein.ModelError{Kind: longrein.ErrRateLimited, Text: "busy", RetryAfter: 2 * time.Hour}
	for name, c := range map[string]struct {
		lines    [][]any
		want     []string
		min, max time.Duration
	}{
		"what works is asked once": {
			lines: [][]any{{hi, finished}},
			want:  []string{"hi", "finished"},
		},
		"a cut stream is asked again": {
			lines: [][]any{{hi, broken(longrein.ErrStreamCut)}, {hi, finished}},
			want:  []string{"hi", "retrying 1/16: stream_cut", "hi", "finished"},
			min:   180 * time.Millisecond, max: 220 * time.Millisecond,
		},
		"an end without Finished is a cut stream": {
			lines: [][]any{{hi}, {finished}},
			want:  []string{"hi", "retrying 1/16: the response ended before it was whole", "finished"},
			min:   180 * time.Millisecond, max: 220 * time.Millisecond,
		},
		"a server that asks for time gets it": {
			lines: [][]any{{asks}, {finished}},
			want:  []string{"retrying 1/16: busy", "finished"},
			min:   20 * time.Second, max: 20 * time.Second,
		},
		"a server that asks for hours does not": {
			lines: [][]any{{asksLong}, {finished}},
			want:  []string{"error: busy; 2h0m0s is longer than 5m0s (limit retry-after), so it was not waited for"},
		},
		"a wrong key is told at once": {
			lines: [][]any{{broken(longrein.ErrAuth)}},
			want:  []string{"error: auth"},
		},
		"an error of no provider is told at once": {
			lines: [][]any{{errors.New("a bug")}},
			want:  []string{"error: a bug"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, took := play(t.Context(), provider.Retry(&script{lines: c.lines}, nil))
				if d := cmp.Diff(c.want, got); d != "" {
					t.Error(d)
				}
				if took < c.min || took > c.max {
					t.Errorf("took %v, want %v to %v", took, c.min, c.max)
				}
			})
		})
	}
}

func TestRetryRidesOutEightErrorsInFifteenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lines [][]any
		for range 8 {
			lines = append(lines, []any{hi, broken(longrein.ErrOverloaded)})
		}
		m := &script{lines: append(lines, []any{finished})}
		got, took := play(t.Context(), provider.Retry(m, nil))
		if last := got[len(got)-1]; last != "finished" || took > 15*time.Second {
			t.Errorf("%q after %v", last, took)
		}
		for _, b := range m.bodies {
			if b != "body" {
				t.Errorf("body = %q", b)
			}
		}
	})
}

func TestRetryGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &script{lines: [][]any{{broken(longrein.ErrOverloaded)}}}
		got, took := play(t.Context(), provider.Retry(m, nil))
		if last := got[len(got)-1]; last != "error: overloaded" || m.asked != int(limit.Retries.Default) {
			t.Errorf("%q after %d tries", last, m.asked)
		}
		if took < 2*time.Minute || took > 6*time.Minute {
			t.Errorf("took %v, want a few minutes", took)
		}
	})
}

func TestRetryOfAServerThatIsNotThere(t *testing.T) {
	refused := provider.Failure(local, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED})
	synctest.Test(t, func(t *testing.T) {
		m := &script{lines: [][]any{{refused}}}
		_, took := play(t.Context(), provider.Retry(m, nil))
		if m.asked != int(limit.FirstRetries.Default) || took > 5*time.Second {
			t.Errorf("never reached: %d tries, %v", m.asked, took)
		}
		m = &script{lines: [][]any{{hi, finished}, {refused}}}
		r := provider.Retry(m, nil)
		play(t.Context(), r)
		play(t.Context(), r)
		if m.asked != 1+int(limit.Retries.Default) {
			t.Errorf("reached before: %d tries", m.asked)
		}
	})
}

func TestRetryLeavesAloneWhatStaysWrong(t *testing.T) {
	server := serve(t, hello)
	_, failure := ask(t, provider.Transport{}, strings.Replace(server.URL, "http:", "https:", 1))
	m := &script{lines: [][]any{{failure}}}
	if play(t.Context(), provider.Retry(m, nil)); m.asked != 1 {
		t.Errorf("asked %d times", m.asked)
	}
}

func TestRetryEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		got, took := play(ctx, provider.Retry(&script{lines: [][]any{{broken(longrein.ErrOverloaded)}}}, nil))
		want := []string{"retrying 1/16: overloaded", "error: context deadline exceeded"}
		if d := cmp.Diff(want, got); d != "" || took != 100*time.Millisecond {
			t.Errorf("after %v: %s", took, d)
		}
	})
}

func TestRetryStopsWhenNobodyListens(t *testing.T) {
	m := &script{lines: [][]any{{hi, broken(longrein.ErrOverloaded)}}}
	for range provider.Retry(m, nil).Stream(t.Context(), longrein.Request{}) {
		break
	}
	if m.asked != 1 {
		t.Errorf("asked %d times", m.asked)
	}
}
