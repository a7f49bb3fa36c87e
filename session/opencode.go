package session

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/longrein/longrein"
)

// openCode reads opencode's storage, in which sessions, messages and their parts
// are files in any order, and its exports. It gathers first and tells at the end.
type openCode struct {
	*tally
	format   Format
	sessions []ocFile
	messages map[string][]ocFile // by session
	parts    map[string][]ocFile // by message
}

type ocFile struct {
	path string
	line int64
	object
}

func newOpenCode(f Format, t *tally) *openCode {
	return &openCode{tally: t, format: f, messages: map[string][]ocFile{}, parts: map[string][]ocFile{}}
}

func (c *openCode) take(path string, v value) (string, error) {
	o := c.object(v)
	switch path {
	case "": // a file of the storage
		return c.file(o.str("path"), c.object(o.get("json")))
	case "info":
		c.sessions = append(c.sessions, ocFile{"", c.at, o.kept()})
	case "messages[]":
		c.message("", c.object(o.get("info")))
		for _, p := range o.get("parts").Array() {
			c.part(o.get("info").Get("id").Str, "", c.object(p))
		}
	default:
		return named(path), nil
	}
	return "", nil
}

// file takes a file by the folder it is in.
func (c *openCode) file(path string, o object) (string, error) {
	folders := strings.Split(path, "/")
	for i, name := range folders {
		switch name {
		case "session":
			c.sessions = append(c.sessions, ocFile{path, c.at, o.kept()})
			return "", nil
		case "message":
			c.message(path, o)
			return "", nil
		case "part":
			return c.part(cmp.Or(o.str("messageID"), folders[min(i+1, len(folders)-1)]), path, o), nil
		}
	}
	return cmp.Or(folders[0], "file without a path"), nil
}

func (c *openCode) message(path string, o object) {
	owner := o.str("sessionID")
	c.messages[owner] = append(c.messages[owner], ocFile{path, c.at, o.kept()})
	for _, p := range o.get("parts").Array() { // as the oldest versions have it
		c.part(o.str("id"), path, c.object(p))
	}
}

func (c *openCode) part(message, path string, o object) string {
	switch kind := o.get("type").Str; kind {
	case "text", "reasoning", "tool", "file", "step-start", "step-finish", "compaction", "tool-invocation":
		c.parts[message] = append(c.parts[message], ocFile{path, c.at, o.kept()})
		return ""
	default:
		return "part/" + kind
	}
}

func (c *openCode) finish() []*Session {
	if len(c.sessions) == 0 {
		c.sessions = append(c.sessions, ocFile{})
	}
	c.adopt()
	var all []*Session
	for _, s := range c.sessions {
		all = append(all, c.session(s))
	}
	return all
}

// adopt gives messages whose session is not in the file to the first one.
func (c *openCode) adopt() {
	there := map[string]bool{}
	for _, s := range c.sessions {
		there[s.str("id")] = true
	}
	first := c.sessions[0].str("id")
	for _, owner := range slices.Sorted(maps.Keys(c.messages)) {
		if !there[owner] {
			c.messages[first] = append(c.messages[first], c.messages[owner]...)
		}
	}
}

// byTime orders files as they came to be; in the order of their paths where that
// is not recorded.
func byTime(files []ocFile) {
	slices.SortStableFunc(files, func(a, b ocFile) int {
		return cmp.Or(a.time().Compare(b.time()), cmp.Compare(a.path, b.path))
	})
}

func (f ocFile) time() time.Time { return when(f.get("time").Get("created")) }

func (c *openCode) session(f ocFile) *Session {
	b := newBuilder(c.tally, c.format)
	s, id := b.s, f.str("id")
	s.ID, s.Title, s.Cwd, s.Version = id, f.str("title"), f.str("directory"), f.str("version")
	if s.Parent = f.str("parentID"); s.Parent != "" {
		s.Agent = "sub-agent"
	}
	b.clock(f.time())
	messages := c.messages[id]
	delete(c.messages, id) // a session is told once
	byTime(messages)
	for _, m := range messages {
		b.tally.at = m.line
		b.clock(m.time())
		c.tell(b, m)
	}
	return b.finish()
}

