package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/longrein/longrein"
)

// Codex writes a rollout with which Codex goes on: its file belongs into the folder
// sessions/YYYY/MM/DD below Codex's home, under the name that [CodexName] gives.
// What a later window begins with is a compaction there. The initial context and the
// base instructions are left out, since Codex puts in its own; so is reasoning that
// it could not send on.
func Codex(w io.Writer, records Records, o Options) (Report, error) {
	out := bufio.NewWriter(w)
	c := &codex{Options: o, w: out}
	err := o.each(records, &c.report, c.record)
	if flush := out.Flush(); err == nil {
		err = flush
	}
	return c.report, err
}

// CodexName is the name of the rollout of a thread with that id and beginning.
func CodexName(id string, begun time.Time) string {
	return "rollout-" + begun.Format("2006-01-02T15-04-05") + "-" + id + ".jsonl"
}

type codex struct {
	Options
	w      io.Writer
	report Report
	now    time.Time
	thread longrein.Thread
	set    longrein.Settings
	begun  bool   // the head is written
	turn   string // the running turn's id
	said   string // the model's last words in it
	total  longrein.Usage
}

// object is a JSON object whose fields have an order.
type object []any // name, value, name, value

// MarshalJSON writes the fields in their order.
func (o object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i := 0; i+1 < len(o); i += 2 {
		value, err := marshal(o[i+1])
		if err != nil {
			return nil, err
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, quote(o[i].(string))...)
		out = append(append(out, ':'), value...)
	}
	return append(out, '}'), nil
}

func marshal(v any) ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}

// line writes a line in Codex's envelope.
func (c *codex) line(kind string, payload object) error {
	out, err := marshal(object{"timestamp", c.now.UTC().Format("2006-01-02T15:04:05.000Z"), "type", kind, "payload", payload})
	if err != nil {
		return err
	}
	_, err = c.w.Write(append(out, '\n'))
	return err
}

func (c *codex) event(kind string, fields ...any) error {
	return c.line("event_msg", append(object{"type", kind}, fields...))
}

func (c *codex) record(r longrein.Record) error {
	c.now = r.Time
	switch b := r.Body.(type) {
	case longrein.Thread:
		c.thread = b
	case longrein.Settings:
		c.set = b
	case longrein.Renamed, longrein.Imported, longrein.ImportedLine, longrein.Input:
	case longrein.Window:
		return c.window(b)
	case longrein.Turn:
		return c.mark(b)
	case longrein.Appended:
		return c.appended(b)
	case longrein.Answered:
		return c.usage(b)
	}
	return nil
}

// head writes what a rollout begins with.
func (c *codex) head() error {
	if c.begun {
		return nil
	}
	c.begun = true
	meta := object{
		"id", c.thread.ID, "timestamp", c.now.UTC().Format("2006-01-02T15:04:05.000Z"), "cwd", c.thread.Cwd,
		"originator", "longrein", "cli_version", c.thread.Version, "source", "cli",
	}
	var git object
	if c.thread.Commit != "" {
		git = append(git, "commit_hash", c.thread.Commit)
	}
	if c.thread.Branch != "" {
		git = append(git, "branch", c.thread.Branch)
	}
	if git != nil {
		meta = append(meta, "git", git)
	}
	return c.line("session_meta", meta)
}

// window writes what a later window begins with as a compaction.
func (c *codex) window(w longrein.Window) error {
	c.set = w.Settings
	if err := c.head(); err != nil || w.N == 1 {
		return err
	}
	summary := ""
	items := []object{}
	for i, e := range w.Head {
		if f, ok := e.Item.(longrein.Fragment); ok {
			if i < w.Fresh && theirs[f.Tag] {
				continue
			}
			if f.Tag == longrein.TagCompacted || f.Tag == longrein.TagSummary || f.Tag == longrein.TagNotes {
				summary = f.Text
			}
		}
		if o, ok := item(e.Item); ok {
			items = append(items, o)
		}
	}
	return c.line("compacted", object{"message", summary, "replacement_history", items})
}

// theirs are fragments of which Codex puts in its own.
var theirs = map[longrein.Tag]bool{
	longrein.TagEnvironment: true, longrein.TagInstructions: true, longrein.TagSkills: true, longrein.TagPermissions: true,
}

