package session

import (
	"cmp"

	"github.com/longrein/longrein"
)

// qwen reads Qwen Code's files: a tree of lines like Claude Code's, with messages
// like Gemini's.
type qwen struct {
	*builder
	tree *tree
}

func newQwen(t *tally) *qwen { return &qwen{newBuilder(t, QwenCode), newTree()} }

func (q *qwen) finish() []*Session {
	all := []*Session{q.builder.finish()}
	q.tree.dropAbandoned(q.tally, all)
	return all
}

func (q *qwen) take(_ string, v value) (string, error) {
	o := q.object(v)
	id := o.get("uuid").Str
	q.node = q.tree.add(id, o.get("parentUuid").Str)
	q.clock(when(o.get("timestamp")))
	q.s.ID = cmp.Or(q.s.ID, o.str("sessionId"))
	q.s.Cwd = cmp.Or(q.s.Cwd, o.str("cwd"))
	q.s.Version = cmp.Or(o.str("version"), q.s.Version)
	kind, err := q.line(o, id)
	if kind == "" && err == nil {
		q.tree.nodes[q.node].taken = true
	}
	return kind, err
}

func (q *qwen) line(o object, id string) (string, error) {
	m := q.object(o.get("message"))
	switch kind := o.get("type").Str; kind {
	case "user", "tool_result":
		steer := o.get("subtype").Str == "mid_turn_user_message"
		q.tree.nodes[q.node].prompt = !steer && kind == "user" && !m.get("parts").Get("0.functionResponse").Exists()
		return "", q.userParts(m.get("parts").Array(), steer)
	case "assistant":
		q.response(o, m, id)
		return "", nil
	case "system":
		return q.system(o), nil
	default:
		return named(kind), nil
	}
}

func (q *qwen) response(o, m object, id string) {
	q.modelParts(id, m.get("parts").Array())
	s := q.steps[id]
	if s == nil {
		return
	}
	u := o.get("usageMetadata")
	q.answered(s, o.str("model"), longrein.Usage{
		Input: tokens(u.Get("promptTokenCount")), Cached: tokens(u.Get("cachedContentTokenCount")),
		Output:    tokens(u.Get("candidatesTokenCount")) + tokens(u.Get("thoughtsTokenCount")),
		Reasoning: tokens(u.Get("thoughtsTokenCount")), Reported: u.IsObject(),
	})
}

func (q *qwen) system(o object) string {
	p := o.get("systemPayload")
	switch kind := o.get("subtype").Str; kind {
	case "rewind":
		q.tree.nodes[q.node].rewind = true
		q.turn, q.step = false, nil
		return ""
	case "chat_compression":
		q.compact(Compaction{Summary: textOf(p, "summary"), From: -1})
		return ""
	case "custom_title":
		q.s.Title = cmp.Or(textOf(p, "customTitle"), q.s.Title)
		return ""
	default:
		return "system/" + kind
	}
}
