package harness_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/harness"
)

// A program runs a task and prints the answer. The simulated model stands in for
// a real one; without the two flags the settings decide.
func Example() {
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	settings, err := config.Load(config.Options{
		Home: dir, Cwd: dir,
		Flags: []config.Flag{{Name: "-p", Value: "sim"}, {Name: "-m", Value: "sim:parallel"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	h := harness.New(harness.Options{Settings: settings, Cwd: dir, Version: "example"})
	t, err := h.Start(ctx)
	if err != nil {
		log.Fatal(err)
	}
	events := t.Watch(ctx, 0)
	if err := t.Submit(ctx, "look at four things at once"); err != nil {
		log.Fatal(err)
	}
	for e := range events {
		if a, ok := e.Payload.(longrein.Appended); ok && longrein.Kind(a.Item) == "tool_call" {
			fmt.Println("call", a.Item.(longrein.ToolCall).Name)
		}
		if e.Type == longrein.EventTurnCompleted || e.Type == longrein.EventTurnFailed {
			break
		}
	}
	if err := t.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// call list_files
	// call list_files
	// call search_files
	// call exec_command
	// call exec_command
	// call exec_command
	// call exec_command
}
