package anthropic

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/stream"
)

// block is a content block that is still growing.
type block struct {
	kind      string
	start     gjson.Result // as it began
	text      strings.Builder
	signature strings.Builder
}

func newBlock(start gjson.Result) *block {
	b := &block{kind: start.Get("type").String(), start: start}
	b.text.WriteString(start.Get("text").String() + start.Get("thinking").String())
	b.signature.WriteString(start.Get("signature").String())
	return b
}

// begin tells of a block that began.
func (b *block) begin() []longrein.ModelEvent {
	if b.kind == "tool_use" {
		return []longrein.ModelEvent{longrein.Delta{Kind: longrein.DeltaCall, Name: b.start.Get("name").String()}}
	}
	return b.shown(b.text.String())
}

func (b *block) add(d gjson.Result) []longrein.ModelEvent {
	if d.Get("type").String() == "signature_delta" {
		b.signature.WriteString(d.Get("signature").String())
		return nil
	}
	piece := d.Get("text").String() + d.Get("thinking").String() + d.Get("partial_json").String()
	b.text.WriteString(piece)
	return b.shown(piece)
}

var deltaKinds = map[string]longrein.DeltaKind{
	"text": longrein.DeltaText, "thinking": longrein.DeltaReasoning, "tool_use": longrein.DeltaCall,
}

// shown is a piece of the block for a screen.
func (b *block) shown(piece string) []longrein.ModelEvent {
	kind, ok := deltaKinds[b.kind]
	if piece == "" || !ok {
		return nil
	}
	return []longrein.ModelEvent{longrein.Delta{Kind: kind, Text: piece}}
}

// item is what the whole block comes to, nothing for kinds that are not asked
// for. Model is the one that may be sent the reasoning again.
func (b *block) item(model string) []longrein.ModelEvent {
	text := b.text.String()
	switch b.kind {
	case "text":
		if text != "" {
			return one(longrein.Message{Role: longrein.RoleAssistant, Text: text})
		}
	case "thinking":
		return one(longrein.Reasoning{Text: text, Wire: longrein.WireMessages, Model: model, Raw: b.thinking()})
	case "redacted_thinking":
		return one(longrein.Reasoning{Wire: longrein.WireMessages, Model: model, Raw: compact(b.start.Raw)})
	case "tool_use":
		if input := b.start.Get("input"); text == "" && input.IsObject() { // whole at once
			text = string(compact(input.Raw))
		}
		return []longrein.ModelEvent{stream.Call(b.start.Get("id").String(), b.start.Get("name").String(), text)}
	}
	return nil
}

func one(it longrein.Item) []longrein.ModelEvent {
	return []longrein.ModelEvent{longrein.ItemDone{Item: it}}
}

// thinking is the block as the wire wants it back.
func (b *block) thinking() json.RawMessage {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		Type      string `json:"type"`
		Thinking  string `json:"thinking"`
		Signature string `json:"signature"`
	}{b.kind, b.text.String(), b.signature.String()})
	if err != nil {
		return nil // strings always encode
	}
	return bytes.TrimSpace(out.Bytes())
}

func compact(raw string) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, []byte(raw)) != nil {
		return nil
	}
	return b.Bytes()
}
