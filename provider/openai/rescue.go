package openai

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/stream"
)

const callOpen, callClose = "<tool_call>", "</tool_call>"

// rescue finds tool calls that a model wrote as text, because its server did
// not know its template: between tool_call tags, or as nothing but one JSON
// object. A call counts only if it names a tool of the request. Its id says in
// the log that it was rescued. Text is returned without the calls.
func rescue(request []byte, text, thought string) ([]longrein.ModelEvent, string) {
	if !strings.Contains(text, "{") && !strings.Contains(thought, callOpen) {
		return nil, text
	}
	known := toolNames(request)
	if found, rest := tagged(known, text); len(found) > 0 {
		return found, rest
	}
	if found := written(known, unfenced(text)); found != nil {
		return []longrein.ModelEvent{found}, ""
	}
	if strings.TrimSpace(text) == "" {
		found, _ := tagged(known, thought)
		return found, text
	}
	return nil, text
}

func toolNames(request []byte) []string {
	var names []string
	for _, n := range gjson.GetBytes(request, "tools.#.function.name").Array() {
		names = append(names, n.String())
	}
	return names
}

// tagged takes the calls out of text that stand between tags.
func tagged(known []string, text string) (found []longrein.ModelEvent, rest string) {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(text, callOpen)
		inside, behind, _ := strings.Cut(after, callClose) // the last one may be left open
		call := written(known, inside)
		if !ok || call == nil {
			b.WriteString(text)
			return found, strings.TrimSpace(b.String())
		}
		found = append(found, call)
		b.WriteString(before)
		text = behind
	}
}

// written reads a call that was written as JSON, nil if it is none.
func written(known []string, text string) longrein.ModelEvent {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") || !gjson.Valid(text) {
		return nil
	}
	obj := gjson.Parse(text)
	if f := obj.Get("function"); f.IsObject() {
		obj = f
	}
	name := obj.Get("name").String()
	if !slices.Contains(known, name) {
		return nil
	}
	for _, field := range []string{"arguments", "parameters"} {
		if args := obj.Get(field); args.Exists() {
			return stream.Call(stream.NewID("rescued_"), name, asText(args))
		}
	}
	return nil
}

// unfenced is text without the code fence around the whole of it.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	inner, ok := strings.CutPrefix(text, "```")
	if !ok || !strings.HasSuffix(inner, "```") {
		return text
	}
	_, inner, _ = strings.Cut(strings.TrimSuffix(inner, "```"), "\n")
	return inner
}
