package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
)

// printReport writes a report in 80 columns.
func printReport(w io.Writer, r contextReport) {
	fmt.Fprintf(w, "%s of thread %s\n", requestName(r.Seq), r.Thread)
	paragraph(w, "", fmt.Sprintf("model %s over %s, window %d (%s)", r.Model, r.Wire, r.Window, r.Why))
	fmt.Fprintln(w)
	printTiers(w, r)
	fmt.Fprintln(w)
	printExpected(w, r)
	printReported(w, r)
	fmt.Fprintf(w, "%d bytes\nsha256 %s\n", r.Bytes, r.Hash)
	if len(r.Cuts) == 0 {
		fmt.Fprintln(w, "nothing was cut")
	}
	printCuts(w, "cut in this window", r.Cuts)
	if r.Next != nil {
		printNext(w, *r.Next)
	}
}

func requestName(seq int64) string {
	if seq == 0 {
		return "the next request"
	}
	return fmt.Sprintf("request %d", seq)
}

// printTiers draws a bar for each tier and each kind in it.
func printTiers(w io.Writer, r contextReport) {
	row(w, "", "items", "tokens", "share", "cached", "# in the request before")
	for _, t := range r.Tiers {
		printPart(w, string(t.Tier), t.Part)
		for _, k := range t.Kinds {
			printPart(w, "  "+k.Kind, k.Part)
		}
	}
	row(w, "in all", "", count(int64(r.Tokens)), "", "", "+ new since")
}

func row(w io.Writer, name, items, tokens, share, cached, bar string) {
	line := fmt.Sprintf("%-24s %5s %7s %6s %6s  %s", clipped(name, 24), items, tokens, share, cached, bar) // fixed: the width of a column
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}

func printPart(w io.Writer, name string, p assemble.Part) {
	cached := ""
	if p.Cached > 0 {
		cached = fmt.Sprintf("%.0f%%", 100*float64(p.Cached)/float64(p.Tokens))
	}
	row(w, name, number(p.Entries), count(int64(p.Tokens)), fmt.Sprintf("%.1f%%", 100*p.Share), cached, bar(p))
}

// clipped is at most n characters of a name, on one line.
func clipped(name string, n int) string {
	indent := len(name) - len(strings.TrimLeft(name, " "))
	return name[:indent] + firstLine(name, n-indent)
}

// paragraph writes a text in lines that fit the terminal, each after the first
// indented by two more blanks.
func paragraph(w io.Writer, indent, text string) {
	for i, line := range wrapped(printable(text), width(w)-len(indent)-2) {
		if i > 0 {
			line = "  " + line
		}
		fmt.Fprintln(w, indent+line)
	}
}

// printExpected says what the provider will make of the request.
func printExpected(w io.Writer, r contextReport) {
	size := "of an unknown context window"
	if r.ContextWindow > 0 {
		size = fmt.Sprintf("%s of the window of %s (%s)", percent(r.Estimate, r.ContextWindow), count(int64(r.ContextWindow)), r.ContextSource)
	}
	paragraph(w, "", fmt.Sprintf("expected, as the provider counts: %s tokens, %s", count(int64(r.Estimate)), size))
	fmt.Fprintf(w, "  %s of them from the cache (%s)\n", count(int64(r.ExpectedCached)), percent(r.ExpectedCached, r.Estimate))
}

// barWidth is how many marks a bar of the whole request has.
const barWidth = 20

// bar draws a share: what the request before held too, and what is new.
func bar(p assemble.Part) string {
	marks := int(p.Share*barWidth + 0.5)
	old := int(float64(marks)*float64(p.Cached)/float64(max(p.Tokens, 1)) + 0.5)
	return strings.Repeat("#", old) + strings.Repeat("+", marks-old)
}

func printReported(w io.Writer, r contextReport) {
	whose := "reported by the provider"
	if r.Seq == 0 {
		whose += " for the request before"
	}
	if r.Reported == nil || !r.Reported.Reported {
		fmt.Fprintf(w, "%s: nothing\n", whose)
		return
	}
	u := r.Reported
	fmt.Fprintf(w, "%s: %s tokens\n  %s of them from the cache (%s)\n", whose,
		count(u.Input), count(u.Cached), percent(int(u.Cached), int(u.Input)))
}

// printCuts lists what limits leave out, and where it is.
func printCuts(w io.Writer, title string, cuts []longrein.LimitHit) {
	if len(cuts) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", title)
	for _, h := range cuts {
		paragraph(w, "  ", fmt.Sprintf("limit %s = %d %s: %s", h.Name, h.Value, h.Unit, cutText(h)))
	}
}

func percent(part, whole int) string {
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(max(whole, 1)))
}
