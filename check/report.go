package check

import (
	"fmt"
	"io"
	"strings"
)

// Report is what a policy comes to on a session.
type Report struct {
	Policy   string
	Session  string
	Verdicts []Verdict // one a rule, in the policy's order
}

// State is what a rule comes to.
type State string

// A rule holds, fails, or is skipped: it is optional, and the session has nothing
// to judge it by.
const (
	Held    State = "held"
	Failed  State = "failed"
	Skipped State = "skipped"
)

// Verdict is what a rule comes to on a session.
type Verdict struct {
	Policy   string   `json:"policy"`
	Rule     string   `json:"rule"` // its name
	Kind     string   `json:"kind"`
	Line     int      `json:"line"` // in the policy's file
	Session  string   `json:"session"`
	Strategy string   `json:"strategy"`
	Profile  string   `json:"profile"`
	Window   int      `json:"context_window"` // tokens, 0: unknown
	State    State    `json:"state"`
	Failure  *Failure `json:"failure,omitempty"` // of a rule that failed
	Note     string   `json:"note,omitempty"`    // why it was skipped
}

// Failure is where and why a rule fails. One that had nothing to judge by has no
// step.
type Failure struct {
	Step   int    `json:"step,omitempty"`   // of the session, from 1; the failing request is the one that it answers
	Seq    int64  `json:"seq,omitempty"`    // of the recorded request, 0 when the recording has none
	Window int    `json:"window,omitempty"` // of the replay
	Want   string `json:"want"`
	Got    string `json:"got"`
	Look   string `json:"look"` // where to look on
}

// place says where a failure is.
func (f *Failure) place() string {
	if f.Step == 0 {
		return "in the whole session"
	}
	seq := ""
	if f.Seq != 0 {
		seq = fmt.Sprintf(" (record %d)", f.Seq)
	}
	return fmt.Sprintf("at step %d%s, window %d", f.Step, seq, f.Window)
}

// Count returns how many verdicts of the reports are of a state.
func Count(reports []*Report, s State) int {
	n := 0
	for _, r := range reports {
		for _, v := range r.Verdicts {
			if v.State == s {
				n++
			}
		}
	}
	return n
}

// WriteText writes a report for people.
func WriteText(w io.Writer, r *Report) error {
	var b strings.Builder
	setup := ""
	for _, v := range r.Verdicts {
		if s := v.setup(); s != setup {
			setup = s
			fmt.Fprintf(&b, "%s under %s\n", plain(r.Session), s)
		}
		v.write(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// setup is what the rule was replayed with.
func (v Verdict) setup() string {
	window := "a window that is not known"
	if v.Window > 0 {
		window = "a window of " + whole(int64(v.Window)) + " tokens"
	}
	return plain(v.Strategy + ", " + v.Profile + ", " + window)
}

func (v Verdict) write(b *strings.Builder) {
	switch v.State {
	case Held:
		fmt.Fprintf(b, "  ok       %s\n", plain(v.Rule))
	case Skipped:
		fmt.Fprintf(b, "  skipped  %s\n           because  %s\n", plain(v.Rule), plain(v.Note))
	case Failed:
		f := v.Failure
		fmt.Fprintf(b, "  FAILED   %s\n           %s\n", plain(v.Rule), f.place())
		if v.Rule != f.Want {
			fmt.Fprintf(b, "           wanted   %s\n", plain(f.Want))
		}
		fmt.Fprintf(b, "           found    %s\n           look     %s\n", plain(f.Got), plain(f.Look))
	}
}

// WriteSum writes the last line of a report.
func WriteSum(w io.Writer, reports []*Report) error {
	_, err := fmt.Fprintf(w, "%d held, %d failed, %d skipped\n", Count(reports, Held), Count(reports, Failed), Count(reports, Skipped))
	return err
}
