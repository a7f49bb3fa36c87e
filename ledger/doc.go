// Package ledger keeps what a harness knows for certain of a thread without
// asking a model: files read and changed, commands and how they ended, errors and
// whether they were resolved, the user's requests and constraints in the user's
// own words, the plan, approvals, and values that were used again.
//
//	records ──► Ledger.Note ──► Compact   for every new window's head
//	                       ├──► Full      LEDGER.md
//	                       └──► Probes    what a new head must show
//
// A [Ledger] is a fold of the log by rules. It goes into the window's record as
// JSON and is continued from there. A [Probe] is one thing that must be visible in
// a head before it replaces the old context.
//
// The package judges nothing by meaning and remembers no conversation: that is
// what notes are for. What its rules cannot tell for certain is left out, and
// what a limit drops is counted.
package ledger
