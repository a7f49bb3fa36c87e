package memory_test

import (
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/memory"
)

// A summarizer's calls become a draft, and the draft the next version.
func ExampleDraft() {
	d := memory.NewDraft(memory.Notes{}, memory.DraftOptions{Folder: "/data/notes/t1"})
	out := d.Run(longrein.ToolCall{ID: "c1", Name: "apply_patch", Args: `{"patch":"*** Begin Patch\n*** Add File: MAIN.md\n+Tests run with make test. [#412 #415]\n*** End Patch"}`})
	fmt.Print(out.Text)
	out = d.Run(longrein.ToolCall{ID: "c2", Name: "apply_patch", Args: `{"patch":"*** Begin Patch\n*** Delete File: TODO.md\n*** End Patch"}`})
	fmt.Println(out.Status)
	if err := d.Check(); err != nil {
		fmt.Println(err)
		return
	}
	notes := memory.Notes{}.With(longrein.Notes{Version: 1, By: "summarizer-1", Changed: d.Changed()})
	for _, doc := range notes.Documents() {
		for _, p := range memory.Paragraphs(doc) {
			fmt.Println(doc.Name, p.Hash, p.Text, p.Seqs)
		}
	}
	// Output:
	// A MAIN.md (+1)
	// refused
	// MAIN.md 52b572757431 Tests run with make test. [412 415]
}

// A verdict counts when its word has a line of its own.
func ExampleReadVerdict() {
	v := memory.ReadVerdict("Most of the outputs are of files that were rewritten since.\n\n**RESET**")
	fmt.Println(v.Reset, v.Reason)
	v = memory.ReadVerdict("I would RESET here.")
	fmt.Println(v.Reset, v.Problem)
	// Output:
	// true Most of the outputs are of files that were rewritten since.
	// false the answer has neither RESET nor CARRY ON on a line of its own
}
