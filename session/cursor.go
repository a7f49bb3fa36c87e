package session

import (
	"github.com/longrein/longrein"
)

// cursor reads Cursor CLI's lines: bare messages with content like Claude's.
type cursor struct{ *pi }

func (c *cursor) take(_ string, v value) (string, error) {
	o := c.object(v)
	m := c.object(o.get("message"))
	c.node = -1
	switch role := o.get("role").Str; {
	case role == "user":
		return "", c.user(m.get("content"))
	case role == "assistant":
		c.assistant(m, m.get("content"))
		return "", nil
	case o.get("type").Str == "turn_ended":
		c.end(longrein.TurnEnded, nil)
		return "", nil
	case role != "":
		return "message/" + role, nil
	}
	return named(o.get("type").Str), nil
}
