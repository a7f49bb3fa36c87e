package rules

import (
	"fmt"
	"strings"
)

// Kind says what sort of statement a rule makes.
type Kind string

// The kinds.
const (
	Invariant Kind = "invariant" // holds at every moment
	Threshold Kind = "threshold" // a number at which something is cut, refused, delayed or begun
	Formula   Kind = "formula"   // how a number is reckoned
	Scenario  Kind = "scenario"  // what comes of a situation
)

// Kinds are all kinds, in the order in which they are listed.
var Kinds = []Kind{Invariant, Threshold, Formula, Scenario}

// Area is a part of the harness. ID is D1 to D5.
type Area struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	About string `json:"about"` // a sentence on what belongs there
}

// Rule is one statement that is true of the harness.
type Rule struct {
	ID        string `toml:"id" json:"id"` // the area, a dot, and words with dashes
	Area      string `toml:"-" json:"area"`
	Kind      Kind   `toml:"kind" json:"kind"`
	Statement string `toml:"statement" json:"statement"`
	Formula   string `toml:"formula" json:"formula,omitempty"`

	Limits   []string `toml:"limits" json:"limits,omitempty"`     // names of package limit's table
	Settings []string `toml:"settings" json:"settings,omitempty"` // keys, as docs/settings.md has them

	// IDs of other rules: what comes into play when this one bites, what this
	// one rests on, and what it is made of.
	Triggers  []string `toml:"triggers" json:"triggers,omitempty"`
	DependsOn []string `toml:"depends_on" json:"depends_on,omitempty"`
	Contains  []string `toml:"contains" json:"contains,omitempty"`

	Examples []Example `toml:"example" json:"examples"`
}

// Example is a case of a rule, and the test that plays it. Test is the folder
// of a package, a dot, the test's name and, behind a slash, its subtest: as in
// "turn.TestInterrupt/while tools run answers every call". The module's own
// folder is called "longrein".
type Example struct {
	Given string `toml:"given" json:"given,omitempty"`
	When  string `toml:"when" json:"when"`
	Then  string `toml:"then" json:"then"`
	Test  string `toml:"test" json:"test"`
}

// Place returns the parts of e.Test: the package's folder, relative to the
// module's and "." for that one, the function, and the subtest, which may be
// empty.
func (e Example) Place() (dir, function, sub string) {
	dir, test, _ := strings.Cut(e.Test, ".")
	if dir == "longrein" {
		dir = "."
	}
	function, sub, _ = strings.Cut(test, "/")
	return dir, function, sub
}

// Sentence returns the case of e in one line, as "Given …, when …, then …."
func (e Example) Sentence() string {
	if e.Given == "" {
		return fmt.Sprintf("When %s, then %s.", e.When, e.Then)
	}
	return fmt.Sprintf("Given %s, when %s, then %s.", e.Given, e.When, e.Then)
}
