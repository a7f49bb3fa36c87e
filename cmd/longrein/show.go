package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// logPrinter shows a log's records to a person. What happened beside the work is
// a line for each run, where that ended, or with all everything it did, below it.
type logPrinter struct {
	w    io.Writer
	all  bool
	open []*openFork
	kept int // lines of an imported file that were not shown
}

// openFork is a run that has come to no end yet.
type openFork struct {
	began longrein.Record
	fork  longrein.Fork
	own   []longrein.Record
}

func (p *logPrinter) print(r longrein.Record) {
	line, isLine := r.Body.(longrein.ImportedLine)
	if isLine && !line.Lost {
		p.kept++
		return
	}
	p.keptLines()
	switch b := r.Body.(type) {
	case longrein.Beside:
		if o := p.find(b.Fork); o != nil && p.all {
			o.own = append(o.own, longrein.Record{Seq: r.Seq, Body: b.Body})
		}
	case longrein.Fork:
		p.fork(r, b)
	default:
		printRecord(p.w, r, "")
	}
}

// keptLines says how many lines were passed over.
func (p *logPrinter) keptLines() {
	if p.kept > 0 {
		fmt.Fprintf(p.w, "        lines of the file that are kept as they are: %d; --json shows them\n", p.kept)
		p.kept = 0
	}
}

func (p *logPrinter) fork(r longrein.Record, f longrein.Fork) {
	if f.State == longrein.ForkStarted {
		p.open = append(p.open, &openFork{began: r, fork: f})
		return
	}
	printRecord(p.w, r, "")
	if o := p.find(f.Name()); o != nil {
		o.print(p.w)
		p.open = slices.DeleteFunc(p.open, func(other *openFork) bool { return other == o })
	}
}

func (p *logPrinter) find(name string) *openFork {
	for _, o := range p.open {
		if o.fork.Name() == name {
			return o
		}
	}
	return nil
}

// end shows the runs that the log does not see the end of.
func (p *logPrinter) end() {
	p.keptLines()
	for _, o := range p.open {
		printRecord(p.w, o.began, "")
		o.print(p.w)
	}
}

func (o *openFork) print(w io.Writer) {
	for _, r := range o.own {
		printRecord(w, r, "  | ")
	}
}

// printRecord shows one record, each line of it behind a margin.
func printRecord(w io.Writer, r longrein.Record, margin string) {
	text := strings.TrimRight(recordText(r.Body), "\n")
	text = strings.ReplaceAll(printable(text), "\n", "\n        "+margin)
	fmt.Fprintf(w, "%6d  %s%s\n", r.Seq, margin, text)
}

// recordText puts a record into words.
func recordText(b longrein.Body) string {
	switch b := b.(type) {
	case longrein.Thread:
		return fmt.Sprintf("thread %s in %s, begun by longrein %s", b.ID, b.Cwd, b.Version)
	case longrein.Settings:
		return fmt.Sprintf("settings: %s of %s over %s", cmp.Or(b.Model, "no model"), cmp.Or(b.Provider, "no provider"), b.Wire)
	case longrein.Window:
		return fmt.Sprintf("window %d: %s; its head holds %s", b.N, b.Why, counted(len(b.Head), "item"))
	case longrein.Turn:
		return turnText(b)
	case longrein.Input:
		return string(b.Mode) + ": " + b.Text
	case longrein.Appended:
		return itemText(b.Item)
	case longrein.Asked:
		if b.Hash == "" {
			return "request of another tool"
		}
		return fmt.Sprintf("request: about %d tokens, %d of them sent before; sha256 %.12s…", b.Tokens, b.Cached, b.Hash)
	case longrein.Answered:
		return fmt.Sprintf("answered in %d ms: %d tokens in (%d cached), %d out, $%.4f", b.Millis, b.Usage.Input, b.Usage.Cached, b.Usage.Output, b.Cost)
	case longrein.ToolRun:
		return fmt.Sprintf("tool call %s %s", b.CallID, b.State)
	case longrein.LimitHit:
		return fmt.Sprintf("limit %s = %d %s: %s", b.Name, b.Value, b.Unit, cutText(b))
	case longrein.Approval:
		return fmt.Sprintf("approval %s: %s %s (%s) %s", b.State, b.Tool, b.Action, b.Reason, b.Note)
	case longrein.Warning:
		return "warning: " + b.Text
	case longrein.Renamed:
		return "named " + b.Name
	case longrein.Fork:
		return fmt.Sprintf("%s, forked at #%d%s", forkText(b, ""), b.From, priceText(b))
	case longrein.Beside:
		return b.Fork + ": " + recordText(b.Body)
	case longrein.Notes:
		return notesText(b)
	case longrein.Verdict:
		return b.Fork + ": " + verdictText(b)
	case longrein.Reset:
		return resetText(b)
	case longrein.Pinned:
		return pinText(b)
	case longrein.Imported:
		return fmt.Sprintf("imported: session %s of %s %s in %s, sha256 %.12s…; %s, %d not readable", b.Session, b.Tool, b.Version, b.File, b.Hash, counted(b.Lines, "line"), b.Unread)
	case longrein.ImportedLine:
		return importedLineText(b)
	case longrein.Unknown:
		return fmt.Sprintf("%s (of a newer version): %s", b.Name, b.Raw)
	}
	return pastText(b)
}

