// Package patch reads patches as models write them and does what they say to a
// text. [Parse] gives a [Patch], a list of [Change]s to files; [Apply] does the
// [Hunk]s of one of them.
//
//	text ──► Parse ──► Patch{Changes} ──► Apply(content, hunks) ──► content
//
// A hunk is found by its lines and not by numbers, which models get wrong, and is
// refused where it fits twice. Errors are sentences that tell a model what is so
// and what to try. Files are not touched here: package tool/file does that, and
// package memory for documents that are in no file.
package patch
