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
	for _, bare := range bareness {
		if at := t.places([]string{s}, from, bare); len(at) > 0 {
			return at[0], true
		}
	}
	for i := from; i < len(t.lines); i++ {
		if strings.Contains(t.lines[i].s, s) {
			return i, true
		}
	}
	return 0, false
}

// bareness are what is left of lines that are to count as equal, strictest first.
var bareness = []func(string) string{
	func(s string) string { return s },
	func(s string) string { return strings.TrimRight(s, " \t") },
	strings.TrimSpace,
	func(s string) string { return strings.TrimSpace(typographic.Replace(s)) },
}

var typographic = strings.NewReplacer(
	"“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "‘", "'", "’", "'", "‚", "'",
	"–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-", "…", "...",
	"\u00a0", " ", "\u2009", " ", "\u202f", " ",
)

// locate finds want by the strictest bareness under which it is there at all.
// Without an anchor it must be there once: a guess would change the wrong place.
func (t text) locate(want []string, from int, atEnd, anchored bool) (int, error) {
	first := from
	if atEnd {
		first = max(from, len(t.lines)-len(want))
	}
	for _, bare := range bareness {
		hits := t.places(want, first, bare)
		switch {
		case len(hits) == 1 || len(hits) > 1 && anchored:
			return hits[0], nil
		case len(hits) > 1:
			return 0, fmt.Errorf("its lines are there more than once, at line %d and at line %d; add lines around them, or a line @@ with one above", hits[0]+1, hits[1]+1)
		}
	}
	return 0, t.missing(want, from, atEnd)
}

// places returns up to two lines from line from on at which want begins, when of
// each line only what bare leaves is compared. It looks at no line twice (the
// method of Knuth, Morris and Pratt), because texts and patches can be long and
// much alike.
func (t text) places(want []string, from int, bare func(string) string) (hits []int) {
	bared := make([]string, len(want))
	for i, w := range want {
		bared[i] = bare(w)
	}
	back := borders(bared)
	fit := 0
	for i := from; i < len(t.lines) && len(hits) < 2; i++ {
		line := bare(t.lines[i].s)
		for fit > 0 && (fit == len(bared) || bared[fit] != line) {
			fit = back[fit-1]
		}
		if bared[fit] == line {
			fit++
		}
		if fit == len(bared) {
			hits = append(hits, i+1-fit)
		}
	}
	return hits
}

// borders returns, for each start of want, how long the longest shorter start is
// that also ends it.
func borders(want []string) []int {
	back := make([]int, len(want))
	fit := 0
	for i := 1; i < len(want); i++ {
		for fit > 0 && want[fit] != want[i] {
			fit = back[fit-1]
		}
		if want[fit] == want[i] {
			fit++
		}
		back[i] = fit
	}
	return back
}

// missing says why want is not there.
func (t text) missing(want []string, from int, atEnd bool) error {
	if at := t.places(want, 0, strings.TrimSpace); len(at) > 0 && at[0] < from {
		return fmt.Errorf("its lines are at line %d, above the hunk or @@ line before it; hunks go from top to bottom", at[0]+1)
	}
	where := ""
	if atEnd {
		where = " at the end of the file"
	}
	return fmt.Errorf("its lines are not there%s; nearest is %s", where, t.nearest(want))
}

// compared bounds the lines of a hunk that are looked at for an explanation.
const compared = 40 // fixed: an explanation, not the patch

// nearest describes the place where most of want is, and how it differs.
func (t text) nearest(want []string) string {
	want = want[:min(len(want), compared)]
	best, score := 0, -1
	for i := range t.lines {
		if s := t.likeness(want, i); s > score {
			best, score = i, s
		}
	}
	if score <= 0 {
		return "nothing like it; read the file again"
	}
	for i, w := range want {
		if at := best + i; at >= len(t.lines) {
			return fmt.Sprintf("line %d, but the file ends where the patch has %s", best+1, quote(w))
		} else if !alike(t.lines[at].s, w) {
			return fmt.Sprintf("line %d: the file has %s where the patch has %s", at+1, quote(t.lines[at].s), quote(w))
		}
	}
	return fmt.Sprintf("line %d: %s", best+1, quote(t.lines[best].s))
}

// alike reports whether two lines count as equal at all.
func alike(a, b string) bool {
	bare := bareness[len(bareness)-1]
	return bare(a) == bare(b)
}

// likeness scores how well want fits at a line: whole lines first, then common
// starts.
func (t text) likeness(want []string, at int) int {
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
			score += min(n, 99) // fixed: a line that is the same counts more
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
	const most = 120 // fixed: an explanation; the file has the line
	if len(s) <= most {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%q…", strings.ToValidUTF8(s[:most], ""))
}
