package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/tokens"
)

// nextReport is what a new window would make of a context.
type nextReport struct {
	Strategy string `json:"strategy"`
	// Begins is false when the strategy would leave the window as it is, whatever
	// happened.
	Begins bool   `json:"begins"`
	Why    string `json:"why,omitempty"`
	// Forced: as if the context were all that fits. Summary: a model is asked first,
	// and what it will say is not known. Stale: why the initial context is not that
	// of now.
	Forced  bool   `json:"forced,omitempty"`
	Summary bool   `json:"summary,omitempty"`
	Stale   string `json:"stale,omitempty"`
	assemble.Survival
	Notes []noteSize          `json:"notes"`
	Cuts  []longrein.LimitHit `json:"cuts"`
}

type noteSize struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

func newNextReport(s *assemble.State, o harness.Outlook) *nextReport {
	r := &nextReport{
		Strategy: o.Strategy, Begins: o.Window.N > 0, Why: o.Window.Why, Forced: o.Forced, Summary: o.Summary, Stale: o.Stale,
		Survival: assemble.Survive(s, o.Next, tokens.Count),
		Notes:    []noteSize{}, Cuts: append([]longrein.LimitHit{}, o.Cuts...),
	}
	for _, d := range o.Notes.Documents() {
		r.Notes = append(r.Notes, noteSize{d.Name, len(d.Text)})
	}
	return r
}

// printNext writes what would survive.
func printNext(w io.Writer, r nextReport) {
	fmt.Fprintf(w, "\nif a new window began now (strategy %s)\n", r.Strategy)
	if !r.Begins {
		fmt.Fprintln(w, "  none would: there is nothing to leave out, and everything stays")
		return
	}
	printFates(w, r)
	without := ""
	if r.Summary {
		without = ", without the summary"
	}
	fmt.Fprintf(w, "it would begin with %s tokens%s; this one has %s\n", count(int64(r.After)), without, count(int64(r.Before)))
	for _, note := range nextNotes(r) {
		paragraph(w, "", "* "+note)
	}
	printCuts(w, "it would cut", r.Cuts)
}

// nextNotes are what has to be known to read the table.
func nextNotes(r nextReport) (notes []string) {
	if r.Forced {
		notes = append(notes, "the strategy sees no need for one yet; this is the one it would begin if the context were all that fits")
	}
	if r.Summary {
		notes = append(notes, "summed: a model is asked for a summary first, and what it will keep cannot be known")
	}
	if len(r.Notes) > 0 {
		var list []string
		for _, d := range r.Notes {
			list = append(list, fmt.Sprintf("%s (%s bytes)", d.Name, count(int64(d.Bytes))))
		}
		notes = append(notes, "the thread's notes: "+strings.Join(list, ", "))
	}
	if r.Stale != "" {
		notes = append(notes, "anew: the initial context is taken "+r.Stale)
	}
	return notes
}

// fateNames head the columns.
var fateNames = map[assemble.Fate]string{
	assemble.FateWhole: "whole", assemble.FatePart: "part", assemble.FateAnew: "anew",
	assemble.FateSummed: "summed", assemble.FateNoted: "noted", assemble.FateLog: "in log",
}

// printFates writes a row for each kind, with a column for each fate that somebody
// meets.
func printFates(w io.Writer, r nextReport) {
	fates := slices.DeleteFunc(slices.Clone(assemble.Fates), func(f assemble.Fate) bool {
		return !slices.ContainsFunc(r.Kinds, func(k assemble.KindFate) bool { return k.Fates[f] > 0 })
	})
	line := fmt.Sprintf("%-24s %5s", "", "items")
	for _, f := range fates {
		line += fmt.Sprintf(" %7s", fateNames[f])
	}
	fmt.Fprintln(w, line)
	for _, k := range r.Kinds {
		line := fmt.Sprintf("  %-22s %5s", firstLine(k.Kind, 22), number(k.Entries))
		for _, f := range fates {
			line += fmt.Sprintf(" %7s", number(k.Fates[f]))
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// number is count, with nothing for nothing.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return count(int64(n))
}
