package main

import (
	"github.com/longrein/longrein"
)

// secretless returns a record of an import with its texts redacted. What ties
// records together, and what a provider made for itself, stays as it is.
func secretless(b longrein.Body, redact func(string) string) longrein.Body {
	switch b := b.(type) {
	case longrein.Input:
		b.Text = redact(b.Text)
		return b
	case longrein.Appended:
		b.Item = secretlessItem(b.Item, redact)
		return b
	case longrein.Window:
		b.Settings.Base = redact(b.Settings.Base)
		for i := range b.Head { // its own: no other window has the list
			b.Head[i].Item = secretlessItem(b.Head[i].Item, redact)
		}
		return b
	case longrein.Settings:
		b.Base = redact(b.Base)
		return b
	case longrein.ImportedLine:
		b.Text = redact(b.Text)
		if len(b.Bytes) > 0 {
			b.Bytes = []byte(redact(string(b.Bytes)))
		}
		return b
	case longrein.Renamed:
		b.Name = redact(b.Name)
		return b
	case longrein.Turn:
		if b.Error != nil {
			b.Error = &longrein.TurnError{Kind: b.Error.Kind, Text: redact(b.Error.Text)}
		}
		return b
	}
	return b
}

func secretlessItem(it longrein.Item, redact func(string) string) longrein.Item {
	switch it := it.(type) {
	case longrein.Message:
		it.Text = redact(it.Text)
		return it
	case longrein.Reasoning:
		it.Text = redact(it.Text)
		return it
	case longrein.ToolCall:
		it.Args = redact(it.Args)
		return it
	case longrein.ToolOutput:
		it.Text = redact(it.Text)
		return it
	case longrein.Fragment:
		it.Text = redact(it.Text)
		return it
	}
	return it
}
