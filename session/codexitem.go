package session

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/longrein/longrein"
)

// item takes an item of the Responses API.
func (c *codex) item(p object) (string, error) {
	kind := p.str("type")
	switch kind {
	case "message":
		c.message(p)
		return "", nil
	case "agent_message":
		c.insert(longrein.Fragment{Tag: "agent_message", Text: c.flat(p.get("content"))})
		return "", nil
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output":
		return "", c.result(p)
	}
	if !isCodexCall(kind) && kind != "reasoning" {
		return named(kind), nil
	}
	c.decide()
	defer func() { c.last = cmp.Or(c.step, c.last) }()
	id := p.str("call_id")
	switch kind {
	case "reasoning":
		c.think("", c.reasoning(p))
	case "function_call":
		name := p.str("name")
		if ns := p.str("namespace"); ns != "" {
			name = ns + "." + name
		}
		c.call("", id, name, p.str("arguments"))
	case "custom_tool_call":
		c.call("", id, p.str("name"), `{"input":`+quoted(p.str("input"))+"}")
	case "local_shell_call":
		c.call("", cmp.Or(id, p.str("id")), "local_shell", jsonText(p.get("action")))
	case "tool_search_call":
		c.call("", id, "tool_search", jsonText(p.get("arguments")))
	default:
		c.provided("", strings.TrimSuffix(kind, "_call"), jsonText(first(p.get("action"), p.get("revised_prompt"))))
	}
	return "", nil
}

func isCodexCall(kind string) bool { return strings.HasSuffix(kind, "_call") }

func (c *codex) message(p object) {
	switch role := p.str("role"); role {
	case "assistant":
		c.decide()
		c.say("", c.flat(p.get("content")))
		c.last = cmp.Or(c.step, c.last)
	case "user":
		c.blocks(p.get("content"))
	default:
		text := c.flat(p.get("content"))
		f, ok := fragment(text)
		if !ok {
			f = longrein.Fragment{Tag: TagContext, Text: text}
		}
		f.Role = longrein.RoleDeveloper
		c.insert(f)
	}
}

// blocks takes a user's message apart: each of its blocks may be inserted.
func (c *codex) blocks(content value) {
	var said []string
	one := func(text string) {
		if rest := c.sift(text); rest != "" {
			said = append(said, rest)
		}
	}
	if content.IsArray() {
		content.ForEach(func(_, b value) bool {
			one(c.block(b))
			return true
		})
	} else {
		one(c.flat(content))
	}
	if len(said) > 0 {
		c.user(strings.Join(said, "\n"))
	}
}

func (c *codex) result(p object) error {
	out := first(p.get("output"), p.get("tools"))
	text := c.flat(out)
	status, exit := outcome(text)
	return c.outputExit(p.str("call_id"), text, status, exit)
}

// reasoning keeps what the provider wants back, without what Codex added.
func (c *codex) reasoning(p object) longrein.Reasoning {
	r := longrein.Reasoning{Text: cmp.Or(c.flat(p.get("summary")), c.flat(p.get("content")))}
	if !known(p.get("encrypted_content")) {
		return r
	}
	r.Wire, r.Model = longrein.WireResponses, c.s.Model
	r.Raw = json.RawMessage(`{"type":"reasoning"`)
	for _, name := range []string{"id", "summary", "encrypted_content"} {
		if v := p.get(name); known(v) {
			r.Raw = append(r.Raw, `,"`+name+`":`+strings.ToValidUTF8(v.Raw, "\uFFFD")...)
		}
	}
	r.Raw = append(r.Raw, '}')
	return r
}

// replaced is an item of a replacement history, in our form.
func (c *codex) replaced(p object, summary string) []longrein.Item {
	id := p.str("call_id")
	switch kind := p.str("type"); kind {
	case "message":
		return c.replacedMessage(p, summary)
	case "reasoning":
		return []longrein.Item{c.reasoning(p)}
	case "function_call":
		return []longrein.Item{longrein.ToolCall{ID: id, Name: cmp.Or(p.str("name"), noName), Args: cmp.Or(p.str("arguments"), "{}")}}
	case "custom_tool_call":
		return []longrein.Item{longrein.ToolCall{ID: id, Name: cmp.Or(p.str("name"), noName), Args: `{"input":` + quoted(p.str("input")) + "}"}}
	case "function_call_output", "custom_tool_call_output":
		return []longrein.Item{longrein.ToolOutput{CallID: id, Text: cmp.Or(c.flat(p.get("output")), emptyOutput), Status: longrein.OutputOK}}
	case "compaction", "compaction_summary", "context_compaction":
		return []longrein.Item{longrein.Fragment{Tag: TagSummary, Role: longrein.RoleUser, Text: "(an encrypted summary of what came before)"}}
	default: // it says that something was there
		return []longrein.Item{longrein.Fragment{Tag: TagContext, Role: longrein.RoleUser, Text: "(" + named(plain(kind)) + ")"}}
	}
}

func (c *codex) replacedMessage(p object, summary string) []longrein.Item {
	text := c.flat(p.get("content"))
	if text == "" {
		return nil
	}
	if f, ok := fragment(text); ok {
		return []longrein.Item{f}
	}
	switch role := p.str("role"); {
	case summary != "" && strings.HasSuffix(text, summary):
		return []longrein.Item{longrein.Fragment{Tag: TagSummary, Role: longrein.RoleUser, Text: text}}
	case role == "assistant":
		return []longrein.Item{longrein.Message{Role: longrein.RoleAssistant, Text: text}}
	case role == "user":
		return []longrein.Item{longrein.Message{Role: longrein.RoleUser, Text: text}}
	}
	return []longrein.Item{longrein.Fragment{Tag: TagContext, Role: longrein.RoleDeveloper, Text: text}}
}

// quoted is a text as a JSON string.
func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}

// outcome reads how a command ended from the forms in which tools tell it to the
// model.
func outcome(text string) (longrein.OutputStatus, *int) {
	const head = 400 // fixed: the lines above an output stand there
	code, ok := "", false
	top := text[:min(len(text), head)]
	for _, mark := range []string{"Exit code: ", "Process exited with code ", "Exit code "} {
		if i := strings.Index(top, mark); i == 0 || i > 0 && top[i-1] == '\n' {
			code, ok = top[i+len(mark):], true
			break
		}
	}
	if i := strings.LastIndex(text, `"metadata":{"exit_code":`); !ok && i >= 0 && strings.HasPrefix(text, `{"output":`) {
		code, ok = text[i+len(`"metadata":{"exit_code":`):], true
	}
	end := 0
	for end < len(code) && end < 9 && (code[end] == '-' || code[end] >= '0' && code[end] <= '9') {
		end++
	}
	n, err := strconv.Atoi(code[:end])
	if !ok || err != nil {
		return longrein.OutputOK, nil
	}
	if n != 0 {
		return longrein.OutputFailed, &n
	}
	return longrein.OutputOK, &n
}
