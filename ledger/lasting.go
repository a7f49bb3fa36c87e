package ledger

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// shellTools run commands: ours, and those in sessions of other tools.
var shellTools = []string{execTool, "shell", "bash", "local_shell", "run_shell_command", "execute_bash", "terminal"}

// outward are words in the names of other tools that do something outside.
var outward = []string{
	"send", "mail", "email", "post", "publish", "push", "pay", "charge", "refund", "deploy", "fetch", "http", "request", "webhook",
	"merge", "issue", "comment", "invite", "transfer", "message", "sms", "tweet", "upload", "browser", "navigate",
}

// Lasting says what a call may have done that putting files back does not take
// back, such as "may have pushed to a remote (git push)"; ok is false if nothing of
// the kind is known. Output is the call's, nil if it has none. It goes by the words
// of commands and by names of tools, so it can be wrong in both directions: a
// script may do anything. What it says holds no argument of the command but a
// host's name, and so no secret.
func Lasting(call longrein.ToolCall, output *longrein.ToolOutput) (what string, ok bool) {
	if output != nil && output.Status == longrein.OutputRefused {
		return "", false
	}
	name := strings.ToLower(call.Name)
	if !slices.Contains(shellTools, name) {
		return lastingTool(name)
	}
	var all []string
	for _, c := range commandsOf(call.Args) {
		if what := c.lasting(); what != "" && !slices.Contains(all, what) {
			all = append(all, what)
		}
	}
	if len(all) == 0 {
		return "", false
	}
	return "may have " + strings.Join(all, ", "), true
}

// lastingTool judges a tool by its name.
func lastingTool(name string) (string, bool) {
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r < 'a' || r > 'z' }) {
		if slices.Contains(outward, word) {
			return "may have done something outside (" + clip(name, longestName) + ")", true
		}
	}
	return "", false
}

// longestName is what is shown of a tool's name: wires allow no more.
const longestName = 64 // fixed: the wires' own bound

// commandsOf returns the commands in the arguments of a call, which hold one text
// or a list of words.
func commandsOf(args string) []simpleCommand {
	var a struct {
		Command json.RawMessage `json:"command"`
		Cmd     json.RawMessage `json:"cmd"`
	}
	if json.Unmarshal([]byte(args), &a) != nil {
		return nil
	}
	if a.Command == nil {
		a.Command = a.Cmd
	}
	var text string
	if json.Unmarshal(a.Command, &text) == nil {
		return unwrapped(commandsIn(text, 0), 0)
	}
	var words []string
	if json.Unmarshal(a.Command, &words) != nil {
		return nil
	}
	return unwrapped([]simpleCommand{{words: words}}, 0)
}

// lasting says what a command may have done, "" if nothing is known.
func (c simpleCommand) lasting() string {
	for _, file := range c.writes {
		if outside(file) {
			return "written a file outside of the folder"
		}
	}
	if len(c.words) == 0 {
		return ""
	}
	name, args := strings.TrimSuffix(path.Base(c.words[0]), ".exe"), c.words[1:]
	if onlyAsks(args) {
		return ""
	}
	return known[name].does(name, args)
}

// onlyAsks reports whether arguments ask a program about itself, or for a rehearsal.
func onlyAsks(args []string) bool {
	for i, a := range args {
		switch {
		case a == "--":
			return false
		case a == "--help", a == "--version", i == 0 && (a == "help" || a == "version" || a == "-V"):
			return true
		case strings.HasPrefix(a, "--dry-run"), a == "--dryrun":
			return !strings.HasSuffix(a, "=none") && !strings.HasSuffix(a, "=false")
		}
	}
	return false
}
