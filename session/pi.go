package session

import (
	"cmp"
	"strings"

	"github.com/longrein/longrein"
	"github.com/tidwall/gjson"
)

// pi reads pi's sessions, OpenClaw's, which are made the same way, and Droid's,
// whose lines are the same around messages like Claude Code's.
type pi struct {
	*builder
	tree *tree
	at   map[string]int // index of the first moment from an entry on, by its id
	nth  []int          // the same by the number of the entry
}

func newPi(f Format, t *tally) *pi {
	return &pi{builder: newBuilder(t, f), tree: newTree(), at: map[string]int{}}
}

func (p *pi) finish() []*Session {
	all := []*Session{p.builder.finish()}
	p.tree.dropAbandoned(p.tally, all)
	return all
}

func (p *pi) take(_ string, v value) (string, error) {
	o := p.object(v)
	p.clock(when(o.get("timestamp")))
	id := o.str("id")
	p.node = -1
	if id != "" && o.has("parentId") {
		p.node = p.tree.add(id, o.get("parentId").Str)
	}
	p.at[id] = len(p.s.Moments)
	p.nth = append(p.nth, len(p.s.Moments))
	kind, err := p.entry(o)
	if p.node >= 0 && kind == "" && err == nil {
		p.tree.nodes[p.node].taken = true
	}
	return kind, err
}

func (p *pi) entry(o object) (string, error) {
	switch kind := o.get("type").Str; kind {
	case "session", "session_start":
		p.head(o)
	case "message":
		return p.message(p.object(o.get("message")))
	case "model_change":
		p.s.Model = cmp.Or(p.s.Model, o.str("modelId"))
		p.s.Provider = cmp.Or(p.s.Provider, o.str("provider"))
		return named(kind), nil
	case "session_info":
		p.s.Title = cmp.Or(o.str("name"), p.s.Title)
	case "compaction":
		p.compact(Compaction{Summary: o.str("summary"), From: p.from(o)})
	case "branch_summary":
		p.insert(longrein.Fragment{Tag: TagSummary, Text: o.str("summary")})
	case "custom_message":
		p.insert(longrein.Fragment{Tag: TagContext, Text: p.flat(o.get("content"))})
	default:
		return named(kind), nil
	}
	return "", nil
}

func (p *pi) head(o object) {
	s := p.s
	s.ID, s.Cwd, s.Title = o.str("id"), o.str("cwd"), cmp.Or(o.str("title"), o.str("sessionTitle"))
	s.Provider, s.Model = o.str("provider"), o.str("modelId")
	s.Version = o.str("version") // pi's is a number, of the form
	s.Parent = cmp.Or(o.str("parentSession"), o.str("branchedFrom"))
}

// from is the moment that a compaction kept everything from.
func (p *pi) from(o object) int {
	if i, ok := p.at[o.str("firstKeptEntryId")]; ok {
		return i
	}
	n := o.get("firstKeptEntryIndex")
	if i := int(tokens(n)); n.Type == gjson.Number && i < len(p.nth) {
		return p.nth[i]
	}
	return -1
}

func (p *pi) message(m object) (string, error) {
	content := m.get("content")
	switch role := m.get("role").Str; role {
	case "user":
		return "", p.user(content)
	case "assistant":
		p.assistant(m, content)
	case "toolResult":
		said := p.flat(content)
		return "", p.output(m.str("toolCallId"), said, claudeStatus(m.get("isError"), said))
	case "bashExecution":
		p.insert(longrein.Fragment{Tag: "user_command", Text: "$ " + m.str("command") + "\n" + m.str("output")})
	default:
		return "message/" + role, nil
	}
	return "", nil
}

func (p *pi) user(content value) error {
	var said []string
	var err error
	for _, b := range blocks(content) {
		if b.Get("type").Str == "tool_result" {
			text := p.flat(b.Get("content"))
			if e := p.output(textOf(b, "tool_use_id"), text, claudeStatus(b.Get("is_error"), text)); e != nil {
				err = e
			}
			continue
		}
		if s := p.sift(p.block(b)); s != "" {
			said = append(said, s)
		}
	}
	if len(said) > 0 {
		p.input(strings.Join(said, "\n"), false)
		if p.node >= 0 {
			p.tree.nodes[p.node].prompt = true
		}
		err = nil
	}
	return err
}

// blocks are the pieces of a content, which may be a single text.
func blocks(content value) []value {
	if content.IsArray() {
		return content.Array()
	}
	if !known(content) {
		return nil
	}
	return []value{content}
}

func (p *pi) assistant(m object, content value) {
	p.step = nil // each message is a response
	s := p.respond("")
	for _, b := range blocks(content) {
		p.assistantBlock(b)
	}
	u := m.get("usage")
	cached, written := tokens(u.Get("cacheRead")), tokens(u.Get("cacheWrite"))
	p.answered(s, m.str("model"), longrein.Usage{
		Input: tokens(u.Get("input")) + cached + written, Cached: cached, CacheWrite: written,
		Output: tokens(u.Get("output")), Reported: u.IsObject(),
	})
	s.Cost = max(u.Get("cost.total").Num, 0)
	switch m.get("stopReason").Str {
	case "aborted":
		s.Stop = longrein.StopInterrupted
		p.end(longrein.TurnInterrupted, nil)
	case "error":
		p.fail(m.str("errorMessage"))
	}
}

func (p *pi) assistantBlock(b value) {
	switch b.Get("type").Str {
	case "thinking":
		p.think("", longrein.Reasoning{Text: textOf(b, "thinking")})
	case "toolCall":
		p.call("", textOf(b, "id"), textOf(b, "name"), jsonText(b.Get("arguments")))
	case "tool_use":
		p.call("", textOf(b, "id"), textOf(b, "name"), jsonText(b.Get("input")))
	default:
		p.say("", p.block(b))
	}
}
