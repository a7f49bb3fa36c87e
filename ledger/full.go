package ledger

import (
	"fmt"
	"strings"
)

// Full returns the whole ledger as a Markdown document, LEDGER.md, "" for an
// empty one. It says what limits made leave.
func (l *Ledger) Full() string {
	var b strings.Builder
	chapter(&b, "Requests", lines(l.Requests, saying.quote), l.Left.Requests)
	chapter(&b, "Constraints", lines(l.Constraints.items(), saying.line), l.Left.Constraints)
	chapter(&b, "Plan", lines(l.Plan.Steps, planStep.line), l.Plan.More)
	chapter(&b, "Errors not resolved", lines(l.Failing.newest(), attempt.full), 0)
	chapter(&b, "Errors resolved", lines(l.resolved(), attempt.story), 0)
	chapter(&b, "Commands", lines(l.commands(), attempt.line), l.Left.Calls)
	chapter(&b, "Files changed", lines(l.Changed.newest(), file.story), 0)
	chapter(&b, "Files read", lines(l.Read.newest(), file.story), l.Left.Files)
	chapter(&b, "Values used again", lines(l.Values.newest(), value.line), l.Left.Values)
	chapter(&b, "Approvals", lines(l.Approvals.newest(), approval.line), l.Left.Approvals)
	if n := l.Left.Candidates; n > 0 {
		fmt.Fprintf(&b, "\n%d values that nothing used for long are no longer watched for.\n", n)
	}
	if b.Len() == 0 {
		return ""
	}
	return "# Ledger\n\nWhat is known for certain of this thread, kept by rules. #n is a record of its log.\n" + b.String()
}

// chapter writes a section with what it lost.
func chapter(b *strings.Builder, title string, lines []string, left int) {
	if len(lines) == 0 && left == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n", title)
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
	if left > 0 {
		fmt.Fprintf(b, "\n%d more left the ledger because of its limits; the log has them.\n", left)
	}
}

// quote is a whole message.
func (s saying) quote() string {
	text := "> " + strings.ReplaceAll(s.Text, "\n", "\n> ")
	if s.Cut > 0 {
		text += fmt.Sprintf("\n> [… %d more bytes]", s.Cut)
	}
	return fmt.Sprintf("#%d\n\n%s\n", s.Seq, text)
}

// story is what became of an error.
func (a attempt) story() string {
	return fmt.Sprintf("- %s (failed in #%d, resolved by #%d): %s", a.name(), a.Failed, a.Seq, a.Said)
}

// story is all that is known of a file.
func (f file) story() string {
	line := f.line()
	if f.Changes > 0 && f.Reads > 0 {
		line += fmt.Sprintf(", read in #%d", f.Read)
	}
	if f.Hash != "" {
		line += ", sha256 " + f.Hash
	}
	return line
}
