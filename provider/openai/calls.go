package openai

import (
	"encoding/json"

	"github.com/tidwall/gjson"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/stream"
)

// calls collects tool calls that come in pieces. Pieces belong together by
// their index, but some servers give every call the index 0, or none, or leave
// out ids, or repeat names.
type calls struct {
	all  []*call
	last map[int64]*call // by index, the call that its pieces go on with
}

type call struct{ id, name, args string }

// add takes in one element of tool_calls.
func (s *calls) add(piece gjson.Result) []longrein.ModelEvent {
	id, name := piece.Get("id").String(), piece.Get("function.name").String()
	args := asText(piece.Get("function.arguments"))
	c := s.last[s.index(piece)]
	begins := c == nil || c.endsBefore(id, name, args)
	if begins {
		c = &call{id: id}
		s.put(s.index(piece), c)
	}
	if c.id == "" {
		c.id = id
	}
	if name != c.name {
		c.name += name
	}
	c.args += args
	if !begins {
		return delta(longrein.DeltaCall, args)
	}
	return []longrein.ModelEvent{longrein.Delta{Kind: longrein.DeltaCall, Name: name, Text: args}}
}

func (s *calls) index(piece gjson.Result) int64 { return piece.Get("index").Int() }

func (s *calls) put(index int64, c *call) {
	if s.last == nil {
		s.last = map[int64]*call{}
	}
	s.last[index] = c
	s.all = append(s.all, c)
}

// endsBefore reports whether a piece with the same index is another call's. A
// call begins with its name, so a piece without one never is; then a new id
// tells, and without ids a name after arguments that are whole.
func (c *call) endsBefore(id, name, args string) bool {
	switch {
	case name == "":
		return false
	case id != "" && c.id != "":
		return id != c.id
	case name == c.name && args == "":
		return false // repeats the name
	}
	return json.Valid([]byte(c.args))
}

// done returns the calls, in the order in which they began.
func (s *calls) done() []longrein.ModelEvent {
	var out []longrein.ModelEvent
	for _, c := range s.all {
		out = append(out, stream.Call(c.id, c.name, c.args))
	}
	return out
}
