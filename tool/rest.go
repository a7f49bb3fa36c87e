package tool

import (
	"context"
	"encoding/hex"
	"fmt"
	"unicode/utf8"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/tool/output"
)

// rest reads from a stored output.
func (s *Set) rest(a *args) job {
	id, offset, count := a.need("id"), a.number("offset"), a.number("limit")
	if b, err := hex.DecodeString(id); id != "" && (err != nil || len(b) != 32) {
		a.fail("%q must be the 64 hexadecimal digits that the cut output gives", "id")
	}
	return job{true, func(_ context.Context, call longrein.ToolCall) longrein.ToolResult {
		if s.o.Blobs == nil {
			return failed(call, "no outputs are kept here")
		}
		room := s.o.Limits.Of(limit.ToolOutput) - headRoom
		if count <= 0 || count > room {
			count = room
		}
		count = max(count, utf8.UTFMax) // so that reading on always gets on
		// One byte more tells whether this is the end.
		b, err := s.o.Blobs.ReadBlob(id, offset, count+1)
		if err != nil {
			return failed(call, "cannot read output %s: %v", id, err)
		}
		return result(call, longrein.OutputOK, part(b, offset, int(count), int(room)))
	}}
}

// part shows up to count bytes of b, which is at offset, in at most room bytes.
func part(b []byte, offset int64, count, room int) string {
	if len(b) == 0 {
		return fmt.Sprintf("(the output ends before byte %d)", offset)
	}
	skip := broken(b)
	text := b[skip:min(len(b), count)]
	more := len(b) > count
	shown := ""
	if output.Binary(text) {
		n := min(len(text), room/4) // a byte takes up to four when it is escaped
		more, text = more || n < len(text), text[:n]
		shown = output.Escaped(text, n)
	} else {
		n := output.Prefix(text, room)
		if more {
			n = whole(text[:n])
		}
		more, text = more || n < len(text), text[:n]
		shown = output.Clean(text)
	}
	from, to := offset+int64(skip), offset+int64(skip+len(text))
	if more {
		return fmt.Sprintf("[bytes %d-%d; read on with offset %d]\n%s", from, to, to, shown)
	}
	return fmt.Sprintf("[bytes %d-%d, the end]\n%s", from, to, shown)
}

// broken returns how many bytes at the start belong to a character before it.
func broken(b []byte) int {
	n := 0
	for n < len(b) && n < utf8.UTFMax-1 && !utf8.RuneStart(b[n]) {
		n++
	}
	return n
}

// whole returns the length of b without a character that is cut at its end.
func whole(b []byte) int {
	for n := 1; n < utf8.UTFMax && n < len(b); n++ {
		if at := len(b) - n; utf8.RuneStart(b[at]) {
			if !utf8.FullRune(b[at:]) {
				return at
			}
			break
		}
	}
	return len(b)
}
