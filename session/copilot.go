package session

import (
	"cmp"

	"github.com/longrein/longrein"
)

// copilot reads Copilot CLI's events.
type copilot struct{ *builder }

func (c *copilot) finish() []*Session { return []*Session{c.builder.finish()} }

func (c *copilot) take(_ string, v value) (string, error) {
	o := c.object(v)
	c.clock(when(o.get("timestamp")))
	d := c.object(o.get("data"))
	switch kind := o.get("type").Str; kind {
	case "session.start", "session.resume":
		c.head(d)
	case "session.model_change":
		c.s.Model = cmp.Or(c.s.Model, d.str("newModel"))
		return named(kind), nil
	case "user.message":
		c.input(d.str("content"), false)
	case "system.message":
		c.insert(longrein.Fragment{Tag: TagContext, Role: longrein.RoleDeveloper, Text: d.str("content")})
	case "assistant.message":
		c.message(d)
	case "assistant.reasoning":
		c.think("", longrein.Reasoning{Text: cmp.Or(d.str("content"), d.str("reasoningText"))})
	case "tool.execution_start":
		if id := d.str("toolCallId"); c.calls.byTheirs[id] == nil { // the message before may have named it
			c.call("", id, d.str("toolName"), jsonText(d.get("arguments")))
		}
	case "tool.execution_complete":
		return "", c.result(d)
	case "session.compaction_complete":
		c.compact(Compaction{Summary: cmp.Or(d.str("summaryContent"), d.str("summary")), From: -1})
	case "assistant.usage":
		return c.usage(kind, d), nil
	case "abort":
		c.end(longrein.TurnInterrupted, nil)
	case "session.error":
		c.fail(d.str("message"))
	default:
		return named(kind), nil
	}
	return "", nil
}

func (c *copilot) head(d object) {
	s := c.s
	s.ID = cmp.Or(s.ID, d.str("sessionId"))
	s.Version = cmp.Or(d.str("copilotVersion"), s.Version)
	s.Model = cmp.Or(s.Model, d.str("selectedModel"))
	s.Cwd = cmp.Or(s.Cwd, textOf(d.get("context"), "cwd"))
	s.Branch = cmp.Or(s.Branch, textOf(d.get("context"), "branch"))
	c.clock(when(d.get("startTime")))
}

func (c *copilot) message(d object) {
	c.step = nil
	c.think("", longrein.Reasoning{Text: d.str("reasoningText")})
	c.say("", d.str("content"))
	for _, r := range d.get("toolRequests").Array() {
		c.call("", textOf(r, "toolCallId"), textOf(r, "name"), jsonText(r.Get("arguments")))
	}
	if c.step != nil {
		c.answered(c.step, d.str("model"), longrein.Usage{})
	}
}

func (c *copilot) result(d object) error {
	status := longrein.OutputOK
	if s := d.get("success"); s.Exists() && !isTrue(s) {
		status = longrein.OutputFailed
	}
	said := cmp.Or(c.flat(d.get("result").Get("content")), textOf(d.get("error"), "message"))
	return c.output(d.str("toolCallId"), said, status)
}

func (c *copilot) usage(kind string, d object) string {
	if c.step == nil {
		return kind
	}
	c.answered(c.step, d.str("model"), longrein.Usage{
		Input: tokens(d.get("inputTokens")), Cached: tokens(d.get("cacheReadTokens")), CacheWrite: tokens(d.get("cacheWriteTokens")),
		Output: tokens(d.get("outputTokens")), Reported: true,
	})
	return ""
}
