package session

import (
	"cmp"
	"strings"

	"github.com/longrein/longrein"
	"github.com/tidwall/gjson"
)

// gemini reads Gemini CLI's chat files, in which a response holds its calls with
// their results, and what /chat save writes.
type gemini struct{ *builder }

func (g *gemini) finish() []*Session { return []*Session{g.builder.finish()} }

func (g *gemini) take(path string, v value) (string, error) {
	o := g.object(v)
	switch {
	case g.s.Format == GeminiSaved && path == "[]":
		return g.content("", o)
	case path == "messages[]", path == "" && o.has("type"):
		return g.message(o)
	case path == "":
		g.head(o)
		return "", nil
	}
	g.field(path, v)
	return named(path), nil
}

// head takes the first line of a file of lines, or one that changes it.
func (g *gemini) head(o object) {
	if set := o.get("$set"); set.IsObject() {
		o = g.object(set)
	}
	for _, f := range o.fields {
		g.field(f.key, f.value)
	}
}

func (g *gemini) field(name string, v value) {
	switch name {
	case "sessionId":
		g.s.ID = cmp.Or(text(v), g.s.ID)
	case "startTime":
		g.clock(when(v))
	case "summary":
		g.s.Title = cmp.Or(text(v), g.s.Title)
	}
}

func (g *gemini) message(o object) (string, error) {
	g.clock(when(o.get("timestamp")))
	switch kind := o.get("type").Str; kind {
	case "user":
		g.input(g.flat(o.get("content")), false)
	case "gemini":
		g.response(o)
	default:
		return named(kind), nil
	}
	return "", nil
}

func (g *gemini) response(o object) {
	g.step = nil
	s := g.respond("")
	for _, t := range o.get("thoughts").Array() {
		g.think("", longrein.Reasoning{Text: strings.TrimSpace(textOf(t, "subject") + "\n" + textOf(t, "description"))})
	}
	g.say("", g.flat(o.get("content")))
	calls := o.get("toolCalls").Array()
	for _, c := range calls {
		g.call("", textOf(c, "id"), textOf(c, "name"), jsonText(c.Get("args")))
	}
	t := o.get("tokens")
	g.answered(s, o.str("model"), longrein.Usage{
		Input: tokens(t.Get("input")), Cached: tokens(t.Get("cached")),
		Output:    tokens(t.Get("output")) + tokens(t.Get("thoughts")),
		Reasoning: tokens(t.Get("thoughts")), Reported: t.IsObject(),
	})
	for _, c := range calls {
		g.result(c)
	}
}

// result answers a call whose entry tells how it ended.
func (g *gemini) result(c value) {
	status, said := longrein.OutputOK, g.responses(c.Get("result"))
	switch c.Get("status").Str {
	case "error":
		status = longrein.OutputFailed
	case "cancelled":
		status, said = longrein.OutputInterrupted, cmp.Or(said, "(cancelled)")
	}
	if said != "" || known(c.Get("result")) {
		_ = g.output(textOf(c, "id"), said, status) // the call is there
	}
}

// responses is the text of the parts that answer a call.
func (g *gemini) responses(v value) string {
	if !v.IsArray() {
		return g.flat(v)
	}
	var out []string
	for _, part := range v.Array() {
		if r := part.Get("functionResponse.response"); r.Exists() {
			out = append(out, responseText(r))
		} else if s := g.block(part); s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, "\n")
}

// responseText is a function's response; what it wraps when that is one text.
func responseText(r value) string {
	for _, name := range []string{"output", "error", "content"} {
		if s := r.Get(name); s.Type == gjson.String {
			return text(s)
		}
	}
	return jsonText(r)
}

// content takes a Content: a role and parts. Key names the response it belongs
// to.
func (b *builder) content(key string, o object) (string, error) {
	parts := o.get("parts").Array()
	switch role := o.get("role").Str; role {
	case "user", "function":
		return "", b.userParts(parts, false)
	case "model":
		if key == "" {
			b.step = nil
		}
		b.modelParts(key, parts)
		return "", nil
	default:
		return cmp.Or(role, "content without a role"), nil
	}
}

func (b *builder) userParts(parts []value, steer bool) error {
	var said []string
	var err error
	for _, p := range parts {
		if r := p.Get("functionResponse"); r.IsObject() {
			status := longrein.OutputOK
			if r.Get("response.error").Exists() {
				status = longrein.OutputFailed
			}
			if e := b.output(textOf(r, "id"), responseText(r.Get("response")), status); e != nil {
				err = e
			}
			continue
		}
		if s := b.sift(b.block(p)); s != "" {
			said = append(said, s)
		}
	}
	if text := strings.Join(said, "\n"); text != "" {
		b.input(text, steer)
		err = nil
	}
	return err
}

func (b *builder) modelParts(key string, parts []value) {
	for _, p := range parts {
		switch c := p.Get("functionCall"); {
		case c.IsObject():
			b.call(key, textOf(c, "id"), textOf(c, "name"), jsonText(c.Get("args")))
		case isTrue(p.Get("thought")):
			b.think(key, longrein.Reasoning{Text: textOf(p, "text")})
		default:
			b.say(key, b.block(p))
		}
	}
}

// geminiStream reads what gemini --output-format stream-json prints.
type geminiStream struct {
	*builder
	said []string // pieces of a message
}

func (g *geminiStream) finish() []*Session {
	g.flush()
	return []*Session{g.builder.finish()}
}

func (g *geminiStream) take(_ string, v value) (string, error) {
	o := g.object(v)
	g.clock(when(o.get("timestamp")))
	kind := o.get("type").Str
	if kind != "message" || o.get("role").Str != "assistant" {
		g.flush()
	}
	switch kind {
	case "init":
		g.s.ID = cmp.Or(g.s.ID, o.str("session_id"))
		g.s.Model = cmp.Or(g.s.Model, o.str("model"))
	case "message":
		g.message(o)
	case "tool_use":
		g.call("", o.str("tool_id"), o.str("tool_name"), jsonText(o.get("parameters")))
	case "tool_result":
		status := longrein.OutputOK
		if o.get("status").Str == "error" {
			status = longrein.OutputFailed
		}
		return "", g.output(o.str("tool_id"), cmp.Or(g.flat(o.get("output")), textOf(o.get("error"), "message")), status)
	case "result":
		g.ended(o)
	default:
		return named(kind), nil
	}
	return "", nil
}

func (g *geminiStream) message(o object) {
	said := g.flat(o.get("content"))
	if o.get("role").Str == "assistant" {
		g.said = append(g.said, said)
		return
	}
	g.input(said, false)
}

// flush ends a message that came in pieces.
func (g *geminiStream) flush() {
	if len(g.said) > 0 {
		g.say("", strings.Join(g.said, ""))
	}
	g.said = nil
}

// ended takes a run's end; its sums are those of all its responses.
func (g *geminiStream) ended(o object) {
	if o.get("status").Str == "error" {
		g.fail(textOf(o.get("error"), "message"))
		return
	}
	g.end(longrein.TurnEnded, nil)
}
