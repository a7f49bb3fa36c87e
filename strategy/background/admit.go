package background

import (
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
)

// admit probes a head before it becomes the context: what the ledger knows to be
// needed must be visible in it, or in a document that it names. What is in
// neither is added.
func (s *Strategy) admit(v longrein.View, h *head) longrein.Reset {
	probes := s.state.Ledger.Probes(ledger.InUse(v.Entries, s.o.Limits.Int(limit.StepsInUse)))
	r := longrein.Reset{Window: v.Window, Phase: longrein.ResetProbed, Why: "by rules", Probes: len(probes) + s.live.exam.asked()}
	room := s.o.Limits.Int(limit.LedgerSize)
	shown := ledger.Shown(h.entries())
	for _, line := range s.failedQuestions() {
		room -= len(line) + 1
		h.missing = append(h.missing, line)
		r.Repaired = append(r.Repaired, "question: "+strings.TrimPrefix(line, "- "))
	}
	a := ledger.Admit(probes, shown, s.named(), room)
	for _, p := range a.Missing {
		h.missing = append(h.missing, p.Line)
		r.Repaired = append(r.Repaired, p.Kind+": "+p.Text)
	}
	h.unshown = a.Unshown
	r.Passed = r.Probes - len(h.missing) - h.unshown
	return r
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
