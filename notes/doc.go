// Package notes shows a thread's notes as a folder that people and the worker can
// read. The folder is a view of the log and can be deleted at any time; the one
// thing in it that the log does not have yet is what a user changed there.
//
//	log ──Publish──► MAIN.md, topics/… ──Look──► what a user edited, TODO.md
//	 └────Restore──►
//
// [Folder] is the place, [Found] what was seen in it, and a [*ConflictError] says
// that a document was edited and has to be looked at first.
//
// # Whose is a file
//
// The folder's .published.json holds the hash of each document as it was last
// published. A file with that hash, or with the one that the log has, is ours and
// may be replaced; any other is a user's edit. Before files change, the hashes that
// they are to get are written there too, so a crash at any place leaves nothing
// that looks like an edit.
//
// It is not for deciding: whether an edit counts is the caller's business, and
// what a document may say is package memory's.
package notes
