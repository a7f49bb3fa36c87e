package check

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/compare"
)

// request is a request of the worker's or of a fork's, as judges see it.
type request struct {
	compare.Moment      // a fork's has the point of the worker's request before it
	began          bool // it is the worker's first one of its window
	// fresh are the entries that no request of the window had before; all of them
	// in a fork's.
	fresh []longrein.Entry
	fixed []seen // what every request says before its entries
}

func (r request) worker() bool { return r.Fork == "" }

// seen is a text that the model sees, and what it is.
type seen struct{ what, text string }

// texts yields what is new in the request; in a window's first one all of it.
func (r request) texts(yield func(seen) bool) {
	if r.began || !r.worker() {
		for _, s := range r.fixed {
			if !yield(s) {
				return
			}
		}
	}
	for _, e := range r.fresh {
		if s := shown(e.Item); s.text != "" && !yield(s) {
			return
		}
		if c, ok := e.Item.(longrein.ToolCall); ok {
			if text := values(c.Args); text != "" && !yield(seen{"a call of " + c.Name, text}) {
				return
			}
		}
	}
}

func shown(it longrein.Item) seen {
	switch it := it.(type) {
	case longrein.Message:
		if it.Role == longrein.RoleAssistant {
			return seen{"what the model said", it.Text}
		}
		return seen{"what the user said", it.Text}
	case longrein.Reasoning:
		return seen{"the model's reasoning", it.Text}
	case longrein.ToolCall:
		return seen{"a call of " + it.Name, it.Args}
	case longrein.ToolOutput:
		return seen{"the output of a call", it.Text}
	case longrein.Fragment:
		return seen{"the fragment <" + string(it.Tag) + ">", it.Text}
	}
	return seen{}
}

// values are the texts in a call's arguments, without JSON's escapes.
func values(args string) string {
	if !strings.Contains(args, `\`) {
		return "" // they stand there as they are
	}
	var v any
	if json.Unmarshal([]byte(args), &v) != nil {
		return ""
	}
	return strings.Join(leaves(nil, v), "\n")
}

func leaves(to []string, v any) []string {
	switch v := v.(type) {
	case string:
		return append(to, v)
	case []any:
		for _, one := range v {
			to = leaves(to, one)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			to = leaves(to, v[key])
		}
	}
	return to
}

// fixed is what every request of a replay says before its entries.
func fixed(s *compare.Session) []seen {
	all := []seen{{"the base instructions", cmp.Or(s.Settings.Base, s.Thread.Base)}}
	for _, t := range s.Settings.Tools {
		all = append(all, seen{"the description of the tool " + t.Name, t.Description})
	}
	return all
}

// normal is a text with every run of white space as one blank.
func normal(text string) string { return strings.Join(strings.Fields(text), " ") }
