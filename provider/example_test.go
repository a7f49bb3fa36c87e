package provider_test

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider"
)

// flaky is a model that is overloaded the first time.
type flaky struct {
	ep    provider.Endpoint
	asked *int
}

func (f flaky) Stream(context.Context, longrein.Request) iter.Seq2[longrein.ModelEvent, error] {
	return func(yield func(longrein.ModelEvent, error) bool) {
		if *f.asked++; *f.asked == 1 {
			yield(nil, provider.Refusal(f.ep, http.StatusServiceUnavailable, nil, []byte(`{"error":{"message":"Loading model"}}`)))
			return
		}
		yield(longrein.Finished{Stop: longrein.StopEnd}, nil)
	}
}

// A model is wrapped once, where it is made; whoever asks it sees the repeats.
func Example() {
	limits := limit.Set{"retry-pause": 10}
	ep := provider.Endpoint{Name: "local", BaseURL: "http://127.0.0.1:8080/v1", Limits: limits}
	model := provider.Retry(provider.Watchdog(flaky{ep, new(int)}, limits), limits)
	for event, err := range model.Stream(context.Background(), longrein.Request{}) {
		switch event := event.(type) {
		case longrein.Retrying:
			fmt.Printf("attempt %d of %d: %v\n", event.Attempt, event.Max, event.Cause)
			fmt.Println("soon again:", event.Wait < time.Second)
		case longrein.Finished:
			fmt.Println("finished:", event.Stop, err)
		}
	}
	// Output:
	// attempt 1 of 16: local answered 503: Loading model
	// soon again: true
	// finished: end <nil>
}

func ExampleRedact() {
	fmt.Println(provider.Redact("key 4f2a9c81d0 was refused", "4f2a9c81d0"))
	// Output: key [key] was refused
}
