package session

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/longrein/longrein"
	"github.com/tidwall/gjson"
)

// claude reads the files of Claude Code: a tree of lines in which one response is
// spread over several, between many that are no part of the conversation.
type claude struct {
	*tally
	tree   *tree
	main   *builder
	agents map[string]*builder // of sub-agents' lines inside the file
	order  []*builder
	own    string         // the sub-agent whose file it is, as far as it shows
	begun  bool           // a line of a conversation was read
	queued map[string]int // prompts typed during a turn, and their moment
}

func newClaude(t *tally) *claude {
	b := newBuilder(t, ClaudeCode)
	return &claude{tally: t, tree: newTree(), main: b, order: []*builder{b}, agents: map[string]*builder{}, queued: map[string]int{}}
}

func (c *claude) finish() []*Session {
	var all []*Session
	for _, b := range c.order {
		if b != c.main {
			b.s.Cwd, b.s.Branch, b.s.Version = c.main.s.Cwd, c.main.s.Branch, c.main.s.Version
		}
		all = append(all, b.finish())
	}
	c.main.s.keep(func(m Moment) bool { return m.What != nil })
	c.tree.dropAbandoned(c.tally, all)
	return all
}

func (c *claude) take(_ string, v value) (string, error) {
	o := c.object(v)
	n := int32(-1)
	if id := o.get("uuid").Str; id != "" {
		n = c.tree.add(id, o.get("parentUuid").Str)
	}
	b := c.builder(o, n)
	b.node = n
	b.clock(when(o.get("timestamp")))
	kind, err := c.line(b, o)
	if n >= 0 && kind == "" && err == nil {
		c.tree.nodes[n].taken = true
	}
	return kind, err
}

// builder returns whose line it is. A file that begins with a sub-agent's lines
// is the sub-agent's own, unless others follow.
func (c *claude) builder(o object, n int32) *builder {
	side := isTrue(o.get("isSidechain"))
	switch {
	case n >= 0 && !c.begun:
		c.begun = true
		if side {
			c.own = c.agent(o, n)
			c.main.s.Agent, c.main.s.Parent = cmp.Or(o.str("agentId"), "sub-agent"), o.str("sessionId")
		}
	case n >= 0 && !side && c.own != "":
		c.agents[c.own] = c.main
		c.main, c.own = newBuilder(c.tally, ClaudeCode), ""
		c.order = slices.Insert(c.order, 0, c.main)
	}
	if !side || c.own != "" {
		c.head(c.main.s, o)
		return c.main
	}
	key := c.agent(o, n)
	b := c.agents[key]
	if b == nil {
		b = newBuilder(c.tally, ClaudeCode)
		b.s.Agent, b.s.Parent = cmp.Or(o.str("agentId"), "sub-agent"), o.str("sessionId")
		c.agents[key] = b
		c.order = append(c.order, b)
	}
	return b
}

// agent tells sub-agents apart; old versions give them no id.
func (c *claude) agent(o object, n int32) string {
	root := "#"
	if n >= 0 {
		root += strconv.Itoa(int(c.tree.nodes[n].root))
	}
	return cmp.Or(o.str("agentId"), root)
}

func (c *claude) head(s *Session, o object) {
	if s.ID == "" {
		s.ID = o.str("sessionId")
	}
	if s.Cwd == "" {
		s.Cwd = cmp.Or(o.str("cwd"), o.str("project"))
	}
	if v := o.get("version").Str; v != "" && v != s.Version {
		s.Version = strings.Clone(v)
	}
	if v := o.get("gitBranch").Str; v != "" && s.Branch == "" {
		s.Branch = strings.Clone(v)
	}
}

func (c *claude) line(b *builder, o object) (string, error) {
	switch kind := o.get("type").Str; kind {
	case "user":
		return c.user(b, o)
	case "assistant":
		return c.assistant(b, o)
	case "system":
		return c.system(b, o)
	case "attachment":
		return c.attached(b, o)
	case "queue-operation":
		return c.queue(b, o), nil
	case "tool_use": // of the oldest versions
		b.call("", o.str("id"), o.str("name"), jsonText(o.get("input")))
		return "", nil
	case "tool_result":
		return "", b.output(o.str("tool_use_id"), b.flat(first(o.get("output"), o.get("content"))), claudeStatus(o.get("is_error"), ""))
	case "summary", "custom-title", "ai-title":
		b.s.Title = cmp.Or(o.str("summary"), o.str("title"), o.str("customTitle"), o.str("aiTitle"), b.s.Title)
		return "", nil
	case "progress":
		return "progress/" + o.get("data").Get("type").Str, nil
	default:
		return named(kind), nil
	}
}

