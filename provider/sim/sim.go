package sim

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Options are how a [Sim] behaves. The zero value plays the built-in scripts,
// at once and without faults, in a window of any size.
type Options struct {
	// Script is played for "sim:" and its name, and for every model name that
	// is not a built-in script's. Nil: those names are unknown.
	Script   *Script
	Faults   []Fault // besides those of the script
	Roles    []Role  // that are not played well, before those of the script
	Forget   Forget  // in place of the script's, unless it is zero
	Latency  Latency
	Window   int // tokens of input that fit, 0 for any number
	CacheMin int // tokens below which a prompt is not cached
	Limits   limit.Set
	// Now is the clock of dates and of what Seen tells, nil for the real one.
	Now func() time.Time
	// Log is told of each request before it is answered, and Done when its answer
	// has ended, whole or broken off. Calls may overlap.
	Log, Done func(Seen)
}

// Sim is a simulated model. It implements [longrein.Model] and, with Handler,
// serves all three wires. Safe for concurrent use.
type Sim struct {
	o     Options
	cache *cache

	mu      sync.Mutex
	number  int
	struck  map[Fault]int
	played  map[Role]int // runs
	scripts map[string]*Script
}

// New returns a Sim with an empty cache.
func New(o Options) *Sim {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Sim{
		o:       o,
		cache:   newCache(o.Limits.Int(limit.SimCache), o.CacheMin, o.Latency),
		struck:  map[Fault]int{},
		played:  map[Role]int{},
		scripts: map[string]*Script{},
	}
}

// Seen is what a Sim made of one request.
type Seen struct {
	Number int // of the request, from 1
	Wire   longrein.Wire
	Model  string
	Script string
	Role   longrein.ForkRole // whose request it is, "" for the worker's
	Play   int               // how often the script was begun, 0 in a fork
	Step   int               // of the script, that is played by the answer, 0 in a fork
	Items  int
	Hash   string // SHA-256 of the body, in hexadecimal
	Bytes  int
	Usage  longrein.Usage
	Fault  FaultKind // "" for none
	Error  string    // what was refused, "" for nothing
	In     time.Time // when it arrived, whole
	Out    time.Time // when its answer had ended; zero for Options.Log
}

// outcome is what a request comes to: an error, or a reply with perhaps a fault.
type outcome struct {
	prompt *prompt
	reply  reply
	fault  Fault
	bad    *problem
	seen   Seen // when somebody is told of it
}

// decide reads a request and decides everything about its answer.
func (s *Sim) decide(wire longrein.Wire, body []byte) outcome {
	in, out := s.o.Now(), outcome{}
	out.prompt, out.bad = readPrompt(wire, body)
	if out.bad == nil {
		out.reply, out.bad = s.answer(out.prompt)
	}
	number, fault := s.count(out)
	if out.bad == nil {
		out.fault = fault
		out.bad = s.refusal(out)
	}
	if out.bad == nil {
		out.reply = s.measure(out.prompt, out.reply, in)
	}
	if s.o.Log != nil || s.o.Done != nil {
		out.seen = seen(number, wire, body, out)
		out.seen.In = in
	}
	if s.o.Log != nil {
		s.o.Log(out.seen)
	}
	return out
}

// done tells that an answer has ended.
func (s *Sim) done(out outcome) {
	if s.o.Done != nil {
		out.seen.Out = s.o.Now()
		s.o.Done(out.seen)
	}
}

// answer plays the script that the model's name stands for.
func (s *Sim) answer(p *prompt) (reply, *problem) {
	script, err := s.script(p.model)
	if err != nil {
		bad := statusProblem(404, 0)
		bad.message = err.Error()
		return reply{}, bad
	}
	if f := readFork(p); f != nil {
		return script.playFork(p, f, s.role(script, f), s.forget(script))
	}
	return script.play(p), nil
}