func (c *openCode) tell(b *builder, m ocFile) {
	parts := c.parts[m.get("id").Str]
	slices.SortStableFunc(parts, func(a, b ocFile) int { return cmp.Compare(a.path, b.path) })
	if m.get("role").Str == "user" {
		c.user(b, m, parts)
		return
	}
	c.assistant(b, m, parts)
}

func (c *openCode) user(b *builder, m ocFile, parts []ocFile) {
	var said []string
	for _, p := range parts {
		switch kind := p.get("type").Str; {
		case kind == "compaction":
			return // the summary follows in a message of its own
		case kind == "text" && (isTrue(p.get("synthetic")) || isTrue(p.get("ignored"))):
			b.insert(longrein.Fragment{Tag: TagContext, Text: p.str("text")})
		case kind == "text":
			said = append(said, p.str("text"))
		case kind == "file":
			said = append(said, b.note(cmp.Or(p.str("mime"), "file"), decodedSize(p.get("url"))))
		}
	}
	if parts == nil { // all there is
		said = append(said, cmp.Or(textOf(m.get("summary"), "body"), textOf(m.get("summary"), "title")))
	}
	b.input(strings.Join(said, "\n"), false)
}

func (c *openCode) assistant(b *builder, m ocFile, parts []ocFile) {
	if isTrue(m.get("summary")) || m.get("mode").Str == "compaction" {
		c.summary(b, parts)
		return
	}
	b.step = nil
	model := cmp.Or(m.str("modelID"), textOf(m.get("model"), "modelID"))
	b.s.Provider = cmp.Or(b.s.Provider, m.str("providerID"), textOf(m.get("model"), "providerID"))
	finished := false
	for _, p := range parts {
		finished = c.response(b, model, p) || finished
	}
	if s := b.newest; s != nil && len(parts) > 0 {
		b.answered(s, model, longrein.Usage{})
		if !finished {
			ocUsage(b, s, m.object)
		}
	}
	if e := m.get("error"); e.IsObject() {
		b.fail(cmp.Or(textOf(e, "data.message"), textOf(e, "name")))
	}
}

func (c *openCode) summary(b *builder, parts []ocFile) {
	var out []string
	for _, p := range parts {
		if p.get("type").Str == "text" {
			out = append(out, p.str("text"))
		}
	}
	b.compact(Compaction{Summary: strings.Join(out, "\n"), From: -1})
}

// response takes a part of a response; it reports whether it told the usage.
func (c *openCode) response(b *builder, model string, p ocFile) bool {
	switch p.get("type").Str {
	case "text":
		b.say("", p.str("text"))
	case "reasoning":
		b.think("", longrein.Reasoning{Text: p.str("text")})
	case "step-start":
		b.step = nil
	case "step-finish":
		if s := b.newest; s != nil {
			b.answered(s, model, longrein.Usage{})
			ocUsage(b, s, p.object)
			b.step = nil
			return true
		}
	case "tool":
		c.tool(b, p)
	}
	return false
}

func ocUsage(b *builder, s *Step, o object) {
	t := o.get("tokens")
	cached, written := tokens(t.Get("cache.read")), tokens(t.Get("cache.write"))
	s.Cost = max(o.get("cost").Num, 0)
	b.answered(s, "", longrein.Usage{
		Input: tokens(t.Get("input")) + cached + written, Cached: cached, CacheWrite: written,
		Output:    tokens(t.Get("output")) + tokens(t.Get("reasoning")),
		Reasoning: tokens(t.Get("reasoning")), Reported: t.IsObject(),
	})
}

// tool takes a part that holds a call and what it came to. A response goes on
// behind it.
func (c *openCode) tool(b *builder, p ocFile) {
	state, id := p.get("state"), p.str("callID")
	b.call("", id, p.str("tool"), jsonText(state.Get("input")))
	step := b.step
	switch state.Get("status").Str {
	case "completed", "success":
		_ = b.output(id, textOf(state, "output"), longrein.OutputOK) // the call is there
	case "error":
		_ = b.output(id, cmp.Or(textOf(state, "error"), textOf(state, "output")), longrein.OutputFailed)
	}
	b.step = step
}
