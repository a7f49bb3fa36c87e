package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// besides is what a screen knows of the runs beside the work.
type besides struct {
	running []string          // in the order of their start
	asked   map[string]bool   // those whose first request was seen
	came    map[string]string // what they came to, so far
	total   longrein.Totals
	built   map[int]longrein.Reset // the swap at the end of a window
}

func newBesides() besides {
	return besides{asked: map[string]bool{}, came: map[string]string{}, built: map[int]longrein.Reset{}}
}

// quiet prints a line about memory, dim where that can be shown.
func (s *screen) quiet(format string, args ...any) {
	s.clear()
	text := printable(fmt.Sprintf("· "+format, args...))
	if s.live {
		text = "\x1b[2m" + text + "\x1b[0m"
	}
	fmt.Fprintln(s.err, text)
}

// memory shows what happens beside the work, and reports whether b is of it.
func (s *screen) memory(b any) {
	switch b := b.(type) {
	case longrein.Fork:
		s.fork(b)
	case longrein.Beside:
		s.ofFork(b)
	case longrein.Notes:
		s.notes(b)
	case longrein.Verdict:
		s.beside.came[b.Fork] = verdictText(b)
	case longrein.Reset:
		s.reset(b)
	case longrein.Pinned:
		s.quiet("%s", firstLine(pinText(b), 100))
	}
}

func (s *screen) fork(f longrein.Fork) {
	name := f.Name()
	if f.State == longrein.ForkStarted {
		s.beside.running = append(s.beside.running, name)
		return
	}
	s.beside.running = slices.DeleteFunc(s.beside.running, func(n string) bool { return n == name })
	if f.State == longrein.ForkStale {
		s.beside.total = plus(s.beside.total, longrein.Answered{Usage: f.Usage, Cost: f.Cost})
	}
	if s.over && f.State == longrein.ForkDropped {
		return // the end of the work is what was waited for
	}
	s.quiet("%s%s", forkText(f, s.beside.came[name]), priceText(f))
}

// ofFork shows that a fork began, and adds its answers up.
func (s *screen) ofFork(b longrein.Beside) {
	switch body := b.Body.(type) {
	case longrein.Asked:
		if !s.beside.asked[b.Fork] {
			s.beside.asked[b.Fork] = true
			s.quiet("%s began (%s tokens, %.0f%% cached)", b.Fork, count(int64(body.Tokens)), share(int64(body.Cached), int64(body.Tokens)))
		}
	case longrein.Answered:
		s.beside.total = plus(s.beside.total, body)
	}
}

func (s *screen) notes(n longrein.Notes) {
	switch n.By {
	case longrein.ByHarness:
	case longrein.ByUser:
		s.quiet("%s edited by hand, and noted so", documents(n.Changed))
	default:
		s.beside.came[n.By] = "noted " + documents(n.Changed)
	}
}

func (s *screen) reset(r longrein.Reset) {
	switch r.Phase {
	case longrein.ResetRequested:
		s.quiet("%s%s", requestedText(r), breakEvenText(r))
	case longrein.ResetWaiting:
		s.quiet("window %d ends later: %s", r.Window, r.Why)
	case longrein.ResetBuilt, longrein.ResetProbed:
		s.beside.built[r.Window] = merged(s.beside.built[r.Window], r)
	case longrein.ResetRefused:
		s.line("! window %d goes on: %s", r.Window, r.Why)
	}
}

// merged puts together what the phases of one reset say.
func merged(a, b longrein.Reset) longrein.Reset {
	a.By = cmp.Or(b.By, a.By)
	a.Before, a.After = cmp.Or(b.Before, a.Before), cmp.Or(b.After, a.After)
	a.Carried, a.Left = cmp.Or(b.Carried, a.Carried), cmp.Or(b.Left, a.Left)
	a.Probes, a.Passed = cmp.Or(b.Probes, a.Probes), cmp.Or(b.Passed, a.Passed)
	a.Repaired = append(a.Repaired, b.Repaired...)
	return a
}

// swapText says what the swap into window n did.
func (b besides) swapText(n int) string {
	r, ok := b.built[n-1]
	if !ok {
		return ""
	}
	return "; " + sizesText(r)
}

func plus(t longrein.Totals, a longrein.Answered) longrein.Totals {
	return longrein.Totals{Requests: t.Requests + 1, Usage: t.Usage.Add(a.Usage), Cost: t.Cost + a.Cost}
}

