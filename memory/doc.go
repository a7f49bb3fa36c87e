// Package memory holds the roles that work beside a worker: what they are told,
// how their answers are read, and the documents that the summarizer edits.
//
//	SummarizerRole ──► model ──► calls ──► Draft.Run ──► Draft.Changed ──► longrein.Notes
//	DeciderRole ────► model ──► text ───► ReadVerdict ─► longrein.Verdict
//
// [Notes] are a thread's documents at one version. A [Draft] is a summarizer's
// edits before they count: its file tools reach nothing but these documents,
// which are in memory and not on disk, so the guard is in the tools and not in
// the prompt. Each paragraph of a document keeps the numbers of the items that it
// rests on; see [Paragraphs].
//
// When a role is asked, what follows from its answer, and how a new window begins
// is not decided here but in strategy/background.
package memory
