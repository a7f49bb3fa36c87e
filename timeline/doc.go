// Package timeline folds a thread's log into what happened in which turn: what the
// user asked, what was changed, what was taken back. It says where a rollback, a
// fork or an undo leads to; doing it is the business of packages turn, rollout and
// snapshot.
//
//	records ──Note──► Timeline ──► Turns, Back, Files, Undone
//
// A thread has one line of records and two things that move on it. What the model
// sees is taken back by a rollback, and the files by an undo; each can be taken back
// itself, and neither moves the other.
package timeline
