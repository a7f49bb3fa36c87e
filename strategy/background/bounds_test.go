package background

import (
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
)

// A list of the worker's may be of any length. A head shows its beginning, and
// where the rest is.
func TestALongListIsCutInAHead(t *testing.T) {
	d := worked(t, 4)
	d.covers(len(d.entries))
	m, ok := d.built(strings.Repeat("- [ ] one more thing\n", 900)).(longrein.NewWindow)
	if !ok {
		t.Fatal("no window begins")
	}
	text := ledger.Shown(m.Head)
	if n := strings.Count(text, "one more thing"); n == 0 || n*len("- [ ] one more thing\n") > int(limit.TodoShown.Default) {
		t.Errorf("%d lines of the list are shown", n)
	}
	if !strings.Contains(text, "more bytes are in /notes/TODO.md]") {
		t.Errorf("the head does not say where the rest of the list is:\n%.2000s", text)
	}
}

// Room is left for the work that goes on while a summary is made: the more, the
// earlier a reset is asked for without a verdict.
func TestAResetIsForcedEarlierWhereASummaryNeedsMoreRoom(t *testing.T) {
	for lead, at := range map[int64]int{8_000: 48_000, 16_000: 41_600} {
		o := fixed
		o.Limits = limit.Set{limit.SummaryLead.Name: lead}
		d := sat(t, o, 1_000)
		d.set.ContextWindow = 64_000
		for range 12 {
			d.reads(1_000)
		}
		d.covers(len(d.entries))
		d.asked(at - 1)
		if r, ok := logged[longrein.Reset](d.at(at - 1)); ok {
			t.Errorf("with a lead of %d it is asked for at %d tokens: %+v", lead, at-1, r)
		}
		if r, ok := logged[longrein.Reset](d.at(at)); !ok || r.By != longrein.ByHarness {
			t.Errorf("with a lead of %d it is not asked for at %d tokens: %+v", lead, at, r)
		}
	}
}