// mark writes where a turn begins and ends.
func (c *codex) mark(t longrein.Turn) error {
	if err := c.head(); err != nil {
		return err
	}
	if t.State == longrein.TurnStarted {
		c.turn, c.said = fmt.Sprintf("%s-turn-%d", c.thread.ID, t.N), ""
		if err := c.event("task_started", "turn_id", c.turn, "model_context_window", orNull(c.set.ContextWindow)); err != nil {
			return err
		}
		return c.line("turn_context", c.context())
	}
	if t.State == longrein.TurnInterrupted {
		return c.event("turn_aborted", "turn_id", c.turn, "reason", "interrupted")
	}
	if t.Error != nil {
		if err := c.event("error", "message", t.Error.Text); err != nil {
			return err
		}
	}
	return c.event("task_complete", "turn_id", c.turn, "last_agent_message", orNull(c.said))
}

func (c *codex) context() object {
	approval, sandbox := "on-request", object{"type", "read-only"}
	switch c.set.Approval {
	case "never", "on-failure", "untrusted":
		approval = c.set.Approval
	}
	switch c.set.Sandbox {
	case "workspace-write":
		sandbox = object{"type", "workspace-write", "writable_roots", []string{}, "network_access", false, "exclude_tmpdir_env_var", false, "exclude_slash_tmp", false}
	case "full":
		sandbox = object{"type", "danger-full-access"}
	}
	model := c.set.Model
	if model == "" {
		model = "unknown"
	}
	return object{"turn_id", c.turn, "cwd", c.thread.Cwd, "approval_policy", approval, "sandbox_policy", sandbox, "model", model, "summary", "auto"}
}

// orNull is v, or nothing when it is empty.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

func (c *codex) appended(a longrein.Appended) error {
	o, ok := item(a.Item)
	if f, is := a.Item.(longrein.Fragment); is && theirs[f.Tag] {
		ok = false
	}
	if err := c.head(); err != nil {
		return err
	}
	if ok {
		if err := c.line("response_item", o); err != nil {
			return err
		}
	}
	switch it := a.Item.(type) {
	case longrein.Message:
		if it.Role == longrein.RoleAssistant {
			c.said = it.Text
			return c.event("agent_message", "message", it.Text)
		}
		if it.Role == longrein.RoleUser {
			return c.event("user_message", "message", it.Text, "images", []string{}, "local_images", []string{}, "text_elements", []string{})
		}
	case longrein.Reasoning:
		if it.Text != "" {
			return c.event("agent_reasoning", "text", it.Text)
		}
	}
	return nil
}

// usage writes what a response took.
func (c *codex) usage(a longrein.Answered) error {
	if !a.Usage.Reported {
		return nil
	}
	c.total = c.total.Add(a.Usage)
	return c.event("token_count", "info", object{
		"total_token_usage", tokenUsage(c.total), "last_token_usage", tokenUsage(a.Usage), "model_context_window", orNull(c.set.ContextWindow),
	}, "rate_limits", nil)
}

func tokenUsage(u longrein.Usage) object {
	return object{
		"input_tokens", u.Input, "cached_input_tokens", u.Cached, "output_tokens", u.Output,
		"reasoning_output_tokens", u.Reasoning, "total_tokens", u.Input + u.Output,
	}
}

// item is an item as the Responses API has it; false for one that has no place
// there.
func item(it longrein.Item) (object, bool) {
	switch it := it.(type) {
	case longrein.Message:
		return message(string(it.Role), it.Text), true
	case longrein.Fragment:
		return message(string(it.Role), it.Rendered()), true
	case longrein.ToolCall:
		return object{"type", "function_call", "name", it.Name, "arguments", it.Args, "call_id", it.ID}, true
	case longrein.ToolOutput:
		return object{"type", "function_call_output", "call_id", it.CallID, "output", it.Text}, true
	}
	return nil, false
}

func message(role, text string) object {
	kind := "input_text"
	if role == string(longrein.RoleAssistant) {
		kind = "output_text"
	}
	return object{"type", "message", "role", role, "content", []object{{"type", kind, "text", text}}}
}
