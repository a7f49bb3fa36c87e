package output

import (
	"bytes"
	"fmt"
	"strings"
)

// View is what is shown of a capture.
type View struct {
	Text   string // valid UTF-8; "" when nothing was printed
	Binary bool   // Text only describes the content
	Bytes  int64  // left out of Text
	Lines  int64  // line ends among them
	Offset int64  // where the first byte that was left out stands
}

// View returns the output within budget bytes, at most Shown: as a whole, or its
// head and tail around a note that counts what is between and lists the lines
// there that look like errors. Binary output is described instead.
func (c *Capture) View(budget int) View {
	budget = min(budget, c.o.Shown)
	if Binary(c.head) {
		return c.binary(budget)
	}
	if whole, ok := c.whole(); ok && Prefix(whole, budget) == len(whole) {
		return View{Text: Clean(whole)}
	}
	return c.cut(budget)
}

// whole returns the output if memory holds all of it.
func (c *Capture) whole() ([]byte, bool) {
	if c.total != int64(len(c.head)+len(c.tail)) {
		return nil, false
	}
	return append(bytes.Clone(c.head), c.tail...), true
}

func (c *Capture) binary(budget int) View {
	start := Escaped(c.head, budget/64)
	return View{
		Text:   fmt.Sprintf("[binary output, %d bytes, starts with %s]", c.total, start),
		Binary: true, Bytes: c.total, Lines: c.lines,
	}
}

func (c *Capture) cut(budget int) View {
	room := budget - budget/4 // a quarter is for the note
	end := Prefix(c.head, room/2)
	rest := c.tail
	if whole, ok := c.whole(); ok {
		rest = whole[end:]
	}
	tail := rest[Suffix(rest, room/2):]
	v := View{Offset: int64(end), Bytes: c.total - int64(end) - int64(len(tail))}
	v.Lines = c.lines - count(c.head[:end]) - count(tail)
	v.Text = Clean(c.head[:end]) + c.note(v, end, budget/4) + Clean(tail)
	return v
}

// note stands where the middle was, on lines of its own, in at most budget bytes.
func (c *Capture) note(v View, end, budget int) string {
	var b strings.Builder
	if end > 0 && c.head[end-1] != '\n' {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "[%d lines, %s left out here]\n", v.Lines, Size(v.Bytes))
	listed := 0
	for _, l := range c.errors.found {
		line := fmt.Sprintf("[line %d] %s\n", l.Number, l.Text)
		if l.Offset < v.Offset || l.Offset >= v.Offset+v.Bytes {
			continue
		}
		if listed == c.o.ErrorLines || b.Len()+len(line) > budget {
			break
		}
		b.WriteString(line)
		listed++
	}
	return b.String()
}

func count(b []byte) int64 { return int64(bytes.Count(b, []byte{'\n'})) }
