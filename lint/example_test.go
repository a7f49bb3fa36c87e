package lint_test

import (
	"fmt"

	"github.com/longrein/longrein/lint"
)

// What a project wants and what a folder of it wants can be opposites.
func ExampleCheck() {
	s := lint.Subject{Texts: []lint.Text{
		{Kind: lint.Instructions, Path: "AGENTS.md", Text: "Always use tabs."},
		{Kind: lint.Instructions, Path: "web/AGENTS.md", Text: "Don't use tabs."},
	}}
	for _, f := range lint.Check(s) {
		fmt.Println(f.State, f.Where)
		fmt.Println(f.Text)
	}
	// Output:
	// bad web/AGENTS.md:1
	// "Don't use tabs" is the opposite of "Always use tabs" in AGENTS.md:1; the model is told both, so take one out
}
