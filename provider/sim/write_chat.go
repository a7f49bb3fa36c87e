package sim

import (
	"fmt"
	"strings"
	"time"

	"github.com/longrein/longrein"
)

// chatEvents returns the whole stream of POST /v1/chat/completions.
func chatEvents(r reply, now time.Time, usage bool) []event {
	w := &chatWriter{reply: r, now: now, nulls: usage}
	w.delta(0, `{"role":"assistant","content":""}`, "null")
	for _, c := range chunks(r.thought.text) {
		w.delta(tokens(len(c)), `{"reasoning_content":`+quote(c)+`}`, "null")
	}
	for _, c := range chunks(r.text) {
		w.delta(tokens(len(c)), `{`+w.textField()+`:`+quote(c)+`}`, "null")
	}
	for i, c := range r.calls {
		w.call(i, c)
	}
	w.delta(0, `{}`, quote(r.finish()))
	if usage {
		w.chunk(0, "", r.chatUsage())
	}
	return append(w.events, event{data: "[DONE]"})
}

// chatWriter gathers chunks. With nulls each one has a usage that is null, as
// the wire's owner documents it.
type chatWriter struct {
	reply
	now    time.Time
	nulls  bool
	events []event
}

// delta adds a chunk with one choice.
func (w *chatWriter) delta(tokens int, delta, finish string) {
	usage := ""
	if w.nulls {
		usage = "null"
	}
	w.chunk(tokens, fmt.Sprintf(`{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}`, delta, finish), usage)
}

func (w *chatWriter) chunk(tokens int, choices, usage string) {
	if usage != "" {
		usage = `,"usage":` + usage
	}
	data := fmt.Sprintf(`{"id":%s,"object":"chat.completion.chunk","created":%d,"model":%s,"system_fingerprint":"simulated","choices":[%s]%s}`,
		quote("chatcmpl-"+w.id), w.now.Unix(), quote(w.model), choices, usage)
	w.events = append(w.events, event{data: data, tokens: tokens})
}

func (w *chatWriter) call(i int, c longrein.ToolCall) {
	w.delta(0, fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":%s,"type":"function","function":{"name":%s,"arguments":""}}]}`,
		i, quote(c.ID), quote(c.Name)), "null")
	for _, piece := range chunks(c.Args) {
		w.delta(tokens(len(piece)), fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, i, quote(piece)), "null")
	}
}

// textField is where the text of a reply stands.
func (r reply) textField() string {
	if r.refused {
		return `"refusal"`
	}
	return `"content"`
}

// finish is the wire's finish_reason.
func (r reply) finish() string {
	switch r.stop {
	case longrein.StopTools:
		return "tool_calls"
	case longrein.StopMaxOutput:
		return "length"
	case longrein.StopRefused:
		return "content_filter"
	}
	return "stop"
}

func (r reply) chatUsage() string {
	u := r.usage
	return fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d,"cache_write_tokens":%d},"completion_tokens_details":{"reasoning_tokens":%d}}`,
		u.Input, u.Output, u.Input+u.Output, u.Cached, u.CacheWrite, u.Reasoning)
}

// chatObject is the whole response, for requests that do not stream.
func chatObject(r reply, now time.Time) string {
	fields := []string{`"role":"assistant"`}
	if r.thought.text != "" {
		fields = append(fields, `"reasoning_content":`+quote(r.thought.text))
	}
	fields = append(fields, r.chatText()...)
	if len(r.calls) > 0 {
		calls := make([]string, 0, len(r.calls))
		for _, c := range r.calls {
			calls = append(calls, fmt.Sprintf(`{"id":%s,"type":"function","function":{"name":%s,"arguments":%s}}`, quote(c.ID), quote(c.Name), quote(c.Args)))
		}
		fields = append(fields, `"tool_calls":[`+strings.Join(calls, ",")+`]`)
	}
	return fmt.Sprintf(`{"id":%s,"object":"chat.completion","created":%d,"model":%s,"system_fingerprint":"simulated","choices":[{"index":0,"message":{%s},"logprobs":null,"finish_reason":%s}],"usage":%s}`,
		quote("chatcmpl-"+r.id), now.Unix(), quote(r.model), strings.Join(fields, ","), quote(r.finish()), r.chatUsage())
}

// chatText is the content and the refusal of a message, of which one is null.
func (r reply) chatText() []string {
	switch {
	case r.refused:
		return []string{`"content":null`, `"refusal":` + quote(r.text)}
	case r.text == "":
		return []string{`"content":null`, `"refusal":null`}
	}
	return []string{`"content":` + quote(r.text), `"refusal":null`}
}
