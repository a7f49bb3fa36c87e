package check

import (
	"context"
	"fmt"

	"github.com/longrein/longrein/compare"
)

// Check replays a session under every setup of the policy and judges all rules.
// Options says what a setup is replayed with; its Watch is Check's own. An error is
// of options, or of [compare.Replay].
func (p *Policy) Check(ctx context.Context, s *compare.Session, options func(Setup) (compare.Options, error)) (*Report, error) {
	rep := &Report{Policy: p.Name, Session: s.Name, Verdicts: make([]Verdict, len(p.Rules))}
	for _, setup := range p.setups() {
		o, err := options(setup)
		if err != nil {
			return nil, err
		}
		if err := p.under(ctx, s, setup, o, rep); err != nil {
			return nil, err
		}
	}
	return rep, nil
}

// under judges the rules of one setup.
func (p *Policy) under(ctx context.Context, s *compare.Session, setup Setup, o compare.Options, rep *Report) error {
	r := run{policy: p.Name, session: s, fixed: fixed(s)}
	for i, rule := range p.Rules {
		if rule.Setup == setup {
			j := find(rule.Kind).judge(rule, scene{s, o.Profile})
			r.trials = append(r.trials, &trial{n: i, rule: rule, judge: j})
		}
	}
	o.Watch = r.watch
	res, err := compare.Replay(ctx, s, o)
	if err != nil {
		return err
	}
	for _, t := range r.trials {
		rep.Verdicts[t.n] = r.verdict(t, res)
	}
	return nil
}

// run is a replay that is watched.
type run struct {
	policy  string
	session *compare.Session
	fixed   []seen
	trials  []*trial
	window  int
	taken   int           // entries of the window
	last    compare.Point // of the worker's
}

// trial is a rule that is judged; n is its place in the policy.
type trial struct {
	n     int
	rule  Rule
	judge judge
	found *finding
}

func (r *run) watch(m compare.Moment) {
	q := r.request(m)
	for _, t := range r.trials {
		if t.found == nil {
			t.found = t.judge.see(q)
		}
	}
}

// request follows the worker's window.
func (r *run) request(m compare.Moment) request {
	q := request{Moment: m, fresh: m.Entries, fixed: r.fixed}
	if !q.worker() {
		q.Point = r.last
		return q
	}
	q.began = m.Point.Window != r.window
	if !q.began {
		q.fresh = m.Entries[min(r.taken, len(m.Entries)):]
	}
	r.window, r.taken, r.last = m.Point.Window, len(m.Entries), m.Point
	return q
}

// verdict sums a trial up.
func (r *run) verdict(t *trial, res *compare.Result) Verdict {
	f := t.found
	if f == nil {
		f = t.judge.end(res)
	}
	if f == nil && res.Failed != "" {
		f = at(r.last, "it held up to step %d of %d, where the replay came to its end: %s", res.Steps, res.Recorded, res.Failed)
	}
	v := Verdict{
		Policy: r.policy, Rule: t.rule.Name, Kind: t.rule.Kind, Line: t.rule.Line,
		Session: r.session.Name, Strategy: res.Strategy, Profile: res.Profile.Name, Window: res.Window, State: Held,
	}
	switch {
	case f == nil:
	case f.empty && t.rule.Optional:
		v.State, v.Note = Skipped, f.got
	default:
		v.State, v.Failure = Failed, r.failure(t.rule, f, res)
	}
	return v
}

func (r *run) failure(rule Rule, f *finding, res *compare.Result) *Failure {
	p := f.at
	if f.empty {
		return &Failure{
			Want: find(rule.Kind).says(rule),
			Got:  "nothing to judge by: " + f.got,
			Look: fmt.Sprintf("set optional = true on line %d of the policy if that is as it should be", rule.Line),
		}
	}
	if r.session.Tool != "longrein" {
		p.Recorded = 0 // numbers of ours, that are not in the file
	}
	out := &Failure{Step: p.Step, Seq: p.Recorded, Window: p.Window, Want: find(rule.Kind).says(rule), Got: f.got, Look: r.look(p, res)}
	for _, b := range res.Resets {
		if b.Window == p.Window && b.Step == p.Step && b.Why != "" {
			out.Got += fmt.Sprintf("; window %d begins with this step: %s", b.Window, b.Why)
		}
	}
	return out
}

// look says where to look on.
func (r *run) look(p compare.Point, res *compare.Result) string {
	window := ""
	if res.Window > 0 {
		window = fmt.Sprintf(" --window %d", res.Window)
	}
	replay := fmt.Sprintf("longrein compare %s --strategies %s%s --html page.html shows the replay",
		quoted(r.session.Name), res.Strategy, window)
	if p.Recorded == 0 || r.session.Name != r.session.Thread.ID {
		return replay
	}
	return fmt.Sprintf("longrein context %s --at %d shows the request as it was recorded; %s", r.session.Name, p.Recorded, replay)
}
