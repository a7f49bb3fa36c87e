package sim

import (
	"fmt"
	"strings"
	"time"

	"github.com/longrein/longrein"
)

// responsesWriter gathers the events of POST /v1/responses.
type responsesWriter struct {
	reply
	now    time.Time
	events []event
	items  []string // output items that are complete
}

// responsesEvents returns the whole stream of a reply.
func responsesEvents(r reply, now time.Time) []event {
	w := &responsesWriter{reply: r, now: now}
	w.add("response.created", 0, `"response":%s`, w.object("in_progress"))
	w.add("response.in_progress", 0, `"response":%s`, w.object("in_progress"))
	w.reasoning()
	w.compaction()
	w.message()
	for _, c := range r.calls {
		w.call(c)
	}
	name, status := "response.completed", "completed"
	if r.stop == longrein.StopMaxOutput {
		name, status = "response.incomplete", "incomplete"
	}
	w.add(name, 0, `"response":%s`, w.object(status))
	return w.events
}

// add appends an event with its sequence number. tokens is the output it brings.
func (w *responsesWriter) add(name string, tokens int, format string, args ...any) {
	data := fmt.Sprintf(`{"type":%s,"sequence_number":%d,`, quote(name), len(w.events)) + fmt.Sprintf(format, args...) + "}"
	w.events = append(w.events, event{name, data, tokens})
}

// begin and done open and close an output item.
func (w *responsesWriter) begin(item string) {
	w.add("response.output_item.added", 0, `"output_index":%d,"item":%s`, len(w.items), item)
}

func (w *responsesWriter) done(item string) {
	w.add("response.output_item.done", 0, `"output_index":%d,"item":%s`, len(w.items), item)
	w.items = append(w.items, item)
}

// deltas adds text piece by piece, and then whole under the name last.
func (w *responsesWriter) deltas(name, place, last, text string) {
	for _, c := range chunks(text) {
		w.add(name+".delta", tokens(len(c)), `%s,"delta":%s`, place, quote(c))
	}
	w.add(name+".done", 0, `%s,%s:%s`, place, quote(last), quote(text))
}

func (w *responsesWriter) reasoning() {
	t := w.thought
	if t.text == "" {
		return
	}
	place := fmt.Sprintf(`"item_id":%s,"output_index":%d,"summary_index":0`, quote(t.id), len(w.items))
	w.begin(fmt.Sprintf(`{"type":"reasoning","id":%s,"summary":[]}`, quote(t.id)))
	w.add("response.reasoning_summary_part.added", 0, `%s,"part":{"type":"summary_text","text":""}`, place)
	w.deltas("response.reasoning_summary_text", place, "text", t.text)
	w.add("response.reasoning_summary_part.done", 0, `%s,"part":{"type":"summary_text","text":%s}`, place, quote(t.text))
	w.done(t.responsesItem())
}

// responsesItem is reasoning as an item of the responses wire.
func (t thought) responsesItem() string {
	sealed := ""
	if t.seal != "" {
		sealed = `,"encrypted_content":` + quote(t.seal)
	}
	return fmt.Sprintf(`{"type":"reasoning","id":%s,"summary":[{"type":"summary_text","text":%s}]%s}`, quote(t.id), quote(t.text), sealed)
}

func (w *responsesWriter) compaction() {
	if w.compacted == "" {
		return
	}
	it := compactionItem("cmp_"+w.id, w.compacted)
	w.begin(it)
	w.done(it)
}

