package memory

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/patch"
)

// edit is a patch on its way into a draft.
type edit struct {
	*Draft
	texts   map[string]string
	added   []citing
	unknown int
}

// citing is a paragraph with the items that it was said to rest on.
type citing struct {
	hash string
	seqs []int64
}

func (d *Draft) patch(call longrein.ToolCall, text string) longrein.ToolOutput {
	if most := d.o.Limits.Int(limit.NotesPatch); len(text) > most {
		return failed(call, refuse("the patch has %s, more than the limit notes-patch of %s; notes are edited in small steps", size(len(text)), size(most)))
	}
	p, err := patch.Parse(text)
	if err != nil {
		return failed(call, err)
	}
	if most := d.o.Limits.Int(limit.NotesDocuments); len(p.Changes) > most {
		return failed(call, refuse("the patch has %d changes, more than the limit notes-documents of %d; nothing was changed", len(p.Changes), most))
	}
	e := &edit{Draft: d, texts: maps.Clone(d.texts)}
	for _, c := range p.Changes {
		if err := e.change(c); err != nil {
			return failed(call, fmt.Errorf("%s: %w; nothing was changed", clip(c.Path, shown), err))
		}
	}
	if err := d.roomFor(e.texts); err != nil {
		return failed(call, fmt.Errorf("%w; nothing was changed", err))
	}
	e.commit()
	return done(call, e.report(p))
}

// commit makes the edit part of the draft.
func (e *edit) commit() {
	e.Draft.texts = e.texts
	e.Draft.unknown += e.unknown
	most := e.o.Limits.Int(limit.NotesSources)
	for _, c := range e.added {
		e.cites.add(c.hash, c.seqs)
		e.cites[c.hash] = e.cites[c.hash][:min(len(e.cites[c.hash]), most)]
	}
}

// report says what was done, and what the summarizer should know of it.
func (e *edit) report(p patch.Patch) string {
	var lines []string
	for _, c := range p.Changes {
		lines = append(lines, c.String())
	}
	if e.unknown > 0 {
		lines = append(lines, fmt.Sprintf("%d of the numbers cited belong to no item; they were left out", e.unknown))
	}
	if over := e.MainOver(); over > 0 {
		lines = append(lines, fmt.Sprintf("MAIN.md is %s longer than it should be; move what few steps need into other documents", size(over)))
	}
	return e.shown(lines)
}

func (e *edit) change(c patch.Change) error {
	name, err := e.writable(c.Path)
	if err != nil {
		return err
	}
	text, exists := e.texts[name]
	switch {
	case c.Kind == patch.Add: // a document that exists is replaced
		return e.put(name, c.Text)
	case !exists:
		return fmt.Errorf("there is no such document; %s%s begins it", "*** Add File: ", name)
	case c.Kind == patch.Delete:
		delete(e.texts, name)
		return nil
	}
	if text, err = fit(text, c.Hunks); err != nil {
		return err
	}
	if c.To == "" {
		return e.put(name, text)
	}
	return e.move(name, c.To, text)
}

func (e *edit) move(name, to, text string) error {
	to, err := e.writable(to)
	if err != nil {
		return err
	}
	if _, exists := e.texts[to]; exists && to != name {
		return errors.New("move to " + to + ": it exists already")
	}
	delete(e.texts, name)
	return e.put(to, text)
}

// put gives a document its text, without the citations, which it keeps apart.
func (e *edit) put(name, text string) error {
	text, cites := uncite(text)
	if err := e.fits(name, text); err != nil {
		return err
	}
	e.texts[name] = text
	if len(cites) == 0 {
		return nil
	}
	blocks := split(strings.Split(text, "\n"))
	for _, c := range cites {
		known, unknown := seqs(c.spans, e.o.Known, e.o.Limits.Int(limit.NotesSources))
		e.unknown += unknown
		if b := at(blocks, c.line); b != nil && len(known) > 0 {
			e.added = append(e.added, citing{b.hash(), known})
		}
	}
	return nil
}

// at returns the paragraph that a line is in, nil for none.
func at(blocks []block, line int) *block {
	for i, b := range blocks {
		if b.from <= line && line < b.to {
			return &blocks[i]
		}
	}
	return nil
}

// fit does hunks to a text. Summarizers repeat a line as they wrote it, with the
// citation that the text no longer has.
func fit(text string, hunks []patch.Hunk) (string, error) {
	out, err := patch.Apply(text, hunks)
	if err == nil {
		return out, nil
	}
	if out, again := patch.Apply(text, uncitedHunks(hunks)); again == nil {
		return out, nil
	}
	return "", err
}

// uncitedHunks are hunks whose old lines have no citations.
func uncitedHunks(hunks []patch.Hunk) []patch.Hunk {
	out := make([]patch.Hunk, len(hunks))
	for i, h := range hunks {
		out[i] = h
		out[i].Lines = nil
		out[i].Anchor, _ = unciteLine(h.Anchor)
		for _, l := range h.Lines {
			if l.Op != '+' {
				rest, spans := unciteLine(l.Text)
				if l.Text = rest; spans != nil && blank(rest) {
					continue
				}
			}
			out[i].Lines = append(out[i].Lines, l)
		}
	}
	return out
}
