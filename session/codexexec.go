package session

import (
	"cmp"

	"github.com/longrein/longrein"
)

// codexExec reads what codex exec --json prints. The prompt is not in it, and
// usage is told for whole turns alone, so steps have none.
type codexExec struct{ *builder }

func (c *codexExec) finish() []*Session { return []*Session{c.builder.finish()} }

func (c *codexExec) take(_ string, v value) (string, error) {
	o := c.object(v)
	switch kind := o.get("type").Str; kind {
	case "thread.started":
		c.s.ID = o.str("thread_id")
	case "turn.started":
		c.begin()
		c.turn = true
	case "turn.completed":
		c.end(longrein.TurnEnded, nil)
	case "turn.failed":
		c.fail(textOf(o.get("error"), "message"))
	case "item.completed":
		return c.item(c.object(o.get("item")))
	default: // an item that is not whole yet
		return named(kind), nil
	}
	return "", nil
}

func (c *codexExec) item(it object) (string, error) {
	id := it.str("id")
	switch kind := it.get("type").Str; kind {
	case "agent_message", "assistant_message":
		c.say("", it.str("text"))
	case "reasoning":
		c.think("", longrein.Reasoning{Text: it.str("text")})
	case "command_execution":
		c.call("", id, "shell", `{"command":`+quoted(it.str("command"))+"}")
		status, code := longrein.OutputOK, int(it.get("exit_code").Num)
		if code != 0 || it.get("status").Str == "failed" {
			status = longrein.OutputFailed
		}
		return "", c.outputExit(id, it.str("aggregated_output"), status, &code)
	case "file_change":
		c.call("", id, "apply_patch", jsonText(it.get("changes")))
		return "", c.output(id, it.str("status"), execStatus(it))
	case "mcp_tool_call":
		c.call("", id, cmp.Or(it.str("server"), "mcp")+"."+it.str("tool"), jsonText(it.get("arguments")))
		return "", c.output(id, cmp.Or(c.flat(it.get("result")), textOf(it.get("error"), "message")), execStatus(it))
	case "web_search":
		c.provided("", kind, `{"query":`+quoted(it.str("query"))+"}")
	case "todo_list":
		c.call("", id, "update_plan", jsonText(it.get("items")))
		return "", c.output(id, "", longrein.OutputOK)
	default:
		return "item/" + kind, nil
	}
	return "", nil
}

func execStatus(it object) longrein.OutputStatus {
	if it.get("status").Str == "failed" {
		return longrein.OutputFailed
	}
	return longrein.OutputOK
}
