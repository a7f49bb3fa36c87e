package compare

import (
	"fmt"
	"strings"
	"time"
)

// row is a line of a report: what it says, and each result's value.
type row struct {
	Label string
	Part  bool // of the row before that is none
	Value func(*Result) string
}

// rows are the lines of a report, in groups.
var rows = []struct {
	Title string
	Rows  []row
}{
	{"What it asked and paid", []row{
		{"requests", false, func(r *Result) string { return whole(int64(r.Requests.Worker + r.Requests.Forks)) }},
		{"of forks", true, func(r *Result) string { return whole(int64(r.Requests.Forks)) }},
		{"refused as too long", true, func(r *Result) string { return whole(int64(r.Requests.Refused)) }},
		{"input tokens", false, func(r *Result) string { return whole(r.Usage.Input) }},
		{"cached", true, func(r *Result) string { return whole(r.Usage.Cached) }},
		{"uncached", true, func(r *Result) string { return whole(r.Uncached) }},
		{"output tokens", false, func(r *Result) string { return whole(r.Usage.Output) }},
		{"cache hits", false, func(r *Result) string { return share(r.HitShare) }},
		{"cost", false, func(r *Result) string { return dollars(r, r.Cost) }},
		{"of forks", true, func(r *Result) string { return dollars(r, r.ForkCost) }},
	}},
	{"How it went", []row{
		{"steps replayed", false, func(r *Result) string { return fmt.Sprintf("%d of %d", r.Steps, r.Recorded) }},
		{"windows", false, func(r *Result) string { return whole(int64(r.Windows)) }},
		{"peak context", false, func(r *Result) string { return whole(int64(r.Peak)) }},
		{"cache breaks in a window", false, func(r *Result) string { return whole(int64(r.Breaks)) }},
		{"time", false, func(r *Result) string { return span(r.Time) }},
		{"waiting for memory", true, func(r *Result) string { return span(r.Stall) }},
		{"limits that cut", false, func(r *Result) string { return cuts(r) }},
		{"forks answered by", false, func(r *Result) string { return answers(r) }},
	}},
	{"What could be seen when a step used it", []row{
		{"uses", false, func(r *Result) string { return whole(int64(r.All().Uses)) }},
		{"verbatim", true, func(r *Result) string { return part(r, r.All().Verbatim) }},
		{"in a summary", true, func(r *Result) string { return part(r, r.All().Summary) }},
		{"only by reference", true, func(r *Result) string { return part(r, r.All().Reference) }},
		{"not at all", true, func(r *Result) string { return part(r, r.All().Lost) }},
		kept(Instructions), kept(Paths), kept(Identifiers), kept(Numbers), kept(Errors),
	}},
}

// kept is the row of a kind: how many uses saw it, of how many.
func kept(k Kind) row {
	return row{k.String() + " seen", false, func(r *Result) string {
		c := r.Retention[k]
		if c.Uses == 0 {
			return "-"
		}
		return fmt.Sprintf("%d of %d", c.Uses-c.Lost, c.Uses)
	}}
}

func part(r *Result, n int) string {
	all := r.All().Uses
	if all == 0 {
		return "-"
	}
	return share(float64(n) / float64(all))
}

func share(s float64) string { return fmt.Sprintf("%.1f%%", 100*s) }

// dollars is an amount, "-" where no price is known.
func dollars(r *Result, cost float64) string {
	if r.Profile.Price == zero {
		return "-"
	}
	return fmt.Sprintf("$%.4f", cost)
}

func cuts(r *Result) string {
	n := 0
	for _, c := range r.Limits {
		if c.Cut > 0 {
			n++
		}
	}
	return whole(int64(n))
}

func answers(r *Result) string {
	if len(r.Answers) == 0 {
		return "-"
	}
	var parts []string
	for _, a := range r.Answers {
		parts = append(parts, fmt.Sprintf("%s %d", a.Name, a.N))
	}
	return strings.Join(parts, ", ")
}

// whole writes a number with its thousands apart.
func whole(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func span(d time.Duration) string {
	switch {
	case d == 0:
		return "0"
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}

// about says of what a session's results are.
func about(r *Result) []string {
	lines := []string{
		fmt.Sprintf("%d steps in %d turns, recorded by %s", r.Recorded, r.Turns, r.Tool),
		"simulated provider " + provider(r),
	}
	if r.Inserted > 0 {
		lines = append(lines, fmt.Sprintf("not replayed: %d items that the tool inserted while turns ran", r.Inserted))
	}
	if r.Unread > 0 {
		lines = append(lines, fmt.Sprintf("not readable: %d records or lines", r.Unread))
	}
	if e := r.Estimate; e.Reported > 0 {
		lines = append(lines, fmt.Sprintf("the provider counted %d requests; tokens here are estimates times %.2f", e.Reported, e.Scale))
	} else {
		lines = append(lines, "the recording has no token counts; tokens here are estimates")
	}
	return lines
}

func provider(r *Result) string {
	var parts []string
	if r.Window > 0 {
		parts = append(parts, fmt.Sprintf("window of %s tokens", whole(int64(r.Window))))
	}
	c := r.Profile.Cache
	switch {
	case c.Block == 0:
		parts = append(parts, "no cache")
	case c.Marked:
		parts = append(parts, fmt.Sprintf("cache by breakpoints, kept %v", c.Life))
	default:
		parts = append(parts, fmt.Sprintf("cache by prefixes in blocks of %d tokens, kept %v", c.Block, c.Life))
	}
	return r.Profile.Name + ": " + strings.Join(parts, "; ")
}

// notes are what a reader of the results has to know.
func notes(results []*Result) []string {
	var out []string
	by := map[string]bool{}
	for _, r := range results {
		for _, a := range r.Answers {
			by[a.Name] = true
		}
		if r.Failed != "" {
			out = append(out, fmt.Sprintf("%s did not come to the end: %s", r.Strategy, r.Failed))
		}
	}
	if by[Extractive] {
		out = append(out, "Summaries named extractive were made by rules that pick sentences and values, not by a model; verdicts too.")
	}
	if by[Recorded] {
		out = append(out, "Summaries named recorded are those that a model wrote in the session, with what rules pick of later steps.")
	}
	return append(out, fmt.Sprintf("A use counts when the value had been seen before, and not in the %d steps just before.", afar))
}
