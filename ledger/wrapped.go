package ledger

import (
	"path"
	"slices"
	"strings"
)

// wrappers are programs that run another one, with the options that take a value.
// A plus sign stands for an argument of its own before the other program.
var wrappers = map[string]string{
	"sudo": "-u -g -h -p -C -D -R -T -U --user --group", "doas": "-u -C", "env": "-u -C --unset --chdir", "nohup": "", "nice": "-n", "time": "-f -o",
	"ionice": "-c -n -p", "timeout": "+ -k -s", "stdbuf": "-i -o -e", "command": "", "exec": "-a", "builtin": "", "setsid": "",
	"xargs": "-n -I -P -L -d -a -E -s", "watch": "-n", "chronic": "", "unbuffer": "", "caffeinate": "-t -w", "strace": "-e -o -p -s", "busybox": "",
}

// keywords stand before a command and are none.
var keywords = []string{"if", "then", "else", "elif", "do", "while", "until", "!", "{", "}", "time", "coproc"}

func isShell(words []string) bool {
	words = bare(words)
	return len(words) > 0 && slices.Contains([]string{"sh", "bash", "zsh", "dash", "ksh", "ash", "fish"}, path.Base(words[0]))
}

// unwrapped returns the commands that others run: behind sudo and its like, and in
// texts for a shell.
func unwrapped(all []simpleCommand, depth int) []simpleCommand {
	if depth > deepest { // fixed: see deepest
		return nil
	}
	var out []simpleCommand
	for _, c := range all {
		c.words = bare(c.words)
		out = append(out, c)
		out = append(out, unwrapped(c.runs(depth), depth+1)...)
	}
	return out
}

// runs returns what a command has others run.
func (c simpleCommand) runs(depth int) []simpleCommand {
	if len(c.words) == 0 {
		return nil
	}
	args := c.words[1:]
	switch name := path.Base(c.words[0]); {
	case isShell(c.words), name == "su":
		for i, a := range args {
			if strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.HasSuffix(a, "c") && i+1 < len(args) {
				return commandsIn(args[i+1], depth+1)
			}
		}
	case name == "eval":
		return commandsIn(strings.Join(args, " "), depth+1)
	case name == "find":
		return executed(args)
	case strings.HasPrefix(name, "python"):
		if len(args) > 1 && args[0] == "-m" {
			return []simpleCommand{{words: args[1:]}}
		}
	}
	return nil
}

// executed returns the commands that find runs.
func executed(args []string) (all []simpleCommand) {
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-delete":
			all = append(all, simpleCommand{words: []string{"rm", args[0]}})
		case "-exec", "-execdir", "-ok", "-okdir":
			rest := args[i+1:]
			if end := slices.IndexFunc(rest, func(w string) bool { return w == ";" || w == "+" }); end >= 0 {
				rest = rest[:end]
			}
			all = append(all, simpleCommand{words: rest})
			i += len(rest)
		}
	}
	return all
}

// bare returns a command without what stands before it: keywords, assignments, and
// programs that run it.
func bare(words []string) []string {
	for len(words) > 0 {
		valued, wraps := wrappers[path.Base(words[0])]
		switch {
		case slices.Contains(keywords, words[0]), assigns(words[0]):
			words = words[1:]
		case wraps:
			words = behind(words[1:], strings.Fields(valued))
		default:
			return words
		}
	}
	return nil
}

// behind returns what follows the options of a wrapper.
func behind(words, valued []string) []string {
	skip := 0
	if slices.Contains(valued, "+") {
		skip = 1
	}
	for len(words) > 0 {
		switch w := words[0]; {
		case slices.Contains(valued, w):
			words = words[min(2, len(words)):]
		case strings.HasPrefix(w, "-"):
			words = words[1:]
		case skip > 0:
			skip, words = skip-1, words[1:]
		default:
			return words
		}
	}
	return nil
}

// assigns takes NAME=value.
func assigns(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && isName(name) && !strings.ContainsAny(name, "-.")
}