// user takes a line under the user's name: their words, results of calls, or what
// the tool put there.
func (c *claude) user(b *builder, o object) (string, error) {
	content := o.get("message").Get("content")
	if isTrue(o.get("isCompactSummary")) {
		c.summary(b, b.flat(content))
		return "", nil
	}
	var said []string
	var err error
	results, orphans := 0, 0
	content.ForEach(func(_, block value) bool {
		if block.Get("type").Str == "tool_result" {
			results++
			if e := c.result(b, block); e != nil {
				orphans++
				err = e
			}
		} else {
			said = append(said, c.said(b, block)...)
		}
		return true
	})
	if text := strings.Join(said, "\n"); text != "" {
		c.prompt(b, o, text)
	}
	if len(said) > 0 || results > orphans || results == 0 {
		err = nil
	}
	return "", err
}

// said is a block's text without what the tool inserted.
func (c *claude) said(b *builder, block value) []string {
	text := b.block(block)
	said := b.sift(text)
	if f, ok := fragment(text); ok && f.Tag == longrein.TagInterrupted {
		b.end(longrein.TurnInterrupted, nil)
	}
	if said == "" {
		return nil
	}
	return []string{said}
}

func (c *claude) prompt(b *builder, o object, text string) {
	origin := o.get("origin").Get("kind").Str
	switch {
	case isTrue(o.get("isMeta")):
		b.insert(longrein.Fragment{Tag: TagContext, Text: text})
	case origin != "" && origin != "human" && origin != "user":
		b.insert(longrein.Fragment{Tag: longrein.Tag(plain(origin)), Text: text})
	default:
		c.unqueue(b, text)
		b.input(text, false)
		if b.node >= 0 {
			c.tree.nodes[b.node].prompt = true
		}
	}
}

func (c *claude) result(b *builder, block value) error {
	text := b.flat(block.Get("content"))
	_, exit := outcome(text)
	return b.outputExit(textOf(block, "tool_use_id"), text, claudeStatus(block.Get("is_error"), text), exit)
}

func textOf(v value, path string) string { return text(v.Get(path)) }

func claudeStatus(failed value, text string) longrein.OutputStatus {
	switch {
	case strings.HasPrefix(text, "The user doesn't want to proceed with this tool use"):
		return longrein.OutputRefused
	case strings.HasPrefix(text, "[Request interrupted by user"):
		return longrein.OutputInterrupted
	case isTrue(failed):
		return longrein.OutputFailed
	}
	return longrein.OutputOK
}

// assistant takes one of the lines of a response.
func (c *claude) assistant(b *builder, o object) (string, error) {
	m := c.object(o.get("message"))
	model, key := m.str("model"), m.str("id")
	if model == "<synthetic>" || isTrue(o.get("isApiErrorMessage")) {
		return "assistant/made by the tool", nil
	}
	content := m.get("content")
	if content.Type == gjson.String {
		b.say(key, text(content))
	}
	content.ForEach(func(_, block value) bool {
		if block.IsObject() {
			c.block(b, key, model, block)
		}
		return true
	})
	if b.step != nil || key != "" && b.steps[key] != nil {
		s := b.respond(key)
		b.answered(s, model, claudeUsage(m.get("usage")))
		s.Stop = cmp.Or(claudeStop(m.str("stop_reason")), s.Stop)
	}
	return "", nil
}

func (c *claude) block(b *builder, key, model string, block value) {
	switch kind := block.Get("type").Str; kind {
	case "text":
		b.say(key, textOf(block, "text"))
	case "thinking", "redacted_thinking":
		r := longrein.Reasoning{Text: textOf(block, "thinking")}
		if block.Get("signature").Str != "" || kind == "redacted_thinking" {
			r.Wire, r.Model, r.Raw = longrein.WireMessages, model, json.RawMessage(jsonText(block))
		}
		b.think(key, r)
	case "tool_use":
		b.call(key, textOf(block, "id"), textOf(block, "name"), jsonText(block.Get("input")))
	case "server_tool_use":
		b.provided(key, textOf(block, "name"), jsonText(block.Get("input")))
	default:
		b.say(key, b.block(block))
	}
}

func claudeUsage(u value) longrein.Usage {
	if !u.IsObject() {
		return longrein.Usage{}
	}
	cached, written := tokens(u.Get("cache_read_input_tokens")), tokens(u.Get("cache_creation_input_tokens"))
	return longrein.Usage{
		Input: tokens(u.Get("input_tokens")) + cached + written, Cached: cached, CacheWrite: written,
		Output: tokens(u.Get("output_tokens")), Reported: true,
	}
}

func claudeStop(reason string) longrein.Stop {
	switch reason {
	case "end_turn", "stop_sequence":
		return longrein.StopEnd
	case "tool_use":
		return longrein.StopTools
	case "max_tokens":
		return longrein.StopMaxOutput
	case "refusal":
		return longrein.StopRefused
	case "pause_turn":
		return longrein.StopPaused
	}
	return ""
}
