// Package environ looks at what comes from outside (the working directory, the
// state of git, the date, AGENTS.md files) and returns it as values: entries for
// a window's head, and what to record of them. Assembly can then be pure.
//
//	disk, clock, settings ─► Look ─► Initial ─► a window's head
//	                                    └─► Changes ─► what a later turn is told
//
// It only reads, starts no process, and is not for watching: whoever needs the
// state of now calls [Look] again. [Initial] and [Repository] are what it
// returns, and [Initial.Changes] is what is new to a model that has seen an older
// one.
package environ
