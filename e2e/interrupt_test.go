//go:build unix

package e2e_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/longrein/longrein"
)

// stop is a moment of a task, and what an interrupt leaves there.
type stop struct {
	script string
	window int      // 0: one in which no fork is due
	serve  []string // makes the moment last
	await  func(p *place, r *process)
	calls  map[string]longrein.OutputStatus // by step
	said   string                           // words of the broken response that are kept
	forks  map[longrein.ForkState]int       // their ends
}

var stops = map[string]stop{
	"in a tool": {
		script: "long-tool.sim",
		await:  func(p *place, r *process) { p.awaitSteps(r, 1) },
		calls:  map[string]longrein.OutputStatus{"1": longrein.OutputInterrupted, "2": longrein.OutputInterrupted},
	},
	"before a response": {
		script: "long-word.sim",
		serve:  []string{"--fault", "slow at step 2 after 60s"},
		await: func(_ *place, r *process) {
			r.until(`"type":"usage"`)
			r.until(`"type":"request"`)
		},
		calls: map[string]longrein.OutputStatus{"1": longrein.OutputOK},
	},
	"in a response": {
		script: "long-word.sim",
		serve:  []string{"--write-rate", "100"},
		await:  func(_ *place, r *process) { r.until("These are many words") },
		calls:  map[string]longrein.OutputStatus{"1": longrein.OutputOK},
		said:   "These are many words",
	},
	"while a fork runs": {
		script: "long-fork.sim",
		window: small,
		await: func(p *place, r *process) {
			r.until(`"type":"fork.updated","thread":`)
			p.awaitSteps(r, 2)
		},
		calls: map[string]longrein.OutputStatus{"1": longrein.OutputOK, "2": longrein.OutputInterrupted},
		forks: map[longrein.ForkState]int{longrein.ForkDropped: 1},
	},
}

// TestInterrupts stops a task by a signal. What was done is recorded, every call
// has an output, and resume finishes the task.
func TestInterrupts(t *testing.T) {
	signals := map[string]syscall.Signal{"SIGINT": syscall.SIGINT, "SIGTERM": syscall.SIGTERM}
	for name, s := range stops {
		for _, wire := range wires {
			for signal, number := range signals {
				t.Run(name+"/"+string(wire)+"/"+signal, func(t *testing.T) {
					t.Parallel()
					p := newPlace(t, options{wire: wire, script: s.script, window: s.window, serve: s.serve})
					s.interrupt(p, number)
					s.checkStopped(p)
					s.checkResumed(p)
				})
			}
		}
	}
}

func (s stop) interrupt(p *place, number syscall.Signal) {
	p.t.Helper()
	r := p.exec()
	s.await(p, r)
	r.signal(number)
	begin := time.Now()
	if code := r.wait(); code != 130 {
		p.t.Errorf("exit code %d, want 130\n%s", code, r.said())
	}
	p.t.Logf("it took %v to end", time.Since(begin).Round(time.Millisecond))
}

// awaitSteps waits until so many commands of the task have begun their work.
func (p *place) awaitSteps(r *process, n int) {
	p.t.Helper()
	r.until(`"type":"item.started"`)
	for range int(patience / (10 * time.Millisecond)) {
		if b, err := os.ReadFile(filepath.Join(p.dir, "src", "steps.log")); err == nil && bytes.Count(b, []byte("\n")) >= n {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	p.t.Fatal("the command does not begin")
}

func (s stop) checkStopped(p *place) {
	p.t.Helper()
	log := p.story()
	if log.ended() != longrein.TurnInterrupted {
		p.t.Errorf("the turn is %q", log.ended())
	}
	if len(log.calls) != len(s.calls) {
		p.t.Errorf("there are %d calls, want %d", len(log.calls), len(s.calls))
	}
	for _, c := range log.calls {
		if len(c.outputs) != 1 || c.outputs[0].Status != s.calls[stepOf(c)] {
			p.t.Errorf("step %s has the outputs %+v, want one that is %s", stepOf(c), c.outputs, s.calls[stepOf(c)])
		}
	}
	if s.said != "" && !strings.HasPrefix(log.lastWords(), s.said) {
		p.t.Errorf("of the broken response is left %q", log.lastWords())
	}
	if got := log.forkEnds(); !maps.Equal(got, s.forks) {
		p.t.Errorf("forks ended so: %v, want %v", got, s.forks)
	}
	p.checkNotes(log)
	p.verify(log)
}

func (s stop) checkResumed(p *place) {
	p.t.Helper()
	p.serve() // one that does not make the moment last
	p.resume().succeed()
	log := p.story()
	if got := p.answer(); !strings.HasPrefix(got, "All is done.\n") || log.ended() != longrein.TurnEnded {
		p.t.Errorf("the turn is %s with the answer %q", log.ended(), got)
	}
	if len(log.calls) != 2 {
		p.t.Errorf("there are %d calls, want 2", len(log.calls))
	}
	p.checkCalls(log)
	p.verify(log)
}

// lastWords returns what the model said last.
func (s *story) lastWords() string {
	words := ""
	for _, r := range s.records {
		if a, ok := r.Body.(longrein.Appended); ok {
			if m, ok := a.Item.(longrein.Message); ok && m.Role == longrein.RoleAssistant {
				words = m.Text
			}
		}
	}
	return words
}
