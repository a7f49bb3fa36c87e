package ledger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// section is one kind of what the ledger knows, the most important first.
type section struct {
	title string
	lines []string
}

// sections returns what is put into heads.
func (l *Ledger) sections() []section {
	return []section{
		{fmt.Sprintf("Open plan items (#%d)", l.Plan.Seq), lines(l.open(), planStep.line)},
		{"Errors not resolved", lines(l.Failing.newest(), attempt.line)},
		{"Constraints, in the user's words", lines(l.Constraints.newest(), saying.line)},
		{"Files changed", lines(l.Changed.newest(), file.line)},
		{"Values that were used again", lines(l.Values.newest(), value.line)},
		{"Commands that ended well", lines(l.commands(), attempt.line)},
		{"Files read", lines(l.Read.newest(), file.line)},
		{"Approvals", lines(l.Approvals.newest(), approval.line)},
	}
}

func lines[T any](items []T, line func(T) string) []string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = line(item)
	}
	return out
}

// open returns the steps of the plan that are not done.
func (l *Ledger) open() []planStep {
	return slices.DeleteFunc(slices.Clone(l.Plan.Steps), func(s planStep) bool { return !s.open() })
}

// commands returns those that ended well the last time, the newest first.
func (l *Ledger) commands() []attempt {
	return slices.DeleteFunc(l.Done.newest(), func(a attempt) bool { return a.Tool != command })
}

// resolved returns the errors that are no longer there, the newest first.
func (l *Ledger) resolved() []attempt {
	return slices.DeleteFunc(l.Done.newest(), func(a attempt) bool { return a.Fails == 0 })
}

func (s planStep) line() string {
	switch s.Status {
	case "completed":
		return "- [x] " + s.Step
	case "in_progress":
		return "- [ ] " + s.Step + " (in progress)"
	}
	return "- [ ] " + s.Step
}

// shown is what a head says of an error's last lines.
const shown = 160

func (a attempt) line() string { return a.told(shown) }

// full is line with all of the last lines.
func (a attempt) full() string { return a.told(len(a.Said)) }

func (a attempt) told(most int) string {
	notes := []string{}
	if a.Exit != nil {
		notes = append(notes, fmt.Sprintf("exit %d", *a.Exit))
	}
	if a.Runs > 1 {
		notes = append(notes, fmt.Sprintf("%d runs", a.Runs))
	}
	if a.Fails > 0 && a.Runs > 1 {
		notes = append(notes, fmt.Sprintf("%d failed", a.Fails))
	}
	notes = append(notes, fmt.Sprintf("#%d", a.Seq))
	line := "- " + a.name() + " (" + strings.Join(notes, ", ") + ")"
	if a.Failed == a.Seq && a.Said != "" {
		line += ": " + tail(a.Said, most)
	}
	return line
}

// name is the command as in a shell, or the tool and what it was to do.
func (a attempt) name() string {
	name := a.Tool + " " + a.What
	if a.Tool == command {
		name = "$ " + a.What
	}
	if a.Rest != "" {
		name += " …"
	}
	return name
}

func (s saying) line() string {
	if s.Cut > 0 {
		return fmt.Sprintf("- %s [… %d more bytes] (#%d)", s.Text, s.Cut, s.Seq)
	}
	return fmt.Sprintf("- %s (#%d)", s.Text, s.Seq)
}

func (f file) line() string {
	switch {
	case f.Changes == 0:
		return fmt.Sprintf("- %s (#%d)", f.Path, f.Read)
	case f.Gone:
		return fmt.Sprintf("- %s (deleted, #%d)", f.Path, f.Changed)
	case f.Changes == 1:
		return fmt.Sprintf("- %s (#%d)", f.Path, f.Changed)
	}
	return fmt.Sprintf("- %s (%d times, #%d)", f.Path, f.Changes, f.Changed)
}

func (v value) line() string {
	return fmt.Sprintf("- %s (from #%d, used in #%d)", v.Text, v.Seq, v.Used)
}

func (a approval) line() string {
	state := string(a.State)
	if a.State == longrein.ApprovalAsked {
		state = "asked, no answer"
	}
	line := fmt.Sprintf("- %s: %s %s (#%d)", state, a.Tool, a.Action, a.Seq)
	if a.Note != "" {
		line += ": " + a.Note
	}
	return line
}
