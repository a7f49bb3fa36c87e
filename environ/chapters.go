package environ

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// chapters are files with instructions as a model has seen them, in order.
type chapters []chapter

type chapter struct {
	label string
	lines []string
}

// A later fragment tells of a file under one of these headings. What stands below
// it takes the place of the whole file or of some of its lines.
const (
	wholeNow   = " (new or changed, all of it)"
	goneNow    = " (gone, it no longer counts)"
	placedNow  = " (after line %d)"
	changedNow = " (in place of lines %d to %d)"
)

var partly = regexp.MustCompile(`^(.*) \((?:after line (\d+)|in place of lines (\d+) to (\d+))\)$`)

// read takes a fragment in, the first one or a difference.
func (cs *chapters) read(text string) {
	var label string
	var lines []string
	flush := func() {
		if label != "" {
			cs.take(label, lines)
		}
		lines = nil
	}
	for _, line := range strings.Split(text, "\n") {
		if isHeading(line) {
			flush()
			label = strings.TrimSuffix(strings.TrimPrefix(line, "--- "), " ---")
			continue
		}
		lines = append(lines, line)
	}
	flush()
}

// take applies what stands below one heading.
func (cs *chapters) take(label string, lines []string) {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if name, ok := strings.CutSuffix(label, goneNow); ok {
		*cs = slices.DeleteFunc(*cs, func(c chapter) bool { return c.label == name })
		return
	}
	if m := partly.FindStringSubmatch(label); m != nil {
		if c := cs.find(m[1]); c != nil {
			c.replace(m[2], m[3], m[4], lines)
			return
		}
	}
	name := strings.TrimSuffix(label, wholeNow)
	if c := cs.find(name); c != nil {
		c.lines = lines
		return
	}
	*cs = append(*cs, chapter{name, lines})
}

func (cs chapters) find(label string) *chapter {
	for i := range cs {
		if cs[i].label == label {
			return &cs[i]
		}
	}
	return nil
}

// replace puts lines after a line, or in the place of those from first to last.
func (c *chapter) replace(after, first, last string, lines []string) {
	from, to := number(after), number(after)
	if after == "" {
		from, to = number(first)-1, number(last)
	}
	from = min(max(from, 0), len(c.lines))
	to = min(max(to, from), len(c.lines))
	c.lines = slices.Concat(c.lines[:from], lines, c.lines[to:])
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits) // too many digits give the largest number
	return n
}

// difference is what has to be said after cs for now to be known, "" for nothing.
func (cs chapters) difference(now chapters) string {
	var parts []string
	for _, c := range now {
		switch old := cs.find(c.label); {
		case old == nil:
			parts = append(parts, c.told(wholeNow, c.lines))
		case !slices.Equal(old.lines, c.lines):
			parts = append(parts, old.difference(c))
		}
	}
	for _, c := range cs {
		if now.find(c.label) == nil {
			parts = append(parts, c.told(goneNow, nil))
		}
	}
	return strings.Join(parts, "\n\n")
}

func (c chapter) told(what string, lines []string) string {
	return strings.Join(append([]string{"--- " + c.label + what + " ---"}, lines...), "\n")
}

// difference tells of the lines between the first and the last one that differ, or
// of all when that says no less. Lines that end it blank are not told apart.
func (c chapter) difference(now chapter) string {
	from := 0
	for from < len(c.lines) && from < len(now.lines) && c.lines[from] == now.lines[from] {
		from++
	}
	to, end := len(c.lines), len(now.lines)
	for to > from && end > from && c.lines[to-1] == now.lines[end-1] {
		to, end = to-1, end-1
	}
	fresh := now.lines[from:end]
	whole := len(fresh) > 0 && fresh[len(fresh)-1] == "" // it would be read back without
	switch {
	case whole || 2*len(fresh) > len(now.lines):
		return now.told(wholeNow, now.lines)
	case to == from:
		return now.told(fmt.Sprintf(placedNow, from), fresh)
	}
	return now.told(fmt.Sprintf(changedNow, from+1, to), fresh)
}
