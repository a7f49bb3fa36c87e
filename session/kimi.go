package session

import (
	"cmp"

	"github.com/longrein/longrein"
)

// kimi reads Kimi Code's wire files. A prompt is in them twice: as asked for, and
// as it joined the context, which is what counts.
type kimi struct {
	*tally
	main   *builder
	agents map[string]*builder
	order  []*builder
	asked  bool // a turn was prompted and its first message has not come
}

func newKimi(t *tally) *kimi {
	b := newBuilder(t, Kimi)
	return &kimi{tally: t, main: b, order: []*builder{b}, agents: map[string]*builder{}}
}

func (k *kimi) finish() []*Session {
	var all []*Session
	for _, b := range k.order {
		all = append(all, b.finish())
	}
	return all
}

func (k *kimi) builder(agent string) *builder {
	if agent == "" || agent == "main" {
		return k.main
	}
	b := k.agents[agent]
	if b == nil {
		b = newBuilder(k.tally, Kimi)
		b.s.Agent = agent
		k.agents[agent] = b
		k.order = append(k.order, b)
	}
	return b
}

func (k *kimi) take(_ string, v value) (string, error) {
	o := k.object(v)
	b := k.builder(o.str("agentId"))
	b.clock(when(first(o.get("time"), o.get("created_at"))))
	switch kind := o.get("type").Str; kind {
	case "metadata":
		b.s.Version = o.str("protocol_version")
	case "config.update", "profile.bind":
		k.config(b.s, o)
	case "turn.prompt":
		k.asked = true
		return named(kind), nil
	case "turn.cancel":
		b.end(longrein.TurnInterrupted, nil)
	case "turn.ended":
		b.end(longrein.TurnEnded, nil)
	case "context.append_message":
		return "", k.message(b, k.object(o.get("message")))
	case "context.append_loop_event":
		return k.event(b, k.object(o.get("event")))
	case "context.apply_compaction":
		b.compact(Compaction{Summary: cmp.Or(o.str("summary"), textOf(o.get("result"), "summary")), From: -1})
	case "usage.record":
		return k.usage(b, kind, o), nil
	default:
		return named(kind), nil
	}
	return "", nil
}

func (k *kimi) config(s *Session, o object) {
	s.Base = cmp.Or(s.Base, o.str("systemPrompt"))
	s.Model = cmp.Or(s.Model, o.str("modelAlias"))
	s.Cwd = cmp.Or(s.Cwd, textOf(o.get("environmentDisclosure"), "cwd"), o.str("cwd"))
}

func (k *kimi) message(b *builder, m object) error {
	said := b.flat(m.get("content"))
	origin := m.get("origin").Get("kind").Str
	switch m.get("role").Str {
	case "user":
		if origin != "" && origin != "user" {
			b.insert(longrein.Fragment{Tag: longrein.Tag(plain(origin)), Text: said})
			return nil
		}
		b.input(said, !k.asked)
		k.asked = false
	case "assistant":
		b.step = nil
		b.say("", said)
		for _, c := range m.get("toolCalls").Array() {
			b.call("", textOf(c, "id"), cmp.Or(textOf(c, "function.name"), textOf(c, "name")), jsonText(first(c.Get("function.arguments"), c.Get("args"))))
		}
	case "tool":
		return b.output(m.str("toolCallId"), said, longrein.OutputOK)
	default:
		b.insert(longrein.Fragment{Tag: TagContext, Text: said})
	}
	return nil
}

// event takes a piece of a response, or what a call came to.
func (k *kimi) event(b *builder, e object) (string, error) {
	key := e.str("stepUuid")
	switch kind := e.get("type").Str; kind {
	case "content.part":
		part := e.get("part")
		if part.Get("type").Str == "think" {
			b.think(key, longrein.Reasoning{Text: cmp.Or(textOf(part, "think"), textOf(part, "text"))})
		} else {
			b.say(key, b.block(part))
		}
	case "tool.call":
		b.call(key, e.str("toolCallId"), e.str("name"), jsonText(e.get("args")))
	case "tool.result":
		r := e.get("result")
		said := cmp.Or(b.flat(r.Get("output")), b.flat(r))
		return "", b.output(e.str("toolCallId"), said, claudeStatus(r.Get("isError"), said))
	default:
		return "context.append_loop_event/" + kind, nil
	}
	return "", nil
}

func (k *kimi) usage(b *builder, kind string, o object) string {
	u := o.get("usage")
	s := b.newest
	if s == nil || !u.IsObject() {
		return kind
	}
	cached, written := tokens(u.Get("inputCacheRead")), tokens(u.Get("inputCacheCreation"))
	b.answered(s, o.str("model"), longrein.Usage{
		Input: tokens(u.Get("inputOther")) + cached + written, Cached: cached, CacheWrite: written,
		Output: tokens(u.Get("output")), Reported: true,
	})
	return ""
}
