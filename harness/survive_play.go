package harness

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/memory"
	"github.com/longrein/longrein/turn"
)

// foresight plays a new window on a copy of a thread's machine.
type foresight struct {
	records  []longrein.Record
	limits   limit.Set
	strategy func() (longrein.Strategy, error) // a new one each time
	survey   func(longrein.Strategy) turn.Surveyed
}

// look returns the window that the strategy begins when it is asked for one, or
// where it does not do that, when the context is all that fits. Where it would not
// begin one even then, the window's number is 0.
func (f foresight) look() (Outlook, error) {
	o, err := f.play(false)
	if err != nil || o.Window.N > 0 {
		return o, err
	}
	return f.play(true)
}

func (f foresight) play(forced bool) (Outlook, error) {
	own, err := f.strategy()
	if err != nil {
		return Outlook{}, err
	}
	asked := &askedFor{Strategy: own, forced: forced}
	p := &rehearsal{foresight: f, asked: asked, m: turn.New(turn.Options{Strategy: asked, Limits: f.limits})}
	if err := p.m.Load(f.records...); err != nil {
		return Outlook{}, err
	}
	if n := len(f.records); n > 0 {
		p.now = f.records[n-1].Time
	}
	p.tell(turn.Renew{})
	if p.m.Running() {
		p.tell(turn.Resume{}) // it takes the new window at its next safe point
	}
	return p.outlook(), nil
}

// askedFor is a strategy that a new window is wanted of. It is a keeper, so that it
// is asked between two turns too.
type askedFor struct {
	longrein.Strategy
	forced bool // it is told that the context is all that fits
	moved  bool // it has answered with a window
}

// Decide passes the question on. The worker waits for forks that are begun on the way
// to a window: nothing else happens meanwhile.
func (a *askedFor) Decide(v longrein.View) longrein.Move {
	v.Refused = v.Refused || a.forced && (v.Manual || v.Surveyed)
	switch move := a.Strategy.Decide(v).(type) {
	case longrein.StartFork:
		move.Hold = move.Hold || v.Manual
		return move
	case longrein.NewWindow:
		a.moved = a.moved || v.Surveyed
		return move
	default:
		return move
	}
}

// Note has a strategy that remembers take a record in.
func (a *askedFor) Note(r longrein.Record) {
	if k, ok := a.Strategy.(longrein.Keeper); ok {
		k.Note(r)
	}
}

// Keep returns what the strategy would keep.
func (a *askedFor) Keep() json.RawMessage {
	if k, ok := a.Strategy.(longrein.Keeper); ok {
		return k.Keep()
	}
	return nil
}

// Reply passes a fork's answer on.
func (a *askedFor) Reply(b longrein.Branch) longrein.Reply {
	if k, ok := a.Strategy.(longrein.Keeper); ok {
		return k.Reply(b)
	}
	return longrein.End{State: longrein.ForkFailed, Why: "the strategy knows no forks"}
}

// rehearsal answers a machine's effects with stand-ins until its window has begun.
type rehearsal struct {
	foresight
	asked  *askedFor
	m      *turn.Machine
	now    time.Time
	window longrein.Window // the strategy's
	cuts   []longrein.LimitHit
	forks  []longrein.Fork
}

func (p *rehearsal) tell(msg turn.Message) {
	p.now = p.now.Add(time.Millisecond)
	out := p.m.Handle(p.now, msg)
	for _, r := range out.Records {
		p.note(r)
	}
	for _, e := range out.Effects {
		if answer := p.answer(e); answer != nil {
			p.tell(answer)
		}
	}
}

// note takes the strategy's window out of the records, and what it cut.
func (p *rehearsal) note(r longrein.Record) {
	switch b := r.Body.(type) {
	case longrein.Window:
		if p.asked.moved && p.window.N == 0 {
			p.window = b
		}
	case longrein.LimitHit:
		if p.window.N > 0 {
			p.cuts = append(p.cuts, b)
		}
	case longrein.Fork:
		if b.State == longrein.ForkStarted {
			p.forks = append(p.forks, b)
		}
	}
}

