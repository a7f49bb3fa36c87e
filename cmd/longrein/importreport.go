package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/session"
)

// importReport says what became of a file.
type importReport struct {
	File    string           `json:"file"`
	Tool    string           `json:"tool,omitempty"`
	Hash    string           `json:"hash,omitempty"`
	Already bool             `json:"already,omitempty"` // the threads are of an earlier import
	Threads []importedThread `json:"threads"`
	Lines   int              `json:"lines"`
	Taken   int              `json:"taken"`
	Blank   int              `json:"blank,omitempty"`
	Passed  []kindCount      `json:"passed,omitempty"`
	Lost    int              `json:"lost"`
	Unread  []unreadLine     `json:"unread,omitempty"`

	OrphanCalls   int                 `json:"calls_without_output,omitempty"`
	OrphanOutputs int                 `json:"outputs_without_call,omitempty"`
	Attachments   int                 `json:"attachments,omitempty"`
	Limits        []longrein.LimitHit `json:"limits,omitempty"`

	Report session.Report `json:"-"`
}

// importedThread is a thread that was made of a session.
type importedThread struct {
	Thread  string `json:"thread"`
	Name    string `json:"name,omitempty"`
	Session string `json:"session,omitempty"` // as the other tool names it
	Agent   string `json:"agent,omitempty"`
	Turns   int    `json:"turns,omitempty"`
	Steps   int    `json:"steps,omitempty"`
	Records int64  `json:"records,omitempty"`
	Secrets int    `json:"secrets,omitempty"` // that were replaced

	n int
}

type kindCount struct {
	Kind string `json:"kind"`
	N    int    `json:"n"`
}

type unreadLine struct {
	Line   int64  `json:"line"`
	Why    string `json:"why"`
	Begins string `json:"begins,omitempty"`
}

func inOrder(threads []importedThread) []importedThread {
	slices.SortStableFunc(threads, func(a, b importedThread) int { return cmp.Compare(a.n, b.n) })
	return threads
}

// tell takes over what the reader counted, and shows no secrets.
func (r *importReport) tell(rec *session.Recording, clean func(longrein.Body) longrein.Body) {
	r.Report = rec.Report
	r.Tool = string(rec.Format)
	r.Lines, r.Taken, r.Blank, r.Lost = rec.Report.Lines, rec.Report.Taken, rec.Report.Blank, rec.Report.Lost
	r.OrphanCalls, r.OrphanOutputs, r.Attachments = rec.Report.OrphanCalls, rec.Report.OrphanOutputs, rec.Report.Attachments.N
	r.Limits = rec.Report.Limits
	for _, c := range rec.Report.Passed {
		r.Passed = append(r.Passed, kindCount(c))
	}
	for _, l := range rec.Report.Unread {
		shown := clean(longrein.ImportedLine{Text: strings.ToValidUTF8(string(l.Raw), "�")}).(longrein.ImportedLine)
		r.Unread = append(r.Unread, unreadLine{l.N, l.Why, beginning(shown.Text)})
	}
}

// print tells a person.
func (r *importReport) print(w io.Writer) error {
	var b strings.Builder
	if r.Already {
		fmt.Fprintf(&b, "%s is already there; --again imports it once more\n", r.File)
	} else {
		fmt.Fprintf(&b, "%s, recorded by %s\n", r.File, r.Tool)
	}
	for _, t := range r.Threads {
		t.print(&b, r.Already)
	}
	if !r.Already {
		r.printLines(&b)
	}
	_, err := io.WriteString(w, printable(b.String()))
	return err
}

func (t importedThread) print(b *strings.Builder, already bool) {
	fmt.Fprintf(b, "  thread %s", t.Thread)
	if t.Agent != "" {
		fmt.Fprintf(b, ", sub-agent %s", t.Agent)
	}
	if t.Name != "" {
		fmt.Fprintf(b, ", %q", beginning(t.Name))
	}
	if !already {
		fmt.Fprintf(b, ": %s, %s", counted(t.Turns, "turn"), counted(t.Steps, "step"))
	}
	if t.Secrets > 0 {
		fmt.Fprintf(b, "; secrets replaced: %d", t.Secrets)
	}
	b.WriteByte('\n')
}

func (r *importReport) printLines(b *strings.Builder) {
	passed := 0
	var kinds []string
	for _, c := range r.Passed {
		passed += c.N
		kinds = append(kinds, fmt.Sprintf("%d %s", c.N, c.Kind))
	}
	fmt.Fprintf(b, "  %s: %d told, %d only kept, %d not readable, %d blank\n", counted(r.Lines, "line"), r.Taken, passed, r.Lost, r.Blank)
	if passed > 0 {
		fmt.Fprintf(b, "  only kept: %s\n", strings.Join(kinds, ", "))
	}
	if r.OrphanCalls+r.OrphanOutputs > 0 {
		fmt.Fprintf(b, "  calls without output: %d; outputs without call: %d\n", r.OrphanCalls, r.OrphanOutputs)
	}
	if r.Attachments > 0 {
		fmt.Fprintf(b, "  attachments, noted in their place: %d\n", r.Attachments)
	}
	for i, l := range r.Unread {
		if i == unreadShown {
			fmt.Fprintf(b, "  … %d more lines could not be read; they are in the log too\n", r.Lost-i)
			break
		}
		fmt.Fprintf(b, "  line %d is kept as it is: %s: %s\n", l.Line, l.Why, l.Begins)
	}
	for _, h := range r.Limits {
		fmt.Fprintf(b, "  limit %s = %d %s: %s\n", h.Name, h.Value, h.Unit, cutText(h))
	}
}
