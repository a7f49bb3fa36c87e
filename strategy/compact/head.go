package compact

import (
	"path"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/memory"
)

// head is what a new window begins with after the initial context, in this order.
type head struct {
	words   []longrein.Entry // the user's
	known   []longrein.Entry // ledger and the worker's own document
	summary []longrein.Entry
	pending []longrein.Entry // what no answer has followed yet

	cut     longrein.LimitHit // of the user's words, when its Cut is not 0
	unshown int               // lines of the ledger that have no room
}

func (h head) entries() []longrein.Entry {
	out := append([]longrein.Entry(nil), h.words...)
	out = append(out, h.known...)
	out = append(out, h.summary...)
	return append(out, h.pending...)
}

// build makes the head of the new window, now that what is outside has been looked
// at, and adds to it what the ledger knows to be needed and it lacks.
func (s *Strategy) build(v longrein.View) longrein.Move {
	if s.live.done == nil {
		return longrein.CarryOn{}
	}
	h := s.head(v, nil)
	probed := s.admit(v, &h)
	entries := h.entries()
	built := longrein.Reset{
		Window: v.Window, Phase: longrein.ResetBuilt, By: s.live.done.Fork, Why: s.why(),
		Before: v.Tokens, After: v.Overhead + v.Sum(entries),
		Carried: len(h.pending), Left: s.left(v, h),
	}
	return longrein.NewWindow{
		Why: s.why(), Head: entries, Cut: s.cuts(h), Told: true,
		Log: append([]longrein.Body{built, probed}, s.ledgerDocument()...),
	}
}

// head gathers the parts. Missing are lines that the ledger must show.
func (s *Strategy) head(v longrein.View, missing []string) head {
	before, pending := s.split(v)
	h := head{known: s.known(v.Todo, missing), summary: s.summary(len(before) > 0)}
	taken := v.Overhead + v.Sum(h.known) + v.Sum(h.summary)
	l, most := s.wordRoom(v, taken)
	b := budget{room: most, size: v.Size}
	h.pending = b.words(pending, true)
	h.words = b.words(before, false)
	h.cut = s.o.Limits.Hit(l, "user messages: the older ones, and the middle of the oldest that is shown", int64(b.cut), "the log (longrein forgot)")
	h.cut.CutUnit = string(limit.Tokens)
	return h
}

// wordRoom is how many tokens the user's words may have, and the limit that says
// so: where the window is small, it is not to begin nearly full.
func (s *Strategy) wordRoom(v longrein.View, taken int) (*limit.Limit, int) {
	most := s.o.Limits.Int(limit.CarriedUser)
	all := room(v)
	if all == 0 {
		return limit.CarriedUser, most
	}
	left := max(percent(all, s.o.Limits.Int(limit.CarriedShare))-taken, most/10)
	if left < most {
		return limit.CarriedShare, left
	}
	return limit.CarriedUser, most
}

// split parts the window where the newest answer ends. What follows it, a message
// that begins a turn or steers one, belongs after the summary.
func (s *Strategy) split(v longrein.View) (before, pending []longrein.Entry) {
	all := old(v)
	at := len(all)
	for at > 0 && all[at-1].Step == 0 && all[at-1].Seq > s.state.Answered {
		at--
	}
	return all[:at], all[at:]
}

// known is what is certain: the ledger, and the worker's own document.
func (s *Strategy) known(todo string, missing []string) []longrein.Entry {
	var out []longrein.Entry
	text, _ := s.state.Ledger.Compact(s.o.Limits.Int(limit.LedgerSize))
	if f, ok := ledger.Fragment(text, missing); ok {
		out = append(out, fragment(f.Tag, f.Text))
	}
	if todo = strings.TrimSpace(todo); todo != "" {
		todo, _ = memory.Clip(todo, s.o.Limits.Int(limit.TodoShown), path.Join(s.o.Folder, longrein.TodoDocument))
		out = append(out, fragment(longrein.TagTodo, todo))
	}
	return out
}

func (s *Strategy) summary(words bool) []longrein.Entry {
	out := []longrein.Entry{fragment(longrein.TagCompacted, summaryText(*s.live.done, words))}
	if s.live.done.By == longrein.CompactedByProvider {
		for _, it := range s.live.opaque {
			out = append(out, longrein.Entry{Item: it})
		}
	}
	return out
}

func fragment(tag longrein.Tag, text string) longrein.Entry {
	return longrein.Entry{Item: longrein.NewFragment(tag, text)}
}

// left adds up what only the log has from now on.
func (s *Strategy) left(v longrein.View, h head) int {
	gone := v.Sum(old(v)) - v.Sum(h.words) - v.Sum(h.pending) - int(h.cut.Cut)
	return max(gone, 0)
}

// cuts names what does not fit.
func (s *Strategy) cuts(h head) []longrein.LimitHit {
	var hits []longrein.LimitHit
	if h.cut.Cut > 0 {
		hits = append(hits, h.cut)
	}
	if h.unshown > 0 {
		hit := s.o.Limits.Hit(limit.LedgerSize, "lines that the head should show", int64(h.unshown), "the log")
		hit.CutUnit = string(limit.Count)
		hits = append(hits, hit)
	}
	return hits
}
