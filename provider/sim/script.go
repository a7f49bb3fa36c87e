package sim

import (
	"regexp"
	"slices"
)

// Script is a task that the simulated model plays. It is not changed once it is
// parsed and may be shared.
type Script struct {
	Name  string
	About string // one line for people

	system   *regexp.Regexp
	needles  []needle
	unknown  *regexp.Regexp // what an output says whose outcome nobody knows
	askAgain bool           // what to do then
	list     *call          // prints the files that {{file}} picks from
	asides   []aside
	blocks   []block
	faults   []Fault
	roles    []Role // that are not played well
	forget   Forget
}

// needle is a fact, or several of one form, that the final answer must repeat.
type needle struct {
	count   int
	pattern *regexp.Regexp
}

// aside answers a question that is no step of the task, such as a summarizer's.
type aside struct {
	pattern *regexp.Regexp // of the request's last item
	answer  template
}

// block is a run of steps that is played times times, or for ever when times is
// 0. Its first step has the number first.
type block struct {
	first, times int
	steps        []step
}

// step is one response: calls, or an answer that ends the turn.
type step struct {
	line    int
	think   template
	say     template
	calls   []call
	expect  []*regexp.Regexp // of the calls' outputs, together
	answer  template
	refuses bool
}

// call is a tool call with arguments that are a template for JSON.
type call struct {
	tool string
	args template
	raw  bool // args need not be JSON
}

// ends reports whether the step ends a turn.
func (s step) ends() bool { return len(s.calls) == 0 }

// lists reports whether the step picks from the list of files.
func (s step) lists() bool {
	return s.say.calls("file") || s.answer.calls("file") ||
		slices.ContainsFunc(s.calls, func(c call) bool { return c.args.calls("file") })
}

// at returns the step with number n, from 1, and the round of its block, from 1.
func (s *Script) at(n int) (st step, round int, ok bool) {
	for _, b := range s.blocks {
		k := n - b.first
		if k >= 0 && (b.times == 0 || k < b.times*len(b.steps)) {
			return b.steps[k%len(b.steps)], k/len(b.steps) + 1, true
		}
	}
	return step{}, 0, false
}
