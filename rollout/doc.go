// Package rollout keeps threads' logs on disk, and the blobs beside them. It
// appends records durably, reads them back, finds the tail that is needed to go
// on, and repairs what a crash left behind. It does not know what records mean
// to a thread, and it keeps no list of threads: that is the index, which can be
// rebuilt from here.
//
// [Store] is the folder, [Log] a log that is open for writing, and [Tail] what
// opening one gives.
//
//	<root>/threads/2026/11/30/<id>.jsonl          one record a line
//	<root>/threads/2026/11/30/<id>.lock           while a process writes
//	<root>/threads/2026/11/30/<id>.synced         how far the log is synced, until it is closed
//	<root>/threads/2026/11/30/<id>.jsonl.torn-…   half lines that were moved aside
//	<root>/threads/2026/11/30/<id>.jsonl.damaged-… the log before a repair
//	<root>/threads/2026/11/30/<id>.kept           what forks need of a removed log
//	<root>/blobs/ab/cdef….zst                     content, named by its SHA-256
//
// # Lines
//
// A line is one JSON object, written in exactly this order and without spaces:
//
//	{"seq":41,"time":"2026-11-30T04:55:28.123Z","type":"item","payload":{…},"sum":"1a2b3c4d"}
//
// The sum is the CRC-32C, in hexadecimal, of the previous line's eight digits
// ("00000000" before the first line) and of this line up to the comma before
// "sum". So every line vouches for the one before it, and any stretch of the
// file can be checked by itself.
//
// # What is stored once
//
// A window repeats what it carries on, and tools read the same file again. A
// value that the log already holds, byte for byte, is written as a reference to
// its place in the file: offset, length and CRC-32C. It always names the bytes
// themselves and never another reference, so reading it takes one read.
//
//	{"$at":[81920,4312,2774621893]}
//
// A string of 8 KiB or more goes to a blob, as it stands between its quotes, so
// that threads share what they read:
//
//	{"$blob":"<sha256>","bytes":1048576}
//
// A payload's own object that begins with one of these keys, or with "$$", gets
// one more "$" before its first key, which reading takes away again. Callers see
// none of this: records come back as they were appended.
//
// # Forks
//
// A fork's log begins with a thread record whose number follows the one that it
// was forked after. The record names the parent, the place in the parent's file
// and the sum there; what comes before is read from the parent:
//
//	{"seq":42,…,"type":"thread","payload":{…,"parent":"<id>","fork_seq":41,"fork_byte":90112,"fork_sum":"1a2b3c4d"},…}
//
// So a fork takes one line whatever it shares, back-references stay within a file,
// and a parent that goes on, is damaged or was written anew does not pass for what
// it was. [Store.Read] and [Store.Tail] go through the line of parents, [Store.Own]
// does not.
//
// [Store.Remove] leaves of a log what forks need and no more, under a name that
// lists pass over; it goes with the last of them. [Store.Collect] gives back what
// nothing refers to.
//
// # Damage
//
// Reading steps over a line that cannot be read and says where it is.
// [Store.Check] reads all there is. [Store.Repair] restores a line in which one bit,
// the sum, its frame or the newline is wrong; the sums tell what it was. Other
// lines give way to a warning of the same length. Its sum is made to be the one
// that the next line follows, so that nothing behind has to change.
package rollout
