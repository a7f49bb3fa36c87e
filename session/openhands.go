package session

import (
	"cmp"

	"github.com/longrein/longrein"
)

// openHands reads OpenHands' event histories: one run a document, in which an
// action and what was observed are events of their own.
type openHands struct {
	*tally
	now *builder
	all []*builder
}

func (h *openHands) begin() { h.now = nil }

func (h *openHands) builder() *builder {
	if h.now == nil {
		h.now = newBuilder(h.tally, OpenHands)
		h.all = append(h.all, h.now)
	}
	return h.now
}

func (h *openHands) finish() []*Session {
	var all []*Session
	for _, b := range h.all {
		all = append(all, b.finish())
	}
	return all
}

func (h *openHands) take(path string, v value) (string, error) {
	b := h.builder()
	switch path {
	case "history[]", "[]":
		if v.IsArray() { // an action and its observation, as older versions have it
			var kind string
			var err error
			for _, e := range v.Array() {
				kind, err = h.event(b, h.object(e))
			}
			return kind, err
		}
		return h.event(b, h.object(v))
	case "instance_id":
		b.s.ID = text(v)
	case "metadata":
		b.s.Model = textOf(v, "llm_config.model")
		b.clock(when(v.Get("start_time")))
	}
	return named(path), nil
}

func (h *openHands) event(b *builder, e object) (string, error) {
	b.clock(when(e.get("timestamp")))
	meta := e.get("tool_call_metadata")
	switch {
	case e.has("action"):
		return h.action(b, e, meta)
	case e.has("observation"):
		return h.observation(b, e, meta)
	}
	return cmp.Or(e.str("type"), "event without an action"), nil
}

func (h *openHands) action(b *builder, e object, meta value) (string, error) {
	args, kind, user := e.get("args"), e.get("action").Str, e.get("source").Str == "user"
	said := textOf(args, "content")
	switch {
	case kind == "message" && user:
		b.input(said+h.images(args), false)
	case kind == "message":
		b.step = nil
		b.say("", said)
	case kind == "system":
		b.s.Base = cmp.Or(b.s.Base, said)
	case kind == "condensation":
		b.compact(Compaction{Summary: textOf(args, "summary"), From: -1})
	case kind == "recall", kind == "change_agent_state", kind == "null", kind == "":
		return "action/" + kind, nil
	default:
		h.call(b, e, meta, kind)
	}
	return "", nil
}

func (h *openHands) images(args value) string {
	out := ""
	for _, url := range args.Get("image_urls").Array() {
		out += "\n" + h.note("image", decodedSize(url))
	}
	return out
}

// call takes an action as the call that the model made for it, or one that says
// the same.
func (h *openHands) call(b *builder, e object, meta value, kind string) {
	args := e.get("args")
	key, id := textOf(meta, "model_response.id"), textOf(meta, "tool_call_id")
	if key == "" {
		b.step = nil
	}
	made := args
	for _, c := range meta.Get("model_response.choices.0.message.tool_calls").Array() {
		if c.Get("id").Str == id {
			made = c.Get("function.arguments")
		}
	}
	b.think(key, longrein.Reasoning{Text: textOf(meta, "model_response.choices.0.message.reasoning_content")})
	b.say(key, textOf(args, "thought"))
	b.call(key, cmp.Or(id, eventID(e.get("id"))), cmp.Or(textOf(meta, "function_name"), kind), jsonText(made))
	if b.step != nil {
		b.answered(b.step, textOf(meta, "model_response.model"), chatUsage(meta.Get("model_response.usage")))
	}
	if kind == "finish" { // nothing is observed after it
		_ = b.output(cmp.Or(id, eventID(e.get("id"))), "", longrein.OutputOK)
		b.end(longrein.TurnEnded, nil)
	}
}

func eventID(v value) string {
	if !known(v) {
		return ""
	}
	return "event-" + jsonText(v)
}

func (h *openHands) observation(b *builder, e object, meta value) (string, error) {
	kind, said := e.get("observation").Str, e.str("content")
	id := cmp.Or(textOf(meta, "tool_call_id"), eventID(e.get("cause")))
	if b.calls.byTheirs[id] == nil && !meta.IsObject() {
		return "observation/" + kind, nil // of the harness's own actions
	}
	status := longrein.OutputOK
	code := e.get("extras").Get("metadata.exit_code")
	if kind == "error" || known(code) && code.Num > 0 {
		status = longrein.OutputFailed
	}
	if !known(code) || code.Num < 0 {
		return "", b.output(id, said, status)
	}
	n := int(code.Num)
	return "", b.outputExit(id, said, status, &n)
}