// script finds a script by the model's name, and keeps the built-in ones.
func (s *Sim) script(model string) (*Script, error) {
	name, ours := strings.CutPrefix(model, "sim:")
	if c := s.o.Script; c != nil && (name == c.Name || !ours && !slices.Contains(Builtins(), model)) {
		return c, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if have, ok := s.scripts[name]; ok {
		return have, nil
	}
	script, err := Builtin(name)
	if err == nil {
		s.scripts[name] = script
	}
	return script, err
}

// count gives the request its number and the fault that strikes it, if any.
func (s *Sim) count(out outcome) (int, Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.number++
	if out.bad != nil {
		return s.number, Fault{}
	}
	for _, f := range s.faults(out.reply.script) {
		if f.strikes(s.number, out.reply.at.step, s.struck[f]) {
			s.struck[f]++
			return s.number, f
		}
	}
	return s.number, Fault{}
}

func (s *Sim) faults(script string) []Fault {
	have := s.scripts[script]
	if c := s.o.Script; c != nil && c.Name == script {
		have = c
	}
	if have == nil {
		return s.o.Faults
	}
	return slices.Concat(s.o.Faults, have.faults)
}

// refusal is the error that the window or a fault makes of a good request.
func (s *Sim) refusal(out outcome) *problem {
	n, window := out.prompt.tokens(), s.o.Window
	switch {
	case out.fault.Kind == FaultStatus:
		return statusProblem(out.fault.Status, out.fault.Wait)
	case out.fault.Kind == FaultTooLong:
		return tooLong(out.prompt.wire, n, min(n, max(window, 1)))
	case window > 0 && n > window:
		return tooLong(out.prompt.wire, n, window)
	}
	return nil
}

// measure uses the cache, counts tokens, and cuts a text that is longer than the
// request allows.
func (s *Sim) measure(p *prompt, r reply, at time.Time) reply {
	if most := p.maxOutput * bytesPerToken; most > 0 && len(r.text) > most && len(r.calls) == 0 {
		r.text, r.stop = cutAt(r.text, most), longrein.StopMaxOutput
	}
	read, written := s.cache.use(p, at)
	size := len(r.thought.text) + len(r.text) + len(r.compacted)
	for _, c := range r.calls {
		size += len(c.Name) + len(c.Args)
	}
	r.usage = longrein.Usage{
		Input: int64(p.tokens()), Cached: int64(read), CacheWrite: int64(written),
		Output: int64(max(1, tokens(size))), Reasoning: int64(tokens(len(r.thought.text))),
		Reported: true,
	}
	return r
}

// cutAt returns the longest whole characters of s in n bytes.
func cutAt(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// wait is the time before the first byte.
func (s *Sim) wait(out outcome) time.Duration {
	if out.fault.Kind == FaultSlow {
		return out.fault.Wait
	}
	if out.bad != nil {
		return 0
	}
	return out.reply.wait + s.o.Latency.first(out.reply.usage.Input-out.reply.usage.Cached)
}

func seen(number int, wire longrein.Wire, body []byte, out outcome) Seen {
	sum := sha256.Sum256(body)
	s := Seen{
		Number: number, Wire: wire, Script: out.reply.script, Role: out.reply.role, Play: out.reply.at.play,
		Step: out.reply.at.step, Hash: hex.EncodeToString(sum[:]), Bytes: len(body),
		Usage: out.reply.usage, Fault: out.fault.Kind,
	}
	if out.prompt != nil {
		s.Model, s.Items = out.prompt.model, len(out.prompt.items)
	}
	if out.bad != nil {
		s.Error = out.bad.message
	}
	return s
}

// String is one line for a server's log.
func (s Seen) String() string {
	line := fmt.Sprintf("request %d %s %s step %d.%d items %d input %d cached %d written %d output %d",
		s.Number, s.Wire, s.Model, s.Play, s.Step, s.Items, s.Usage.Input, s.Usage.Cached, s.Usage.CacheWrite, s.Usage.Output)
	if s.Role != "" {
		line += " role " + string(s.Role)
	}
	if s.Fault != "" {
		line += " fault " + string(s.Fault)
	}
	if s.Error != "" {
		line += " refused: " + s.Error
	}
	return line
}
