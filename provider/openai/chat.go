package openai

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/provider/stream"
)

// chat reads the chunks of a Chat Completions answer, as its many servers write
// them. The items are whole only at the end of the stream.
type chat struct {
	ep      provider.Endpoint
	request longrein.Request
	think   thinkTags
	text    strings.Builder
	thought strings.Builder
	calls   calls
	usage   longrein.Usage
	model   string // that answers
	reason  string // why it finished
	begun   bool   // a choice came
	refused bool
}

func newChat(ep provider.Endpoint, r longrein.Request) stream.Reader {
	return &chat{ep: ep, request: r}
}

func (c *chat) Event(ev gjson.Result) ([]longrein.ModelEvent, error) {
	if e := ev.Get("error"); e.Exists() && e.Type != gjson.Null {
		return nil, failed(c.ep, ev)
	}
	if m := ev.Get("model").String(); m != "" {
		c.model = m
	}
	if u, ok := chatUsage(ev); ok {
		c.usage = u
	}
	choice := ev.Get("choices.0")
	if !choice.Exists() {
		return nil, nil
	}
	c.begun = true
	if r := choice.Get("finish_reason").String(); r != "" {
		c.reason = r
	}
	piece := choice.Get("delta")
	if !piece.Exists() {
		piece = choice.Get("message") // a server that does not stream with tools
	}
	return c.piece(piece), nil
}

// piece takes in one delta.
func (c *chat) piece(p gjson.Result) []longrein.ModelEvent {
	thought, text := reasoningOf(p), ""
	if content := p.Get("content"); content.IsArray() { // Mistral
		for _, part := range content.Array() {
			text += part.Get("text").String()
			for _, t := range part.Get("thinking").Array() {
				thought += t.Get("text").String()
			}
		}
	} else {
		text = content.String()
	}
	if refusal := p.Get("refusal").String(); refusal != "" {
		c.refused = true
		text += refusal
	}
	out := c.say(thought, text)
	for _, call := range p.Get("tool_calls").Array() {
		out = append(out, c.calls.add(call)...)
	}
	return out
}

// say takes in text, from which think tags part what is reasoning.
func (c *chat) say(thought, text string) []longrein.ModelEvent {
	tagged, text := c.think.split(text)
	thought += tagged
	c.thought.WriteString(thought)
	c.text.WriteString(text)
	return append(delta(longrein.DeltaReasoning, thought), delta(longrein.DeltaText, text)...)
}

// reasoningOf finds reasoning in the field that this server has for it.
func reasoningOf(p gjson.Result) string {
	for _, name := range []string{"reasoning_content", "reasoning", "thinking"} {
		if v := p.Get(name); v.Type == gjson.String && v.String() != "" {
			return v.String()
		}
	}
	return ""
}

// End puts the items together. Any finish reason or [DONE] makes the response
// whole; whether it calls tools is seen by its calls alone.
func (c *chat) End(done bool) []longrein.ModelEvent {
	if c.reason == "" && !(done && c.begun) {
		return nil
	}
	held, rest := c.think.end()
	c.thought.WriteString(held)
	c.text.WriteString(rest)
	native, text := c.calls.done(), c.text.String()
	if len(native) == 0 {
		native, text = rescue(c.request.Body, text, c.thought.String())
	}
	var out []longrein.ModelEvent
	if t := strings.TrimSpace(c.thought.String()); t != "" {
		out = append(out, longrein.ItemDone{Item: longrein.Reasoning{Text: t, Wire: longrein.WireChat, Model: c.request.Model}})
	}
	out = append(out, said(text)...)
	out = append(out, native...)
	return append(out, longrein.Finished{Usage: c.usage, Model: c.model, Stop: c.stop(len(native) > 0)})
}

func (c *chat) stop(calls bool) longrein.Stop {
	switch {
	case c.reason == "length":
		return longrein.StopMaxOutput
	case calls:
		return longrein.StopTools
	case c.reason == "content_filter", c.refused:
		return longrein.StopRefused
	}
	return longrein.StopEnd
}
