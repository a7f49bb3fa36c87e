package patch_test

import (
	"fmt"

	"github.com/longrein/longrein/patch"
)

// A change is found by its lines, and the rest of the text stays.
func ExampleApply() {
	p, err := patch.Parse("*** Begin Patch\n*** Update File: greet.go\n@@ func greet() {\n-\tprintln(\"hi\")\n+\tprintln(\"hello\")\n*** End Patch")
	if err != nil {
		fmt.Println(err)
		return
	}
	change := p.Changes[0]
	text, err := patch.Apply("func greet() {\n\tprintln(\"hi\")\n}\n", change.Hunks)
	fmt.Println(change, err)
	fmt.Print(text)
	// Output:
	// M greet.go (+1 -1) <nil>
	// func greet() {
	// 	println("hello")
	// }
}
