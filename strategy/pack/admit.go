package pack

import (
	"slices"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
)

// admit probes a head before it becomes the context: what the ledger knows to be
// needed must be visible in it, or in the document that it names. What is in
// neither is added.
func (s *Strategy) admit(v longrein.View, h *head) longrein.Reset {
	probes := s.state.Ledger.Probes(s.inUse(v.Entries))
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

// inUse returns the step from which on outputs count as in use.
func (s *Strategy) inUse(entries []longrein.Entry) int64 {
	steps, last := 0, int64(0)
	for _, e := range slices.Backward(entries) {
		if e.Step != 0 && e.Step != last {
			last = e.Step
			if steps++; steps == s.o.Limits.Int(limit.StepsInUse) {
				return last
			}
		}
	}
	return 0
}

// ledgerDocument brings the whole ledger to where the worker can read it.
func (s *Strategy) ledgerDocument() []longrein.Body {
	if s.o.Folder == "" {
		return nil
	}
	text := s.state.Ledger.Full()
	if old, ok := s.state.Notes.Get(longrein.LedgerDocument); text == "" || ok && old.Text == text {
		return nil
	}
	return []longrein.Body{longrein.Notes{By: longrein.ByHarness, Changed: []longrein.Document{{Name: longrein.LedgerDocument, Text: text}}}}
}