func (w *responsesWriter) message() {
	if w.text == "" {
		return
	}
	id := quote("msg_" + w.id)
	place := fmt.Sprintf(`"item_id":%s,"output_index":%d,"content_index":0`, id, len(w.items))
	w.begin(fmt.Sprintf(`{"type":"message","id":%s,"status":"in_progress","role":"assistant","content":[]}`, id))
	w.add("response.content_part.added", 0, `%s,"part":%s`, place, w.part(""))
	if w.refused {
		w.deltas("response.refusal", place, "refusal", w.text)
	} else {
		w.deltas("response.output_text", place+`,"logprobs":[]`, "text", w.text)
	}
	w.add("response.content_part.done", 0, `%s,"part":%s`, place, w.part(w.text))
	status := "completed"
	if w.stop == longrein.StopMaxOutput {
		status = "incomplete"
	}
	w.done(fmt.Sprintf(`{"type":"message","id":%s,"status":%s,"role":"assistant","content":[%s]}`, id, quote(status), w.part(w.text)))
}

// part is the content of the message, said or refused.
func (w *responsesWriter) part(text string) string {
	if w.refused {
		return fmt.Sprintf(`{"type":"refusal","refusal":%s}`, quote(text))
	}
	return fmt.Sprintf(`{"type":"output_text","text":%s,"annotations":[],"logprobs":[]}`, quote(text))
}

func (w *responsesWriter) call(c longrein.ToolCall) {
	id := "fc_" + c.ID
	item := func(status, args string) string {
		return fmt.Sprintf(`{"type":"function_call","id":%s,"status":%s,"call_id":%s,"name":%s,"arguments":%s}`,
			quote(id), quote(status), quote(c.ID), quote(c.Name), quote(args))
	}
	place := fmt.Sprintf(`"item_id":%s,"output_index":%d`, quote(id), len(w.items))
	w.begin(item("in_progress", ""))
	for _, piece := range chunks(c.Args) {
		w.add("response.function_call_arguments.delta", tokens(len(piece)), `%s,"delta":%s`, place, quote(piece))
	}
	w.add("response.function_call_arguments.done", 0, `%s,"name":%s,"arguments":%s`, place, quote(c.Name), quote(c.Args))
	w.done(item("completed", c.Args))
}

// object is the response itself; its output and usage are there at its end.
func (w *responsesWriter) object(status string) string {
	usage, details := "null", "null"
	if status != "in_progress" {
		usage = w.usageObject()
	}
	if status == "incomplete" {
		details = `{"reason":"max_output_tokens"}`
	}
	return fmt.Sprintf(`{"id":%s,"object":"response","created_at":%d,"status":%s,"background":false,"error":null,"incomplete_details":%s,"instructions":null,"metadata":{"simulated":"true"},"model":%s,"output":[%s],"parallel_tool_calls":true,"temperature":1,"tool_choice":"auto","tools":[],"top_p":1,"usage":%s}`,
		quote("resp_"+w.id), w.now.Unix(), quote(status), details, quote(w.model), strings.Join(w.items, ","), usage)
}

func (w *responsesWriter) usageObject() string {
	u := w.usage
	return fmt.Sprintf(`{"input_tokens":%d,"input_tokens_details":{"cached_tokens":%d,"cache_write_tokens":%d},"output_tokens":%d,"output_tokens_details":{"reasoning_tokens":%d},"total_tokens":%d}`,
		u.Input, u.Cached, u.CacheWrite, u.Output, u.Reasoning, u.Input+u.Output)
}

// responsesObject is the whole response, for requests that do not stream.
func responsesObject(r reply, now time.Time) string {
	w := &responsesWriter{reply: r, now: now}
	w.reasoning()
	w.compaction()
	w.message()
	for _, c := range r.calls {
		w.call(c)
	}
	if r.stop == longrein.StopMaxOutput {
		return w.object("incomplete")
	}
	return w.object("completed")
}

// responsesFailed is the event of a response that failed on the way.
func responsesFailed(r reply, now time.Time, message string) event {
	w := &responsesWriter{reply: r, now: now}
	failed := strings.Replace(w.object("failed"), `"error":null`, `"error":{"code":"server_error","message":`+quote(message)+`}`, 1)
	w.add("response.failed", 0, `"response":%s`, failed)
	return w.events[0]
}
