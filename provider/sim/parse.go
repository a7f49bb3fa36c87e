package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/longrein/longrein/limit"
)

// ParseScript reads a script. name is its file's: errors begin with it, and
// without folder and .sim it is the script's name when the text gives none. An
// error names the line. The format is described in docs/simulator.md.
func ParseScript(name string, text []byte) (*Script, error) {
	if most := limit.SimScript.Default; int64(len(text)) > most {
		return nil, fmt.Errorf("parse script %s: it has %d bytes, at most %d are read (limit %s)", name, len(text), most, limit.SimScript.Name)
	}
	p := parser{
		script: &Script{Name: strings.TrimSuffix(filepath.Base(name), ".sim"), unknown: unknownOutput},
		lines:  strings.Split(string(bytes.TrimPrefix(text, []byte("\ufeff"))), "\n"),
		first:  1,
	}
	if err := p.run(); err != nil {
		return nil, fmt.Errorf("parse script %s: line %d: %w", name, p.n, err)
	}
	return p.script, nil
}

// unknownOutput matches what the outputs of calls that were cut off begin with.
var unknownOutput = regexp.MustCompile(`(?i)\A\W*(?:(?:the )?(?:outcome|effect|result)\b.{0,60}\b(?:unknown|not known)\b|not run\b|interrupted\b)`)

// parser reads a script line by line. Steps gather in open until a block ends.
type parser struct {
	script *Script
	lines  []string
	n      int // lines read

	open   []step
	times  int  // of the repeat that is open, 0 for ever
	inside bool // a repeat is open
	first  int  // number of the first step of open
	aside  *aside
}

func (p *parser) run() error {
	for p.n < len(p.lines) {
		line := strings.TrimSpace(p.lines[p.n])
		p.n++
		if line == "" || line[0] == '#' {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		do, ok := words[word]
		if !ok {
			return fmt.Errorf("unknown word %q", word)
		}
		rest, err := p.value(strings.TrimSpace(rest))
		if err != nil {
			return err
		}
		if err := do(p, rest); err != nil {
			return err
		}
	}
	return p.finish()
}

// value returns the rest of a line, or the lines up to END after "<<END".
func (p *parser) value(rest string) (string, error) {
	end, long := strings.CutPrefix(rest, "<<")
	if !long {
		return rest, nil
	}
	var text []string
	for p.n < len(p.lines) {
		line := strings.TrimSuffix(p.lines[p.n], "\r")
		p.n++
		if strings.TrimSpace(line) == end {
			return strings.Join(text, "\n"), nil
		}
		text = append(text, line)
	}
	return "", fmt.Errorf("there is no line %q to end the text", end)
}

// words has one entry for each word that can begin a line.
var words map[string]func(*parser, string) error

func init() {
	words = map[string]func(*parser, string) error{
		"name":       func(p *parser, v string) error { return p.named(v) },
		"about":      func(p *parser, v string) error { p.script.About = v; return nil },
		"like":       (*parser).like,
		"system":     func(p *parser, v string) (err error) { p.script.system, err = pattern(v); return },
		"unknown":    func(p *parser, v string) (err error) { p.script.unknown, err = pattern(v); return },
		"on-unknown": (*parser).onUnknown,
		"needle":     func(p *parser, v string) error { return p.needle(1, v) },
		"needles":    (*parser).needles,
		"files":      (*parser).files,
		"fault":      (*parser).fault,
		"summarizer": func(p *parser, v string) error { return p.role("summarizer " + v) },
		"decider":    func(p *parser, v string) error { return p.role("decider " + v) },
		"compactor":  func(p *parser, v string) error { return p.role("compactor " + v) },
		"forget":     func(p *parser, v string) (err error) { p.script.forget, err = ParseForget(v); return },
		"when":       (*parser).when,
		"step":       (*parser).step,
		"repeat":     (*parser).repeat,
		"end":        (*parser).end,
		"think":      func(p *parser, v string) error { return p.text(v, func(s *step) *template { return &s.think }) },
		"say":        func(p *parser, v string) error { return p.text(v, func(s *step) *template { return &s.say }) },
		"call":       func(p *parser, v string) error { return p.call(v, false) },
		"call-raw":   func(p *parser, v string) error { return p.call(v, true) },
		"expect":     (*parser).expect,
		"answer":     func(p *parser, v string) error { return p.answer(v, false) },
		"refuse":     func(p *parser, v string) error { return p.answer(v, true) },
	}
}

var scriptName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func (p *parser) named(v string) error {
	if !scriptName.MatchString(v) {
		return fmt.Errorf("a name has letters, digits, dots and dashes, not %q", v)
	}
	p.script.Name = v
	return nil
}

// like makes the script begin as a built-in one: with its steps, needles and all
// else but its name.
func (p *parser) like(v string) error {
	if len(p.script.blocks)+len(p.open)+len(p.script.needles) > 0 {
		return errors.New("like comes before steps and needles")
	}
	base, err := Builtin(v)
	if err != nil {
		return err
	}
	name := p.script.Name
	*p.script = *base
	p.script.Name = name
	last := base.blocks[len(base.blocks)-1]
	p.first = last.first + last.times*len(last.steps)
	return nil
}

func pattern(v string) (*regexp.Regexp, error) {
	if v == "" {
		return nil, errors.New("a regular expression is missing")
	}
	return regexp.Compile(v)
}

func (p *parser) onUnknown(v string) error {
	switch v {
	case "ask again":
		p.script.askAgain = true
	case "go on":
		p.script.askAgain = false
	default:
		return fmt.Errorf("on-unknown is %q or %q, not %q", "ask again", "go on", v)
	}
	return nil
}

func (p *parser) needles(v string) error {
	count, rest, _ := strings.Cut(v, " ")
	n, err := strconv.Atoi(count)
	if err != nil || n < 1 || n > maxTimes {
		return fmt.Errorf("needles begins with how many there are, not %q", count)
	}
	return p.needle(n, strings.TrimSpace(rest))
}

func (p *parser) needle(n int, v string) error {
	re, err := pattern(v)
	if err != nil {
		return err
	}
	p.script.needles = append(p.script.needles, needle{n, re})
	return nil
}

func (p *parser) files(v string) error {
	c, err := parseCall(v, false)
	if err == nil && c.args.calls("file") {
		err = errors.New("the list of files cannot depend on itself")
	}
	p.script.list = &c
	return err
}

func (p *parser) fault(v string) error {
	f, err := ParseFault(v)
	p.script.faults = append(p.script.faults, f)
	return err
}

func (p *parser) role(v string) error {
	r, err := ParseRole(v)
	p.script.roles = append(p.script.roles, r)
	return err
}

func (p *parser) when(v string) error {
	re, err := pattern(v)
	p.aside = &aside{pattern: re}
	return err
}

// maxTimes bounds counts in a script, so that step numbers cannot overflow.
const maxTimes = 1_000_000 // fixed: more is refused, and told this

func parseCall(v string, raw bool) (call, error) {
	tool, args, _ := strings.Cut(v, " ")
	if tool == "" {
		return call{}, errors.New("the name of a tool is missing")
	}
	t, err := parseTemplate(strings.TrimSpace(args))
	if err != nil {
		return call{}, err
	}
	if sample := t.sample(); !raw && !json.Valid([]byte(sample)) {
		return call{}, fmt.Errorf("the arguments of %s are no JSON: %s (call-raw takes what is none)", tool, sample)
	}
	return call{tool: tool, args: t, raw: raw}, nil
}
