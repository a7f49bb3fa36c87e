package session

// newParser returns the parser of a form.
func newParser(f Format, t *tally) parser {
	switch f {
	case Codex, CodexOld:
		return newCodex(f, t)
	case ClaudeCode:
		return newClaude(t)
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
