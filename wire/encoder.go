package wire

import (
	"fmt"

	"github.com/longrein/longrein"
)

// Head is everything of a request besides its entries. It stays the same for a
// whole window.
type Head struct {
	Settings longrein.Settings
	Base     string // base instructions, may be empty
	Thread   string // the thread's id, the cache key where a wire has one
}

// Encoder writes requests of one wire. Every method appends to dst and returns
// the longer slice; the same arguments give the same bytes. Safe for concurrent
// use.
type Encoder interface {
	// Open appends the body up to where the first entry goes. It ends in '[',
	// unless the wire keeps the base instructions in the list itself.
	Open(dst []byte, h Head) []byte
	// Group appends one group as [Groups] yields them, without a comma before
	// it. It appends nothing when the wire can carry nothing of the group, such
	// as another model's reasoning.
	Group(dst []byte, h Head, g []longrein.Entry) []byte
	// Mark appends a group that Group wrote, with a cache breakpoint on its last
	// block; on a wire without breakpoints, the group as it is. A request may
	// hold two marked groups.
	Mark(dst, group []byte) []byte
	// Close ends the list and the body.
	Close(dst []byte, h Head) []byte
}

// For returns the encoder of w.
func For(w longrein.Wire) (Encoder, error) {
	switch w {
	case longrein.WireResponses:
		return responses{}, nil
	case longrein.WireChat:
		return chat{}, nil
	case longrein.WireMessages:
		return messages{}, nil
	}
	return nil, fmt.Errorf("there is no wire %q; it is responses, chat or messages", w)
}

// SumUp is the item that makes a server sum up all that stands before it; false
// where it does not know such a thing. It answers with an [longrein.Opaque].
func SumUp(s longrein.Settings) (longrein.Opaque, bool) {
	return longrein.Opaque{
		Wire: longrein.WireResponses, Model: s.Model, Raw: []byte(`{"type":"compaction_trigger"}`),
	}, s.Dialect.SumsUp && s.Wire == longrein.WireResponses
}

// unreadable stands for what only another model, or another wire, can read.
func unreadable(o longrein.Opaque) longrein.Fragment {
	return longrein.Fragment{Tag: longrein.TagCompacted, Role: longrein.RoleUser, Text: fmt.Sprintf(
		"Earlier work was summed up here in a form that only %s can read, and you are another model. Go by the user's messages and by what the harness kept, and look at files again where you need more.", o.Model)}
}

// sendable reports whether r may go out on wire w: a model's own reasoning goes
// back to it, byte for byte, and to no other.
func sendable(r longrein.Reasoning, w longrein.Wire, h Head) bool {
	return r.Wire == w && r.Model == h.Settings.Model
}
