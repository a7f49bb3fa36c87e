package check

import (
	"github.com/longrein/longrein/compare"
)

var neverKind = kind{
	name:    "never",
	what:    "no text in any request, forks' included, matches the regular expression; what matched is not printed",
	needs:   [][]string{{"pattern"}},
	example: "pattern = 'sk-[A-Za-z0-9_-]{20,}|AKIA[0-9A-Z]{16}'\n",
	says:    func(r Rule) string { return "no request matches " + quote(r.Pattern.String()) },
	judge: func(r Rule, _ scene) judge {
		return never{shows: remember(r.Pattern.MatchString), rule: r}
	},
}

// never finds a text that matches.
type never struct {
	endsWell
	rule  Rule
	shows func(string) bool
}

func (n never) see(r request) *finding {
	for t := range r.texts {
		if !n.shows(t.text) {
			continue
		}
		span := n.rule.Pattern.FindStringIndex(t.text)
		whose := ""
		if !r.worker() {
			whose = " in the request of " + r.Fork + ", made after this step's,"
		}
		return at(r.Point, "%s%s matches: %s from byte %d on (not shown, it may be a secret)", t.what, whose, count(span[1]-span[0], "byte"), span[0])
	}
	return nil
}

var alwaysKind = kind{
	name:    "always",
	what:    "every request of the worker's, after step after_step if that is set, has a text that matches the regular expression",
	needs:   [][]string{{"pattern"}},
	takes:   []string{"after_step"},
	example: "pattern = '(?i)careful worker'\n",
	says: func(r Rule) string {
		return "every request" + after(r) + " matches " + quote(r.Pattern.String())
	},
	judge: func(r Rule, _ scene) judge {
		return &always{shows: remember(r.Pattern.MatchString), after: r.After}
	},
}

// always finds a request without a text that matches.
type always struct {
	shows   func(string) bool
	after   int
	visible bool
	judged  bool
}

func (a *always) see(r request) *finding {
	if !r.worker() {
		return nil
	}
	a.visible = a.visible && !r.began
	for t := range r.texts {
		a.visible = a.visible || a.shows(t.text)
	}
	if r.Point.Step <= a.after {
		return nil
	}
	a.judged = true
	if !a.visible {
		return at(r.Point, "of the %s in this request none matches", count(len(r.Entries), "item"))
	}
	return nil
}

func (a *always) end(*compare.Result) *finding { return judged(a.judged, a.after) }

// judged finds that a rule had no step to judge.
func judged(any bool, after int) *finding {
	if any {
		return nil
	}
	return nothing("the session has no step after %d", after)
}
