package sim

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/longrein/longrein"
)

// messagesWriter gathers the events of POST /v1/messages.
type messagesWriter struct {
	reply
	events []event
	index  int // of the next content block
}

// messagesEvents returns the whole stream of a reply.
func messagesEvents(r reply) []event {
	w := &messagesWriter{reply: r}
	w.add("message_start", 0, `"message":%s`, r.messageObject("", "null", 1))
	w.add("ping", 0, "")
	if t := r.thought; t.text != "" {
		w.begin(`{"type":"thinking","thinking":"","signature":""}`)
		w.deltas("thinking_delta", "thinking", t.text)
		w.add("content_block_delta", 0, `"index":%d,"delta":{"type":"signature_delta","signature":%s}`, w.index, quote(t.seal))
		w.end()
	}
	if r.text != "" {
		w.begin(`{"type":"text","text":""}`)
		w.deltas("text_delta", "text", r.text)
		w.end()
	}
	for _, c := range r.calls {
		w.begin(fmt.Sprintf(`{"type":"tool_use","id":%s,"name":%s,"input":{}}`, quote(c.ID), quote(c.Name)))
		w.deltas("input_json_delta", "partial_json", c.Args)
		w.end()
	}
	w.add("message_delta", 0, `"delta":{"stop_reason":%s,"stop_sequence":null},"usage":%s`, quote(r.stopReason()), r.messagesUsage(r.usage.Output))
	w.add("message_stop", 0, "")
	return w.events
}

func (w *messagesWriter) add(name string, tokens int, format string, args ...any) {
	rest := fmt.Sprintf(format, args...)
	if rest != "" {
		rest = "," + rest
	}
	w.events = append(w.events, event{name, `{"type":` + quote(name) + rest + `}`, tokens})
}

func (w *messagesWriter) begin(block string) {
	w.add("content_block_start", 0, `"index":%d,"content_block":%s`, w.index, block)
}

func (w *messagesWriter) deltas(kind, field, text string) {
	for _, c := range chunks(text) {
		w.add("content_block_delta", tokens(len(c)), `"index":%d,"delta":{"type":%s,%s:%s}`, w.index, quote(kind), quote(field), quote(c))
	}
}

func (w *messagesWriter) end() {
	w.add("content_block_stop", 0, `"index":%d`, w.index)
	w.index++
}

func (r reply) stopReason() string {
	switch r.stop {
	case longrein.StopTools:
		return "tool_use"
	case longrein.StopMaxOutput:
		return "max_tokens"
	case longrein.StopRefused:
		return "refusal"
	}
	return "end_turn"
}

// messagesUsage counts apart what the cache gave, what went into it, and the
// rest.
func (r reply) messagesUsage(output int64) string {
	u := r.usage
	return fmt.Sprintf(`{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":%d,"output_tokens_details":{"thinking_tokens":%d}}`,
		u.Input-u.Cached-u.CacheWrite, u.CacheWrite, u.Cached, output, min(u.Reasoning, output))
}

func (r reply) messageObject(content, stop string, output int64) string {
	return fmt.Sprintf(`{"id":%s,"type":"message","role":"assistant","model":%s,"content":[%s],"stop_reason":%s,"stop_sequence":null,"usage":%s}`,
		quote("msg_"+r.id), quote(r.model), content, stop, r.messagesUsage(output))
}

// messagesObject is the whole response, for requests that do not stream.
func messagesObject(r reply) string {
	var blocks []string
	if r.thought.text != "" {
		blocks = append(blocks, string(r.thought.raw(longrein.WireMessages)))
	}
	if r.text != "" {
		blocks = append(blocks, fmt.Sprintf(`{"type":"text","text":%s}`, quote(r.text)))
	}
	for _, c := range r.calls {
		blocks = append(blocks, fmt.Sprintf(`{"type":"tool_use","id":%s,"name":%s,"input":%s}`, quote(c.ID), quote(c.Name), objectOf(c.Args)))
	}
	return r.messageObject(strings.Join(blocks, ","), quote(r.stopReason()), r.usage.Output)
}

// objectOf keeps arguments that are no JSON as a string, since a whole message
// must be JSON.
func objectOf(args string) string {
	if json.Valid([]byte(args)) {
		return args
	}
	return quote(args)
}
