package sim

import (
	"errors"
	"fmt"
	"strconv"
)

func (p *parser) step(v string) error {
	if v != "" {
		return fmt.Errorf("step stands alone, without %q", v)
	}
	if err := p.whole(); err != nil {
		return err
	}
	p.open = append(p.open, step{line: p.n})
	return nil
}

// whole reports what the last step or question still lacks.
func (p *parser) whole() error {
	if p.aside != nil {
		return errors.New("when needs an answer before anything else")
	}
	if n := len(p.open); n > 0 && p.open[n-1].ends() && p.open[n-1].answer == nil {
		return fmt.Errorf("the step of line %d has neither call nor answer", p.open[n-1].line)
	}
	return nil
}

// last returns the step that is being written.
func (p *parser) last() (*step, error) {
	if p.aside != nil {
		return nil, errors.New("when takes an answer and nothing else")
	}
	if len(p.open) == 0 {
		return nil, errors.New("there is no step yet: write step first")
	}
	return &p.open[len(p.open)-1], nil
}

func (p *parser) text(v string, field func(*step) *template) error {
	s, err := p.last()
	if err != nil {
		return err
	}
	t, err := parseTemplate(v)
	*field(s) = append(*field(s), t...)
	return err
}

func (p *parser) call(v string, raw bool) error {
	s, err := p.last()
	if err != nil {
		return err
	}
	if s.answer != nil {
		return errors.New("a step that answers cannot call: write step first")
	}
	c, err := parseCall(v, raw)
	s.calls = append(s.calls, c)
	return err
}

func (p *parser) expect(v string) error {
	s, err := p.last()
	if err != nil {
		return err
	}
	re, err := pattern(v)
	s.expect = append(s.expect, re)
	return err
}

// answer ends a question, or the step that is being written, or is a step of its
// own after one that calls.
func (p *parser) answer(v string, refuses bool) error {
	t, err := parseTemplate(v)
	if err != nil {
		return err
	}
	if v == "" {
		return errors.New("an answer has a text")
	}
	if p.aside != nil {
		p.aside.answer = t
		p.script.asides = append(p.script.asides, *p.aside)
		p.aside = nil
		return nil
	}
	if n := len(p.open); n == 0 || !p.open[n-1].ends() || p.open[n-1].answer != nil {
		p.open = append(p.open, step{line: p.n})
	}
	s := &p.open[len(p.open)-1]
	s.answer, s.refuses = t, refuses
	return nil
}

func (p *parser) repeat(v string) error {
	if p.inside {
		return errors.New("repeat cannot hold another repeat")
	}
	if err := p.close(1); err != nil {
		return err
	}
	p.inside, p.times = true, 0
	if v == "for ever" {
		return nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > maxTimes {
		return fmt.Errorf("repeat takes a number from 1 to %d, or %q, not %q", maxTimes, "for ever", v)
	}
	p.times = n
	return nil
}

func (p *parser) end(v string) error {
	if !p.inside {
		return errors.New("end without repeat")
	}
	if v != "" {
		return fmt.Errorf("end stands alone, without %q", v)
	}
	if len(p.open) == 0 {
		return errors.New("the repeat has no steps")
	}
	p.inside = false
	return p.close(p.times)
}

// close makes a block of the open steps.
func (p *parser) close(times int) error {
	if err := p.whole(); err != nil {
		return err
	}
	if len(p.open) == 0 {
		return nil
	}
	if p.endless() {
		return errors.New("these steps are never reached: a repeat for ever is before them")
	}
	p.script.blocks = append(p.script.blocks, block{first: p.first, times: times, steps: p.open})
	p.first += times * len(p.open)
	p.open = nil
	if p.first > maxSteps {
		return fmt.Errorf("the script has more than %d steps", maxSteps)
	}
	return nil
}

// maxSteps bounds a script's length, so that step numbers stay short.
const maxSteps = 1_000_000_000 // fixed: more is refused, and told this

func (p *parser) endless() bool {
	b := p.script.blocks
	return len(b) > 0 && b[len(b)-1].times == 0
}

func (p *parser) finish() error {
	if p.inside {
		return errors.New("a repeat has no end")
	}
	if err := p.close(1); err != nil {
		return err
	}
	if len(p.script.blocks) == 0 {
		return errors.New("the script has no steps")
	}
	if p.endless() {
		return nil
	}
	b := p.script.blocks[len(p.script.blocks)-1]
	if !b.steps[len(b.steps)-1].ends() {
		return errors.New("the script never answers: write answer at its end")
	}
	return nil
}
