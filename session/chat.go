package session

import (
	"cmp"
	"strconv"

	"github.com/longrein/longrein"
	"github.com/tidwall/gjson"
)

// chat reads conversations as Chat Completions has them: one list of messages,
// several of them, or one message a line. SWE-agents' histories are of the same
// kind.
type chat struct {
	*tally
	format Format
	now    *builder
	all    []*builder
}

func newChat(f Format, t *tally) *chat { return &chat{tally: t, format: f} }

func (c *chat) finish() []*Session {
	var all []*Session
	for _, b := range c.all {
		all = append(all, b.finish())
	}
	return all
}

// begin is called where a document begins.
func (c *chat) begin() { c.now = nil }

// builder returns that of the conversation that is read.
func (c *chat) builder() *builder {
	if c.now == nil {
		c.now = newBuilder(c.tally, c.format)
		c.all = append(c.all, c.now)
	}
	return c.now
}

func (c *chat) take(path string, v value) (string, error) {
	if !v.IsObject() {
		return c.aside(path, v), nil
	}
	o := c.object(v)
	switch path {
	case "", "[]", "messages[]", "history[]":
		if list := first(o.get("messages"), o.get("traj")); list.IsArray() {
			c.run(o, list)
			return "", nil
		}
		return c.message(o)
	}
	return c.aside(path, v), nil
}

// aside takes what a document says beside its messages.
func (c *chat) aside(path string, v value) string {
	s := c.builder().s
	switch path {
	case "model":
		s.Model = cmp.Or(text(v), s.Model)
	case "id", "session_id":
		s.ID = cmp.Or(text(v), s.ID)
	case "info":
		s.Model = cmp.Or(textOf(v, "config.model.model_name"), s.Model)
		s.Version = cmp.Or(textOf(v, "mini_version"), textOf(v, "swe_agent_version"), s.Version)
	case "environment":
		s.Title = cmp.Or(text(v), s.Title)
	}
	return path
}

// run takes a whole conversation that is one element.
func (c *chat) run(o object, list value) {
	c.begin()
	s := c.builder().s
	s.ID = cmp.Or(o.str("id"), o.str("task_id"))
	if n := o.get("task_id"); s.ID == "" && n.Type == gjson.Number {
		s.ID = strconv.FormatInt(tokens(n), 10)
	}
	s.Model = o.str("model")
	list.ForEach(func(_, m value) bool {
		if _, e := c.message(c.object(m)); e != nil {
			c.list(c.at, e.Error(), []byte(m.Raw))
		}
		return true
	})
	c.now = nil
}

func (c *chat) message(o object) (string, error) {
	b := c.builder()
	b.clock(when(first(o.get("timestamp"), o.get("created"), o.get("created_at"))))
	said := b.flat(o.get("content"))
	switch role := o.str("role"); role {
	case "system", "developer":
		if b.s.Base == "" && len(b.s.Moments) == 0 {
			b.s.Base = said
			return "", nil
		}
		b.insert(longrein.Fragment{Tag: TagContext, Role: longrein.RoleDeveloper, Text: said})
	case "user":
		return "", c.user(b, o, said)
	case "assistant":
		c.assistant(b, o, said)
	case "tool", "function":
		return "", c.result(b, o, said)
	default:
		return cmp.Or(role, o.str("type"), "message without a role"), nil
	}
	return "", nil
}

// user takes a user's message, which is a command's output where the model writes
// its actions as text.
func (c *chat) user(b *builder, o object, said string) error {
	if isTrue(o.get("is_demo")) {
		b.insert(longrein.Fragment{Tag: "demonstration", Text: said})
		return nil
	}
	if c.acts() && b.calls.open > 0 {
		status, exit := returned(said)
		return b.outputExit("", said, status, exit)
	}
	b.input(said, false)
	return nil
}

func (c *chat) acts() bool { return c.format == SWEAgent || c.format == MiniSWEAgent }

func (c *chat) assistant(b *builder, o object, said string) {
	b.step = nil // each message is a response
	if thought := b.flat(first(o.get("reasoning_content"), o.get("reasoning"))); thought != "" {
		b.think("", longrein.Reasoning{Text: thought})
	}
	b.say("", said)
	calls := o.get("tool_calls")
	calls.ForEach(func(_, call value) bool {
		fn := call.Get("function")
		b.call("", textOf(call, "id"), cmp.Or(textOf(fn, "name"), textOf(call, "name")), jsonText(first(fn.Get("arguments"), call.Get("arguments"))))
		return true
	})
	if fn := o.get("function_call"); fn.IsObject() {
		b.call("", "", textOf(fn, "name"), jsonText(fn.Get("arguments")))
	}
	if !calls.IsArray() && c.acts() {
		c.action(b, o, said)
	}
	if b.step != nil {
		b.answered(b.step, o.str("model"), chatUsage(first(o.get("usage"), o.get("extra").Get("response.usage"))))
	}
}

func (c *chat) result(b *builder, o object, said string) error {
	id := o.str("tool_call_id")
	if ids := o.get("tool_call_ids"); id == "" && ids.IsArray() {
		id = text(ids.Get("0"))
	}
	return b.output(id, said, longrein.OutputOK)
}

func chatUsage(u value) longrein.Usage {
	if !u.IsObject() {
		return longrein.Usage{}
	}
	return longrein.Usage{
		Input: tokens(u.Get("prompt_tokens")), Output: tokens(u.Get("completion_tokens")),
		Cached:     tokens(first(u.Get("prompt_tokens_details.cached_tokens"), u.Get("cache_read_input_tokens"))),
		CacheWrite: tokens(u.Get("cache_creation_input_tokens")),
		Reasoning:  tokens(u.Get("completion_tokens_details.reasoning_tokens")), Reported: true,
	}
}
