package provider_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider"
)

func TestWatchdog(t *testing.T) {
	for name, c := range map[string]struct {
		line []any
		want []string
		took time.Duration
	}{
		"a steady response passes": {
			line: []any{9 * time.Minute, hi, 4 * time.Minute, hi, 4 * time.Minute, finished},
			want: []string{"hi", "hi", "finished"}, took: 17 * time.Minute,
		},
		"a response that never begins is ended": {
			line: []any{time.Hour, finished},
			want: []string{"error: no response began within 10m0s (limit first-byte)"}, took: 10 * time.Minute,
		},
		"a response that falls silent is ended": {
			line: []any{hi, time.Hour, finished},
			want: []string{"hi", "error: the response was silent for 5m0s (limit stream-idle)"}, took: 5 * time.Minute,
		},
		"another error passes": {
			line: []any{hi, broken(longrein.ErrOverloaded)},
			want: []string{"hi", "error: overloaded"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, took := play(t.Context(), provider.Watchdog(&script{lines: [][]any{c.line}}, nil))
				if d := cmp.Diff(c.want, got); d != "" || took != c.took {
					t.Errorf("after %v: %s", took, d)
				}
			})
		})
	}
}

func TestWatchdogWaitsForItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := provider.Watchdog(&script{lines: [][]any{{hi, time.Minute, hi, finished}}}, nil)
		for _, err := range m.Stream(t.Context(), longrein.Request{}) {
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
		}
	})
}

func TestWatchdogLeavesTheCallersEndAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		got, _ := play(ctx, provider.Watchdog(&script{lines: [][]any{{time.Hour}}}, nil))
		if d := cmp.Diff([]string{"error: context deadline exceeded"}, got); d != "" {
			t.Error(d)
		}
	})
}

func TestRetryOfAWatchedModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &script{lines: [][]any{{hi, time.Hour}, {hi, finished}}}
		got, _ := play(t.Context(), provider.Retry(provider.Watchdog(m, nil), nil))
		want := []string{"hi", "retrying 1/16: the response was silent for 5m0s (limit stream-idle)", "hi", "finished"}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	})
}

// lines is a model that yields an event for each line but for comments.
type lines struct {
	client *http.Client
	url    string
}

func (l lines) Stream(ctx context.Context, _ longrein.Request) iter.Seq2[longrein.ModelEvent, error] {
	return func(yield func(longrein.ModelEvent, error) bool) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, l.url, nil)
		if err != nil {
			yield(nil, err)
			return
		}
		resp, err := l.client.Do(r)
		if err != nil {
			yield(nil, err)
			return
		}
		defer resp.Body.Close()
		if _, err = io.Copy(io.Discard, resp.Body); err != nil {
			yield(nil, err)
			return
		}
		yield(finished, nil)
	}
}

func TestCommentsKeepAResponseAlive(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		for range 15 {
			fmt.Fprint(w, ": still thinking\n\n")
			w.(http.Flusher).Flush()
			time.Sleep(100 * time.Millisecond)
		}
	})
	short, err := limit.Set{}.With("stream-idle", 1_000)
	if err != nil {
		t.Fatal(err)
	}
	m := provider.Watchdog(lines{newHTTP(t, provider.Transport{}), server.URL}, short)
	got, took := play(t.Context(), m)
	if d := cmp.Diff([]string{"finished"}, got); d != "" || took < time.Second {
		t.Errorf("after %v: %s", took, d)
	}
}
