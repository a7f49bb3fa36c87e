package ledger

import (
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// attempt is something that was tried, once or more often: a command, or another
// call that failed at least once.
type attempt struct {
	Tool  string `json:"t,omitempty"` // "" for a command
	What  string `json:"w"`
	Rest  string `json:"x,omitempty"` // tells it from others whose What is the same
	Seq   int64  `json:"s"`           // the last output
	Exit  *int   `json:"e,omitempty"` // of the last run, where known
	Runs  int    `json:"n"`
	Fails int    `json:"fn,omitempty"`
	// Failed is the output of the last failure, and Said its last lines, the last
	// one alone when it is resolved.
	Failed int64  `json:"f,omitempty"`
	Said   string `json:"l,omitempty"`
}

func (a attempt) key() string { return attemptKey(a.Tool, a.What, a.Rest) }

func attemptKey(tool, what, rest string) string { return tool + "\x00" + what + "\x00" + rest }

// attempt takes what is known of such a call out of its table.
func (n noting) attempt(tool, what, rest string) (a attempt, known bool) {
	key := attemptKey(tool, what, rest)
	if a, known = n.Failing.take(key); known {
		return a, true
	}
	if a, known = n.Done.take(key); known {
		return a, true
	}
	return attempt{Tool: tool, What: what, Rest: rest}, false
}

func (n noting) failed(p pending, out longrein.ToolOutput) {
	what := p.What
	if len(p.Touches) > 0 {
		what = n.blamed(p.Touches, out.Text)
	}
	if what == "" {
		return
	}
	a, _ := n.attempt(p.Tool, what, p.Rest)
	a.Seq, a.Failed, a.Exit = n.seq, n.seq, out.Exit
	a.Runs++
	a.Fails++
	a.Said = lastLines(out.Text, n.most())
	n.Failing.put(a)
	n.boundCalls()
}

// blamed returns the file that an error is about: the one that its text begins
// with, else the first.
func (n noting) blamed(touches []longrein.FileTouch, text string) string {
	named, _, _ := strings.Cut(clip(text, n.most()), ": ")
	named = n.name(named)
	i := slices.IndexFunc(touches, func(t longrein.FileTouch) bool { return t.Path == named })
	return touches[max(i, 0)].Path
}

// succeeded notes a command; of other calls only that they are no longer in
// error.
func (n noting) succeeded(p pending, exit *int) {
	if p.What == "" {
		return
	}
	a, known := n.attempt(p.Tool, p.What, p.Rest)
	if !known && p.Tool != command {
		return
	}
	n.done(a, exit)
}

// resolve notes that a file for which a call failed could be read or changed now.
func (n noting) resolve(tool, path string) {
	if a, ok := n.Failing.take(attemptKey(tool, path, "")); ok {
		n.done(a, nil)
	}
}

// done notes a success.
func (n noting) done(a attempt, exit *int) {
	a.Seq, a.Exit = n.seq, exit
	a.Runs++
	if at := strings.LastIndex(a.Said, between); at >= 0 {
		a.Said = a.Said[at+len(between):]
	}
	n.Done.put(a)
	n.boundCalls()
}

func (n noting) boundCalls() {
	for n.Failing.Len()+n.Done.Len() > n.set.Int(limit.LedgerCalls) {
		n.Left.Calls++
		if n.Done.Len() > 0 {
			n.Done.take(n.Done.oldest().key())
			continue
		}
		n.Failing.take(n.Failing.oldest().key())
	}
}

// asking are programs that say no with the exit status 1.
var asking = []string{
	"grep", "egrep", "fgrep", "rg", "pgrep", "diff", "cmp", "test", "[", "[[", "which", "git grep", "git diff", "command -v",
}

// answered reports whether a command's exit status is an answer and no error:
// nothing found, or not the same.
func answered(command string, exit *int) bool {
	if exit == nil || *exit != 1 {
		return false
	}
	last := strings.TrimSpace(command[strings.LastIndexAny(command, "|&;")+1:])
	return slices.ContainsFunc(asking, func(p string) bool {
		rest, ok := strings.CutPrefix(last, p)
		return ok && (rest == "" || rest[0] == ' ')
	})
}
