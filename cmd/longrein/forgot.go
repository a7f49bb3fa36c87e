package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/memory"
)

func (c *cli) forgotCommand() *cobra.Command {
	var window int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "forgot ID [--window N]",
		Short: "List what the model no longer sees since a window began",
		Long: "List what was in the context before a window began and is not in it since, with what became of each item:\n" +
			"noted, when the notes of that moment rest on it, or only in the log. longrein restore brings one back.",
		Args: between(1, 1, "which thread? longrein threads lists them"),
		RunE: func(_ *cobra.Command, args []string) error {
			h, id, err := c.thread(args)
			if err != nil {
				return err
			}
			s, err := c.swapInto(h, id, window)
			if err != nil {
				return err
			}
			if asJSON {
				return c.printJSON(s)
			}
			printSwap(c.out, s)
			return nil
		},
	}
	cmd.Flags().IntVar(&window, "window", 0, "what was lost when this window began (default: the newest)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// swap is what became of a context when a window began.
type swap struct {
	Thread string `json:"thread"`
	Window int    `json:"window"`
	Why    string `json:"why"`
	// Before is the context without its initial part. Of it, Carried is in the new
	// head, and Renewed is what a head made itself, such as the notes, which has a
	// successor there.
	Before  amount      `json:"before"`
	Carried amount      `json:"carried"`
	Renewed amount      `json:"renewed"`
	Lost    amount      `json:"lost"`
	Kinds   []kindLost  `json:"kinds"` // by tokens, most first
	Items   []forgotten `json:"items"` // in the order of the log
}

type amount struct {
	Items  int `json:"items"`
	Tokens int `json:"tokens"`
}

func (a *amount) add(tokens int) { a.Items++; a.Tokens += tokens }

// String is such as "12 items, 3.4k tokens".
func (a amount) String() string {
	return fmt.Sprintf("%s, %s tokens", counted(a.Items, "item"), count(int64(a.Tokens)))
}

type kindLost struct {
	Kind string `json:"kind"`
	amount
	Noted int `json:"noted"` // of the items
}

// forgotten is an item that the model no longer sees.
type forgotten struct {
	Seq    int64  `json:"seq"`
	Kind   string `json:"kind"`
	Tokens int    `json:"tokens"`
	Noted  bool   `json:"noted"` // the notes rest on it; else it is only in the log
	Words  string `json:"words"` // its first ones
}

// swapInto looks at how a window began, 0 for the newest.
func (c *cli) swapInto(h *harness.Harness, id string, window int) (swap, error) {
	var s assemble.State
	var notes memory.Notes
	var last *swap
	for r, err := range h.Store().Read(id) {
		if err != nil {
			c.note(err.Error())
			continue
		}
		switch b := r.Body.(type) {
		case longrein.Notes:
			notes = notes.With(b)
		case longrein.Window:
			if s.Window.N > 0 && (window == 0 || window == b.N) {
				found := swapOf(&s, b, notes)
				last = &found
			}
		}
		if err := s.Add(r); err != nil {
			return swap{}, fmt.Errorf("record %d: %w", r.Seq, err)
		}
		if window > 0 && s.Window.N >= window {
			break
		}
	}
	switch {
	case last != nil:
		last.Thread = id
		return *last, nil
	case window == 1:
		return swap{}, fmt.Errorf("nothing was forgotten when window 1 of thread %s began: it is the first", id)
	case window > s.Window.N:
		return swap{}, usage{fmt.Errorf("thread %s has %s", id, counted(s.Window.N, "window"))}
	}
	return swap{}, fmt.Errorf("nothing was forgotten: thread %s is in its first window still", id)
}

// swapOf finds what of a window's context is not in the head of the next.
func swapOf(s *assemble.State, next longrein.Window, notes memory.Notes) swap {
	out := swap{Window: next.N, Why: next.Why, Kinds: []kindLost{}, Items: []forgotten{}}
	kept, noted := keptBy(next.Head), citedBy(notes)
	for _, e := range s.Entries()[min(s.Window.Fresh, len(s.Entries())):] {
		tokens := assemble.Size(e)
		out.Before.add(tokens)
		switch {
		case kept(e):
			out.Carried.add(tokens)
		case e.Seq == 0 && isFragment(e.Item):
			out.Renewed.add(tokens)
		default:
			out.lose(forgotten{e.Seq, kindOf(e.Item), tokens, noted[e.Seq], firstLine(itemText(e.Item), 100)})
		}
	}
	slices.SortStableFunc(out.Kinds, func(a, b kindLost) int { return b.Tokens - a.Tokens })
	return out
}

func (s *swap) lose(f forgotten) {
	s.Items = append(s.Items, f)
	s.Lost.add(f.Tokens)
	i := slices.IndexFunc(s.Kinds, func(k kindLost) bool { return k.Kind == f.Kind })
	if i < 0 {
		i = len(s.Kinds)
		s.Kinds = append(s.Kinds, kindLost{Kind: f.Kind})
	}
	s.Kinds[i].add(f.Tokens)
	if f.Noted {
		s.Kinds[i].Noted++
	}
}

// keptBy reports whether an entry is in a head: by its number, or where a head of
// an older log has none, by what it says.
func keptBy(head []longrein.Entry) func(longrein.Entry) bool {
	seqs, texts := map[int64]bool{}, map[string]bool{}
	for _, e := range head {
		if e.Seq > 0 {
			seqs[e.Seq] = true
			continue
		}
		texts[kindOf(e.Item)+assemble.Text(e)] = true
	}
	return func(e longrein.Entry) bool { return seqs[e.Seq] || texts[kindOf(e.Item)+assemble.Text(e)] }
}

// citedBy returns the numbers of the items that notes rest on.
func citedBy(n memory.Notes) map[int64]bool {
	cited := map[int64]bool{}
	for _, d := range n.Documents() {
		for _, s := range d.Sources {
			for _, seq := range s.Seqs {
				cited[seq] = true
			}
		}
	}
	return cited
}

func isFragment(it longrein.Item) bool {
	_, ok := it.(longrein.Fragment)
	return ok
}

// kindOf names an item's kind as lists show it.
func kindOf(it longrein.Item) string {
	switch it := it.(type) {
	case longrein.Message:
		return string(it.Role) + " message"
	case longrein.ToolCall:
		return "tool call"
	case longrein.ToolOutput:
		return "tool output"
	case longrein.Fragment:
		return string(it.Tag)
	}
	return longrein.Kind(it)
}

func printSwap(w io.Writer, s swap) {
	fmt.Fprintf(w, "window %d of thread %s: %s\n", s.Window, s.Thread, printable(s.Why))
	fmt.Fprintf(w, "before it: %s; carried over: %s; made anew: %s\n", s.Before, s.Carried, s.Renewed)
	if s.Lost.Items == 0 {
		fmt.Fprintln(w, "nothing was forgotten")
		return
	}
	fmt.Fprintf(w, "no longer seen: %s\n\n", s.Lost)
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	for _, k := range s.Kinds {
		fmt.Fprintf(t, "%s\t%s\t%s tokens\t%d noted\t%d only in the log\t\n", k.Kind, counted(k.Items, "item"), count(int64(k.Tokens)), k.Noted, k.Items-k.Noted)
	}
	_ = t.Flush() // the error is that of w, which the lines below meet too
	fmt.Fprintln(w)
	for _, f := range s.Items {
		became := "only in the log"
		if f.Noted {
			became = "noted"
		}
		fmt.Fprintf(w, "%7s  %-17s %6s  %-15s  %s\n", fmt.Sprintf("#%d", f.Seq), f.Kind, count(int64(f.Tokens)), became, f.Words)
	}
	fmt.Fprintf(w, "\nlongrein restore %s SEQ shows the model one of them again\n", short(s.Thread))
}
