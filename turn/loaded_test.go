package turn

import (
	"bytes"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/longrein/longrein"
)

// known is what a machine knows and its log must tell.
type known struct {
	Turns, Steps int
	Running      bool
	Snapped      bool
	Ended        longrein.TurnState
	Pending      []longrein.Waiting
	Total        longrein.Totals
	Step         int64
	Answered     bool
	Calls        []call
	IDs          map[string]bool
	Window       longrein.Window
	Next         longrein.Settings
	Entries      []longrein.Entry
	Tokens       int
	LastSeq      int64
	Body         string
}

func knows(m *Machine) known {
	k := known{
		Turns: m.turns, Steps: m.steps, Running: m.running, Snapped: m.snapped, Ended: m.ended, Pending: m.pending, Total: m.total,
		Step: m.step, Answered: m.answered, IDs: m.ids,
		Window: m.state.Window, Next: m.state.Next, Entries: m.state.Entries(), Tokens: m.state.Tokens(), LastSeq: m.last.Seq,
	}
	for _, c := range m.calls {
		known := *c
		known.futile = false // a bound may be found out anew
		k.Calls = append(k.Calls, known)
	}
	return k
}

// checkLoaded fails when a machine that reads the log's tail, or all of it, knows
// anything else than the one that wrote it, or would ask for anything else.
func (w *world) checkLoaded() {
	w.t.Helper()
	written := make([]longrein.Record, len(w.log))
	for i, r := range w.log {
		b, err := longrein.MarshalBody(r.Body)
		if err != nil {
			w.t.Fatalf("encode: %v", err)
		}
		r.Body, err = longrein.UnmarshalBody(r.Type(), b)
		if err != nil {
			w.t.Fatalf("decode: %v", err)
		}
		written[i] = r
	}
	short, whole := w.loaded(tail(written)), w.loaded(written)
	opts := cmp.Options{cmpopts.EquateEmpty(), cmp.AllowUnexported(call{})}
	if d := cmp.Diff(knows(w.m), knows(short), opts); d != "" {
		w.t.Fatalf("the tail tells another story than the machine (-machine +tail):\n%s", d)
	}
	if d := cmp.Diff(knows(whole), knows(short), opts); d != "" {
		w.t.Fatalf("the tail tells another story than the whole log (-whole +tail):\n%s", d)
	}
	if w.m.state.Window.N == 0 {
		return
	}
	a, _, err := short.state.Request()
	b, _, err2 := whole.state.Request()
	if err != nil || err2 != nil || !bytes.Equal(a.Body, b.Body) {
		w.t.Fatalf("the tail leads to another request (%v, %v):\n%s\n%s", err, err2, a.Body, b.Body)
	}
}
