package shell

import (
	"slices"
	"strings"
)

// use is how a program names the files that it reads or changes.
type use struct {
	valued string // options of one letter that take a value
	skip   int    // arguments before the files, such as a pattern
	// instead are options that give what is skipped, so that all arguments are
	// files.
	instead string
	changes string // "", or the options of which one makes the files change; "*" without any
}

// uses are the programs whose arguments name files.
var uses = map[string]use{
	"cat": {}, "nl": {valued: "bdfhilnsvw"}, "tac": {}, "wc": {}, "head": {valued: "cn"}, "tail": {valued: "cns"},
	"sha256sum": {}, "md5sum": {},
	"grep": {valued: "ABCDdefm", skip: 1, instead: "ef"}, "egrep": {valued: "ABCDdefm", skip: 1, instead: "ef"},
	"fgrep": {valued: "ABCDdefm", skip: 1, instead: "ef"}, "jq": {valued: "Lf", skip: 1, instead: "f"},
	"sed": {valued: "efl", skip: 1, instead: "ef", changes: "i"}, "tee": {changes: "*"},
}

// files returns the files among a program's arguments. Long options may take a
// value in a word of its own, so with one that shows none nothing is certain.
func (u use) files(args []string) (read, changed []string) {
	var names []string
	skip, changes := u.skip, u.changes == "*"
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			names, i = append(names, args[i+1:]...), len(args)
		case strings.HasPrefix(arg, "--"):
			if !strings.Contains(arg, "=") {
				return nil, nil
			}
		case len(arg) > 1 && arg[0] == '-':
			flags, open := u.options(arg[1:])
			if open {
				i++
			}
			if strings.ContainsAny(flags, u.instead) {
				skip = 0
			}
			changes = changes || u.changes != "" && strings.ContainsAny(flags, u.changes)
		default:
			names = append(names, arg)
		}
	}
	names = slices.DeleteFunc(names[min(skip, len(names)):], func(n string) bool { return n == "-" })
	if changes {
		return nil, names
	}
	return names, nil
}

// options returns the options in a word up to the first that takes a value, and
// whether that value is the next word.
func (u use) options(word string) (flags string, open bool) {
	i := strings.IndexAny(word, u.valued)
	if i < 0 || u.valued == "" {
		return word, false
	}
	return word[:i+1], i == len(word)-1
}
