package sandbox_test

import (
	"context"
	"fmt"

	"github.com/longrein/longrein/tool/sandbox"
)

// A program calls Main first, opens a box once, and starts commands in it.
func Example() {
	sandbox.Main()
	box := sandbox.Open(context.Background(), sandbox.Rules{Mode: sandbox.Full, Cwd: "/"})
	fmt.Println(box.Report().Method, box.Report().Holds())
	cmd, err := box.Command("/", "echo", "hello")
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := cmd.Output()
	fmt.Printf("%s%v\n", out, err)
	// Output:
	// full true
	// hello
	// <nil>
}
