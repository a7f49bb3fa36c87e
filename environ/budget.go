package environ

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/longrein/longrein/limit"
)

// budget is the room that a limit leaves for files. Whoever reads first gets it.
type budget struct {
	limits limit.Set
	limit  *limit.Limit
	left   int64 // bytes
	notices
}

// read returns the text of a file, cut to the room there is and with a mark
// where it was cut. A blank file gives "" and takes no room.
func (b *budget) read(path, root string) (string, error) {
	target, err := follow(path, root)
	if err != nil {
		return "", err
	}
	f, size, err := openFile(target)
	if err != nil {
		return "", err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, b.left+margin))
	if err != nil {
		return "", err
	}
	if int64(len(raw)) == size && len(bytes.TrimSpace(raw)) == 0 {
		return "", nil
	}
	c := clean(raw, b.left, size > int64(len(raw)))
	if c.repaired {
		b.warn("%s is not UTF-8 everywhere; the bytes that are not were replaced", oneLine(path))
	}
	if c.kept < len(raw) || size > int64(len(raw)) {
		return b.cut(path, c, size), nil
	}
	text := trim(c.text)
	b.left -= int64(len(text))
	return text, nil
}

// margin is read beyond the room, so that a character at its end and a byte
// order mark do not look like a cut.
const margin = 3 + utf8.UTFMax

func trim(text string) string { return strings.TrimRight(text, " \t\n") }

// cut records that a part of a file is left out, and marks the place. Nothing is
// left for further files, even where a line or two of one would fit.
func (b *budget) cut(path string, c cleaned, size int64) string {
	size = max(size, int64(c.kept)) // it may have shrunk since
	out := size - int64(c.kept)
	line := strings.Count(c.text, "\n") + 1
	b.hits = append(b.hits, b.limits.Hit(b.limit, fmt.Sprintf("%s from line %d on", oneLine(path), line), out, path))
	mark := fmt.Sprintf("[cut: %d of %d bytes of %s left out; read the file]", out, size, oneLine(path))
	b.left = 0
	if text := trim(c.text); text != "" {
		return text + "\n" + mark
	}
	return mark
}

// cleaned is the start of a file as text.
type cleaned struct {
	text     string
	kept     int  // bytes of the file that text stands for
	repaired bool // some of them were no UTF-8
}

// clean turns bytes into text of at most room bytes: without a byte order mark,
// with plain line ends, and with U+FFFD for what is no UTF-8. If not all of it
// has room, or more follows in the file, it ends at a line end where there is
// one, and else between two characters.
func clean(raw []byte, room int64, more bool) cleaned {
	var text strings.Builder
	c, lineEnd := cleaned{}, cleaned{}
	body := bytes.TrimPrefix(raw, []byte("\uFEFF"))
	bom := len(raw) - len(body)
	for i := 0; i < len(body); {
		r, n := utf8.DecodeRune(body[i:])
		if r == '\r' && i+1 < len(body) && body[i+1] == '\n' {
			i++
			continue
		}
		if int64(text.Len()+utf8.RuneLen(r)) > room {
			more = true
			break
		}
		text.WriteRune(r)
		i += n
		c.kept, c.repaired = bom+i, c.repaired || r == utf8.RuneError && n == 1
		if r == '\n' {
			lineEnd = cleaned{kept: c.kept, repaired: c.repaired, text: text.String()}
		}
	}
	c.text = text.String()
	if more && lineEnd.kept > 0 {
		return lineEnd
	}
	return c
}
