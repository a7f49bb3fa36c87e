package wire

import (
	"cmp"
	"strings"

	"github.com/longrein/longrein"
)

// chat is the Chat Completions wire as its many servers speak it. Fields that
// only some of them take are sent only to those.
type chat struct{}

func (chat) Open(dst []byte, h Head) []byte {
	s := h.Settings
	o := begin(dst)
	o.str("model", s.Model)
	o.raw("stream", "true")
	o.omit = s.Dialect.Omit
	o.raw("stream_options", `{"include_usage":true}`)
	if len(s.Tools) > 0 {
		if o.field("tools") {
			o.b = list(o.b, s.Tools, chatTool)
		}
		o.raw("parallel_tool_calls", "true") // llama.cpp's default is false
	}
	if s.Effort != "" {
		o.str("reasoning_effort", s.Effort)
	}
	if s.MaxOutput > 0 {
		o.num(cmp.Or(s.Dialect.MaxTokensField, "max_completion_tokens"), s.MaxOutput)
	}
	if s.Dialect.Server == "openai" && h.Thread != "" {
		o.str("prompt_cache_key", h.Thread)
	}
	b := o.open("messages")
	if h.Base == "" {
		return b
	}
	return chatMessage(b, "system", h.Base)
}

func chatTool(dst []byte, t longrein.ToolSpec) []byte {
	o := begin(dst)
	o.str("type", "function")
	o.field("function")
	f := begin(o.b)
	f.str("name", t.Name)
	f.str("description", t.Description)
	f.raw("parameters", schema(t))
	o.b = f.end()
	return o.end()
}

func chatMessage(dst []byte, role, text string) []byte {
	o := begin(dst)
	o.str("role", role)
	o.str("content", text)
	return o.end()
}

func (chat) Group(dst []byte, h Head, g []longrein.Entry) []byte {
	switch it := g[0].Item.(type) {
	case longrein.ToolOutput:
		return chatOutputs(dst, h, g)
	case longrein.Fragment:
		return chatMessage(dst, roleName(h, it.Role), it.Rendered())
	case longrein.Opaque:
		return chatMessage(dst, "user", unreadable(it).Rendered())
	case longrein.Message:
		if it.Role != longrein.RoleAssistant {
			return chatMessage(dst, roleName(h, it.Role), it.Text)
		}
	}
	return chatAnswer(dst, h, g)
}

func chatOutputs(dst []byte, h Head, g []longrein.Entry) []byte {
	for i, e := range g {
		if i > 0 {
			dst = append(dst, ',')
		}
		out := e.Item.(longrein.ToolOutput)
		o := begin(dst)
		o.str("role", "tool")
		o.str("tool_call_id", chatID(h, out.CallID))
		o.str("content", out.Text)
		dst = o.end()
	}
	return dst
}

// chatAnswer appends one assistant message with all that the model made in a
// step, or nothing if none of it can go out.
func chatAnswer(dst []byte, h Head, g []longrein.Entry) []byte {
	text, thought, calls := chatParts(h, g)
	if text == "" && thought == "" && len(calls) == 0 {
		return dst
	}
	o := begin(dst)
	o.str("role", "assistant")
	if text == "" && len(calls) > 0 {
		o.raw("content", "null")
	} else {
		o.str("content", text)
	}
	if thought != "" {
		o.str(h.Settings.Dialect.EchoReasoning, thought)
	}
	if len(calls) > 0 {
		o.field("tool_calls")
		o.b = list(o.b, calls, func(b []byte, c longrein.ToolCall) []byte { return chatCall(b, h, c) })
	}
	return o.end()
}

func chatParts(h Head, g []longrein.Entry) (text, thought string, calls []longrein.ToolCall) {
	var texts, thoughts []string
	for _, e := range g {
		switch it := e.Item.(type) {
		case longrein.Message:
			if it.Text != "" {
				texts = append(texts, it.Text)
			}
		case longrein.Reasoning:
			if h.Settings.Dialect.EchoReasoning != "" && sendable(it, longrein.WireChat, h) {
				thoughts = append(thoughts, it.Text)
			}
		case longrein.ToolCall:
			calls = append(calls, it)
		}
	}
	return strings.Join(texts, "\n\n"), strings.Join(thoughts, "\n\n"), calls
}

func chatCall(dst []byte, h Head, c longrein.ToolCall) []byte {
	o := begin(dst)
	o.str("id", chatID(h, c.ID))
	o.str("type", "function")
	o.field("function")
	f := begin(o.b)
	f.str("name", c.Name)
	f.str("arguments", jsonObject(c.Args))
	o.b = f.end()
	return o.end()
}

func chatID(h Head, id string) string {
	if h.Settings.Dialect.DigitIDs {
		return digitID(id)
	}
	return id
}

func (chat) Mark(dst, group []byte) []byte { return append(dst, group...) }

func (chat) Close(dst []byte, _ Head) []byte { return append(dst, ']', '}') }