// errRehearsal answers what would cost something and decides nothing here.
var errRehearsal = errors.New("nothing is asked when a window is only foreseen")

// answer stands in for what is outside; nil leaves an effect without one.
func (p *rehearsal) answer(e turn.Effect) turn.Message {
	switch e := e.(type) {
	case turn.Survey:
		if !e.Window {
			return turn.Surveyed{} // what has changed outside is in the window's survey
		}
		return p.foresight.survey(p.asked.Strategy)
	case turn.Snap:
		return turn.Snapped{Snapshot: longrein.Snapshot{When: e.When, Turn: e.Turn, Why: errRehearsal.Error()}}
	case turn.Run:
		return turn.ToolDone{Result: longrein.ToolResult{Output: longrein.ToolOutput{
			CallID: e.Call.ID, Status: longrein.OutputUnknown, Text: "This call had no output yet.",
		}}}
	case turn.Look:
		return turn.Looked{Fork: e.Fork}
	case turn.AskFork:
		return p.forkAnswer(e)
	}
	return nil
}

// nothingToAdd is how a summarizer says so.
const nothingToAdd = "NOTHING TO ADD"

// forkAnswer is an answer that adds nothing to what is known.
func (p *rehearsal) forkAnswer(e turn.AskFork) turn.Message {
	answer := turn.Response{Step: e.Step, Done: longrein.Finished{Stop: longrein.StopEnd}}
	switch p.role(e.Fork) {
	case longrein.RoleSummarizer:
		answer.Items = []longrein.Item{longrein.Message{Role: longrein.RoleAssistant, Text: nothingToAdd}}
	case longrein.RoleCompactor:
		answer.Items = p.compacted(e.Fork)
	default:
		answer.Err = errRehearsal
	}
	return turn.ForkResponse{Fork: e.Fork, Response: answer}
}

func (p *rehearsal) role(fork string) longrein.ForkRole {
	for _, f := range p.forks {
		if f.Name() == fork {
			return f.Role
		}
	}
	return ""
}

// compacted is an item of the provider's own where that is asked for, and else an
// empty summary.
func (p *rehearsal) compacted(fork string) []longrein.Item {
	_, own, _ := p.m.State().Branch(fork)
	if len(own) == 0 {
		return nil
	}
	asked, ok := own[len(own)-1].Item.(longrein.Opaque)
	if !ok {
		return nil
	}
	asked.Raw = json.RawMessage(`{}`)
	return []longrein.Item{asked}
}

// outlook is what came of it.
func (p *rehearsal) outlook() Outlook {
	o := Outlook{Cuts: p.cuts}
	o.Window, o.Forced = p.window, p.asked.forced
	for _, f := range p.forks {
		o.Asked = append(o.Asked, f.Role)
		o.Summary = o.Summary || f.Role != longrein.RoleProber
	}
	if k, ok := p.asked.Strategy.(interface{ Notes() memory.Notes }); ok {
		o.Notes = k.Notes()
	}
	o.Cited = cited(o.Notes)
	o.Covered = p.covered()
	return o
}

// cited are the items that notes rest on.
func cited(n memory.Notes) map[int64]bool {
	seqs := map[int64]bool{}
	for _, d := range n.Documents() {
		for _, s := range d.Sources {
			for _, seq := range s.Seqs {
				seqs[seq] = true
			}
		}
	}
	return seqs
}

// covered is the last record of the window that its notes cover, 0 for none.
func (p *rehearsal) covered() (seq int64) {
	for _, r := range p.records {
		switch b := r.Body.(type) {
		case longrein.Window:
			seq = 0
		case longrein.Notes:
			seq = max(seq, b.Boundary)
		}
	}
	return seq
}
