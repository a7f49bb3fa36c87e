package patch

import (
	"fmt"
	"strings"
)

// Apply returns content with the hunks of an update done, in order. Line ends, a
// byte order mark and a missing last line end stay as they are. An error says
// which hunk does not fit and what is there instead.
func Apply(content string, hunks []Hunk) (string, error) {
	t, err := newText(content).apply(hunks)
	if err != nil {
		return "", err
	}
	return t.String(), nil
}

// apply returns t with the hunks done.
func (t text) apply(hunks []Hunk) (text, error) {
	out := t
	out.lines = nil
	done := 0 // lines of t that are copied to out
	for i, h := range hunks {
		at, h, err := t.find(h, done)
		if err != nil {
			return text{}, fmt.Errorf("hunk %d of %d: %w", i+1, len(hunks), err)
		}
		out.lines = append(out.lines, t.lines[done:at]...)
		done = at
		for _, l := range h.Lines {
			switch l.Op {
			case '+':
				out.lines = append(out.lines, textLine{l.Text, t.end})
			case '-':
				done++
			default: // the file's own line, however the patch spells it
				out.lines = append(out.lines, t.lines[done])
				done++
			}
		}
	}
	out.lines = append(out.lines, t.lines[done:]...)
	return out, nil
}

// old returns the lines that a hunk expects to find.
func (h Hunk) old() []string {
	var out []string
	for _, l := range h.Lines {
		if l.Op != '+' {
			out = append(out, l.Text)
		}
	}
	return out
}

// find returns where in t, from line from on, h applies. The hunk it returns is h
// without an empty last line that the file does not have: models add one.
func (t text) find(h Hunk, from int) (int, Hunk, error) {
	anchored := false
	if h.Anchor != "" {
		at, ok := t.anchor(h.Anchor, from)
		if !ok && !h.hint {
			return 0, h, fmt.Errorf("no line after line %d is %q; nearest is %s", from, h.Anchor, t.nearest([]string{h.Anchor}))
		}
		if ok {
			from, anchored = at+1, true
		}
	}
	want := h.old()
	if len(want) == 0 {
		if anchored && !h.AtEnd {
			return from, h, nil
		}
		return len(t.lines), h, nil
	}
	at, err := t.locate(want, from, h.AtEnd, anchored)
	if last := len(h.Lines) - 1; err != nil && len(want) > 1 && h.Lines[last] == (HunkLine{Op: ' '}) {
		h.Lines = h.Lines[:last]
		if at, again := t.locate(h.old(), from, h.AtEnd, anchored); again == nil {
			return at, h, nil
		}
	}
	return at, h, err
}

// anchor returns the first line from from on that is s, or else that holds it.
func (t text) anchor(s string, from int) (int, bool) {
	for _, same := range append(sameness, strings.Contains) {
		for i := from; i < len(t.lines); i++ {
			if same(t.lines[i].s, s) {
				return i, true
			}
		}
	}
	return 0, false
}

// sameness are the ways in which two lines count as equal, strictest first.
var sameness = []func(a, b string) bool{
	func(a, b string) bool { return a == b },
	func(a, b string) bool { return strings.TrimRight(a, " \t") == strings.TrimRight(b, " \t") },
	func(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) },
	func(a, b string) bool { return plainText(a) == plainText(b) },
}

var typographic = strings.NewReplacer(
	"“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "‘", "'", "’", "'", "‚", "'",
	"–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-", "…", "...",
	"\u00a0", " ", "\u2009", " ", "\u202f", " ",
)

func plainText(s string) string { return strings.TrimSpace(typographic.Replace(s)) }

// locate finds want by the strictest sameness under which it is there at all.
// Without an anchor it must be there once: a guess would change the wrong place.
func (t text) locate(want []string, from int, atEnd, anchored bool) (int, error) {
	for _, same := range sameness {
		var hits []int
		for i := from; i+len(want) <= len(t.lines) && len(hits) < 2; i++ {
			if t.matches(want, i, same) && (!atEnd || i+len(want) == len(t.lines)) {
				hits = append(hits, i)
			}
		}
		switch {
		case len(hits) == 1 || len(hits) > 1 && anchored:
			return hits[0], nil
		case len(hits) > 1:
			return 0, fmt.Errorf("its lines are there more than once, at line %d and at line %d; add lines around them, or a line @@ with one above", hits[0]+1, hits[1]+1)
		}
	}
	return 0, t.missing(want, from, atEnd)
}

func (t text) matches(want []string, at int, same func(a, b string) bool) bool {
	for i, w := range want {
		if !same(t.lines[at+i].s, w) {
			return false
		}
	}
	return true
}

// missing says why want is not there.
func (t text) missing(want []string, from int, atEnd bool) error {
	for i := 0; i < from && i+len(want) <= len(t.lines); i++ {
		if t.matches(want, i, sameness[2]) {
			return fmt.Errorf("its lines are at line %d, above the hunk or @@ line before it; hunks go from top to bottom", i+1)
		}
	}
	where := ""
	if atEnd {
		where = " at the end of the file"
	}
	return fmt.Errorf("its lines are not there%s; nearest is %s", where, t.nearest(want))
}

// compared bounds the lines of a hunk that are looked at for an explanation.
const compared = 40

// nearest describes the place where most of want is, and how it differs.
func (t text) nearest(want []string) string {
	want = want[:min(len(want), compared)]
	best, score := 0, -1
	for i := range t.lines {
		if s := t.alike(want, i); s > score {
			best, score = i, s
		}
	}
	if score <= 0 {
		return "nothing like it; read the file again"
	}
	for i, w := range want {
		if at := best + i; at >= len(t.lines) {
			return fmt.Sprintf("line %d, but the file ends where the patch has %s", best+1, quote(w))
		} else if !sameness[3](t.lines[at].s, w) {
			return fmt.Sprintf("line %d: the file has %s where the patch has %s", at+1, quote(t.lines[at].s), quote(w))
		}
	}
	return fmt.Sprintf("line %d: %s", best+1, quote(t.lines[best].s))
}

// alike scores how well want fits at a line: whole lines first, then common
// starts.
func (t text) alike(want []string, at int) int {
	score := 0
	for i, w := range want {
		if at+i >= len(t.lines) {
			break
		}
		a, b := strings.TrimSpace(t.lines[at+i].s), strings.TrimSpace(w)
		switch n := commonPrefix(a, b); {
		case a == b && a != "":
			score += 1000
		case n > 2:
			score += min(n, 99)
		}
	}
	return score
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// quote shows a line, or its start.
func quote(s string) string {
	const most = 120
	if len(s) <= most {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%q…", strings.ToValidUTF8(s[:most], ""))
}
