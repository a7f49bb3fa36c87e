package memory

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// DraftOptions say what a summarizer may do. The zero value works.
type DraftOptions struct {
	Folder string // absolute path of the notes, as the model was told; may be empty
	Limits limit.Set
	Known  func(seq int64) bool // reports whether an item may be cited; nil for all
}

// Draft is a summarizer's edits before they count. It is a fold of its calls: the
// same calls in the same order on the same notes give the same draft, so it is
// made anew whenever it is needed and stored nowhere. What a call asks for is
// done whole or not at all. Not safe for concurrent use.
type Draft struct {
	o       DraftOptions
	base    Notes
	texts   map[string]string // of the documents as they are now, by name
	cites   sources           // of every paragraph that is or was
	unknown int
}

// NewDraft returns a draft in which the documents are those of base.
func NewDraft(base Notes, o DraftOptions) *Draft {
	if o.Folder != "" {
		o.Folder = strings.TrimSuffix(path.Clean(slashed(o.Folder)), "/")
	}
	d := &Draft{o: o, base: base, texts: map[string]string{}, cites: base.sources()}
	for _, doc := range base.docs {
		d.texts[doc.Name] = doc.Text
	}
	return d
}

// Documents returns the documents as they are now, MAIN.md first.
func (d *Draft) Documents() []longrein.Document {
	var out []longrein.Document
	for _, name := range d.names() {
		out = append(out, d.document(name))
	}
	return out
}

// names returns the documents' names in order.
func (d *Draft) names() []string { return slices.SortedFunc(maps.Keys(d.texts), compareNames) }

func (d *Draft) document(name string) longrein.Document {
	if old, ok := d.base.Get(name); ok && owner(name) != "" {
		return old
	}
	text := d.texts[name]
	return longrein.Document{Name: name, Text: text, Sources: d.cites.of(text)}
}

// Changed returns the documents that differ from those the draft began with, in
// their text or in what they rest on, and a mark for each that is gone.
func (d *Draft) Changed() []longrein.Document {
	var out []longrein.Document
	for _, doc := range d.Documents() {
		old, ok := d.base.Get(doc.Name)
		if !ok || old.Text != doc.Text || !sameSources(old, doc) {
			out = append(out, doc)
		}
	}
	for _, old := range d.base.docs {
		if _, ok := d.texts[old.Name]; !ok {
			out = append(out, longrein.Document{Name: old.Name, Deleted: true})
		}
	}
	return out
}

func sameSources(a, b longrein.Document) bool {
	return slices.EqualFunc(a.Sources, b.Sources, func(a, b longrein.Source) bool {
		return a.Paragraph == b.Paragraph && slices.Equal(a.Seqs, b.Seqs)
	})
}

// Check reports why the draft cannot become the next version: MAIN.md is gone or
// empty. Names, sizes and encodings need no second look, because no call gets a
// wrong one into the draft.
func (d *Draft) Check() error {
	text, ok := d.texts[longrein.MainDocument]
	_, had := d.base.Get(longrein.MainDocument)
	switch {
	case strings.TrimSpace(text) != "", !had && len(d.Changed()) == 0:
		return nil
	case ok:
		return errors.New("MAIN.md would be empty")
	case had:
		return errors.New("MAIN.md would be deleted")
	}
	return errors.New("there would be notes without MAIN.md")
}

// MainOver returns by how many bytes MAIN.md is longer than limit.NotesMain, 0
// when it is not. It is kept all the same; the next summarizer is told.
func (d *Draft) MainOver() int {
	return max(0, len(d.texts[longrein.MainDocument])-d.o.Limits.Int(limit.NotesMain))
}

// Unknown returns how many citations named no item that may be cited. They were
// left out.
func (d *Draft) Unknown() int { return d.unknown }

// fits reports why a document may not have this text.
func (d *Draft) fits(name, text string) error {
	if i := strings.IndexFunc(text, unreadable); i >= 0 {
		return refuse("%s would hold a character that is no text, at byte %d of %d; notes are UTF-8 without control characters", name, i, len(text))
	}
	most := d.o.Limits.Int(limit.NotesDocument)
	old, _ := d.base.Get(name)
	if len(text) > most && len(text) >= len(old.Text) {
		return refuse("%s would have %s, more than the limit notes-document of %s; keep what matters, and divide it by subject", name, size(len(text)), size(most))
	}
	return nil
}

// unreadable tells control characters and what is not UTF-8.
func unreadable(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' && r != '\r' || r >= 0x7f && r < 0xa0 || r == '\ufffd'
}

// roomFor reports why the notes may not become these texts.
func (d *Draft) roomFor(texts map[string]string) error {
	most := d.o.Limits.Int(limit.NotesDocuments)
	if len(texts) > most && len(texts) > len(d.texts) {
		return refuse("there would be %d documents, more than the limit notes-documents of %d; put what belongs together into one", len(texts), most)
	}
	most = d.o.Limits.Int(limit.NotesTotal)
	if now := total(texts); now > most && now >= total(d.texts) {
		return refuse("the notes would have %s, more than the limit notes-total of %s; drop what no longer matters", size(now), size(most))
	}
	return nil
}

func total(texts map[string]string) (n int) {
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		n += len(texts[name])
	}
	return n
}

// size shows a number of bytes.
func size(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
