// Package harness puts the parts together: settings, a model, tools, the log and
// a strategy become a running thread. It is what the command line uses and what
// an embedding program imports.
//
// [New] takes settings; [Harness.Start] begins a thread and [Harness.Resume]
// opens one again, each giving a [thread.Thread] to submit work to and to watch.
// [Harness.Verify] and [Harness.At] read logs without opening them for writing.
// The package holds wiring only: what happens in a turn is package turn's
// business, and what a model is sent is package assemble's.
package harness
