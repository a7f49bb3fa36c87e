package turn

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
	"github.com/longrein/longrein/limit"
)

// restore is an item that the model is to see again.
type restore struct {
	seq  int64 // of the record that asked for it
	item longrein.Pinned
}

func (m *Machine) foldPinned(seq int64, p longrein.Pinned) {
	if p.Once {
		if p.Item != nil {
			m.restore = append(m.restore, restore{seq, p})
		}
		return
	}
	m.pins = slices.DeleteFunc(slices.Clone(m.pins), func(q longrein.Pinned) bool { return q.Seq == p.Seq })
	if !p.Off && p.Item != nil {
		m.pins = append(m.pins, p)
	}
}

// withPins returns a head in which every pinned item is, once, as far as pins has
// room for them.
func (m *Machine) withPins(head []longrein.Entry) []longrein.Entry {
	there := map[int64]bool{}
	rest := make([]longrein.Entry, 0, len(head))
	for _, e := range head {
		if f, ok := e.Item.(longrein.Fragment); ok && f.Tag == longrein.TagPinned {
			continue // of an older head
		}
		there[e.Seq] = true
		rest = append(rest, e)
	}
	kept, _ := m.pinned()
	var shown []longrein.Entry
	for _, p := range kept {
		if !there[p.Seq] {
			shown = append(shown, pinnedEntry(p))
		}
	}
	return append(shown, rest...)
}

func pinnedEntry(p longrein.Pinned) longrein.Entry {
	return longrein.Entry{Item: longrein.NewFragment(longrein.TagPinned,
		fmt.Sprintf("Item #%d of this thread, pinned so that it is always here:\n%s", p.Seq, assemble.Text(longrein.Entry{Item: p.Item})))}
}

// pinned returns the pins that a head shows: the newest, as many as half of what a
// head may take has room for. A thread in which more is pinned could not begin a
// window any more. What is left out is told.
func (m *Machine) pinned() (kept []longrein.Pinned, cuts []longrein.LimitHit) {
	size, left := m.state.View(m.last, false).Size, 0
	room := m.state.Next.ContextWindow * m.opts.Limits.Int(limit.CarriedShare) / 100 / 2
	for _, p := range slices.Backward(m.pins) {
		n := size(pinnedEntry(p))
		if n > room && m.state.Next.ContextWindow > 0 {
			left += n
			continue
		}
		room -= n
		kept = append(kept, p)
	}
	slices.Reverse(kept)
	if left > 0 {
		cuts = append(cuts, m.opts.Limits.Hit(limit.CarriedShare, "pinned items, the first ones", int64(left), "the thread's log; longrein unpin makes room"))
		cuts[0].CutUnit = string(limit.Tokens)
	}
	return kept, cuts
}

// pinnedSize is what the pins take of every window, in tokens.
func (m *Machine) pinnedSize() (n int) {
	size := m.state.View(m.last, false).Size
	kept, _ := m.pinned()
	for _, p := range kept {
		n += size(pinnedEntry(p))
	}
	return n
}

// takeRestores shows the items that were asked for.
func (m *Machine) takeRestores(now time.Time) {
	for len(m.restore) > 0 {
		r := m.restore[0]
		m.emit(now, longrein.Appended{
			Entry: longrein.Entry{Item: longrein.NewFragment(longrein.TagRestored,
				fmt.Sprintf("Item #%d of this thread, shown again:\n%s", r.item.Seq, assemble.Text(longrein.Entry{Item: r.item.Item})))},
			Input: r.seq,
		})
	}
}

// forgetful makes a keeper of a strategy that keeps nothing, or of none. What
// another strategy kept before it goes from window to window with it, so that the
// thread's memory is there when that one takes over again.
type forgetful struct {
	longrein.Strategy
	kept json.RawMessage
}

func (f *forgetful) Name() string {
	if f.Strategy == nil {
		return "none"
	}
	return f.Strategy.Name()
}

func (f *forgetful) Decide(v longrein.View) longrein.Move {
	if f.Strategy == nil || v.Idle {
		return longrein.CarryOn{}
	}
	return f.Strategy.Decide(v)
}

func (f *forgetful) Note(r longrein.Record) {
	if w, ok := r.Body.(longrein.Window); ok {
		f.kept = w.Kept
	}
}

func (f *forgetful) Keep() json.RawMessage { return f.kept }

func (*forgetful) Reply(longrein.Branch) longrein.Reply {
	return longrein.End{State: longrein.ForkFailed, Why: "the strategy knows no forks"}
}
