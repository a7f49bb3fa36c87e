package sim_test

import (
	"context"
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/sim"
)

// A script that looks once and then answers, asked in this process.
func Example() {
	script, err := sim.ParseScript("look", []byte(`
step
  call list_files {"path": "{{prompt \bin (\S+)}}"}
  expect go\.mod
answer The folder is a Go module.
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	model := sim.New(sim.Options{Script: script})
	request := longrein.Request{
		Wire: longrein.WireResponses,
		Body: []byte(`{"model":"sim:look","input":"Look in src and tell me."}`),
	}
	for event, err := range model.Stream(context.Background(), request) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if done, ok := event.(longrein.ItemDone); ok {
			call := done.Item.(longrein.ToolCall)
			fmt.Println(call.Name, call.Args)
		}
	}
	// Output: list_files {"path": "src"}
}
