package turn

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
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

// withPins returns a head in which every pinned item is, once.
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
	var pinned []longrein.Entry
	for _, p := range m.pins {
		if !there[p.Seq] {
			pinned = append(pinned, longrein.Entry{Item: longrein.Fragment{
				Tag: longrein.TagPinned, Role: longrein.RoleUser,
				Text: fmt.Sprintf("Item #%d of this thread, pinned so that it is always here:\n%s", p.Seq, assemble.Text(longrein.Entry{Item: p.Item})),
			}})
		}
	}
	return append(pinned, rest...)
}

// takeRestores shows the items that were asked for.
func (m *Machine) takeRestores(now time.Time) {
	for len(m.restore) > 0 {
		r := m.restore[0]
		m.emit(now, longrein.Appended{
			Entry: longrein.Entry{Item: longrein.Fragment{
				Tag: longrein.TagRestored, Role: longrein.RoleUser,
				Text: fmt.Sprintf("Item #%d of this thread, shown again:\n%s", r.item.Seq, assemble.Text(longrein.Entry{Item: r.item.Item})),
			}},
			Input: r.seq,
		})
	}
}

// forgetful makes a keeper of a strategy that keeps nothing, or of none.
type forgetful struct{ longrein.Strategy }

func (f forgetful) Name() string {
	if f.Strategy == nil {
		return "none"
	}
	return f.Strategy.Name()
}

func (f forgetful) Decide(v longrein.View) longrein.Move {
	if f.Strategy == nil || v.Idle {
		return longrein.CarryOn{}
	}
	return f.Strategy.Decide(v)
}

func (forgetful) Note(longrein.Record)  {}
func (forgetful) Keep() json.RawMessage { return nil }

func (forgetful) Reply(longrein.Branch) longrein.Reply {
	return longrein.End{State: longrein.ForkFailed, Why: "the strategy knows no forks"}
}
