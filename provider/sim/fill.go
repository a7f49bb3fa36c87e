package sim

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/longrein/longrein"
)

// plain and inJSON say how a filled place is written into the text around it.
func plain(s string) string { return s }

func inJSON(s string) string {
	q := quote(s)
	return q[1 : len(q)-1]
}

// render fills t for the response that the request already knows of.
func (v *view) render(t template, escape func(string) string) string {
	return v.renderAt(v.at, t, escape)
}

func (v *view) renderAt(at place, t template, escape func(string) string) string {
	var b strings.Builder
	for _, p := range t {
		if p.word == "" {
			b.WriteString(p.text)
			continue
		}
		b.WriteString(escape(v.fill(at, p)))
	}
	return b.String()
}

func (v *view) fill(at place, p piece) string {
	n := p.number.value(v.round, at.step)
	switch p.word {
	case "number":
		return strconv.Itoa(n)
	case "pad":
		return fmt.Sprintf("%0*d", p.width, n)
	case "file":
		return v.file(n)
	case "fill":
		return filler(n)
	case "prompt":
		return v.asked(p.pattern)
	case "match":
		return v.match(p.pattern)
	case "matches":
		return strings.Join(v.matches(p.pattern, n), ", ")
	case "outputs":
		return strconv.Itoa(v.count(itemAnswered))
	case "last":
		return v.last()
	case "needles":
		return v.needles()
	case "script":
		return v.script.Name
	case "marker":
		return v.script.marker(at)
	}
	return ""
}

// file picks from the list of files, round and round.
func (v *view) file(n int) string {
	if len(v.files) == 0 {
		return "no-file-was-listed"
	}
	n = (n - 1) % len(v.files)
	return v.files[(n+len(v.files))%len(v.files)]
}

// paths takes the lines of a listing that can be file names.
func paths(listing string) []string {
	var out []string
	for line := range strings.Lines(listing) {
		line = strings.TrimSpace(line)
		if line == "" || strings.ContainsAny(line, " \t\"'`$\\<>|:[]()…") || path.Ext(line) == "" {
			continue
		}
		out = append(out, strings.TrimPrefix(line, "./"))
	}
	return out
}

// filler is n bytes of numbered lines.
func filler(n int) string {
	var b strings.Builder
	b.Grow(n + 32)
	for i := 1; b.Len() < n; i++ {
		fmt.Fprintf(&b, "line %d of simulated text\n", i)
	}
	return b.String()[:n]
}

// fragment matches what a harness inserts: one element around the whole text.
var fragment = regexp.MustCompile(`(?s)^\s*<([a-z][a-z_-]*)[ >].*</([a-z][a-z_-]*)>\s*$`)

// asked returns what the user typed last or, with a pattern, the newest match in
// anything that the user typed: its first group if there is one.
func (v *view) asked(re *regexp.Regexp) string {
	for _, it := range slices.Backward(v.items) {
		if it.kind != itemSaid || it.role != string(longrein.RoleUser) {
			continue
		}
		text := it.text()
		if m := fragment.FindStringSubmatch(text); m != nil && m[1] == m[2] {
			continue
		}
		if re == nil {
			return text
		}
		if m := re.FindStringSubmatch(text); m != nil {
			return m[min(1, len(m)-1)]
		}
	}
	return ""
}

// match returns the newest match in an output, "" if there is none.
func (v *view) match(re *regexp.Regexp) string {
	for _, it := range slices.Backward(v.items) {
		if it.kind != itemAnswered {
			continue
		}
		if m := re.FindStringSubmatch(it.text()); m != nil {
			return m[min(1, len(m)-1)]
		}
	}
	return ""
}

// matches returns up to n different matches in outputs, oldest first.
func (v *view) matches(re *regexp.Regexp, n int) []string {
	var out []string
	for _, it := range v.items {
		if it.kind != itemAnswered {
			continue
		}
		out = distinct(out, re, it.text(), n)
	}
	return out
}

func distinct(have []string, re *regexp.Regexp, text string, most int) []string {
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		if s := m[min(1, len(m)-1)]; len(have) < most && !slices.Contains(have, s) {
			have = append(have, s)
		}
	}
	return have
}

// needles lists the facts that are visible anywhere in the request, and says how
// many there should be.
func (v *view) needles() string {
	var found []string
	want := 0
	for _, n := range v.script.needles {
		var have []string
		for _, it := range v.items {
			have = distinct(have, n.pattern, it.text(), n.count)
		}
		found, want = append(found, have...), want+n.count
	}
	return fmt.Sprintf("%d of %d facts: %s", len(found), want, strings.Join(found, "; "))
}

func (v *view) count(kind itemKind) int {
	n := 0
	for _, it := range v.items {
		if it.kind == kind {
			n++
		}
	}
	return n
}

// systemText is what the system and the developer say.
func (v *view) systemText() string {
	texts := []string{contentText(v.system)}
	for _, it := range v.items {
		if it.kind == itemSaid && (it.role == "system" || it.role == string(longrein.RoleDeveloper)) {
			texts = append(texts, it.text())
		}
	}
	return strings.Join(texts, "\n")
}
