package session

// newParser returns the parser of a form.
func newParser(f Format, t *tally) parser {
	switch f {
	case Codex, CodexOld:
		return newCodex(f, t)
	case ClaudeCode:
		return newClaude(t)
	case GeminiChat, GeminiSaved:
		return &gemini{newBuilder(t, f)}
	case GeminiStream:
		return &geminiStream{builder: newBuilder(t, f)}
	case QwenCode:
		return newQwen(t)
	case Pi, OpenClaw, Droid:
		return newPi(f, t)
	case Cursor:
		return &cursor{newPi(f, t)}
	case OpenCode, OpenCodeDoc:
		return newOpenCode(f, t)
	case Kimi:
		return newKimi(t)
	case Copilot:
		return &copilot{newBuilder(t, f)}
	case CodexExec:
		return &codexExec{newBuilder(t, f)}
	case OpenHands:
		return &openHands{tally: t}
	}
	return newChat(f, t)
}

// descend names, for the forms that are documents, the paths whose parts are
// elements.
var descend = map[Format]map[string]bool{
	GeminiChat:   {"": true, "messages": true},
	GeminiSaved:  {"": true},
	OpenCodeDoc:  {"": true, "messages": true},
	OpenAIChat:   {"": true, "messages": true},
	MiniSWEAgent: {"": true, "messages": true},
	SWEAgent:     {"": true, "history": true, "trajectory": true},
	OpenHands:    {"": true, "history": true},
}
