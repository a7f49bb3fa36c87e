package session

import (
	"strconv"
	"strings"

	"github.com/longrein/longrein"
)

// action takes a command that the model wrote into its text, as SWE-agents do
// without tool calls.
func (c *chat) action(b *builder, o object, said string) {
	command := o.str("action")
	if command == "" {
		command = fenced(said)
	}
	if strings.TrimSpace(command) != "" {
		b.call("", "", "bash", `{"command":`+quoted(command)+"}")
	}
}

// fenced is what the last fenced block of a text holds.
func fenced(text string) string {
	const fence = "```"
	end := strings.LastIndex(text, fence)
	if end < 0 {
		return ""
	}
	start := strings.LastIndex(text[:end], fence)
	if start < 0 {
		return ""
	}
	_, command, _ := strings.Cut(text[start+len(fence):end], "\n")
	return strings.TrimSuffix(command, "\n")
}

// returned reads the status from <returncode>N</returncode>.
func returned(text string) (longrein.OutputStatus, *int) {
	_, rest, ok := strings.Cut(text, "<returncode>")
	code, _, closed := strings.Cut(rest, "</returncode>")
	n, err := strconv.Atoi(strings.TrimSpace(code))
	if !ok || !closed || err != nil {
		return longrein.OutputOK, nil
	}
	if n != 0 {
		return longrein.OutputFailed, &n
	}
	return longrein.OutputOK, &n
}
