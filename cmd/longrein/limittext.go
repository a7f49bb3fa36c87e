package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/longrein/longrein/limit"
)

// limitColumns is how wide a list of limits is.
const limitColumns = 100 // fixed: lines go on below

func (c *cli) printLimits(rows []limitRow, asJSON, whole bool) error {
	if asJSON {
		lines := newJSONLines(c.out)
		for _, r := range rows {
			lines.write(r)
		}
		return lines.err
	}
	if whole {
		_, err := io.WriteString(c.out, rows[0].whole())
		return err
	}
	_, err := io.WriteString(c.out, listOf(rows))
	return err
}

// listOf shows limits one below the other: name and value, and beside them what
// they mean, in as many lines as that takes.
func listOf(rows []limitRow) string {
	names, values := 0, 0
	for _, r := range rows {
		names, values = max(names, len(r.Name)), max(values, len(r.quantity(r.Value)))
	}
	var b strings.Builder
	for _, r := range rows {
		left := fmt.Sprintf("%-*s  %-*s  ", names, r.Name, values, r.quantity(r.Value))
		for _, line := range wrapped(r.meaning(), limitColumns-len(left)) {
			fmt.Fprintf(&b, "%s%s\n", left, line)
			left = strings.Repeat(" ", len(left))
		}
	}
	return b.String()
}

// meaning says of a limit in a list what it is and what is special about it here.
func (r limitRow) meaning() string {
	text := r.What
	switch {
	case r.Planned != "":
		text += " (planned, with " + r.Planned + ")"
	case r.Source != "built-in":
		text += fmt.Sprintf(" (set: %s; default %d)", r.Source, r.Default)
	}
	if r.Bites != nil && r.Bites.Times > 0 {
		text += " [" + r.Bites.String() + "]"
	}
	return text
}

// whole says everything about one limit.
func (r limitRow) whole() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s = %s (%s)\n", r.Name, r.quantity(r.Value), r.Source)
	say := func(label, text string) {
		for _, line := range wrapped(text, limitColumns-len(label)-4) {
			fmt.Fprintf(&b, "  %-7s  %s\n", label, line)
			label = ""
		}
	}
	say("meaning", r.What)
	say("because", r.Why)
	if len(r.Rules) > 0 {
		say("rules", strings.Join(r.Rules, ", ")+" (longrein rules show ID)")
	}
	say("default", r.quantity(r.Default)+r.inWords(r.Default))
	if r.Planned != "" {
		say("planned", "with "+r.Planned+"; it bounds nothing yet and cannot be set")
		return b.String()
	}
	if r.Min == r.Max {
		say("range", "it is fixed")
		return b.String()
	}
	say("range", fmt.Sprintf("%d to %s%s", r.Min, r.quantity(r.Max), r.inWords(r.Max)))
	say("set it", fmt.Sprintf("-c limits.%s=N, %s=N, or in config.toml under [limits]: %s = N", r.Name, r.variable(), r.Name))
	if r.Bites != nil {
		say("thread", r.Bites.String())
	}
	return b.String()
}

func (r limitRow) variable() string {
	return "LONGREIN_LIMITS_" + strings.ToUpper(strings.ReplaceAll(r.Name, "-", "_"))
}

// quantity is a value with its unit, such as "16384 bytes".
func (r limitRow) quantity(v int64) string {
	if r.Unit == limit.Count {
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("%d %s", v, r.Unit)
}

// inWords is a value as people say it, such as " (16 KiB)", where that is shorter.
func (r limitRow) inWords(v int64) string {
	switch {
	case r.Unit == limit.Millis && v >= 1000:
		return fmt.Sprintf(" (%s)", time.Duration(v)*time.Millisecond)
	case r.Unit != limit.Bytes:
		return ""
	}
	for i, name := range []string{"GiB", "MiB", "KiB"} {
		if unit := int64(1) << (10 * (3 - i)); v >= unit && v%unit == 0 {
			return fmt.Sprintf(" (%d %s)", v/unit, name)
		}
	}
	return ""
}

// String is such as "bit 3 times, 120 tokens cut".
func (b *bites) String() string {
	if b.Times == 0 {
		return "did not bite"
	}
	text := fmt.Sprintf("bit %d times", b.Times)
	if b.Times == 1 {
		text = "bit once"
	}
	for _, unit := range slices.Sorted(maps.Keys(b.Cut)) {
		text += fmt.Sprintf(", %d %s cut", b.Cut[unit], unit)
	}
	return text
}

// wrapped breaks a text between words into lines of at most so many letters, as
// far as its words allow.
func wrapped(text string, most int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case len([]rune(line))+1+len([]rune(word)) > most:
			lines, line = append(lines, line), word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
