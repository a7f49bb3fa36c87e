package session

import (
	"cmp"

	"github.com/longrein/longrein"
)

// codex reads rollouts. Those of today have an envelope around each line; the
// oldest are bare items.
//
// A user's message is recorded twice, as an item and as an event, in either
// order, and what Codex inserts is an item alone. So items that carry no tag wait
// until it is clear which they are.
type codex struct {
	*builder
	meta    bool     // a head was read
	task    bool     // between task_started and its end
	inputs  int      // in this task
	told    []string // user_message events whose item has not come
	waiting []string // user items that may be context
	evented bool     // the recording has user_message events
	total   int64    // of the last token count
	last    *Step    // the newest response
	failed  string   // what an error event said
}

func newCodex(f Format, t *tally) *codex { return &codex{builder: newBuilder(t, f)} }

func (c *codex) finish() []*Session {
	c.decide()
	return []*Session{c.builder.finish()}
}

func (c *codex) take(_ string, v value) (string, error) {
	o := c.object(v)
	if o.get("payload").IsObject() {
		return c.wrapped(o)
	}
	return c.bare(o)
}

func (c *codex) bare(o object) (string, error) {
	switch {
	case o.has("record_type"):
		return plain(o.str("record_type")), nil
	case !o.has("type") && o.has("id"):
		return c.head(o)
	}
	return c.item(o)
}

func (c *codex) wrapped(o object) (string, error) {
	c.clock(when(o.get("timestamp")))
	p := c.object(o.get("payload"))
	switch kind := o.str("type"); kind {
	case "session_meta":
		return c.head(p)
	case "turn_context":
		c.s.Model = cmp.Or(c.s.Model, p.str("model"))
		c.s.Cwd = cmp.Or(c.s.Cwd, p.str("cwd"))
		return named(kind), nil
	case "response_item":
		kind, err := c.item(p)
		if kind != "" {
			kind = "response_item/" + kind
		}
		return kind, err
	case "event_msg":
		kind, err := c.event(p.str("type"), p)
		if kind != "" {
			kind = "event_msg/" + kind
		}
		return kind, err
	case "compacted":
		c.compacted(p)
		return "", nil
	default:
		return named(kind), nil
	}
}

func (c *codex) head(p object) (string, error) {
	if c.meta {
		return "session_meta, repeated", nil
	}
	c.meta = true
	c.clock(when(p.get("timestamp")))
	s := c.s
	s.ID, s.Cwd, s.Version = p.str("id"), p.str("cwd"), p.str("cli_version")
	s.Provider = p.str("model_provider")
	s.Base = text(p.get("base_instructions").Get("text"))
	s.Branch, s.Commit = text(p.get("git").Get("branch")), text(p.get("git").Get("commit_hash"))
	s.Parent = cmp.Or(p.str("parent_thread_id"), p.str("forked_from_id"))
	if from := p.get("source").Get("subagent"); from.Exists() {
		s.Agent = cmp.Or(p.str("agent_nickname"), text(from.Get("thread_spawn.agent_nickname")), text(from.Get("other")), "sub-agent")
	}
	return "", nil
}

// event takes what is told beside the items. Most of it repeats them.
func (c *codex) event(kind string, p object) (string, error) {
	switch kind {
	case "task_started", "turn_started":
		c.inserted(c.waiting)
		c.task, c.inputs, c.failed = true, 0, ""
		c.s.ContextWindow = cmp.Or(c.s.ContextWindow, int(tokens(p.get("model_context_window"))))
	case "task_complete", "turn_complete":
		c.complete(cmp.Or(c.failed, text(p.get("error").Get("message"))))
	case "turn_aborted":
		c.decide()
		c.task = false
		c.end(longrein.TurnInterrupted, nil)
	case "user_message":
		c.said(p.str("message"))
	case "token_count":
		return c.usage(p.get("info")), nil
	case "error":
		c.failed = cmp.Or(p.str("message"), "error")
	case "thread_rolled_back":
		c.rollBack(tokens(p.get("num_turns")))
	case "thread_name_updated":
		c.s.Title = p.str("thread_name")
	default:
		return named(kind), nil
	}
	return "", nil
}

func (c *codex) complete(failed string) {
	c.decide()
	c.task, c.failed = false, ""
	if failed != "" {
		c.fail(failed)
		return
	}
	c.end(longrein.TurnEnded, nil)
}

// said takes a user_message event: the newest item that waits is what it tells.
func (c *codex) said(text string) {
	c.evented = true
	if n := len(c.waiting); n > 0 {
		newest := c.waiting[n-1]
		c.inserted(c.waiting[:n-1])
		c.submit(newest)
		c.waiting = nil
		return
	}
	if _, tagged := fragment(text); text != "" && !tagged {
		c.told = append(c.told, text)
	}
}

// user takes a user's item.
func (c *codex) user(text string) {
	if len(c.told) > 0 {
		c.told = c.told[1:]
		c.submit(text)
		return
	}
	c.waiting = append(c.waiting, text)
}

// decide says what waits, when the model has answered or the turn ended: where
// users' messages have events, what has none was inserted.
func (c *codex) decide() {
	if c.evented && c.inputs > 0 {
		c.inserted(c.waiting)
	} else {
		for _, text := range c.waiting {
			c.submit(text)
		}
	}
	for _, text := range c.told {
		c.submit(text)
	}
	c.waiting, c.told = nil, nil
}

func (c *codex) submit(text string) {
	c.input(text, c.task && c.inputs > 0)
	c.inputs++
}

func (c *codex) inserted(texts []string) {
	for _, text := range texts {
		c.insert(longrein.Fragment{Tag: TagContext, Text: text})
	}
	c.waiting = nil
}

// usage takes a token count. The same one is told again with every change of
// the rate limits.
func (c *codex) usage(info value) string {
	u, total := info.Get("last_token_usage"), tokens(info.Get("total_token_usage.total_tokens"))
	if w := int(tokens(info.Get("model_context_window"))); w > 0 {
		c.s.ContextWindow = w
	}
	switch {
	case !known(u):
		return "token_count"
	case c.last == nil || total == c.total:
		return "token_count, repeated"
	}
	c.total = total
	c.answered(c.last, "", longrein.Usage{
		Input: tokens(u.Get("input_tokens")), Cached: tokens(u.Get("cached_input_tokens")),
		CacheWrite: tokens(u.Get("cache_write_input_tokens")), Output: tokens(u.Get("output_tokens")),
		Reasoning: tokens(u.Get("reasoning_output_tokens")), Reported: true,
	})
	c.step = nil // the response is whole
	return ""
}

// rollBack takes the last turns back.
func (c *codex) rollBack(turns int64) {
	c.decide()
	m := c.s.Moments
	at := len(m)
	for i := len(m) - 1; turns > 0 && i >= 0; i-- {
		if in, ok := m[i].What.(Input); ok && !in.Steer {
			at = i
			turns--
		}
	}
	if at == len(m) {
		return
	}
	c.drop("rolled back", c.Taken-m[at].taken)
	c.keepMoments("rolled back", m[at:])
	c.s.Moments, c.turn, c.step, c.last = m[:at], false, nil, nil
}

// compacted takes what the context was replaced by.
func (c *codex) compacted(p object) {
	c.decide()
	summary := p.str("message")
	var kept []longrein.Item
	p.get("replacement_history").ForEach(func(_, it value) bool {
		kept = append(kept, c.replaced(c.object(it), summary)...)
		return true
	})
	c.compact(Compaction{Summary: summary, Kept: pairs(kept), From: -1})
	c.last = nil
}