// The words for what memory did, on a screen and in a log that is shown.

var forkEnds = map[longrein.ForkState]string{
	longrein.ForkFinished: "finished",
	longrein.ForkFailed:   "failed",
	longrein.ForkDropped:  "was cut off",
	longrein.ForkStale:    "answered too late",
	longrein.ForkSkipped:  "was due and not started",
	longrein.ForkStarted:  "has come to no end",
}

// forkText says how a fork ended, and what it came to.
func forkText(f longrein.Fork, came string) string {
	switch {
	case f.State == longrein.ForkFinished && strings.HasPrefix(came, "noted"):
		return f.Name() + " " + came
	case f.State == longrein.ForkFinished && came != "":
		return f.Name() + ": " + came
	}
	text := f.Name() + " " + forkEnds[f.State]
	if f.Why != "" {
		text += ": " + f.Why
	}
	return text
}

// priceText is what a fork cost, in brackets.
func priceText(f longrein.Fork) string {
	if f.Requests == 0 {
		return ""
	}
	text := fmt.Sprintf(" (%.1fs, %s tokens, %.0f%% cached", float64(f.Millis)/1000, count(f.Usage.Input), share(f.Usage.Cached, f.Usage.Input))
	if f.Cost > 0 {
		text += fmt.Sprintf(", $%.4f", f.Cost)
	}
	return text + ")"
}

func verdictText(v longrein.Verdict) string {
	text := "carry on"
	if v.Reset {
		text = "reset"
	}
	if v.Reason != "" {
		text += ", " + v.Reason
	}
	if v.Ignored != "" {
		text += " (ignored: " + v.Ignored + ")"
	}
	return firstLine(text, 200)
}

func documents(docs []longrein.Document) string {
	var names []string
	for _, d := range docs {
		name := d.Name
		if d.Deleted {
			name += " (deleted)"
		}
		names = append(names, name)
	}
	switch {
	case len(names) == 0:
		return "nothing new"
	case len(names) > 3:
		return fmt.Sprintf("%d documents", len(names))
	}
	return strings.Join(names, ", ")
}

// requestedText does not repeat what a decider has just said.
func requestedText(r longrein.Reset) string {
	text := fmt.Sprintf("window %d is to end", r.Window)
	if r.By == longrein.ByHarness {
		text += ": " + r.Why
	}
	return text
}

func breakEvenText(r longrein.Reset) string {
	if r.Price == 0 {
		return ""
	}
	text := fmt.Sprintf("; a new one costs $%.4f", r.Price)
	switch {
	case r.BreakEven >= math.MaxInt32 || r.Saving <= 0:
		return text + ", which it does not save again"
	case r.BreakEven > 0:
		return text + " and saves that in " + counted(r.BreakEven, "step")
	}
	return text
}

// sizesText says what became of a context.
func sizesText(r longrein.Reset) string {
	var parts []string
	if r.Before > 0 {
		parts = append(parts, fmt.Sprintf("%s → %s tokens", count(int64(r.Before)), count(int64(r.After))))
		parts = append(parts, counted(r.Carried, "item")+" carried over")
	}
	switch {
	case r.Left > 0 && strings.HasPrefix(r.By, string(longrein.RoleCompactor)):
		parts = append(parts, fmt.Sprintf("%s tokens summed up", count(int64(r.Left))))
	case r.Left > 0:
		parts = append(parts, fmt.Sprintf("%s tokens left to the notes", count(int64(r.Left))))
	}
	if r.Probes > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d probes passed", r.Passed, r.Probes))
	}
	if len(r.Repaired) > 0 {
		parts = append(parts, fmt.Sprintf("%d put back", len(r.Repaired)))
	}
	return strings.Join(parts, ", ")
}

func pinText(p longrein.Pinned) string {
	what := ""
	if p.Item != nil {
		what = ": " + itemText(p.Item)
	}
	switch {
	case p.Off:
		return fmt.Sprintf("#%d is no longer pinned", p.Seq)
	case p.Once:
		return fmt.Sprintf("#%d is to be shown again%s", p.Seq, what)
	}
	return fmt.Sprintf("#%d is pinned%s", p.Seq, what)
}

// share is a part in percent.
func share(part, whole int64) float64 { return 100 * float64(part) / float64(max(whole, 1)) }
