package turn

import (
	"strings"
	"testing"

	"github.com/longrein/longrein"
)

// sealed is what a provider answers to an item that has it sum up.
func sealed(raw string) longrein.Opaque {
	return longrein.Opaque{Wire: longrein.WireResponses, Model: "sim:test", Raw: []byte(raw)}
}

// providing is a world whose provider sums up itself, with a compactor that is out.
func providing(t checker) *world {
	w := compacting(t, nil)
	set := w.m.State().Next
	set.Dialect.SumsUp = true
	w.tell(Change{Settings: set})
	w.tell(Submit{Text: "the task: never touch main.go"})
	w.survey()
	w.fill()
	return w
}

// T2: remote_compact_v2_reuses_compaction_trigger_for_followups,
// remote_compact_v2_accepts_additional_output_items_before_compaction; cases 66, 71.
func TestAProviderThatSumsUpIsAskedTo(t *testing.T) {
	w := providing(t)
	if body := string(w.forks[0].Request.Body); !strings.HasSuffix(body, `,{"type":"compaction_trigger"}]}`) || strings.Contains(body, "role: compactor") {
		t.Errorf("the request ends with %s", body[len(body)-100:])
	}
	w.forkSays(0, say("I sum up"), sealed(`{"type":"compaction","encrypted_content":"x <>"}`))
	w.survey()
	w.wantSeen("user: the task: never touch main.go, ledger, compaction_summary, opaque")
	if c := w.wantStatus(longrein.CompactionStarted, longrein.CompactionCompleted); c.By != longrein.CompactedByProvider || c.Summary != "" {
		t.Errorf("recorded %+v", c)
	}
	for range 2 { // it stays byte for byte in every request of the window
		if body := string(w.asks[0].Request.Body); !strings.Contains(body, `,{"type":"compaction","encrypted_content":"x <>"}`) || strings.Contains(body, "compaction_trigger") {
			t.Fatalf("the request lacks the provider's item, or asks again: %s", body)
		}
		w.step(1)
	}
	w.verify()
}

// Case 74, ours, and T2: remote_compact_v2_retries_failures_with_stream_retry_budget,
// of which the provider's client takes care.
func TestAProviderThatCannotSumUpIsReplacedByTheModel(t *testing.T) {
	for name, fail := range map[string]func(*world){
		"it refuses":              func(w *world) { w.forkBreaks(0, &longrein.ModelError{Kind: longrein.ErrBadRequest, Text: "what?"}) },
		"it answers with nothing": func(w *world) { w.forkSays(0) },
		"it answers with two":     func(w *world) { w.forkSays(0, sealed(`{}`), sealed(`{}`)) },
		"it is too long":          func(w *world) { w.forkBreaks(0, &longrein.ModelError{Kind: longrein.ErrTooLong, Text: "long"}) },
	} {
		t.Run(name, func(t *testing.T) {
			w := providing(t)
			fail(w)
			w.forkSays(0, say("by hand"))
			w.survey()
			if c := w.wantStatus(longrein.CompactionStarted, longrein.CompactionStarted, longrein.CompactionCompleted); c.By != longrein.CompactedByModel || c.Summary != "by hand" {
				t.Errorf("recorded %+v", c)
			}
			told := w.count(func(b longrein.Body) bool {
				v, ok := b.(longrein.Warning)
				return ok && strings.Contains(v.Text, "provider could not sum")
			})
			if told != 1 {
				t.Errorf("%d warnings say so", told)
			}
			w.wantSeen("user: the task: never touch main.go, ledger, compaction_summary")
			w.verify()
		})
	}
}

// Another model is told that it cannot read what a provider made.
func TestAnotherModelIsToldWhatItCannotRead(t *testing.T) {
	w := providing(t)
	w.forkSays(0, sealed(`{"type":"compaction","encrypted_content":"x"}`))
	w.survey()
	w.reply(longrein.StopEnd, say("done"))
	set := w.m.State().Next
	for _, set.Wire = range []longrein.Wire{longrein.WireResponses, longrein.WireChat, longrein.WireMessages} {
		set.Model = "another"
		w.tell(Change{Settings: set})
		w.tell(Submit{Text: "go on"})
		w.survey()
		if body := string(w.asks[0].Request.Body); strings.Contains(body, "encrypted_content") || !strings.Contains(body, "only sim:test can read") {
			t.Errorf("%s: the request does not say so: %s", set.Wire, body)
		}
		w.reply(longrein.StopEnd, say("done"))
	}
	w.verify()
}
