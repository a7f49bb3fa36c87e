// Package snapshot keeps how the files of a folder stood, and puts them back.
//
//	folder ─► Take ─► a tree's name ─► Plan ─► what would change ─► Restore ─► folder
//
// A [Store] belongs to one folder and lies apart from it: a git repository of
// Longrein's own, driven through the git program, which gives compact storage and
// a check for changes that takes a moment in a folder of any usual size. It never
// writes to a repository of the user's; it reads there what is ignored and what is
// tracked nevertheless.
//
// A snapshot holds every file that git would track: all but the ignored ones,
// those that are too large and those that cannot be read; the last two are named
// in it, so that putting a snapshot back never removes what it does not know. It
// keeps contents, symbolic links and whether a file is executable. It keeps no
// other permissions, no times and no empty folders. The folders .git and .longrein
// are in no snapshot and are never touched.
//
// It is no backup, because it stands on the same disk, and no version control:
// nothing in it has an author, a message or a past.
package snapshot
