package check

import (
	"regexp"
	"slices"

	"github.com/longrein/longrein/compare"
)

// Policy is a file of rules.
type Policy struct {
	Name  string // the file's, unless it gives itself one
	Rules []Rule // one at least
}

// Setup is what a session is replayed with.
type Setup struct {
	Strategy string // empty: the caller's choice
	Window   int    // the model's, in tokens; 0: as recorded
	Profile  string // of the provider; empty: as recorded
}

// Rule is one statement about a session. Which fields count is its kind's matter.
type Rule struct {
	Name string // unique in its policy
	Kind string
	Line int // in the policy's file
	Setup
	// Optional says that the rule is skipped, and does not fail, where a session
	// has nothing to judge it by.
	Optional bool

	Text         string // with every run of white space as one blank
	Pattern      *regexp.Regexp
	Windows      int          // that the text survives; 0: all
	Within       string       // of tools: "window" or "session"
	After        int          // steps that are not judged
	Most, Least  float64      // in the unit of the kind
	Percent      bool         // Most is a share of the window
	Of           compare.Kind // [compare.Kinds]: all of them
	Seen         compare.How  // the weakest that counts
	AllowExpired bool
}

// Under replaces what s names in the setups of all rules.
func (p *Policy) Under(s Setup) {
	for i := range p.Rules {
		r := &p.Rules[i]
		if s.Strategy != "" {
			r.Strategy = s.Strategy
		}
		if s.Window != 0 {
			r.Window = s.Window
		}
		if s.Profile != "" {
			r.Profile = s.Profile
		}
	}
}

// setups are those of the rules, each once, in the rules' order.
func (p *Policy) setups() []Setup {
	var all []Setup
	for _, r := range p.Rules {
		if !slices.Contains(all, r.Setup) {
			all = append(all, r.Setup)
		}
	}
	return all
}
