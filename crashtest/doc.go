// Package crashtest shows what a thread survives: it lets threads live at random on
// a disk in memory, crashes that disk at nearly every operation, and checks what the
// next process finds. It is no part of how threads run, and it tests no file system,
// only what is made of one.
//
// [Disk] is a file system that loses in a crash what a real one may lose. [Run] lets
// lives go by, each drawn from a seed, with the real turn loop, strategies and log;
// models, tools and users are a script. A [Failure] names the seed, which takes the
// same course again.
//
//	seed ──► life ──► threads ──► rollout.Store ──► Disk
//	                                                 │ at an operation
//	             compare, go on ◄── rollout.Store ◄──┘ Crash: a copy
//
// What is promised is in docs/durability.md.
package crashtest
