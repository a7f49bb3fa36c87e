// Package index keeps one row for each thread, in SQLite beside the logs, so that
// thousands can be listed in milliseconds. It is never the only copy of anything:
// every row follows from a log by [Fold], and the file may be deleted at any time.
// It does not write logs, and it does not know how they are stored; it is told
// where they lie ([Logs]).
//
// [Index] is the file, [Entry] a row, [Query] what to list.
//
// # How it stays fresh
//
// Who writes to a log never writes to the index. [Index.Sync] finds what has
// changed, and a look is cheap because of two facts about the logs' folders: a
// log grows only while its lock file lies beside it, and making or removing a
// file changes the time of its folder. So a folder whose time is the same as at
// the last look holds the same logs, unchanged, if no lock file lay in it then.
// A quick look takes one stat for each folder, lists those that are not settled
// in this way, and folds what was appended to the logs that changed.
//
//	threads/2026/11/29  settled: one stat
//	threads/2026/11/30  a lock lies in it: listed; two logs grew: their new records are read
//
// Copying files over logs, or a clock that jumps, can deceive a quick look; a
// [Full] one compares every log's size and time, and [Rebuild] reads them all.
//
// # Versions and damage
//
// The schema's version is a part of the file's name. Programs of different
// versions each have their own file, and none has to understand another's. A file
// that is damaged is moved aside, and the index is made anew from the logs.
package index
