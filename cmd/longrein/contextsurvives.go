package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/limit"
)

// survivesReport says whether a text reaches the model.
type survivesReport struct {
	Thread   string   `json:"thread"`
	Seq      int64    `json:"seq,omitempty"` // of the request; none: the next one
	Text     string   `json:"text"`
	Strategy string   `json:"strategy"`
	Survives bool     `json:"survives"` // it is whole in both
	Now      reach    `json:"now"`
	After    reach    `json:"after"` // the next window has begun
	Notes    []string `json:"notes"` // documents that have it
	Why      []string `json:"why"`   // it does not
	Put      []string `json:"put"`   // where it would
}

// reach is how much of a text a context shows, and where.
type reach struct {
	How reachHow `json:"how"`
	assemble.Finding
}

type reachHow string

const (
	reachWhole reachHow = "whole"
	reachPart  reachHow = "in part"
	reachNotes reachHow = "only in notes"
	reachNot   reachHow = "not at all"
)

func reachOf(in []assemble.Passage, text string, notes []string) reach {
	r := reach{How: reachNot, Finding: assemble.Find(in, text)}
	switch {
	case len(r.Whole) > 0:
		r.How = reachWhole
	case len(notes) > 0:
		r.How = reachNotes
	case r.Partly():
		r.How = reachPart
	}
	return r
}

var errNoText = errors.New("which text? give some words of it")

// contextSurvives prints whether a text reaches the model, now and after the next
// window.
func (c *cli) contextSurvives(ctx context.Context, h *harness.Harness, id string, m harness.Moment, f contextFlags) error {
	if _, _, err := m.State.Request(); err != nil {
		return err
	}
	o, err := c.outlook(ctx, h, id, m)
	if err != nil {
		return err
	}
	r := survival(m, o, f.survives)
	r.Thread = id
	if !r.Survives {
		said, ok, err := h.Said(id, f.survives)
		if err != nil {
			return err
		}
		if !ok {
			said.Seq = 0
		}
		r.explain(m, o, said.Seq)
	}
	if f.json {
		err = c.printJSON(r)
	} else {
		printSurvives(c.out, r)
	}
	if err == nil && !r.Survives {
		return exit{exitFailed}
	}
	return err
}

// survival looks for the text in both contexts.
func survival(m harness.Moment, o harness.Outlook, text string) survivesReport {
	r := survivesReport{Seq: m.Seq, Text: text, Strategy: o.Strategy, Notes: []string{}, Why: []string{}, Put: []string{}}
	for _, d := range o.Notes.Documents() {
		if f := assemble.Find([]assemble.Passage{{Text: d.Text}}, text); len(f.Whole) > 0 {
			r.Notes = append(r.Notes, d.Name)
		}
	}
	now := assemble.Passages(m.State)
	r.Now = reachOf(now, text, r.Notes)
	if o.Window.N > 0 {
		now = assemble.PassagesOf(m.State, o.Window)
	}
	r.After = reachOf(now, text, r.Notes)
	r.Survives = r.Now.How == reachWhole && r.After.How == reachWhole
	return r
}

// explain says why the text does not reach the model, and where it would. Said is
// the newest item of the log that has it, 0 for none.
func (r *survivesReport) explain(m harness.Moment, o harness.Outlook, said int64) {
	why := func(format string, args ...any) { r.Why = append(r.Why, fmt.Sprintf(format, args...)) }
	for _, p := range r.Now.Whole {
		if r.After.How != reachWhole {
			why("%s: %s", passageName(p), lifetime(p))
		}
	}
	switch {
	case r.Now.How == reachWhole:
	case r.After.How == reachWhole:
		why("it is new outside: the next turn is told of it, and windows begin with it from then on, in %s", passageName(r.After.Whole[0]))
	case said != 0:
		why("it was said in item #%d, which this window does not show", said)
	case r.Now.How == reachPart:
		why("only a part of it stands in %s", passageName(*r.Now.Nearest))
	case r.Now.How == reachNot:
		why("nothing in this thread says it")
	}
	for _, h := range m.State.Cuts() {
		if h.Name == limit.Instructions.Name || h.Name == limit.GlobalInstructions.Name {
			why("instructions were cut by limit %s = %d %s: %s", h.Name, h.Value, h.Unit, cutText(h))
		}
	}
	for _, name := range r.Notes {
		why("the notes have it in %s, which the model has to read", name)
	}
	if o.Summary && r.After.How != reachWhole {
		why("a model sums the window up first, and may keep it, in words of its own")
	}
	if r.After.How != reachWhole {
		r.place(m.State.Thread, said)
	}
}

// lifetime says how long what a passage says stays with the model.
func lifetime(p assemble.Passage) string {
	switch p.Tier {
	case longrein.TierBase, longrein.TierDeveloper:
		return "every window begins with it as it is then, and it will read otherwise"
	case longrein.TierInitial:
		return "every window begins with this anew, and then it does not say so any more"
	case longrein.TierSkill:
		return "a skill stays in the window in which it was mentioned"
	case longrein.TierUser:
		return "the user's messages are carried as far as limit " + limit.CarriedUser.Name + " and the new window have room"
	}
	return "what the model and its tools made lasts as long as its window"
}

// place says where the text would stay.
func (r *survivesReport) place(t longrein.Thread, said int64) {
	r.Put = append(r.Put,
		fmt.Sprintf("AGENTS.md in %s, for what holds in this project: every window begins with it", t.Cwd),
		"base_instructions in the settings, for what always holds: they are part of every request",
		"a skill, for how something is done: its name and description are in every window, its text where it is mentioned",
	)
	if said != 0 {
		r.Put = append(r.Put,
			fmt.Sprintf("longrein pin %s %d, to have every window of this thread carry that item", short(t.ID), said),
			fmt.Sprintf("longrein restore %s %d, to show it once more", short(t.ID), said))
	}
}

func passageName(p assemble.Passage) string {
	return fmt.Sprintf("%s%s (%s)", p.Kind, seqText(p.Seq), p.Tier)
}

func printSurvives(w io.Writer, r survivesReport) {
	paragraph(w, "", fmt.Sprintf("%q", r.Text))
	fmt.Fprintln(w)
	printReach(w, requestName(r.Seq), r.Now)
	if r.Now.How == r.After.How {
		r.After.Nearest = nil // it is the same one, or one like it
	}
	printReach(w, fmt.Sprintf("after the next window (strategy %s)", r.Strategy), r.After)
	printList(w, "why", r.Why)
	printList(w, "where it would stay", r.Put)
}

func printList(w io.Writer, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", title)
	for _, line := range lines {
		paragraph(w, "  ", line)
	}
}

func printReach(w io.Writer, when string, r reach) {
	fmt.Fprintf(w, "%s: %s\n", when, r.How)
	for _, p := range r.Whole {
		fmt.Fprintf(w, "  in %s\n", passageName(p))
	}
	if p := r.Nearest; p != nil {
		paragraph(w, "  ", fmt.Sprintf("nearest: %s, with %d of its %d words, %d in a row", passageName(*p), r.Shared, r.Words, r.Run))
	}
}
