package stream

import (
	"cmp"
	"crypto/rand"
	"strings"

	"github.com/longrein/longrein"
)

// Call returns a call as the log wants it: with an id, made up where the server
// gave none, and with arguments. Ids that a server gives out twice are the turn
// loop's to tell apart, which knows the whole window.
func Call(id, name, args string) longrein.ItemDone {
	if strings.TrimSpace(args) == "" {
		args = "{}"
	}
	return longrein.ItemDone{Item: longrein.ToolCall{ID: cmp.Or(id, NewID("call_")), Name: name, Args: args}}
}

// NewID returns an id that no other call has, with prefix before it.
func NewID(prefix string) string { return prefix + strings.ToLower(rand.Text()) }
