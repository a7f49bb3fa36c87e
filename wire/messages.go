package wire

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// messages is Anthropic's Messages wire. Of the four cache breakpoints that a
// request may hold, one ends what every request of a window shares and two are
// for Mark.
type messages struct{}

const (
	ephemeral  = `{"type":"ephemeral"}`
	breakpoint = `,"cache_control":` + ephemeral
)

func (messages) Open(dst []byte, h Head) []byte {
	s := h.Settings
	o := begin(dst)
	o.str("model", s.Model)
	o.raw("stream", "true")
	o.num("max_tokens", cmp.Or(s.MaxOutput, int(limit.Answer.Default)))
	o.omit = s.Dialect.Omit
	if s.Effort != "" {
		o.raw("thinking", `{"type":"adaptive","display":"summarized"}`)
		if o.field("output_config") {
			c := begin(o.b)
			c.str("effort", s.Effort)
			o.b = c.end()
		}
	}
	if len(s.Tools) > 0 && o.field("tools") {
		o.b = list(o.b, s.Tools, messagesTool)
		if isBlank(h.Base) { // then the tools are all there is to share
			o.b = mark(nil, o.b, "}]")
		}
	}
	if !isBlank(h.Base) && o.field("system") {
		t := begin(append(o.b, '['))
		t.str("type", "text")
		t.str("text", h.Base)
		t.raw("cache_control", ephemeral)
		o.b = append(t.end(), ']')
	}
	return o.open("messages")
}

func messagesTool(dst []byte, t longrein.ToolSpec) []byte {
	o := begin(dst)
	o.str("name", t.Name)
	o.str("description", t.Description)
	o.raw("input_schema", schema(t))
	return o.end()
}

// Group appends one message. An assistant's message does not end in reasoning,
// and no text is blank: the wire refuses both.
func (w messages) Group(dst []byte, h Head, g []longrein.Entry) []byte {
	role := "user"
	if longrein.FromModel(g[0].Item) {
		role = "assistant"
		g = untilSaid(g)
	}
	start := len(dst)
	o := begin(dst)
	o.str("role", role)
	o.field("content")
	dst = append(o.b, '[')
	from := len(dst)
	for _, e := range g {
		dst = w.block(dst, h, e.Item)
	}
	if len(dst) == from {
		return dst[:start]
	}
	return append(bytes.TrimSuffix(dst, []byte{','}), ']', '}')
}

// block appends one content block and a comma, or nothing.
func (messages) block(dst []byte, h Head, it longrein.Item) []byte {
	switch it := it.(type) {
	case longrein.Message:
		text := it.Text
		if it.Role == longrein.RoleAssistant { // no blank at the end of what the model is to go on with
			text = strings.TrimRight(text, " \t\r\n")
		}
		if isBlank(text) {
			return dst
		}
		dst = textBlock(dst, "text", text)
	case longrein.Fragment:
		dst = textBlock(dst, "text", it.Rendered())
	case longrein.Opaque:
		dst = textBlock(dst, "text", unreadable(it).Rendered())
	case longrein.Reasoning:
		if !sendable(it, longrein.WireMessages, h) || !isObject(string(it.Raw)) {
			return dst
		}
		dst = append(dst, it.Raw...)
	case longrein.ToolCall:
		dst = toolUse(dst, it)
	case longrein.ToolOutput:
		dst = toolResult(dst, it)
	}
	return append(dst, ',')
}

func toolUse(dst []byte, c longrein.ToolCall) []byte {
	o := begin(dst)
	o.str("type", "tool_use")
	o.str("id", wordID(c.ID))
	o.str("name", c.Name)
	o.raw("input", jsonObject(c.Args))
	return o.end()
}

func toolResult(dst []byte, out longrein.ToolOutput) []byte {
	o := begin(dst)
	o.str("type", "tool_result")
	o.str("tool_use_id", wordID(out.CallID))
	o.str("content", out.Text)
	if out.Status != longrein.OutputOK {
		o.raw("is_error", "true")
	}
	return o.end()
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// Mark knows a group by its end: the last block, the list of blocks, the
// message.
func (messages) Mark(dst, group []byte) []byte { return mark(dst, group, "}]}") }

// mark appends b with a breakpoint in the object whose end begins tail.
func mark(dst, b []byte, tail string) []byte {
	body, ok := bytes.CutSuffix(b, []byte(tail))
	if !ok {
		return append(dst, b...)
	}
	dst = append(dst, body...)
	dst = append(dst, breakpoint...)
	return append(dst, tail...)
}

func (messages) Close(dst []byte, _ Head) []byte { return append(dst, ']', '}') }
