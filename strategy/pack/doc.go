// Package pack is turn packing: the newest turns whole, older ones as a summary
// that rules make. It asks no model, costs no request and no delay, and the same
// log gives the same bytes.
//
//	turns  1 ……… lo │ lo+1 ……… F │ F+1 ………… T │ running
//	       one line │  summary    │    whole    │  whole
//
// F is the freeze point, the number of turns behind the summary. It moves only
// when more than limit.RecentTurns and limit.TurnsSlack turns are whole, and then
// so far that limit.RecentTurns are left: a window begins with the new summary,
// and until the next move requests only grow. So of three turns two leave the
// provider's cache untouched.
//
// Turns are counted, not tokens. As a ceiling, a window that is full all the same
// begins anew with the largest outputs of the oldest turns as previews; then F
// moves early; then only the newest work stays, as package recent keeps it.
//
// The package understands nothing of what is said: it keeps first sentences, last
// paragraphs and the names of files. What matters beyond that is the ledger's,
// which each new head shows. [Strategy] is a fold of the thread's log, which tells
// it where turns begin; where F is, it reads off the window itself.
package pack
