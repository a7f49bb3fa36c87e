package sim

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/longrein/longrein"
)

// reply is a response before it takes the form of a wire.
type reply struct {
	id        string
	model     string
	script    string
	at        place
	thought   thought
	text      string
	compacted string // a summary, as a provider seals it
	refused   bool
	calls     []longrein.ToolCall
	stop      longrein.Stop
	usage     longrein.Usage
	role      longrein.ForkRole // that answers, "" for the worker
	wait      time.Duration     // before the first byte, besides the latency
}

// thought is reasoning with what proves it unchanged; no text means none.
type thought struct{ id, text, seal string }

// view is a request as a script sees it.
type view struct {
	*prompt
	script *Script
	at     place             // of the newest response that the request knows of
	out    map[string]string // newest output of each of at's calls, by number
	files  []string
	listed bool // the list of files is in the request
	round  int  // of the repeat that is played
}

// look finds the place of p in s: the highest marker in any call id or in what
// was said. Outputs of tools are not searched, for a file can hold anything.
func (s *Script) look(p *prompt) *view {
	v := &view{prompt: p, script: s, out: map[string]string{}}
	for _, it := range p.items {
		at := v.mark(it)
		if v.at.before(at) {
			v.at = at
		}
	}
	for _, it := range p.items {
		if it.kind != itemAnswered {
			continue
		}
		switch at, n, ok := s.readCallID(it.id); {
		case ok && n == listCall:
			v.files, v.listed = paths(it.text()), true
		case ok && at == v.at:
			v.out[n] = it.text()
		}
	}
	return v
}

// mark returns the place that it carries a marker of.
func (v *view) mark(it item) place {
	switch it.kind {
	case itemCalled:
		at, _ := v.script.newest([]byte(it.id))
		return at
	case itemSaid:
		at, _ := v.script.newest(it.content)
		return at
	}
	return place{}
}

// listCall stands for a call's number when it lists the files.
const listCall = "f"

// play makes the script's reply to p.
func (s *Script) play(p *prompt) reply {
	v := s.look(p)
	if a := v.aside(); a != nil {
		return v.speak(v.at, v.render(a.answer, plain))
	}
	if s.system != nil && !s.system.MatchString(v.systemText()) {
		return v.complain("the system text to match %s", s.system)
	}
	if st, round, ok := s.at(v.at.step); ok {
		v.round = round
		if again := v.unknown(); len(again) > 0 && s.askAgain {
			return v.ask(v.at, st, again)
		} else if bad := v.unmet(st); bad != "" && len(again) == 0 {
			return v.complain("the outputs of step %d to match %s, and they are: %s", v.at.step, bad, clip(v.last()))
		}
	}
	return v.next()
}

// next plays the step after the one the request knows of; after the last one the
// script begins again.
func (v *view) next() reply {
	to := place{max(v.at.play, 1), v.at.step + 1}
	st, round, ok := v.script.at(to.step)
	if !ok {
		to = place{to.play + 1, 1}
		st, round, _ = v.script.at(1)
	}
	if v.script.list != nil && !v.listed && st.lists() {
		return v.askList()
	}
	v.round = round
	if !st.ends() {
		return v.ask(to, st, nil)
	}
	r := v.speak(to, v.renderAt(to, st.answer, plain))
	r.thought = v.think(to, st)
	if r.refused = st.refuses; r.refused {
		r.stop = longrein.StopRefused
	}
	return r
}

// ask makes the calls of a step, or only those with the given numbers.
func (v *view) ask(at place, st step, only map[string]bool) reply {
	r := v.reply(at)
	r.thought = v.think(at, st)
	r.text = v.renderAt(at, st.say, plain)
	for i, c := range st.calls {
		n := strconv.Itoa(i)
		if only == nil || only[n] {
			r.calls = append(r.calls, v.call(at, n, c))
		}
	}
	r.stop = longrein.StopTools
	return r
}

// askList lists the files, again when a new window has lost the list. It is no
// step of its own: it carries the marker of the step before.
func (v *view) askList() reply {
	at := place{max(v.at.play, 1), v.at.step}
	r := v.reply(at)
	r.calls = []longrein.ToolCall{v.call(at, listCall, *v.script.list)}
	r.stop = longrein.StopTools
	return r
}

func (v *view) call(at place, n string, c call) longrein.ToolCall {
	escape := inJSON
	if c.raw {
		escape = plain
	}
	return longrein.ToolCall{
		ID:   v.script.callID(v.callPrefix(), at, n, v.salt()),
		Name: c.tool,
		Args: v.renderAt(at, c.args, escape),
	}
}

// callPrefix begins call ids as the wire's owner does.
func (p *prompt) callPrefix() string {
	if p.wire == longrein.WireMessages {
		return "toolu_"
	}
	return "call_"
}

// speak answers with text, which ends the turn. Every answer says that it is
// simulated, and where in the script it stands.
func (v *view) speak(at place, text string) reply {
	r := v.reply(at)
	r.text = fmt.Sprintf("%s\n\n(simulated model, script %s, %s)", text, v.script.Name, v.script.marker(at))
	return r
}

// complain says plainly what the script expected and did not find.
func (v *view) complain(format string, args ...any) reply {
	return v.speak(v.at, "simulated model: expected "+fmt.Sprintf(format, args...))
}

func (v *view) reply(at place) reply {
	return reply{
		id: v.salt(), model: v.model, script: v.script.Name, at: at, stop: longrein.StopEnd,
	}
}

// think makes the step's reasoning in the form that the request can take: the
// messages wire has none unless it is switched on, and its proof goes only where
// it was asked for.
func (v *view) think(at place, st step) thought {
	if len(st.think) == 0 || v.wire == longrein.WireMessages && !v.thinks {
		return thought{}
	}
	t := thought{text: v.renderAt(at, st.think, plain)}
	if v.wire == longrein.WireResponses {
		t.id = "rs_" + v.script.marker(at) + "_" + v.salt()
	}
	if v.thinks {
		t.seal = seal(t.id, t.text)
	}
	return t
}

// salt is the same for the same request, and another as soon as an item more is
// in it.
func (p *prompt) salt() string {
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%d", len(p.items))
	if n := len(p.parts); n > 0 {
		_, _ = h.Write(p.parts[n-1].pieces[0])
	}
	return fmt.Sprintf("%08x", h.Sum32())
}
