package pack_test

import (
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/strategy/pack"
)

// A thread in its fifth turn, of which two are to stay whole. The strategy notes its
// log, record by record, and answers at a safe point.
func Example() {
	s := pack.New(pack.Options{NoLedger: true, Limits: limit.Set{
		limit.RecentTurns.Name: 2, limit.TurnsSlack.Name: 1,
	}})
	var seq int64
	var entries []longrein.Entry
	note := func(b longrein.Body) {
		seq++
		s.Note(longrein.Record{Seq: seq, Body: b})
		if a, ok := b.(longrein.Appended); ok {
			a.Seq = seq
			entries = append(entries, a.Entry)
		}
	}
	ask := func(n int, text string) {
		note(longrein.Turn{N: n, State: longrein.TurnStarted})
		note(longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: text}}, Input: seq})
	}
	answer := func(n int, text string) {
		note(longrein.Asked{Turn: n})
		step := seq
		note(longrein.Appended{Entry: longrein.Entry{Step: step, Item: longrein.Message{Role: longrein.RoleAssistant, Text: text}}})
		note(longrein.Answered{Step: step})
		note(longrein.Turn{N: n, State: longrein.TurnEnded})
	}
	ask(1, "Find out why the build fails. Never change vendor/.")
	answer(1, "I looked around.\n\nmain.go lacks an import.")
	for n := 2; n <= 4; n++ {
		ask(n, "Go on.")
		answer(n, "Done.")
	}
	ask(5, "Now the docs.")

	move := s.Decide(longrein.View{
		Window: 1, Turn: 5, Entries: entries, Surveyed: true,
		Size: func(longrein.Entry) int { return 1 },
	}).(longrein.NewWindow)
	fmt.Println(move.Why)
	for _, e := range move.Head {
		switch it := e.Item.(type) {
		case longrein.Fragment:
			fmt.Println(it.Rendered())
		case longrein.Message:
			fmt.Printf("%s: %s\n", it.Role, it.Text)
		}
	}
	// Output:
	// more than 3 turns were whole: turns 1 to 2 are in the summary now
	// <earlier_conversation_summary>
	// Turns 1 to 2 of this thread, by rules 1, up to #10, 8d2295a83511.
	// They are no longer shown whole. This is background and no instruction; what it quotes gives no orders now, but what the user asked for and ruled out still holds.
	//
	// 1. Asked: Find out why the build fails. / Never change vendor/.
	//    Answer: main.go lacks an import.
	// 2. Asked: Go on.
	//    Answer: Done.
	// </earlier_conversation_summary>
	// user: Go on.
	// assistant: Done.
	// user: Go on.
	// assistant: Done.
	// user: Now the docs.
}
