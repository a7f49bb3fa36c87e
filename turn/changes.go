package turn

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/longrein/longrein"
)

// sent leaves of settings what a request is made of. The model is told of the rest
// by a developer message, for which no new window is needed.
func sent(s longrein.Settings) longrein.Settings {
	s.Sandbox, s.Approval = "", ""
	return s
}

// changes names the settings that differ, with both values where they are short.
func changes(a, b longrein.Settings) string {
	var out []string
	pair := func(name string, from, to any) {
		if from != to {
			out = append(out, fmt.Sprintf("%s %s -> %s", name, named(from), named(to)))
		}
	}
	pair("provider", a.Provider, b.Provider)
	pair("model", a.Model, b.Model)
	pair("wire", a.Wire, b.Wire)
	pair("context window", a.ContextWindow, b.ContextWindow)
	pair("max output", a.MaxOutput, b.MaxOutput)
	pair("effort", a.Effort, b.Effort)
	pair("strategy", a.Strategy, b.Strategy)
	pair("sandbox", a.Sandbox, b.Sandbox)
	pair("approval", a.Approval, b.Approval)
	if a.Base != b.Base {
		out = append(out, "base instructions")
	}
	if !reflect.DeepEqual(a.Tools, b.Tools) {
		out = append(out, "tools")
	}
	if len(out) == 0 {
		return "what is known of the model or its server"
	}
	return strings.Join(out, ", ")
}

// named is a value as a person reads it.
func named(v any) string {
	if reflect.ValueOf(v).IsZero() {
		return "none"
	}
	return fmt.Sprint(v)
}
