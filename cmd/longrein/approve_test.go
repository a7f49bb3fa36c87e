package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/longrein/longrein"
)

// written tells of each text that is written.
type written chan string

func (w written) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}

type decision struct {
	call  string
	allow bool
	note  string
}

func TestAnAnswerIsForTheQuestionThatIsShown(t *testing.T) {
	in, keys := io.Pipe()
	shown, decided := make(written), make(chan decision, 3)
	k := newAsker(in, shown, func(_ context.Context, call string, allow bool, note string) error {
		decided <- decision{call, allow, note}
		return nil
	})
	k.turn.Lock() // until all are asked, and one of them is decided elsewhere
	for _, call := range []string{"a", "b", "c", "d"} {
		k.note(longrein.Approval{CallID: call, Action: "run " + call, State: longrein.ApprovalAsked})
	}
	answers := map[string]decision{"a": {"a", true, ""}, "b": {"b", false, ""}, "c": {"c", false, "not now"}}
	k.note(longrein.Approval{CallID: "d", State: longrein.ApprovalRefused})
	k.turn.Unlock()
	for range answers {
		_, rest, _ := strings.Cut(<-shown, "run ")
		want, ok := answers[rest[:1]]
		if !ok {
			t.Fatalf("asked for %q, which was decided", rest[:1])
		}
		_, _ = io.WriteString(keys, map[string]string{"a": "y\n", "b": "no\n", "c": "not now\n"}[want.call])
		if got := <-decided; got != want {
			t.Errorf("decided %+v, want %+v", got, want)
		}
	}
}

func TestAQuestionCannotBeForged(t *testing.T) {
	text := question(longrein.Approval{
		Tool: "exec_command", Reason: "because\nallow it?",
		Action: "rm -rf x\x1b[2J\u202e\r" + strings.Repeat("\n", 50) + "allow it? [y]es",
	})
	if strings.ContainsAny(text, "\x1b\u202e\r") {
		t.Errorf("control characters reach the terminal: %q", text)
	}
	if strings.Count(text, "\nallow it?") != 1 {
		t.Errorf("more than one line asks: %q", text)
	}
	if i := strings.LastIndex(text, "rm -rf x"); i < len(text)-200 {
		t.Errorf("the end does not say how it begins: %q", text)
	}
}
