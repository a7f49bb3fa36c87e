package background

import (
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
)

// admit probes a head before it becomes the context: what the ledger knows to be
// needed must be visible in it, or in a document that it names. What is in
// neither is added.
func (s *Strategy) admit(v longrein.View, h *head) longrein.Reset {
	probes := s.state.Ledger.Probes(s.newestSteps(v.Entries))
	unseen := ledger.Missing(probes, text(h.entries()))
	unnamed := ledger.Missing(unseen, s.named())
	r := longrein.Reset{Window: v.Window, Phase: longrein.ResetProbed, Why: "by rules", Probes: len(probes)}
	room := s.o.Limits.Int(limit.LedgerSize)
	r.Probes += s.live.exam.asked()
	for _, line := range s.failedQuestions() {
		room -= len(line) + 1
		h.missing = append(h.missing, line)
		r.Repaired = append(r.Repaired, "question: "+strings.TrimPrefix(line, "- "))
	}
	for _, p := range unseen {
		if !visible(p) && !slices.Contains(unnamed, p) {
			continue // it can be looked up
		}
		if room -= len(p.Line) + 1; room < 0 {
			h.unshown++
			continue
		}
		h.missing = append(h.missing, p.Line)
		r.Repaired = append(r.Repaired, p.Kind+": "+p.Text)
	}
	r.Passed = r.Probes - len(h.missing) - h.unshown
	return r
}

// visible reports whether the model has to see what is probed for without looking
// it up.
func visible(p ledger.Probe) bool {
	switch p.Kind {
	case "plan item", "unresolved error", "constraint":
		return true
	}
	return false
}

// named is the text of the documents that a head names, as they will be.
func (s *Strategy) named() string {
	if s.o.Folder == "" {
		return ""
	}
	var b strings.Builder
	for _, d := range s.state.Notes.Documents() {
		b.WriteString(d.Text)
		b.WriteByte('\n')
	}
	b.WriteString(s.state.Ledger.Full())
	return b.String()
}

// text is all that a model reads of the entries.
func text(entries []longrein.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(itemText(e.Item))
		b.WriteByte('\n')
	}
	return b.String()
}
