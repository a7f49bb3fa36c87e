package pack

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/strategy/recent"
)

// fills reports whether so many tokens fill the window.
func (s *Strategy) fills(v longrein.View, tokens int) bool {
	return !s.o.NoCeiling && v.Settings.ContextWindow > 0 &&
		tokens >= percent(capacity(v), s.o.Limits.Int(limit.WindowShare))
}

// capacity is how many tokens a request may have: the context window without what
// the answer may take, of which an output limit above half of the window is no
// plan. What was refused is known to be too much, whatever the settings say.
func capacity(v longrein.View) int {
	room := v.Settings.Room()
	if room == 0 || v.Refused && v.Tokens < room {
		return v.Tokens
	}
	return room
}

func percent(n, p int) int { return int(int64(n) * int64(p) / 100) }

// reckoned returns v with a Size that looks at each output once. A head is reckoned
// several times until it is small enough.
func reckoned(v longrein.View) longrein.View {
	type key struct {
		seq   int64
		bytes int // a preview has fewer
	}
	known, size := map[key]int{}, v.Size
	v.Size = func(e longrein.Entry) int {
		out, ok := e.Item.(longrein.ToolOutput)
		if !ok || e.Seq == 0 {
			return size(e)
		}
		k := key{e.Seq, len(out.Text)}
		n, ok := known[k]
		if !ok {
			n = size(e)
			known[k] = n
		}
		return n
	}
	return v
}

// size reckons how many tokens a window with that head begins with.
func (s *Strategy) size(v longrein.View, h head) int { return v.Overhead + v.Sum(h.entries()) }

// before reckons in the same way how many the present window has.
func (s *Strategy) before(v longrein.View) int { return v.Overhead + v.Sum(tail(v)) }

// shrink makes a head small enough to leave room for work: large outputs of the
// oldest whole turns become previews; where that is not enough more turns are
// folded, a step at a time; and when none is left only the newest work is kept.
func (s *Strategy) shrink(v longrein.View, h head) head {
	most := percent(capacity(v), s.o.Limits.Int(limit.CarriedShare))
	for {
		if small := s.mask(v, h, most); s.size(v, small) <= most {
			return small
		}
		if h.f >= s.past(v) {
			return s.newest(v, h)
		}
		h = s.head(v, min(h.f+s.slack()+1, s.past(v)))
	}
}

// mask returns h with previews of the largest outputs of its oldest turns, as
// many as make it no larger than most.
func (s *Strategy) mask(v longrein.View, h head, most int) head {
	over := s.size(v, h) - most
	if over <= 0 {
		return h
	}
	h.whole = slices.Clone(h.whole)
	for n := h.f + 1; n <= s.past(v) && over > 0; n++ {
		over -= s.maskTurn(v, &h, n, over)
	}
	return h
}

// maskTurn puts previews in the place of the largest outputs of the turn n until
// over tokens are saved, and returns how many were.
func (s *Strategy) maskTurn(v longrein.View, h *head, n, over int) (saved int) {
	var refs []string
	for _, i := range s.outputs(h.whole, n, v.Size) {
		if saved >= over {
			break
		}
		e := h.whole[i]
		e.Item = s.preview(e)
		if less := v.Size(h.whole[i]) - v.Size(e); less > 0 {
			saved += less
			refs = append(refs, fmt.Sprintf("#%d", e.Seq))
			h.whole[i] = e
		}
	}
	if len(refs) > 0 {
		hit := s.hit(limit.OutputPreview, fmt.Sprintf("outputs of turn %d that are shown as previews: %s", n, strings.Join(refs, " ")), saved, limit.Tokens)
		hit.Where = "the thread's log; longrein restore brings one back, read_output reads what has an id"
		h.masked = append(h.masked, hit)
	}
	return saved
}

// noteSize is the length of a preview's note, at most.
const noteSize = 256

// outputs returns where the outputs of the turn n stand that a preview would make
// much smaller, the largest first.
func (s *Strategy) outputs(entries []longrein.Entry, n int, size func(longrein.Entry) int) (at []int) {
	for i, e := range entries {
		out, ok := e.Item.(longrein.ToolOutput)
		if ok && len(out.Text) > s.o.Limits.Int(limit.OutputPreview)+2*noteSize && s.turnAt(e.Seq) == n {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(size(entries[b]), size(entries[a])) })
	return at
}

// preview returns the start of an output and says where the whole is.
func (s *Strategy) preview(e longrein.Entry) longrein.ToolOutput {
	out := e.Item.(longrein.ToolOutput)
	start := strings.ToValidUTF8(out.Text[:min(s.o.Limits.Int(limit.OutputPreview), len(out.Text))], "")
	total := int64(len(out.Text))
	again := "repeat the call if you need it"
	if out.Full != nil {
		total = out.Full.Bytes
		again = fmt.Sprintf(`read_output {"id":"%s"} reads it`, out.Full.ID)
	}
	out.Text = fmt.Sprintf("%s\n[the first %d of %d bytes of item #%d; the rest is left out to make room: %s]", start, len(start), total, e.Seq, again)
	return out
}

// newest keeps only the newest work that fits, as package recent does.
func (s *Strategy) newest(v longrein.View, h head) head {
	most := percent(capacity(v), s.o.Limits.Int(limit.CarriedShare))
	rest := v
	rest.Entries = slices.Concat(v.Entries[:len(v.Entries)-len(tail(v))], h.whole)
	rest.Overhead += v.Sum(h.memory())
	rest.Refused = true
	move, ok := recent.Strategy{Limits: s.o.Limits}.Decide(rest).(longrein.NewWindow)
	if !ok {
		return s.mask(v, h, most)
	}
	h.whole, h.lost = move.Head, move.Cut
	return h
}
