package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/tokens"
)

// diffReport is what context --diff prints.
type diffReport struct {
	Thread string `json:"thread"`
	assemble.Difference
	Windows []harness.Began `json:"windows"` // that began between the two
	// Words are the first ones of the items, in place of the lists above.
	Removed []changedItem `json:"removed"`
	Added   []changedItem `json:"added"`
	Changed []changedItem `json:"changed"`
}

type changedItem struct {
	assemble.Change
	Words string `json:"words"`
}

// contextDiff compares two requests, the earlier one first.
func (c *cli) contextDiff(h *harness.Harness, id, a, b string, asJSON bool) error {
	from, err := c.moment(h, id, a)
	if err != nil {
		return err
	}
	to, err := c.moment(h, id, b)
	if err != nil {
		return err
	}
	if to.Seq != 0 && (from.Seq == 0 || from.Seq > to.Seq) {
		from, to = to, from
	}
	d, err := assemble.Compare(from.State, to.State, tokens.Count)
	if err != nil {
		return err
	}
	d.From.Seq, d.To.Seq = from.Seq, to.Seq
	r := diffReport{
		Thread: id, Difference: d,
		Windows: []harness.Began{}, Removed: changedItems(d.Removed), Added: changedItems(d.Added), Changed: changedItems(d.Changed),
	}
	if from.Seq != 0 {
		if r.Windows, err = h.WindowsBetween(id, from.Seq, to.Seq); err != nil {
			return err
		}
	}
	if asJSON {
		return c.printJSON(r)
	}
	printDiff(c.out, r)
	return nil
}

func changedItems(changes []assemble.Change) []changedItem {
	most := limit.Set{}.Int(limit.FirstWords)
	out := []changedItem{}
	for _, ch := range changes {
		text := assemble.Text(ch.Entry)
		if f, ok := ch.Entry.Item.(longrein.Fragment); ok {
			text = f.Text
		}
		out = append(out, changedItem{ch, firstLine(text, most)})
	}
	return out
}

func itemsText(n int) string { return counted(n, "item") }

func printDiff(w io.Writer, r diffReport) {
	fmt.Fprintf(w, "thread %s\n", r.Thread)
	fmt.Fprintf(w, "from %s\nto   %s\n\n", sideText(r.From), sideText(r.To))
	for _, b := range r.Windows {
		paragraph(w, "", fmt.Sprintf("window %d began between them (#%d): %s", b.Window, b.Seq, b.Why))
	}
	printPrefix(w, r.Difference, len(r.Windows) > 0)
	fmt.Fprintf(w, "unchanged: %s\n", itemsText(r.Same))
	printChanges(w, "removed", "-", r.Removed)
	printChanges(w, "added", "+", r.Added)
	printChanges(w, "changed", "~", r.Changed)
}

func sideText(s assemble.Side) string {
	return fmt.Sprintf("%s: window %d, %s, %s tokens", requestName(s.Seq), s.Window, itemsText(s.Items), count(int64(s.Tokens)))
}

// printPrefix says what a provider's cache can use of the first request.
func printPrefix(w io.Writer, d assemble.Difference, renewed bool) {
	switch {
	case !d.Break:
		fmt.Fprintln(w, "no cache break: the second begins with all of the first")
	case renewed:
		fmt.Fprintln(w, "cache break, as with every new window")
	default:
		fmt.Fprintln(w, "cache break without a new window: that is a bug, since a window only grows")
	}
	fmt.Fprintf(w, "common prefix: %d of %d bytes (%s)\n", d.Common, d.From.Bytes, percent(d.Common, d.From.Bytes))
	if d.Parting != nil {
		paragraph(w, "", partingText(*d.Parting))
	}
}

func partingText(p assemble.Parting) string {
	if p.What != "item" {
		return "they part before all items: " + p.What
	}
	place := fmt.Sprintf("they part at item %d, %s%s", p.Item, p.Kind, seqText(p.Seq))
	if p.Kind == p.Instead {
		return place + ", which is another one or reads otherwise in the second"
	}
	return place + "; the second has there: " + cmp.Or(p.Instead, "nothing")
}

func seqText(seq int64) string {
	if seq == 0 {
		return ""
	}
	return fmt.Sprintf(" #%d", seq)
}

func printChanges(w io.Writer, what, mark string, items []changedItem) {
	if len(items) == 0 {
		return
	}
	all := 0
	for _, it := range items {
		all += it.Tokens
	}
	fmt.Fprintf(w, "\n%s: %s, %s tokens\n", what, itemsText(len(items)), count(int64(all)))
	for _, it := range items {
		seq, size := "", count(int64(it.Tokens))
		if it.Seq > 0 {
			seq = fmt.Sprintf("#%d", it.Seq)
		}
		if it.Was > 0 {
			size = count(int64(it.Was)) + "→" + size
		}
		fmt.Fprintf(w, "%s %7s  %-20s %8s  %s\n", mark, seq, firstLine(it.Kind, 20), size, firstLine(it.Words, width(w)-42))
	}
}
