package local

import (
	"fmt"
	"strings"
)

// shownModels is how many of a server's models a text names.
const shownModels = 5

// Text says in a few lines what was found, with a warning for each first model
// whose window is a guess. With nothing found it is empty.
func Text(found []Found) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%s at %s: %s\n", f.Kind, f.BaseURL, f.names())
		if len(f.Models) > 0 {
			if w := f.Warning(f.Models[0]); w != "" {
				fmt.Fprintf(&b, "  %s\n", w)
			}
		}
	}
	return b.String()
}

func (f Found) names() string {
	if len(f.Models) == 0 {
		return "no models"
	}
	var names []string
	for _, m := range f.Models[:min(shownModels, len(f.Models))] {
		names = append(names, m.String())
	}
	if more := len(f.Models) - shownModels; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// String names the model, its window and what is wrong with it.
func (m Model) String() string {
	notes := fmt.Sprintf("%d tokens", m.ContextWindow)
	if m.Assumed {
		notes += " assumed"
	}
	if m.NoTools {
		notes += ", cannot call tools"
	}
	return m.ID + " (" + notes + ")"
}

// Warning says what a user should know before working with m, and what to do
// about it; "" for nothing.
func (f Found) Warning(m Model) string {
	switch {
	case m.NoTools:
		return fmt.Sprintf("%s cannot call tools, so it can only talk; choose another model", m.ID)
	case !m.Assumed:
		return ""
	}
	try := "set context_window for it in the settings"
	switch f.Kind {
	case Ollama:
		try = "start it with OLLAMA_CONTEXT_LENGTH=65536 ollama serve, or " + try + " if you already give it more"
	case LMStudio:
		try = "load it there with the context that you want, or " + try
	}
	return fmt.Sprintf("%s does not say how long the context window of %s is, %d tokens are assumed, which is little for an agent; %s", f.Kind, m.ID, m.ContextWindow, try)
}
