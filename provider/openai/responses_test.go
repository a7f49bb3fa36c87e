package openai

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider"
)

func doneItem(item string) string {
	return `{"type":"response.output_item.done","output_index":0,"item":` + item + `}`
}

const (
	completed = `{"type":"response.completed","response":{"model":"m-1","output":[]}}`
	aMessage  = `{"type":"message","content":[{"type":"output_text","text":"ok"}]}`
	aCall     = `{"type":"function_call","call_id":"c","name":"f","arguments":""}`
)

func newResponsesReader() *responses {
	return newResponses(provider.Endpoint{}, longrein.Request{Model: "m"}).(*responses)
}

func TestResponsesEnds(t *testing.T) {
	incomplete := func(why string) string {
		return `{"type":"response.incomplete","response":{"incomplete_details":{"reason":"` + why + `"}}}`
	}
	for name, c := range map[string]struct {
		events []string
		want   longrein.Stop
	}{
		"completed":                         {[]string{doneItem(aMessage), completed}, longrein.StopEnd},
		"completed with calls":              {[]string{doneItem(aCall), completed}, longrein.StopTools},
		"the output limit":                  {[]string{incomplete("max_output_tokens")}, longrein.StopMaxOutput},
		"a filter":                          {[]string{incomplete("content_filter")}, longrein.StopRefused},
		"a refusal":                         {[]string{doneItem(`{"type":"message","content":[{"type":"refusal","refusal":"no"}]}`), completed}, longrein.StopRefused},
		"end_turn false":                    {[]string{`{"type":"response.completed","response":{"end_turn":false}}`}, longrein.StopPaused},
		"end_turn false, with calls":        {[]string{doneItem(aCall), `{"type":"response.completed","response":{"end_turn":false}}`}, longrein.StopTools},
		"end_turn true":                     {[]string{`{"type":"response.completed","response":{"end_turn":true}}`}, longrein.StopEnd},
		"no completed event":                {[]string{doneItem(aMessage)}, ""},
		"calls in the completed event only": {[]string{`{"type":"response.completed","response":{"output":[` + aCall + `]}}`}, longrein.StopTools},
	} {
		t.Run(name, func(t *testing.T) {
			if _, end := itemsOf(read(t, newResponsesReader(), true, c.events...)); end.Stop != c.want {
				t.Errorf("it stopped for %q, want %q", end.Stop, c.want)
			}
		})
	}
}

func TestResponsesItems(t *testing.T) {
	message := longrein.Message{Role: longrein.RoleAssistant, Text: "ok"}
	for name, c := range map[string]struct {
		events []string
		want   []longrein.Item
	}{
		"a context that was summed up": {
			[]string{doneItem(`{"type": "compaction", "id": "cmp_1", "encrypted_content": "x"}`), completed},
			[]longrein.Item{longrein.Opaque{Wire: longrein.WireResponses, Model: "m", Raw: []byte(`{"type":"compaction","id":"cmp_1","encrypted_content":"x"}`)}},
		},
		"done events are missing": {
			[]string{`{"type":"response.completed","response":{"output":[` + aMessage + `,` + aCall + `]}}`},
			[]longrein.Item{message, longrein.ToolCall{ID: "c", Name: "f", Args: "{}"}},
		},
		"one done event is missing": {
			[]string{doneItem(aMessage), `{"type":"response.completed","response":{"output":[` + aMessage + `,` + aCall + `]}}`},
			[]longrein.Item{message, longrein.ToolCall{ID: "c", Name: "f", Args: "{}"}},
		},
		"encrypted reasoning is kept, compact": {
			[]string{doneItem("{\"type\": \"reasoning\",\n \"id\": \"rs\", \"encrypted_content\": \"x<y\", \"summary\": []}")},
			[]longrein.Item{longrein.Reasoning{Wire: longrein.WireResponses, Model: "m", Raw: []byte(`{"type":"reasoning","id":"rs","encrypted_content":"x<y","summary":[]}`)}},
		},
		"reasoning text of a local server": {
			[]string{doneItem(`{"type":"reasoning","content":[{"type":"reasoning_text","text":"hm"}],"summary":[]}`)},
			[]longrein.Item{longrein.Reasoning{Text: "hm", Wire: longrein.WireResponses, Model: "m", Raw: []byte(`{"type":"reasoning","content":[{"type":"reasoning_text","text":"hm"}],"summary":[]}`)}},
		},
		"a summary without content cannot be sent back": {
			[]string{doneItem(`{"type":"reasoning","id":"rs","summary":[{"text":"a"},{"text":"b"}],"encrypted_content":null}`)},
			[]longrein.Item{longrein.Reasoning{Text: "a\n\nb", Wire: longrein.WireResponses, Model: "m"}},
		},
		"reasoning with nothing in it": {[]string{doneItem(`{"type":"reasoning","id":"rs","summary":[]}`)}, nil},
		"an empty message":             {[]string{doneItem(`{"type":"message","content":[]}`)}, nil},
		"an item of another kind":      {[]string{doneItem(`{"type":"web_search_call","id":"ws"}`)}, nil},
		"an item id for a call id":     {[]string{doneItem(`{"type":"function_call","id":"fc","name":"f","arguments":"{}"}`)}, []longrein.Item{longrein.ToolCall{ID: "fc", Name: "f", Args: "{}"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := itemsOf(read(t, newResponsesReader(), true, c.events...))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("items (-want +got):\n%s", diff)
			}
		})
	}
}
