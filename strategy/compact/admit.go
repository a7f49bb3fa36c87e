package compact

import (
	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
)

// admit probes a head before it becomes the context, and builds it anew with what
// it lacks.
func (s *Strategy) admit(v longrein.View, h *head) longrein.Reset {
	probes := s.state.Ledger.Probes(ledger.InUse(v.Entries, s.o.Limits.Int(limit.StepsInUse)))
	named := ""
	if s.o.Folder != "" {
		named = s.state.Ledger.Full()
	}
	a := ledger.Admit(probes, ledger.Shown(h.entries()), named, s.o.Limits.Int(limit.LedgerSize))
	r := longrein.Reset{
		Window: v.Window, Phase: longrein.ResetProbed, Why: "by rules",
		Probes: len(probes), Passed: len(probes) - len(a.Missing) - a.Unshown,
	}
	var lines []string
	for _, p := range a.Missing {
		lines = append(lines, p.Line)
		r.Repaired = append(r.Repaired, p.Kind+": "+p.Text)
	}
	if len(lines) > 0 {
		*h = s.head(v, lines)
	}
	h.unshown = a.Unshown
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
