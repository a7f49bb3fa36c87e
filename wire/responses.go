package wire

import "github.com/longrein/longrein"

// responses is OpenAI's Responses wire, without state on the server: the whole
// input goes out every time, encrypted reasoning included.
type responses struct{}

func (responses) Open(dst []byte, h Head) []byte {
	s := h.Settings
	o := begin(dst)
	o.str("model", s.Model)
	o.raw("stream", "true")
	o.omit = s.Dialect.Omit
	o.raw("store", "false")
	if h.Base != "" {
		o.str("instructions", h.Base)
	}
	if len(s.Tools) > 0 {
		if o.field("tools") {
			o.b = list(o.b, s.Tools, responsesTool)
		}
		o.raw("tool_choice", `"auto"`)
		o.raw("parallel_tool_calls", "true")
	}
	if s.Effort != "" {
		if o.field("reasoning") {
			r := begin(o.b)
			r.str("effort", s.Effort)
			r.str("summary", "auto")
			o.b = r.end()
		}
		o.raw("include", `["reasoning.encrypted_content"]`)
	}
	if s.MaxOutput > 0 {
		o.num("max_output_tokens", s.MaxOutput)
	}
	if h.Thread != "" {
		o.str("prompt_cache_key", h.Thread)
	}
	return o.open("input")
}

func responsesTool(dst []byte, t longrein.ToolSpec) []byte {
	o := begin(dst)
	o.str("type", "function")
	o.str("name", t.Name)
	o.str("description", t.Description)
	o.raw("parameters", schema(t))
	o.raw("strict", "false")
	return o.end()
}

// schema returns the tool's schema as it is.
func schema(t longrein.ToolSpec) string {
	if len(t.Schema) == 0 {
		return `{"type":"object","properties":{}}`
	}
	return string(t.Schema)
}

func (w responses) Group(dst []byte, h Head, g []longrein.Entry) []byte {
	if longrein.FromModel(g[0].Item) {
		g = untilSaid(g)
	}
	start := len(dst)
	for _, e := range g {
		at := len(dst)
		if at > start {
			dst = append(dst, ',')
		}
		from := len(dst)
		if dst = w.item(dst, h, e.Item); len(dst) == from {
			dst = dst[:at]
		}
	}
	return dst
}

// item appends one item, or nothing if it cannot go out.
func (responses) item(dst []byte, h Head, it longrein.Item) []byte {
	switch it := it.(type) {
	case longrein.Message:
		return responsesMessage(dst, h, it.Role, it.Text)
	case longrein.Fragment:
		return responsesMessage(dst, h, it.Role, it.Rendered())
	case longrein.Reasoning:
		if sendable(it, longrein.WireResponses, h) && isObject(string(it.Raw)) {
			return append(dst, it.Raw...)
		}
	case longrein.Opaque:
		if it.Wire != longrein.WireResponses || it.Model != h.Settings.Model || !isObject(string(it.Raw)) {
			f := unreadable(it)
			return responsesMessage(dst, h, f.Role, f.Rendered())
		}
		return append(dst, it.Raw...)
	case longrein.ToolCall:
		o := begin(dst)
		o.str("type", "function_call")
		o.str("call_id", it.ID)
		o.str("name", it.Name)
		o.str("arguments", it.Args)
		return o.end()
	case longrein.ToolOutput:
		o := begin(dst)
		o.str("type", "function_call_output")
		o.str("call_id", it.CallID)
		o.str("output", it.Text)
		return o.end()
	}
	return dst
}

func responsesMessage(dst []byte, h Head, role longrein.Role, text string) []byte {
	if text == "" {
		return dst
	}
	kind := "input_text"
	if role == longrein.RoleAssistant {
		kind = "output_text"
	}
	o := begin(dst)
	o.str("type", "message")
	o.str("role", roleName(h, role))
	o.field("content")
	o.b = append(o.b, '[')
	o.b = textBlock(o.b, kind, text)
	o.b = append(o.b, ']')
	return o.end()
}

func textBlock(dst []byte, kind, text string) []byte {
	o := begin(dst)
	o.str("type", kind)
	o.str("text", text)
	return o.end()
}

// roleName is how OpenAI's wires name a role.
func roleName(h Head, role longrein.Role) string {
	if role == longrein.RoleDeveloper && h.Settings.Dialect.SystemRole {
		return "system"
	}
	return string(role)
}

func (responses) Mark(dst, group []byte) []byte { return append(dst, group...) }

func (responses) Close(dst []byte, _ Head) []byte { return append(dst, ']', '}') }
