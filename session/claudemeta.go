package session

import (
	"cmp"
	"strings"

	"github.com/longrein/longrein"
)

func (c *claude) system(b *builder, o object) (string, error) {
	switch kind := o.get("subtype").Str; kind {
	case "compact_boundary":
		b.compact(Compaction{From: -1})
	case "microcompact_boundary":
		var ids []string
		o.get("microcompactMetadata").Get("compactedToolIds").ForEach(func(_, id value) bool {
			ids = append(ids, text(id))
			return true
		})
		b.add(Cleared{Calls: ids})
	default:
		return "system/" + kind, nil
	}
	return "", nil
}

// summary fills in the compaction that was just marked; old files have no mark.
func (c *claude) summary(b *builder, text string) {
	last := len(b.s.Moments) - 1
	if last >= 0 {
		if mark, ok := b.s.Moments[last].What.(Compaction); ok && mark.Summary == "" {
			mark.Summary = text
			b.s.Moments[last].What = mark
			return
		}
	}
	b.compact(Compaction{Summary: text, From: -1})
}

// attached takes what was put into the request beside messages. A prompt that was
// typed during the turn is among them.
func (c *claude) attached(b *builder, o object) (string, error) {
	a := o.get("attachment")
	kind := a.Get("type").Str
	if kind == "queued_command" {
		said := b.flat(a.Get("prompt"))
		c.unqueue(b, said)
		b.input(said, true)
		return "", nil
	}
	said := b.flat(o.get("rendered"))
	if said == "" && kind == "hook_additional_context" {
		said = b.flat(a.Get("content"))
	}
	if said == "" {
		return "attachment/" + kind, nil
	}
	tag := longrein.Tag(reminder)
	if strings.HasPrefix(kind, "hook_") {
		tag = TagHook
	}
	if f, ok := fragment(said); ok {
		tag, said = f.Tag, f.Text
	}
	b.insert(longrein.Fragment{Tag: tag, Text: said})
	return "", nil
}

// queue takes what became of prompts that were typed during a turn. Some versions
// record the words nowhere else: then they are taken from here.
func (c *claude) queue(b *builder, o object) string {
	op := cmp.Or(o.get("operation").Str, "unnamed")
	switch said := o.str("content"); {
	case op == "enqueue" && said != "":
		if _, inserted := fragment(said); inserted {
			break
		}
		b.add(Input{Text: said, Steer: b.turn})
		b.turn = true
		c.queued[said] = len(b.s.Moments) - 1
		return ""
	case op == "popAll" || op == "clear":
		for said := range c.queued {
			c.unqueue(b, said)
		}
	}
	return "queue-operation/" + op
}

// unqueue forgets a queued prompt: its words come where the model saw them.
func (c *claude) unqueue(b *builder, said string) {
	i, ok := c.queued[said]
	if !ok || b != c.main {
		return
	}
	delete(c.queued, said)
	b.s.Moments[i].What = nil // finish leaves it out
}
