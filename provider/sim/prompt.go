package sim

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/longrein/longrein"
)

// prompt is a request in the form that all wires share. Its byte slices point
// into the body.
type prompt struct {
	wire   longrein.Wire
	model  string
	key    string // the prompt cache's
	system []byte // JSON: a string, an array of parts, or nothing
	items  []item
	parts  []part // what the model reads, in the order it does

	stream    bool
	usage     bool // the chat wire's usage chunk was asked for
	thinks    bool // reasoning is wanted with its seal
	lastBreak bool // the messages wire's automatic cache breakpoint
	maxOutput int  // tokens, 0 for no limit
}

// part is a piece of the prompt as the cache sees it: a tool list, a message, or
// on the messages wire a content block. Its bytes are the pieces' in a row.
type part struct {
	pieces [3][]byte
	stop   bool // a cache breakpoint follows
}

// item is one thing in the request's input.
type item struct {
	kind    itemKind
	role    string // of what is said
	id      string // of the call, or of the reasoning item
	name    string // of the tool
	content []byte // JSON: a string or an array of parts
	seal    string // of reasoning: what proves that it comes back unchanged
	group   int    // number of the message it was part of
}

type itemKind int

const (
	itemOther itemKind = iota
	itemSaid
	itemCalled
	itemAnswered
	itemThought
	itemTrigger // asks for a compaction item
	itemForged  // a compaction item that was changed
)

// text decodes what an item says.
func (it item) text() string { return contentText(it.content) }

// contentText joins the texts in content: a string, or an array of parts with
// their text under "text". An object, as the arguments of a call can be, is its
// JSON.
func contentText(content []byte) string {
	switch kindOf(content) {
	case '{':
		return string(content)
	case '"':
		return str(content)
	}
	var texts []string
	elements(content, func(p []byte) {
		members(p, func(k string, v []byte) {
			switch k {
			case "text", "refusal":
				texts = append(texts, str(v))
			}
		})
	})
	return strings.Join(texts, "\n")
}

// readers has one entry for each wire. A reader is given valid JSON.
var readers = map[longrein.Wire]func([]byte) *prompt{
	longrein.WireResponses: readResponses,
	longrein.WireChat:      readChat,
	longrein.WireMessages:  readMessages,
}

// readPrompt reads a request's body, or says what a provider would say of it.
func readPrompt(wire longrein.Wire, body []byte) (*prompt, *problem) {
	read, ok := readers[wire]
	if !ok {
		return nil, badRequest("", "the simulated model does not speak the wire %q", wire)
	}
	if !valid(body) || kindOf(bytes.TrimLeft(body, " \t\r\n")) != '{' {
		return nil, badRequest("", "could not parse the JSON body of the request")
	}
	p := read(bytes.TrimLeft(body, " \t\r\n"))
	p.wire = wire
	if bad := p.check(); bad != nil {
		return nil, bad
	}
	return p, nil
}

// valid reports whether body is JSON. gjson is the fastest to say so, but recurses
// as deep as the body nests; a large one is left to the standard library.
func valid(body []byte) bool {
	const large = 1 << 20 // fixed: it is read in another way
	if len(body) > large {
		return json.Valid(body)
	}
	return gjson.ValidBytes(body)
}

// add appends the bytes of a value to what the model reads.
func (p *prompt) add(raw []byte) {
	if len(raw) > 0 {
		p.parts = append(p.parts, part{pieces: [3][]byte{raw}})
	}
}

func (q part) size() int { return len(q.pieces[0]) + len(q.pieces[1]) + len(q.pieces[2]) }

// tokens estimates the prompt: four bytes of its JSON are one token.
func (p *prompt) tokens() int {
	n := 0
	for _, q := range p.parts {
		n += q.size()
	}
	return tokens(n)
}

// bytesPerToken is the simulator's whole tokenizer. Four bytes of JSON are close
// to what real ones make of prose, and more than they make of dense code.
const bytesPerToken = 4

// tokens estimates n bytes, rounding up.
func tokens(n int) int { return (n + bytesPerToken - 1) / bytesPerToken }

// toCount decodes a JSON number that is a small count; anything else gives 0.
func toCount(b []byte) int {
	n := gjson.ParseBytes(b)
	if n.Type != gjson.Number || n.Num < 0 || n.Num > 1<<40 {
		return 0
	}
	return int(n.Num)
}

func isTrue(b []byte) bool { return string(b) == "true" }
