// Package session reads sessions that other tools recorded, so that they can be
// shown, compared and gone on with as threads. The form is found by content,
// never by a file's name. It is not for our own logs, which package rollout
// reads, and it writes nothing.
//
// [Read] gives a [Recording]: the sessions that a file holds, sub-agents' apart,
// and a [Report] in which every line is either taken, passed over with its kind,
// or kept as unread. A [Session] is a list of moments in the order in which
// they happened, and [Session.Records] tells it as a thread's log would.
//
//	file ──► form ──► lines or elements ──► moments ──► records
//	                        │
//	                        └──► report: taken, passed over, unread
package session
