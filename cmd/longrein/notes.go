package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/memory"
)

// notesFlags are the flags of notes.
type notesFlags struct {
	sources, json bool
	doc           string
	version       int
}

func (c *cli) notesCommand() *cobra.Command {
	var f notesFlags
	cmd := &cobra.Command{
		Use:   "notes ID [--doc NAME] [--sources] [--version N]",
		Short: "Show the notes that memory keeps of a thread, and what they rest on",
		Long: "Show the notes that memory keeps of a thread, and what they rest on. They are also files, in notes/<thread id>\n" +
			"of the data folder; what you edit there is shown here, and counts, once the thread goes on.",
		Args: between(1, 1, "which thread? longrein threads lists them"),
		RunE: func(_ *cobra.Command, args []string) error {
			h, id, err := c.thread(args)
			if err != nil {
				return err
			}
			n, err := c.notesOf(h, id, f.version)
			if err != nil {
				return err
			}
			return c.showNotes(n, f)
		},
	}
	cmd.Flags().StringVar(&f.doc, "doc", "", "show this document instead of "+longrein.MainDocument)
	cmd.Flags().BoolVar(&f.sources, "sources", false, "say after each paragraph on which items it rests, and how much rests on none")
	cmd.Flags().IntVar(&f.version, "version", 0, "as they were with this version (default: the newest)")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

// notesVersion is a thread's notes as they were with one version.
type notesVersion struct {
	thread string
	by     string
	seq    int64 // of its record
	upTo   int64 // the last item that they cover
	memory.Notes
}

// notesOf folds a thread's notes up to a version, 0 for the newest.
func (c *cli) notesOf(h *harness.Harness, id string, version int) (notesVersion, error) {
	n := notesVersion{thread: id}
	var covered []coverage
	for r, err := range h.Store().Read(id) {
		if err != nil {
			c.note(err.Error())
			continue
		}
		if v, ok := r.Body.(longrein.Notes); ok {
			n.by, n.seq, n.upTo = v.By, r.Seq, max(n.upTo, v.Boundary)
			n.Notes = n.With(v)
			covered = append(covered, coverage{r.Seq, n.upTo})
		}
		if b, ok := r.Body.(longrein.Rollback); ok {
			n.upTo = coveredAt(covered, b.To)
			covered = append(covered, coverage{r.Seq, n.upTo})
		}
		if version > 0 && n.Version == version {
			return n, nil
		}
	}
	switch {
	case n.Version == 0:
		return n, fmt.Errorf("thread %s has no notes: they are written once its context has grown, with strategy = \"background\"", id)
	case version != 0:
		return n, usage{fmt.Errorf("the notes of thread %s have the versions 1 to %d", id, n.Version)}
	}
	return n, nil
}

// coverage says how far notes reached from a record on.
type coverage struct{ seq, upTo int64 }

// coveredAt is how far they reached at a record.
func coveredAt(all []coverage, seq int64) int64 {
	for _, c := range slices.Backward(all) {
		if c.seq <= seq {
			return c.upTo
		}
	}
	return 0
}

func (c *cli) showNotes(n notesVersion, f notesFlags) error {
	if f.json {
		return c.printJSON(rowOfNotes(n, f))
	}
	name := f.doc
	if name == "" {
		name = longrein.MainDocument
		printNotes(c.out, n)
	}
	d, ok := n.Get(name)
	switch {
	case !ok && f.doc != "":
		return usage{fmt.Errorf("there is no document %q in version %d; there are %s", name, n.Version, strings.Join(documentNames(n), ", "))}
	case !ok:
		return nil
	case f.sources:
		printSources(c.out, d)
		printUnsourced(c.out, n)
		return nil
	}
	_, err := fmt.Fprintln(c.out, printable(strings.TrimRight(d.Text, "\n")))
	return err
}

func documentNames(n notesVersion) []string {
	var names []string
	for _, d := range n.Documents() {
		names = append(names, d.Name)
	}
	return names
}

func printNotes(w io.Writer, n notesVersion) {
	fmt.Fprintf(w, "notes of thread %s, version %d by %s (record %d)", n.thread, n.Version, n.by, n.seq)
	if n.upTo > 0 {
		fmt.Fprintf(w, ", up to #%d", n.upTo)
	}
	fmt.Fprintln(w)
	for _, d := range n.Documents() {
		fmt.Fprintf(w, "  %8s bytes  %s\n", count(int64(len(d.Text))), printable(d.Name))
	}
	fmt.Fprintln(w)
}

// printSources prints a document with the numbers of the items that each
// paragraph rests on.
func printSources(w io.Writer, d longrein.Document) {
	text := d.Text
	for _, p := range memory.Paragraphs(d) {
		before, after, _ := strings.Cut(text, p.Text)
		fmt.Fprintf(w, "%s%s  %s", printable(before), printable(p.Text), sourceText(p.Seqs))
		text = after
	}
	fmt.Fprintln(w, printable(strings.TrimRight(text, "\n")))
}

// sourceText is [#412 #415].
func sourceText(seqs []int64) string {
	if len(seqs) == 0 {
		return "[no source]"
	}
	return strings.NewReplacer("[", "[#", " ", " #").Replace(fmt.Sprint(seqs))
}

func printUnsourced(w io.Writer, n notesVersion) {
	none, all := n.Unsourced()
	fmt.Fprintf(w, "\n%.0f%% of the text of all documents rests on no item (%s of %s bytes)\n",
		share(int64(none), int64(all)), count(int64(none)), count(int64(all)))
}

// notesRow is notes as they are printed for programs.
type notesRow struct {
	Thread    string        `json:"thread"`
	Version   int           `json:"version"`
	By        string        `json:"by"`
	Seq       int64         `json:"seq"`
	Boundary  int64         `json:"boundary,omitempty"`
	Documents []documentRow `json:"documents"`
	// Bytes of the text of paragraphs, and of those that rest on no item.
	Bytes     int `json:"bytes"`
	Unsourced int `json:"unsourced"`
}

type documentRow struct {
	Name       string         `json:"name"`
	Bytes      int            `json:"bytes"`
	Text       string         `json:"text"`
	Paragraphs []paragraphRow `json:"paragraphs,omitempty"`
}

type paragraphRow struct {
	Text string  `json:"text"`
	Seqs []int64 `json:"seqs"`
}

func rowOfNotes(n notesVersion, f notesFlags) notesRow {
	row := notesRow{Thread: n.thread, Version: n.Version, By: n.by, Seq: n.seq, Boundary: n.upTo, Documents: []documentRow{}}
	row.Unsourced, row.Bytes = n.Unsourced()
	for _, d := range n.Documents() {
		if f.doc != "" && d.Name != f.doc {
			continue
		}
		doc := documentRow{Name: d.Name, Bytes: len(d.Text), Text: d.Text}
		if f.sources {
			for _, p := range memory.Paragraphs(d) {
				doc.Paragraphs = append(doc.Paragraphs, paragraphRow{p.Text, append([]int64{}, p.Seqs...)})
			}
		}
		row.Documents = append(row.Documents, doc)
	}
	return row
}
