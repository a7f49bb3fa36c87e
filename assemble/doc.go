// Package assemble turns a prefix of a thread's log into the next request, and
// explains it. It is pure: the same records give the same bytes, on any
// machine, for ever.
//
// [State] folds records one by one and keeps the window's encoded bytes and
// their running hash, so that a step costs what is new in it and not what is
// old. [Explain] says, layer by layer, why a request holds what it holds.
// It does not decide when a window begins (package strategy does) and reads
// nothing from outside (package environ does).
//
//	records ──Add──► State ──Request──► body, hash, tokens
//	                   └─────Explain──► layers, shares, cuts
package assemble
