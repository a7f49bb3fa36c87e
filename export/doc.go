// Package export writes a thread's records for others to read: as Markdown, as one
// page of HTML that needs nothing else, as lines of JSON that import reads again
// without loss, and as a rollout with which Codex goes on. It is not the log, which
// package rollout keeps, and it reads no store: records and blobs are handed to it.
//
// Each form is a function that takes records in order, as a store yields them, and
// writes as it goes, so that memory does not grow with the thread. What was left
// out, or could not be read, is in its [Report] and said in the text.
//
//	records ──► redacted ──┬──► JSON lines ──► Lines reads them again
//	                       ├──► Codex's rollout
//	                       └──► blocks ──► Markdown, HTML
package export
