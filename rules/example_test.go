package rules_test

import (
	"fmt"

	"github.com/longrein/longrein/rules"
)

// The rules that say where one limit bites.
func Example() {
	book, err := rules.Load()
	if err != nil {
		panic(err)
	}
	for _, r := range (rules.Filter{Limit: "op-queue"}).Of(book.Rules) {
		fmt.Println(r.ID, r.Kind)
		fmt.Println(r.Examples[0].Test)
	}
	// Output:
	// D1.queue-holds-senders-up threshold
	// thread.TestTheQueueHoldsSendersUp
}
