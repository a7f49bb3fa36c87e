package tool_test

import (
	"context"
	"fmt"
	"os"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/tool"
)

// A thread makes its tools once, tells the model of them, and runs what it calls.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	tools := tool.Builtin(tool.Options{Cwd: dir, Sandbox: "full"})
	patch := `{"patch":"*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch"}`
	for _, call := range []longrein.ToolCall{
		{ID: "1", Name: "apply_patch", Args: patch},
		{ID: "2", Name: "read_file", Args: `{"path":"a.txt"}`},
		{ID: "3", Name: "read_file", Args: `{"file":"a.txt"}`},
	} {
		out := tools.Run(context.Background(), call).Output
		fmt.Println(out.Status, tools.Known(call), out.Text)
	}
	// Output:
	// ok true A a.txt (+1)
	//
	// ok true [1 lines]
	// hello
	//
	// failed false read_file was not run: "path" is missing. Example of its arguments: {"path":"main.go","offset":1,"limit":100}
}
