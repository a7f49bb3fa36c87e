package session

import "github.com/longrein/longrein"

// Format is the form in which a tool records sessions.
type Format string

// The forms that are read.
const (
	Codex        Format = "codex"       // rollouts, each line in an envelope
	CodexOld     Format = "codex-old"   // rollouts of bare items
	CodexExec    Format = "codex-exec"  // what codex exec --json prints
	ClaudeCode   Format = "claude-code" // and its sub-agents' files
	GeminiChat   Format = "gemini"      // chat files: one object, or since 0.40 lines
	GeminiStream Format = "gemini-stream"
	GeminiSaved  Format = "gemini-saved" // what /chat save writes
	QwenCode     Format = "qwen-code"
	Pi           Format = "pi"
	OpenClaw     Format = "openclaw"
	OpenCode     Format = "opencode"        // its storage, one line {path, json} for each file
	OpenCodeDoc  Format = "opencode-export" // what opencode export prints
	Kimi         Format = "kimi"
	Copilot      Format = "copilot"
	Cursor       Format = "cursor"
	Droid        Format = "droid"
	OpenHands    Format = "openhands"
	SWEAgent     Format = "swe-agent"
	MiniSWEAgent Format = "mini-swe-agent"
	OpenAIChat   Format = "openai-chat" // messages as Chat Completions has them
)

// wire is the one that its tool's requests are closest to.
func (f Format) wire() longrein.Wire {
	switch f {
	case Codex, CodexOld, CodexExec:
		return longrein.WireResponses
	case ClaudeCode, Droid, Cursor:
		return longrein.WireMessages
	}
	return longrein.WireChat
}

// document reports whether the form is JSON documents rather than lines.
func (f Format) document() bool {
	switch f {
	case GeminiSaved, OpenCodeDoc, SWEAgent, MiniSWEAgent, OpenAIChat, OpenHands:
		return true
	}
	return false
}
