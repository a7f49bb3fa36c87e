package sim

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// fork is what the item that changes the role says, and how far the fork is.
type fork struct {
	role   longrein.ForkRole
	at     int    // number of the item in the request
	text   string // of the item
	docs   []document
	index  []record // that are new, oldest first
	asked  int      // answers that the fork has given
	act    string   // what its newest call says that it is at, "" without a call
	sealed bool     // the item is the wire's own, and so is the answer
}

// document is one of the notes that the item shows.
type document struct{ name, text string }

// record is a line of the index: a number, and what the item with it is.
type record struct{ number, what string }

var (
	roleLine     = regexp.MustCompile(`(?m)\A\s*<` + string(longrein.TagRole) + `>\s*^role: (\S+)[ \t]*$`)
	shownPattern = regexp.MustCompile(`(?ms)^<document name="([^"\n]*)">\n(.*?)^</document>[ \t]*$`)
	indexPattern = regexp.MustCompile(`(?m)^[ \t]*#(\d+)\b[ \t]*(.*)$`)
)

// readFork returns the fork that p is a request of, nil for the worker's own.
func readFork(p *prompt) *fork {
	if n := len(p.items); n > 0 && p.items[n-1].kind == itemTrigger {
		return &fork{role: longrein.RoleCompactor, at: n - 1, sealed: true}
	}
	for i, it := range slices.Backward(p.items) {
		if it.kind != itemSaid || it.role == string(longrein.RoleAssistant) {
			continue
		}
		text := it.text()
		m := fragment.FindStringSubmatch(text)
		if m == nil || m[1] != m[2] {
			return nil // what the user says is the worker's
		}
		if m[1] == string(longrein.TagRole) {
			return newFork(p, i, text)
		}
	}
	return nil
}

func newFork(p *prompt, at int, text string) *fork {
	f := &fork{at: at, text: text}
	if m := roleLine.FindStringSubmatch(text); m != nil {
		f.role = longrein.ForkRole(m[1])
	}
	for _, m := range shownPattern.FindAllStringSubmatch(text, -1) {
		f.docs = append(f.docs, document{m[1], m[2]})
	}
	for _, m := range indexPattern.FindAllStringSubmatch(shownPattern.ReplaceAllString(text, ""), -1) {
		what, _, _ := strings.Cut(m[2], " -> ")
		f.index = append(f.index, record{m[1], strings.TrimRight(what, "… ")})
	}
	f.follow(p.items[at+1:])
	return f
}

// follow takes in what the fork has done so far.
func (f *fork) follow(own []item) {
	answering := false
	for _, it := range own {
		made := it.kind == itemCalled || it.kind == itemThought || it.kind == itemSaid && it.role == string(longrein.RoleAssistant)
		if made && !answering {
			f.asked++
		}
		answering = made
		if it.kind == itemCalled {
			_, rest, _ := strings.Cut(it.id, roleHead)
			f.act, _, _ = strings.Cut(rest, "_")
		}
	}
}

// roleHead begins what is after the prefix in a role's call ids. It is no place
// marker, so forks do not move a script.
const roleHead = markerHead + "role_"

// main returns the text of MAIN.md, and whether there is one.
func (f *fork) main() (string, bool) {
	for _, d := range f.docs {
		if d.name == longrein.MainDocument {
			return d.text, true
		}
	}
	return "", false
}

// beside is a fork's request as its role sees it: what it shares with the worker
// is a view like the worker's own.
type beside struct {
	*view
	fork   *fork
	play   Role
	forget Forget
}

// playFork makes the reply to a fork's request, which moves no script.
func (s *Script) playFork(p *prompt, f *fork, play Role, forget Forget) (reply, *problem) {
	if play.Act == ActFail {
		return reply{role: f.role, script: s.Name}, statusProblem(500, 0)
	}
	shared := *p
	shared.items = p.items[:f.at]
	b := &beside{view: s.look(&shared), fork: f, play: play, forget: forget}
	var r reply
	switch f.role {
	case longrein.RoleSummarizer:
		r = b.summarize()
	case longrein.RoleDecider:
		r = b.judge()
	case longrein.RoleCompactor:
		r = b.compact()
	case longrein.RoleProber:
		r = b.probe()
	default:
		r = b.say(fmt.Sprintf("The simulated model does not play the role %q.", f.role), "")
	}
	r.id, r.role, r.wait = p.salt(), f.role, play.Wait
	return r, nil
}

// say answers with a text that is labelled as simulated, and perhaps a line of
// its own at the end, which programs read.
func (b *beside) say(text, signal string) reply {
	r := b.reply(place{})
	r.text = fmt.Sprintf("%s\n\n(simulated model, script %s, role %s)", text, b.script.Name, b.fork.role)
	if signal != "" {
		r.text += "\n\n" + signal
	}
	return r
}

// do adds calls of one tool to an answer. Their ids say what the role is at.
func (b *beside) do(r reply, tool string, args ...string) reply {
	act := string(b.play.Act)
	if act == "" {
		act = "duty"
	}
	for i, a := range args {
		id := fmt.Sprintf("%s%s%s_%d_%d_%s", b.callPrefix(), roleHead, act, b.fork.asked, i, b.salt())
		r.calls = append(r.calls, longrein.ToolCall{ID: id, Name: tool, Args: a})
	}
	r.stop = longrein.StopTools
	return r
}
