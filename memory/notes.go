package memory

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// Notes are a thread's documents at one version. They are a value: nothing
// changes them, With makes others. The zero value has no documents.
type Notes struct {
	Version int // 0 before the first
	docs    []longrein.Document
}

// rawNotes are notes in JSON.
type rawNotes struct {
	Version   int                 `json:"version"`
	Documents []longrein.Document `json:"documents,omitempty"`
}

// MarshalJSON writes the version and the documents, whole and in order.
func (n Notes) MarshalJSON() ([]byte, error) {
	return json.Marshal(rawNotes{n.Version, n.docs})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (n *Notes) UnmarshalJSON(b []byte) error {
	var raw rawNotes
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	*n = Notes{}.With(longrein.Notes{Version: raw.Version, Changed: raw.Documents})
	return nil
}

// With returns the version after v. What a user wrote comes without sources; its
// paragraphs keep those that they had.
func (n Notes) With(v longrein.Notes) Notes {
	out := Notes{Version: v.Version, docs: slices.Clone(n.docs)}
	known := n.sources()
	for _, d := range v.Changed {
		if v.By == longrein.ByUser {
			d.Sources = known.of(d.Text)
		}
		i, found := slices.BinarySearchFunc(out.docs, d.Name, byName)
		switch {
		case d.Deleted && found:
			out.docs = slices.Delete(out.docs, i, i+1)
		case d.Deleted:
		case found:
			out.docs[i] = d
		default:
			out.docs = slices.Insert(out.docs, i, d)
		}
	}
	return out
}

// byName orders documents: MAIN.md first, then by name.
func byName(d longrein.Document, name string) int { return compareNames(d.Name, name) }

func compareNames(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == longrein.MainDocument:
		return -1
	case b == longrein.MainDocument:
		return 1
	}
	return cmp.Compare(a, b)
}

// Get returns the document of that name, and whether there is one.
func (n Notes) Get(name string) (longrein.Document, bool) {
	i, found := slices.BinarySearchFunc(n.docs, name, byName)
	if !found {
		return longrein.Document{}, false
	}
	return n.docs[i], true
}

// Documents returns all of them, MAIN.md first and the others by name.
func (n Notes) Documents() []longrein.Document { return slices.Clone(n.docs) }

// Unsourced returns how many bytes of the paragraphs rest on no item that is
// named, and how many bytes the paragraphs have. The worker's and the harness's
// own documents do not count.
func (n Notes) Unsourced() (bytes, total int) {
	for _, d := range n.docs {
		if owner(d.Name) != "" {
			continue
		}
		for _, p := range Paragraphs(d) {
			total += len(p.Text)
			if len(p.Seqs) == 0 {
				bytes += len(p.Text)
			}
		}
	}
	return bytes, total
}

// owner says whose a document is that no summarizer writes, "" for the others.
// Where a file system knows no case, todo.md is TODO.md.
func owner(name string) string {
	switch {
	case strings.EqualFold(name, longrein.TodoDocument):
		return longrein.TodoDocument + " is the worker's own"
	case strings.EqualFold(name, longrein.LedgerDocument):
		return longrein.LedgerDocument + " is written by the harness, from what it knows for certain"
	}
	return ""
}

// sources returns what every paragraph rests on.
func (n Notes) sources() sources {
	s := sources{}
	for _, d := range n.docs {
		for _, src := range d.Sources {
			s.add(src.Paragraph, src.Seqs)
		}
	}
	return s
}

// Clip returns the first bytes of a document's text, whole characters, with a line
// on where the rest is; and how many bytes that is.
func Clip(text string, most int, where string) (cut string, left int) {
	if len(text) <= most {
		return text, 0
	}
	cut = strings.ToValidUTF8(text[:most], "")
	left = len(text) - len(cut)
	return fmt.Sprintf("%s\n[%d more bytes are in %s]", cut, left, where), left
}
