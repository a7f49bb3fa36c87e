package sim

import (
	"context"
	"fmt"
	"iter"
	"net/http"

	"github.com/longrein/longrein"
)

// Stream answers r in this process, by the same way as the HTTP handler. It asks
// once: a fault ends the stream with the error that a provider's client would
// report, and whoever retries sends the request again.
func (s *Sim) Stream(ctx context.Context, r longrein.Request) iter.Seq2[longrein.ModelEvent, error] {
	return func(yield func(longrein.ModelEvent, error) bool) {
		out := s.decide(r.Wire, r.Body)
		defer s.done(out)
		if err := sleep(ctx, s.wait(out)); err != nil {
			yield(nil, err)
			return
		}
		if err := out.err(); err != nil {
			yield(nil, err)
			return
		}
		s.pour(ctx, out, yield)
	}
}

// err is the error that comes in place of a response, nil for none.
func (out outcome) err() error {
	if out.bad != nil {
		return out.bad.err()
	}
	if out.fault.Kind == FaultHTML {
		return &longrein.ModelError{
			Kind: longrein.ErrNotAnAPI, Status: out.fault.Status,
			Text: "simulated model: injected an HTML page in place of an answer",
		}
	}
	return nil
}

// pour yields the response, up to where a fault breaks it off.
func (s *Sim) pour(ctx context.Context, out outcome, yield func(longrein.ModelEvent, error) bool) {
	events := modelEvents(out.prompt.wire, out.reply)
	stop := len(events)
	broken := out.broken()
	if broken != nil {
		stop /= 2
	}
	for _, e := range events[:stop] {
		if !yield(e, nil) {
			return
		}
		if err := sleep(ctx, rate(int64(weight(e)), s.o.Latency.Output)); err != nil {
			yield(nil, err)
			return
		}
	}
	if broken != nil {
		yield(nil, broken)
	}
}

// broken is the error in the middle of a response, nil for none.
func (out outcome) broken() error {
	e := &longrein.ModelError{Kind: longrein.ErrStreamCut}
	switch out.fault.Kind {
	case FaultCut:
		e.Text = "simulated model: the response was cut in the middle"
	case FaultGarbage:
		e.Text = "simulated model: an event of the response is no JSON"
	case FaultFailed:
		e.Kind, e.Status = longrein.ErrOverloaded, http.StatusInternalServerError
		e.Text = "simulated model: the response failed in the middle"
	default:
		return nil
	}
	return e
}

// modelEvents is the reply as a [longrein.Model] gives it.
func modelEvents(wire longrein.Wire, r reply) []longrein.ModelEvent {
	var out []longrein.ModelEvent
	if r.thought.text != "" {
		out = appendDeltas(out, longrein.DeltaReasoning, r.thought.text)
		out = append(out, longrein.ItemDone{Item: longrein.Reasoning{
			Text: r.thought.text, Wire: wire, Model: r.model, Raw: r.thought.raw(wire),
		}})
	}
	if r.compacted != "" {
		out = append(out, longrein.ItemDone{Item: longrein.Opaque{Wire: wire, Model: r.model, Raw: []byte(compactionItem("cmp_"+r.id, r.compacted))}})
	}
	if r.text != "" {
		out = appendDeltas(out, longrein.DeltaText, r.text)
		out = append(out, longrein.ItemDone{Item: longrein.Message{Role: longrein.RoleAssistant, Text: r.text}})
	}
	for _, c := range r.calls {
		out = append(out, longrein.Delta{Kind: longrein.DeltaCall, Name: c.Name})
		out = appendDeltas(out, longrein.DeltaCall, c.Args)
		out = append(out, longrein.ItemDone{Item: c})
	}
	return append(out, longrein.Finished{Usage: r.usage, Model: r.model, Stop: r.stop})
}

func appendDeltas(out []longrein.ModelEvent, kind longrein.DeltaKind, text string) []longrein.ModelEvent {
	for _, c := range chunks(text) {
		out = append(out, longrein.Delta{Kind: kind, Text: c})
	}
	return out
}

// weight is how many tokens an event brings.
func weight(e longrein.ModelEvent) int {
	if d, ok := e.(longrein.Delta); ok {
		return tokens(len(d.Text))
	}
	return 0
}

// chunks splits a text into pieces of whole characters, about sixty bytes each
// and at most about five hundred pieces.
func chunks(s string) []string {
	size := max(60, len(s)/500)
	var out []string
	for len(s) > size {
		head := cutAt(s, size)
		if head == "" {
			break // no character begins here: the text is no UTF-8
		}
		out, s = append(out, head), s[len(head):]
	}
	if s != "" {
		out = append(out, s)
	}
	return out
}

// raw is reasoning as the wire's own object, nil where the wire has none.
func (t thought) raw(wire longrein.Wire) []byte {
	switch wire {
	case longrein.WireResponses:
		return []byte(t.responsesItem())
	case longrein.WireMessages:
		return fmt.Appendf(nil, `{"type":"thinking","thinking":%s,"signature":%s}`, quote(t.text), quote(t.seal))
	}
	return nil
}
