package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/provider/stream"
)

// responses reads the events of a Responses answer. Items are taken whole from
// their done events; deltas are for screens alone.
type responses struct {
	ep      provider.Endpoint
	model   string // that was asked
	done    int    // output items that came whole
	calls   bool
	refused bool
}

func newResponses(ep provider.Endpoint, r longrein.Request) stream.Reader {
	return &responses{ep: ep, model: r.Model}
}

func (s *responses) Event(ev gjson.Result) ([]longrein.ModelEvent, error) {
	switch ev.Get("type").String() {
	case "response.output_text.delta", "response.refusal.delta":
		return delta(longrein.DeltaText, ev.Get("delta").String()), nil
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		return delta(longrein.DeltaReasoning, ev.Get("delta").String()), nil
	case "response.function_call_arguments.delta":
		return delta(longrein.DeltaCall, ev.Get("delta").String()), nil
	case "response.output_item.added":
		return callBegins(ev.Get("item")), nil
	case "response.output_item.done":
		return s.item(ev.Get("item")), nil
	case "response.completed", "response.incomplete":
		return s.finish(ev), nil
	case "response.failed":
		return nil, failed(s.ep, ev.Get("response.error"))
	case "error":
		return nil, failed(s.ep, ev)
	case "": // not this wire's, but maybe a gateway's error
		if ev.Get("error").IsObject() {
			return nil, failed(s.ep, ev)
		}
	}
	return nil, nil
}

// End finds nothing: a response of this wire is whole when an event says so.
func (*responses) End(bool) []longrein.ModelEvent { return nil }

func delta(kind longrein.DeltaKind, text string) []longrein.ModelEvent {
	if text == "" {
		return nil
	}
	return []longrein.ModelEvent{longrein.Delta{Kind: kind, Text: text}}
}

func callBegins(item gjson.Result) []longrein.ModelEvent {
	if item.Get("type").String() != "function_call" {
		return nil
	}
	return []longrein.ModelEvent{longrein.Delta{Kind: longrein.DeltaCall, Name: item.Get("name").String()}}
}

func (s *responses) item(item gjson.Result) []longrein.ModelEvent {
	s.done++
	switch item.Get("type").String() {
	case "message":
		return s.message(item)
	case "reasoning":
		return s.reasoning(item)
	case "compaction":
		return []longrein.ModelEvent{longrein.ItemDone{Item: longrein.Opaque{
			Wire: longrein.WireResponses, Model: s.model, Raw: compact(item.Raw),
		}}}
	case "function_call":
		s.calls = true
		id := item.Get("call_id").String()
		if id == "" {
			id = item.Get("id").String()
		}
		return []longrein.ModelEvent{stream.Call(id, item.Get("name").String(), asText(item.Get("arguments")))}
	}
	return nil
}

func (s *responses) message(item gjson.Result) []longrein.ModelEvent {
	var b strings.Builder
	for _, part := range item.Get("content").Array() {
		b.WriteString(part.Get("text").String())
		if refusal := part.Get("refusal").String(); refusal != "" {
			s.refused = true
			b.WriteString(refusal)
		}
	}
	return said(b.String())
}

func said(text string) []longrein.ModelEvent {
	if text == "" {
		return nil
	}
	return []longrein.ModelEvent{longrein.ItemDone{Item: longrein.Message{Role: longrein.RoleAssistant, Text: text}}}
}

// reasoning keeps the object for the server if the server can read it again: it
// stores nothing, so an object without content is only a dangling id.
func (s *responses) reasoning(item gjson.Result) []longrein.ModelEvent {
	r := longrein.Reasoning{Text: thoughts(item), Wire: longrein.WireResponses, Model: s.model}
	if item.Get("encrypted_content").String() != "" || item.Get("content.0").Exists() {
		r.Raw = compact(item.Raw)
	}
	if r.Text == "" && r.Raw == nil {
		return nil
	}
	return []longrein.ModelEvent{longrein.ItemDone{Item: r}}
}

// thoughts is what a person may read of a reasoning item: its summary, else the
// reasoning itself.
func thoughts(item gjson.Result) string {
	for _, path := range []string{"summary", "content"} {
		var texts []string
		for _, part := range item.Get(path).Array() {
			texts = append(texts, part.Get("text").String())
		}
		if all := strings.Join(texts, "\n\n"); all != "" {
			return all
		}
	}
	return ""
}

func compact(raw string) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, []byte(raw)) != nil {
		return nil
	}
	return b.Bytes()
}

// finish ends the response. Items whose done events are missing, as with some
// local servers, are in its output.
func (s *responses) finish(ev gjson.Result) []longrein.ModelEvent {
	resp := ev.Get("response")
	var out []longrein.ModelEvent
	for i, item := range resp.Get("output").Array() {
		if i >= s.done {
			out = append(out, s.item(item)...)
		}
	}
	return append(out, longrein.Finished{
		Usage: responsesUsage(resp.Get("usage")), Model: resp.Get("model").String(), Stop: s.stop(ev),
	})
}

func (s *responses) stop(ev gjson.Result) longrein.Stop {
	if ev.Get("type").String() == "response.incomplete" {
		switch ev.Get("response.incomplete_details.reason").String() {
		case "content_filter":
			return longrein.StopRefused
		case "steered":
			return longrein.StopPaused
		}
		return longrein.StopMaxOutput
	}
	switch {
	case s.calls:
		return longrein.StopTools
	case s.refused:
		return longrein.StopRefused
	case ev.Get("response.end_turn").Type == gjson.False, ev.Get("end_turn").Type == gjson.False:
		return longrein.StopPaused
	}
	return longrein.StopEnd
}

func responsesUsage(u gjson.Result) longrein.Usage {
	return longrein.Usage{
		Input:      u.Get("input_tokens").Int(),
		Cached:     u.Get("input_tokens_details.cached_tokens").Int(),
		CacheWrite: u.Get("input_tokens_details.cache_write_tokens").Int(),
		Output:     u.Get("output_tokens").Int(),
		Reasoning:  u.Get("output_tokens_details.reasoning_tokens").Int(),
		Reported:   u.IsObject(),
	}
}

// failed reads an error object, or an event that holds or is one.
func failed(ep provider.Endpoint, ev gjson.Result) error {
	obj := ev
	if e := ev.Get("error"); e.Exists() {
		obj = e
	}
	code := obj.Get("code").String()
	if code == "" {
		code = obj.Get("type").String()
	}
	message := obj.Get("message").String()
	if obj.Type == gjson.String {
		message = obj.String()
	}
	return provider.RefusalEvent(ep, code, message)
}

// asText is a string's content, and of any other value its JSON.
func asText(v gjson.Result) string {
	switch v.Type {
	case gjson.Null:
		return ""
	case gjson.String:
		return v.String()
	}
	return string(compact(v.Raw))
}
