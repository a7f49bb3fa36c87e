package memory

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A citation is [#412], [#412 #415] or [#412-#415], with commas or not, and may
// have a full stop or the edge of a table's row behind it. The pattern finds
// those at the end of a line.
var (
	citation = regexp.MustCompile(`[ \t]*((?:\[#` + number + `(?:[ \t,;]+#?` + number + `)*\][ \t,;]*)+)([.,;:!?]?|[ \t]*\|)[ \t]*$`)
	numbers  = regexp.MustCompile(`(\d+)(?:` + upTo + `(\d+))?`)
)

const (
	number = `\d{1,18}(?:` + upTo + `\d{1,18})?`
	upTo   = `[ \t]*[-–—][ \t]*#?`
)

// span is one cited number, or the range from one to another.
type span struct{ from, to int64 }

// cited are the spans that a line of a text cites.
type cited struct {
	line  int
	spans []span
}

// uncite takes the citations off the ends of a text's lines. A line of nothing
// else goes, and stands for the line above it. Code blocks stay as they are.
func uncite(text string) (string, []cited) {
	if !strings.Contains(text, "[#") {
		return text, nil
	}
	var out []string
	var found []cited
	var code fence
	for line := range strings.SplitSeq(text, "\n") {
		if code.step(line) {
			out = append(out, line)
			continue
		}
		rest, spans := unciteLine(line)
		if spans == nil || !blank(rest) {
			out = append(out, rest)
		}
		if spans != nil {
			found = append(found, cited{lastText(out), spans})
		}
	}
	return strings.Join(out, "\n"), found
}

// lastText returns the index of the last line that is not blank, -1 for none.
func lastText(lines []string) int {
	i := len(lines) - 1
	for i >= 0 && blank(lines[i]) {
		i--
	}
	return i
}

// unciteLine takes the citations off the end of a line; spans is nil when there
// are none.
func unciteLine(line string) (rest string, spans []span) {
	body, cr := strings.CutSuffix(line, "\r")
	m := citation.FindStringSubmatchIndex(body)
	if m == nil {
		return line, nil
	}
	rest = joined(body[:m[0]], body[m[4]:m[5]])
	if cr {
		rest += "\r"
	}
	for _, n := range numbers.FindAllStringSubmatch(body[m[2]:m[3]], -1) {
		spans = append(spans, spanOf(n[1], n[2]))
	}
	return rest, spans
}

// joined puts what stood behind a citation to the text before it, which may have
// its full stop already.
func joined(before, behind string) string {
	last, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case strings.Contains(behind, "|"):
		return before + " |"
	case blank(before), strings.ContainsRune(".,;:!?|", last):
		return before
	}
	return before + behind
}

// spanOf reads a number or range; the pattern keeps numbers below 10^18.
func spanOf(a, b string) span {
	from, _ := strconv.ParseInt(a, 10, 64)
	if b == "" {
		return span{from, from}
	}
	to, _ := strconv.ParseInt(b, 10, 64)
	return span{min(from, to), max(from, to)}
}

// seqs returns the numbers that may be cited, at most `most`, and how many spans
// name none.
func seqs(spans []span, known func(int64) bool, most int) (out []int64, unknown int) {
	for _, s := range spans {
		if len(out) >= most {
			break
		}
		before := len(out)
		for n := s.from; n <= min(s.to, s.from+int64(most)-1); n++ {
			if known == nil || known(n) {
				out = append(out, n)
			}
		}
		if len(out) == before {
			unknown++
		}
	}
	return out[:min(len(out), most)], unknown
}
