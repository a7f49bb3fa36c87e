package environ

import (
	"runtime"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// layout is what the model sees of the files: each below a line with its name,
// the deepest last, because it takes precedence.
func layout(docs []doc) string {
	parts := make([]string, len(docs))
	for i, d := range docs {
		parts[i] = heading(d.label) + "\n" + body(d.text)
	}
	return strings.Join(parts, "\n\n")
}

func heading(label string) string { return "--- " + oneLine(label) + " ---" }

func isHeading(line string) bool {
	return len(line) >= len("---  ---") && strings.HasPrefix(line, "--- ") && strings.HasSuffix(line, " ---")
}

// body is a text with no line in it that passes for a heading, also not to eyes that
// do not see what blanks end it.
func body(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if isHeading(strings.TrimRightFunc(line, unicode.IsSpace)) {
			lines[i] = " " + line
		}
	}
	return strings.Join(lines, "\n")
}

// environment is what the model is told of where it works, in lines that a
// difference can be made of.
func environment(cwd string, repo Repository, o Options) string {
	lines := []string{"working directory: " + oneLine(cwd)}
	if repo.Root != "" {
		lines = append(lines, "git repository: "+oneLine(repo.Root)+branch(repo))
	}
	lines = append(lines, "date: "+o.Now.Format(time.DateOnly), "system: "+runtime.GOOS+"/"+runtime.GOARCH)
	if o.Shell != "" {
		lines = append(lines, "shell: "+oneLine(o.Shell))
	}
	if o.Model != "" {
		lines = append(lines, "model: "+oneLine(o.Model))
	}
	if o.Notes != "" {
		lines = append(lines, "notes: "+oneLine(o.Notes)+" (kept for you; only TODO.md there is yours to change)")
	}
	return strings.Join(lines, "\n")
}

// permissions is what the model is told of what it may do, in such lines too.
func permissions(o Options) string {
	var lines []string
	if o.Sandbox != "" {
		lines = append(lines, "sandbox: "+sandbox(o.Sandbox), network(o))
	}
	if o.Approval != "" {
		lines = append(lines, "approval: "+approval(o.Approval))
	}
	return strings.Join(lines, "\n")
}

func branch(repo Repository) string {
	if repo.Branch == "" {
		return ", no branch checked out"
	}
	return ", branch " + oneLine(repo.Branch)
}

// oneLine is s as it is, or quoted if it could pass for more than one line or a log
// could not keep it as it is.
func oneLine(s string) string {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}

func sandbox(mode string) string {
	switch mode {
	case "read-only":
		return "read-only, commands cannot write files"
	case "workspace-write":
		return "workspace-write, commands can write only below the working directory and in temporary folders, not in .git"
	case "full":
		return "none, commands have all rights of the user"
	}
	return mode
}

func network(o Options) string {
	if o.Network || o.Sandbox == "full" {
		return "network: on"
	}
	return "network: off"
}

func approval(policy string) string {
	switch policy {
	case "never":
		return "never, nobody can be asked; what the sandbox does not allow fails"
	case "on-request":
		return "on-request, the user is asked before anything runs outside the sandbox"
	case "on-failure":
		return "on-failure, the user is asked to run a command again without the sandbox when it failed inside"
	case "untrusted":
		return "untrusted, the user is asked before every command that does more than read"
	}
	return policy
}
