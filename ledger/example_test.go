package ledger_test

import (
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
)

func Example() {
	s := new(story).user("Make the build green. Never change vendor/.")
	s.run("go build ./...", 1, "main.go:7: undefined: port").touch(longrein.FileChanged, "main.go")

	var l ledger.Ledger
	for _, r := range s.records {
		l.Note(r, nil)
	}
	text, left := l.Compact(4 << 10)
	fmt.Print(text, left, " bytes left out\n")
	for _, p := range ledger.Missing(l.Probes(0), "Summary: go build ./... fails. Never change vendor/.") {
		fmt.Println("missing:", p)
	}
	// Output:
	// What is known for certain, kept by rules. #n is a record of this thread. All of it is in LEDGER.md.
	//
	// Errors not resolved:
	// - $ go build ./... (exit 1, #3): main.go:7: undefined: port
	//
	// Constraints, in the user's words:
	// - Never change vendor/. (#1)
	//
	// Files changed:
	// - main.go (#5)
	// 0 bytes left out
	// missing: changed file (#5): main.go
}
