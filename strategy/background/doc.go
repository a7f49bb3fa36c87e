// Package background keeps memory beside the work. While the worker goes on, a
// summarizer forked from its context keeps the thread's notes, and a decider says
// when most of that context no longer matters; then a new window begins with the
// notes, the ledger, the user's words, and what the notes do not cover yet.
//
//	worker    ──●────────────●──────────────●───────────▶  goes on all the time
//	            │ wake       │ wake         │ safe point: verdict in, notes in
//	summarizer  └──notes──▶  └──notes──▶    ▼
//	decider     └─carry on─▶ └──reset──▶   window 2: head + carry-over
//
// [Strategy] is a fold of the thread's log ([Strategy.Note]) and decides from that
// and a view alone, so a replay decides the same. It asks no model and touches no
// disk: the turn machine runs the forks, and their file tools work on documents in
// memory. When summaries keep failing it falls back to package recent.
package background
