package session

// rules tell forms by what a record or document holds. The first that fits
// decides.
var rules = []struct {
	format Format
	fits   func(k sketch) bool
}{
	{Codex, func(k sketch) bool {
		return k.is("payload", "{") && !k.has("seq") &&
			(k.is("type", "session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state") || k.has("timestamp", "payload.type"))
	}},
	{CodexExec, func(k sketch) bool {
		return k.is("type", "thread.started", "turn.started", "turn.completed", "turn.failed", "item.started", "item.updated", "item.completed")
	}},
	{CodexOld, func(k sketch) bool {
		return k.has("record_type") || !k.has("type") && k.has("id", "timestamp") && k.any("instructions", "git") ||
			k.is("type", "message") && k.is("content.[].type", "input_text", "output_text") ||
			k.is("type", "reasoning") && k.has("summary") ||
			k.is("type", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "local_shell_call") && k.has("call_id")
	}},
	{QwenCode, func(k sketch) bool {
		return k.has("uuid", "sessionId") && k.any("message.parts", "systemPayload")
	}},
	{GeminiChat, func(k sketch) bool {
		return k.has("sessionId") && (k.has("projectHash") || k.is("messages", "[") && k.any("startTime", "lastUpdated")) ||
			k.is("$set", "{") || k.is("type", "gemini") && k.has("id")
	}},
	{ClaudeCode, func(k sketch) bool {
		return k["type"] != "" && (k.any("parentUuid", "leafUuid", "isSidechain", "sessionId") || k.is("type", "file-history-snapshot"))
	}},
	{GeminiStream, func(k sketch) bool {
		return k.is("type", "init") && k.has("session_id") || k.is("type", "tool_use", "tool_result") && k.has("tool_id") ||
			k.is("type", "result") && k.has("stats") ||
			k.is("type", "message") && k.has("role") && k.has("content") && !k.is("content", "[", "{")
	}},
	{Kimi, func(k sketch) bool {
		return k.is("type", "metadata") && k.has("protocol_version") ||
			k.has("time") && k.starts("type", "context.", "llm.", "turn.", "config.", "usage.", "full_compaction.", "permission.")
	}},
	{Copilot, func(k sketch) bool {
		return k.is("data", "{") && k.has("id") && k.starts("type", "session.", "user.", "assistant.", "tool.", "hook.", "system.", "subagent.", "abort")
	}},
	{Droid, func(k sketch) bool {
		return k.is("type", "session_start") && k.has("id") ||
			k.is("type", "message") && k.is("message.content.[].type", "tool_use", "tool_result")
	}},
	{Pi, func(k sketch) bool {
		return k.is("type", "session") && k.has("id") && k.any("cwd", "timestamp") ||
			k.is("type", "message") && k.has("message.role") || k.is("type", "model_change", "thinking_level_change")
	}},
	{OpenCode, func(k sketch) bool { return k.has("path") && k.is("json", "{") }},
	{OpenCodeDoc, func(k sketch) bool {
		return k.is("info", "{") && k.any("messages.[].info", "messages.[].parts", "info.directory", "info.projectID")
	}},
	{Cursor, func(k sketch) bool { return !k.has("type") && k.has("role", "message.content") }},
	{OpenHands, func(k sketch) bool {
		return k.has("instance_id") && k.any("history", "metadata", "test_result", "instruction", "metrics") ||
			k.any("history.[].source", "history.[].[].source") || k.has("[].source") && k.any("[].action", "[].observation")
	}},
	{SWEAgent, func(k sketch) bool {
		return k.is("trajectory", "[") || k.is("history", "[") && k.has("history.[].role")
	}},
	{MiniSWEAgent, func(k sketch) bool {
		return k.is("messages", "[") && k.any("trajectory_format", "info.exit_status", "info.mini_version") || k.starts("trajectory_format", "mini-swe-agent")
	}},
	{GeminiSaved, func(k sketch) bool { return k.has("[].role", "[].parts") }},
	{OpenAIChat, func(k sketch) bool {
		return k.has("[].role") || k.has("messages.[].role") || k.any("[].traj.[].role", "[].messages.[].role", "traj.[].role") ||
			!k.has("type") && k.has("role") && k.any("content", "tool_calls")
	}},
}
