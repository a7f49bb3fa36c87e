package ledger

import (
	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// plan is the newest plan.
type plan struct {
	Seq   int64      `json:"seq"`
	Steps []planStep `json:"steps"`
	More  int        `json:"more,omitempty"` // steps over the limit
}

type planStep struct {
	Step   string `json:"step"`
	Status string `json:"status"`
}

func (s planStep) open() bool { return s.Status != "completed" }

// plan takes the steps of a call in place of those before. A step whose status
// is not known makes the call fail, so the plan before it still holds.
func (n noting) plan(steps []planStep) {
	p := plan{Seq: n.seq}
	for _, s := range steps {
		if s.Status != "pending" && s.Status != "in_progress" && s.Status != "completed" {
			return
		}
		step := n.line(s.Step)
		switch {
		case step == "":
		case len(p.Steps) == n.set.Int(limit.LedgerPlan):
			p.More++
		default:
			p.Steps = append(p.Steps, planStep{step, s.Status})
		}
	}
	n.Plan = p
}

// approval is an action that was asked for.
type approval struct {
	Tool   string                 `json:"tool"`
	Action string                 `json:"action"`
	State  longrein.ApprovalState `json:"state"`
	Note   string                 `json:"note,omitempty"`
	Seq    int64                  `json:"seq"`
}

func (a approval) key() string { return a.Tool + "\x00" + a.Action }

// approval notes where an action stands; an answer replaces its question, and a
// newer answer an older one.
func (n noting) approval(a longrein.Approval) {
	if a.State != longrein.ApprovalAsked && a.State != longrein.ApprovalAllowed && a.State != longrein.ApprovalRefused {
		return
	}
	n.Approvals.put(approval{
		Tool: n.line(a.Tool), Action: n.line(a.Action), State: a.State, Note: n.line(a.Note), Seq: n.seq,
	})
	if n.Approvals.Len() > n.set.Int(limit.LedgerApprovals) {
		n.Left.Approvals++
		n.Approvals.take(n.Approvals.oldest().key())
	}
}
