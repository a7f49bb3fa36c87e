package pack

import (
	"path"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/memory"
)

// head is what a new window begins with, after the initial context.
type head struct {
	f       int              // turns behind the summary
	other   []longrein.Entry // what strategies that the thread had before remember
	summary string
	anew    string // why a summary of the same turns is not the one that there was
	cut     int    // characters that the summary lacks
	ledger  string
	missing []string // that the admission test found
	unshown int      // that it found and that have no room
	todo    string
	whole   []longrein.Entry
	masked  []longrein.LimitHit
	lost    []longrein.LimitHit // by what only the newest work is kept of
}

// head gathers the parts for a window with f turns behind the summary.
func (s *Strategy) head(v longrein.View, f int) head {
	h := head{f: f, todo: s.todoText(v.Todo), whole: s.whole(v, f)}
	for _, e := range tail(v) {
		if isMemory(e, otherTags...) {
			h.other = append(h.other, e)
		}
	}
	s.summarise(v, &h)
	if !s.o.NoLedger {
		h.ledger, _ = s.state.Ledger.Compact(s.o.Limits.Int(limit.LedgerSize))
	}
	return h
}

// summarise takes the summary over from the window, unless it is another one.
func (s *Strategy) summarise(v longrein.View, h *head) {
	sum, ok := s.summary(h.f)
	if !ok {
		return
	}
	for _, e := range tail(v) {
		if !isMemory(e, longrein.TagSummary) {
			continue
		}
		text := e.Item.(longrein.Fragment).Text
		old, _ := readFingerprint(text)
		why := sum.print.differs(old)
		if why == "" {
			h.summary = text
			return
		}
		if old.F == h.f {
			h.anew = why
		}
	}
	h.summary, h.cut = sum.text(s.o.Limits.Int(limit.TurnSummary))
}

// whole returns the entries of the turns after f, unchanged. A turn begins at a
// safe point, so calls and their outputs stay together.
func (s *Strategy) whole(v longrein.View, f int) []longrein.Entry {
	entries := tail(v)
	if f <= s.folded(v) {
		var kept []longrein.Entry
		for _, e := range entries {
			if !isMemory(e, ownTags...) && !isMemory(e, otherTags...) {
				kept = append(kept, e)
			}
		}
		return kept
	}
	r, ok := s.row(f + 1)
	if !ok {
		return nil
	}
	for i, e := range entries {
		if e.Seq >= r.Seq {
			return entries[i:len(entries):len(entries)]
		}
	}
	return nil
}

// ownTags are of what each head has anew, the pinned items from the turn machine;
// otherTags of what other strategies remember, which each head repeats.
var (
	ownTags   = []longrein.Tag{longrein.TagSummary, longrein.TagLedger, longrein.TagTodo, longrein.TagPinned}
	otherTags = []longrein.Tag{longrein.TagNotes, longrein.TagCompacted, opaque}
)

// opaque stands for the tag that an [longrein.Opaque] has not.
const opaque longrein.Tag = "opaque"

// isMemory reports whether a head has made the entry, with one of the tags.
func isMemory(e longrein.Entry, tags ...longrein.Tag) bool {
	if e.Seq != 0 {
		return false
	}
	switch it := e.Item.(type) {
	case longrein.Fragment:
		return slices.Contains(tags, it.Tag)
	case longrein.Opaque:
		return slices.Contains(tags, opaque)
	}
	return false
}

// entries returns the head as the model sees it. What changes least stands first.
func (h head) entries() []longrein.Entry { return append(h.memory(), h.whole...) }

// memory is what stands for all that is not whole.
func (h head) memory() []longrein.Entry {
	out := append([]longrein.Entry(nil), h.other...)
	if h.summary != "" {
		out = append(out, fragment(longrein.TagSummary, h.summary))
	}
	if f, ok := ledger.Fragment(h.ledger, h.missing); ok {
		out = append(out, fragment(f.Tag, f.Text))
	}
	if h.todo != "" {
		out = append(out, fragment(longrein.TagTodo, h.todo))
	}
	return out
}

func fragment(tag longrein.Tag, text string) longrein.Entry {
	return longrein.Entry{Item: longrein.NewFragment(tag, text)}
}

// todoText shows the worker's own document.
func (s *Strategy) todoText(todo string) string {
	text, _ := memory.Clip(strings.TrimSpace(todo), s.o.Limits.Int(limit.TodoShown), path.Join(s.o.Folder, longrein.TodoDocument))
	return text
}