// pastText puts a record of going back, or of a compaction, into words.
func pastText(b longrein.Body) string {
	switch b := b.(type) {
	case longrein.Rollback:
		text := fmt.Sprintf("rolled back to record %d", b.To)
		if b.Redo {
			text = fmt.Sprintf("the last rollback was taken back, to record %d", b.To)
		}
		if b.Turns > 0 {
			text += fmt.Sprintf("; the model no longer sees %s after it", counted(b.Turns, "turn"))
		}
		return text
	case longrein.Snapshot:
		if b.Tree == "" {
			return fmt.Sprintf("no snapshot, %s turn %d: %s", b.When, b.Turn, b.Why)
		}
		return fmt.Sprintf("snapshot of %s, %s turn %d", counted(b.Files, "file"), b.When, b.Turn)
	case longrein.Undone:
		what := fmt.Sprintf("files were put back as before turn %d", b.Turn)
		if b.Redo {
			what = "the undo was taken back"
		}
		return what + ": " + counted(len(b.Changed), "file")
	case longrein.Compaction:
		return strings.TrimSpace(fmt.Sprintf("compaction of window %d %s by %s %s", b.Window, b.Status, b.Fork, b.Error))
	}
	return longrein.Record{Body: b}.Type()
}

func importedLineText(l longrein.ImportedLine) string {
	what := "kept"
	if l.Lost {
		what = "could not be read"
	}
	if l.Part > 0 {
		what += fmt.Sprintf(", part %d", l.Part)
	}
	return fmt.Sprintf("line %d %s: %s: %s", l.Line, what, l.Kind, beginning(l.Text+strings.ToValidUTF8(string(l.Bytes), "�")))
}

func notesText(n longrein.Notes) string {
	text := fmt.Sprintf("notes, version %d, by %s", n.Version, n.By)
	if n.Boundary > 0 {
		text += fmt.Sprintf(", up to #%d", n.Boundary)
	}
	for _, d := range n.Changed {
		size := count(int64(len(d.Text))) + " bytes"
		if d.Deleted {
			size = "deleted"
		}
		text += fmt.Sprintf("\n%s  %s", d.Name, size)
	}
	return text
}

func resetText(r longrein.Reset) string {
	text := fmt.Sprintf("reset of window %d %s: %s", r.Window, r.Phase, r.Why) + breakEvenText(r)
	if sizes := sizesText(r); sizes != "" {
		text += "; " + sizes
	}
	for _, what := range r.Repaired {
		text += "\nput back: " + what
	}
	return text
}

func turnText(t longrein.Turn) string {
	text := fmt.Sprintf("turn %d %s", t.N, t.State)
	if t.Error != nil {
		text += ": " + t.Error.Text
	}
	return text
}

func itemText(it longrein.Item) string {
	switch it := it.(type) {
	case longrein.Message:
		return string(it.Role) + ": " + it.Text
	case longrein.Reasoning:
		return "reasoning: " + it.Text
	case longrein.ToolCall:
		return "call " + it.Name + " " + it.Args
	case longrein.ToolOutput:
		return "output (" + string(it.Status) + "): " + it.Text
	case longrein.Fragment:
		return string(it.Tag) + ": " + it.Text
	}
	return longrein.Kind(it)
}
