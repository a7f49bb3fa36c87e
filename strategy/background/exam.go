package background

import (
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/memory"
)

// exam is how far a head has been tried out with a model's questions: asked by a
// fork that sees the old context, answered by one that sees only the new head.
type exam struct {
	questions []longrein.Question
	over      bool
}

// examine returns the forks that are still to be started before the head may take
// over, and whether the exam is under way. Without memory.probe = "model", and
// after a prober has failed, there is none.
func (s *Strategy) examine(v longrein.View) (forks []longrein.ForkPlan, underWay bool) {
	switch {
	case !s.o.ProbeModel || s.live.exam.over:
		return nil, false
	case s.live.running(longrein.RoleProber):
		return nil, true
	case len(s.live.exam.questions) == 0:
		return []longrein.ForkPlan{s.prober(nil, memory.AskRole(s.o.Limits.Int(limit.ProbeQuestions)))}, true
	}
	return []longrein.ForkPlan{s.prober(s.head(v).entries(), memory.AnswerRole(s.live.exam.questions))}, true
}

func (s *Strategy) prober(head []longrein.Entry, role longrein.Fragment) longrein.ForkPlan {
	why := "asks what a new head must show"
	if head != nil {
		why = "answers from the new head alone"
	}
	return longrein.ForkPlan{
		Role: longrein.RoleProber, N: s.state.Runs.Probers + 1, Why: why, Time: s.forkTime(),
		Head: head, Items: []longrein.Item{role},
	}
}

// replyProber takes questions, or answers, in.
func (s *Strategy) replyProber(b longrein.Branch) longrein.Reply {
	text := said(b.Answer())
	r := longrein.Reset{Window: b.Fork.Window, Phase: longrein.ResetExamined, By: b.Fork.Name(), Why: "questions"}
	if len(b.Fork.Head) == 0 {
		r.Questions = memory.ReadQuestions(text, s.o.Limits.Int(limit.ProbeQuestions))
		if len(r.Questions) == 0 {
			return longrein.End{State: longrein.ForkFailed, Why: "it asked nothing that could be read"}
		}
	} else {
		r.Why = "answers"
		r.Questions = memory.Mark(s.live.exam.questions, text)
		r.Probes = len(r.Questions)
		for _, q := range r.Questions {
			if q.OK {
				r.Passed++
			}
		}
	}
	why := fmt.Sprintf("%d questions", len(r.Questions))
	if r.Probes > 0 {
		why = fmt.Sprintf("%d of %d questions answered", r.Passed, r.Probes)
	}
	return longrein.End{State: longrein.ForkFinished, Why: why, Log: []longrein.Body{r}}
}

// asked is how many questions were answered, well or not.
func (e exam) asked() int {
	if !e.over {
		return 0
	}
	return len(e.questions)
}

func (s *Strategy) noteExam(r longrein.Reset) {
	s.live.exam = exam{questions: r.Questions, over: r.Probes > 0}
}

// failedQuestions are lines for the head: what a model asked of the old context
// and did not find in the new one.
func (s *Strategy) failedQuestions() []string {
	var lines []string
	for _, q := range s.live.exam.questions {
		if s.live.exam.over && !q.OK {
			lines = append(lines, fmt.Sprintf("- %s %s", q.Ask, q.Want))
		}
	}
	return lines
}
