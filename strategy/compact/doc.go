// Package compact keeps windows small by summing them up: when the context has
// reached its limit the worker waits, a fork of its context writes a summary, and a
// new window begins with the user's newest messages, the ledger and the summary.
//
//	worker     ──●  limit reached, waits      ┌──▶ window 2: words, ledger, summary
//	compactor    └──one item more──▶ summary ─┘
//
// The fork's request is the worker's, byte for byte, with the instruction at its
// end, so that the provider has nearly all of it in its cache. Where the wire has an
// item that makes the provider sum up, that is used in place of the instruction.
//
// [Strategy] is a fold of the thread's log ([Strategy.Note]) and decides from that
// and a view alone. It works in line; package background does the same beside the
// work, in many small steps.
package compact
