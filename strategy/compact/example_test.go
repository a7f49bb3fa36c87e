package compact_test

import (
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/strategy/compact"
)

func Example() {
	s := compact.New(compact.Options{})
	view := longrein.View{
		Settings: longrein.Settings{ContextWindow: 100_000},
		Window:   2,
		Entries:  []longrein.Entry{{Seq: 5, Item: longrein.Message{Role: longrein.RoleUser, Text: "the task"}}},
		Size:     func(longrein.Entry) int { return 100 },
	}
	for _, tokens := range []int{89_999, 90_000} {
		view.Tokens = tokens
		switch move := s.Decide(view).(type) {
		case longrein.CarryOn:
			fmt.Println("carry on")
		case longrein.StartFork:
			fmt.Println("wait:", move.Hold, "for the", move.Forks[0].Role, "because of", move.Forks[0].Why)
		}
	}
	// Output:
	// carry on
	// wait: true for the compactor because of context_limit, pre_turn: about 90000 tokens
}
