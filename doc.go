// Package longrein is the vocabulary of an agent harness for work that outlasts
// the context window: what everything is called, and where the parts meet.
//
// It holds words and seams, no behaviour worth the name. The words are [Item]
// (one thing the model can see), [Record] (one line of a thread's log), [Event]
// (a record or a passing delta on its way to a screen) and [View] (a read-only
// look at a thread). The seams are [Model], [Tool] and [Strategy]. To run a
// thread, import package harness; this package is what a new model, tool or
// strategy is written against. It imports the standard library only.
//
//	op ──► thread ──► turn ──► assemble ──► Model ──► items ──► Tool ──► items
//	          │         │
//	          └─ records ◄┴─ Strategy: carry on, or begin a new window
package longrein
