package longtask_test

import (
	"fmt"
	"os"

	"github.com/longrein/longrein/provider/sim/longtask"
)

// A task is laid out in a folder, and whatever a harness made of it is searched
// for its facts.
func Example() {
	root, err := os.MkdirTemp("", "longtask")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(root) }()
	task, err := longtask.Long200.Write(root, "papers")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(task.Model, task.Steps, len(task.Facts))
	fmt.Println(len(task.Found(task.Prompt)), "are in the prompt")
	// Output:
	// sim:long200 200 26
	// 6 are in the prompt
}
