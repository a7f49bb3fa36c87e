package pack

import (
	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
)

// admit probes a head before it becomes the context: what the ledger knows to be
// needed must be visible in it, or in the document that it names. What is in
// neither is added.
func (s *Strategy) admit(v longrein.View, h *head) longrein.Reset {
	probes := s.state.Ledger.Probes(ledger.InUse(v.Entries, s.o.Limits.Int(limit.StepsInUse)))
	named := ""
	if s.o.Folder != "" {
		named = s.state.Ledger.Full()
	}
	r := longrein.Reset{Window: v.Window, Phase: longrein.ResetProbed, Why: "by rules", Probes: len(probes)}
	a := ledger.Admit(probes, ledger.Shown(h.entries()), named, s.o.Limits.Int(limit.LedgerSize))
	for _, p := range a.Missing {
		h.missing = append(h.missing, p.Line)
		r.Repaired = append(r.Repaired, p.Kind+": "+p.Text)
	}
	h.unshown = a.Unshown
	r.Passed = r.Probes - len(h.missing) - h.unshown
	return r
}

// ledgerDocument brings the whole ledger to where the worker can read it.
func (s *Strategy) ledgerDocument() []longrein.Body {
	if s.o.Folder == "" {
		return nil
	}
	old, _ := s.state.Notes.Get(longrein.LedgerDocument)
	return s.state.Ledger.Document(old.Text)
}
