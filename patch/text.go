package patch

import "strings"

const byteOrderMark = "\ufeff"

// text is a file's content as lines that remember how they ended.
type text struct {
	mark  bool // starts with a byte order mark
	lines []textLine
	end   string // line end for lines that are inserted
	final bool   // the last line has an end
}

type textLine struct{ s, end string }

func newText(content string) text {
	t := text{end: "\n", final: true}
	content, t.mark = strings.CutPrefix(content, byteOrderMark)
	crlf, ends := 0, 0
	for content != "" {
		s, rest, ended := strings.Cut(content, "\n")
		l := textLine{s: s}
		if ended {
			l.end = "\n"
			ends++
			if cut, ok := strings.CutSuffix(s, "\r"); ok {
				l = textLine{cut, "\r\n"}
				crlf++
			}
		}
		t.lines = append(t.lines, l)
		t.final = ended
		content = rest
	}
	if crlf*2 > ends {
		t.end = "\r\n"
	}
	return t
}

// String is the content. What was read and not changed comes back byte for byte.
func (t text) String() string {
	var b strings.Builder
	if t.mark {
		b.WriteString(byteOrderMark)
	}
	for i, l := range t.lines {
		b.WriteString(l.s)
		switch last := i == len(t.lines)-1; {
		case last && !t.final:
		case l.end == "":
			b.WriteString(t.end)
		default:
			b.WriteString(l.end)
		}
	}
	return b.String()
}
