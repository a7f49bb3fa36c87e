package assemble_test

import (
	"fmt"

	"github.com/longrein/longrein/assemble"
)

// A rule is looked for in what a model reads, whatever its case and its lines.
func ExampleFind() {
	f := assemble.Find([]assemble.Passage{
		{Kind: "project_instructions", Text: "- Run make check.\n- Never push\n  to main."},
		{Kind: "user message", Seq: 12, Text: "Push it, then."},
	}, "never push to MAIN")
	fmt.Println(len(f.Whole), f.Whole[0].Kind)
	// Output: 1 project_instructions
}
