package background

import (
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
)

// Case 72: a task of nearly half the window is in every head. Windows begin all the same,
// and what the notes do not cover is carried over whole.
func TestALargeTaskLeavesRoomForMemory(t *testing.T) {
	d := sat(t, fixed, 1_000)
	d.set.ContextWindow = 32_000
	d.add(longrein.Message{Role: longrein.RoleUser, Text: strings.Repeat("word ", 3_000)})
	for range 10 {
		d.reads(1_000)
	}
	d.covers(len(d.entries) - 2)
	if m, ok := d.at(d.tokens()).(longrein.NewWindow); !ok {
		t.Fatalf("got %+v at %d tokens, want a new window", m, d.tokens())
	}
	head := d.head()
	if got := head[len(head)-1]; got.Seq != d.entries[len(d.entries)-1].Seq {
		t.Errorf("the head ends with %+v, want the newest output", got)
	}
}

// When what is in every head leaves no room at all, no summary makes it smaller:
// a full window does not wait for one after the other, and none is made at every
// safe point for a reset that cannot be.
func TestNoSummaryIsMadeThatCannotHelp(t *testing.T) {
	d := sat(t, fixed, 1_000)
	d.set.ContextWindow, d.set.MaxOutput = 32_000, 6_000
	d.add(longrein.Message{Role: longrein.RoleUser, Text: strings.Repeat("word ", 3_600)})
	d.reads(1_000)
	d.reads(1_000)
	d.covers(len(d.entries))
	d.note(longrein.Verdict{Fork: "decider-1", Window: 1, Reset: true})
	m := d.at(d.tokens())
	if r, ok := logged[longrein.Reset](m); !ok || started(m) != "" {
		t.Errorf("recorded is %+v, and %q is started, want a refusal", r, started(m))
	}
	if d.s.live.wanted() {
		t.Error("the reset is still on its way")
	}
	if m, ok := d.at(24_000).(longrein.NewWindow); !ok {
		t.Errorf("in a full window the move is %+v, want a new one of the newest work", m)
	}
}

// Many messages of the user together take no more than half of a head.
func TestTheUsersWordsLeaveRoomInASmallWindow(t *testing.T) {
	d := sat(t, fixed, 1_000)
	d.set.ContextWindow = 32_000
	for range 30 {
		d.add(longrein.Message{Role: longrein.RoleUser, Text: strings.Repeat("word ", 120)})
	}
	d.covers(len(d.entries))
	m, ok := d.built("").(longrein.NewWindow)
	if !ok {
		t.Fatal("no window begins")
	}
	if len(m.Cut) != 1 || m.Cut[0].Name != limit.CarriedUser.Name {
		t.Errorf("cut is %+v, want messages of the user", m.Cut)
	}
}

// MAIN.md may be of any size, since a user can write it. A head and a summarizer
// see what half of a head takes, and where the rest is.
func TestAMainDocumentLargerThanTheWindow(t *testing.T) {
	o := fixed
	o.Folder = "/notes"
	d := sat(t, o, 1_000)
	d.set.ContextWindow = 32_000
	for range 12 {
		d.reads(1_000)
	}
	d.covers(len(d.entries) - 2)
	d.note(longrein.Notes{By: longrein.ByUser, Changed: []longrein.Document{{Name: longrein.MainDocument, Text: strings.Repeat("a long line\n", 20_000)}}})
	m, ok := d.built("").(longrein.NewWindow)
	if !ok {
		t.Fatal("no window begins")
	}
	if text := ledger.Shown(m.Head); len(text) > 13_000 || !strings.Contains(text, "more bytes are in /notes/MAIN.md]") {
		t.Errorf("the head has %d bytes, want what fits and where the rest is", len(text))
	}
	if len(m.Cut) != 1 || m.Cut[0].Name != limit.HeadShare.Name {
		t.Errorf("cut is %+v, want MAIN.md", m.Cut)
	}
	if _, ok := d.s.summarizer(d.view(d.tokens()), "test"); !ok {
		t.Error("no summarizer can be started")
	}
}

// A user may make more documents than a head has room to name.
func TestMoreDocumentsThanAHeadNames(t *testing.T) {
	o := fixed
	o.Folder = "/notes"
	d := sat(t, o, 1_000)
	d.reads(1_000)
	d.covers(len(d.entries))
	var many []longrein.Document
	for i := range 1_000 {
		many = append(many, longrein.Document{Name: "d" + strings.Repeat("x", 100) + string(rune('0'+i/100)) + string(rune('0'+i/10%10)) + string(rune('0'+i%10)) + ".md", Text: "x"})
	}
	d.note(longrein.Notes{By: longrein.ByUser, Changed: many})
	if text := ledger.Shown(d.head()); !strings.Contains(text, "and 936 more") || len(text) > 20_000 {
		t.Errorf("the head has %d bytes, want the first documents and the number of the others", len(text))
	}
}

// A head that is too large only with what the admission test adds cannot leave a
// full window as it is: the next request would not fit.
func TestAFullWindowIsNotLeftForARepairThatDoesNotFit(t *testing.T) {
	d := worked(t, 20)
	d.set.ContextWindow = 30_000
	d.covers(len(d.entries) - 2*8)
	want := longrein.Question{Ask: "which port?", Want: strings.Repeat("4711 ", 2_000)}
	d.s.live.exam = exam{questions: []longrein.Question{want}, over: true}
	v := d.view(27_500)
	if !d.s.fits(v) {
		t.Fatalf("a head takes %d tokens, want one that seems to fit", d.s.headSize(v))
	}
	v.Surveyed = true
	if m, ok := d.s.Decide(v).(longrein.NewWindow); !ok {
		t.Errorf("got %+v, want a new window", m)
	}
}

// A window that begins the plain way is recorded once, when its head is built.
func TestAPlainWindowIsRecordedOnce(t *testing.T) {
	d := worked(t, 60)
	d.set.ContextWindow = 30_000
	for range 3 {
		d.note(longrein.Fork{Role: longrein.RoleSummarizer, State: longrein.ForkFailed})
	}
	m, ok := d.at(d.tokens()).(longrein.NewWindow)
	if !ok || len(m.Log) > 0 {
		t.Errorf("before the survey %+v is recorded, want a new window and nothing yet", m.Log)
	}
	if m, ok := d.built("").(longrein.NewWindow); !ok || len(m.Log) == 0 {
		t.Error("nothing is recorded of the new head")
	}
}

// In a small window the work that goes on while a summary is made can be too much
// to carry over. The worker then waits for the next one.
func TestAWorkerFasterThanItsSummariesWaits(t *testing.T) {
	d := worked(t, 10)
	d.set.ContextWindow = 30_000
	d.note(longrein.Verdict{Fork: "decider-1", Window: 1, Reset: true})
	for n, hold := range []bool{false, true} {
		m, ok := d.at(d.tokens()).(longrein.StartFork)
		if !ok || m.Hold != hold {
			t.Fatalf("summary %d: %+v, want one for which the worker waits: %v", n+1, m, hold)
		}
		if !hold {
			for range 13 {
				d.reads(1_000)
			}
		}
		d.asked(d.tokens())
		d.answered(d.s.live.forks[0].Name(), 1, patches("*** Add File: MAIN.md", strings.Repeat("+the port is 4711\n", n+1)), speak("NOTES DONE"))
	}
	if _, ok := d.at(d.tokens()).(longrein.NewWindow); !ok {
		t.Error("no window begins after the second")
	}
}

// What memory has to say may fill the share of a head. A window that begins the
// plain way shows the newest work all the same.
func TestAPlainWindowShowsTheNewestWork(t *testing.T) {
	d := worked(t, 12)
	d.set.ContextWindow = 12_000
	d.covers(2)
	d.note(longrein.Notes{By: longrein.ByUser, Changed: []longrein.Document{{Name: longrein.MainDocument, Text: strings.Repeat("a long line\n", 800)}}})
	d.note(longrein.Notes{By: longrein.ByUser, Changed: []longrein.Document{{Name: "more.md", Text: "x"}}})
	newest := d.entries[len(d.entries)-1].Seq
	d.add(longrein.Fragment{Tag: longrein.TagInterrupted, Role: longrein.RoleUser, Text: "stopped"})
	m, ok := d.built(strings.Repeat("- [ ] more\n", 150)).(longrein.NewWindow)
	if !ok {
		t.Fatal("no window begins")
	}
	if !contains(m.Head, newest) {
		t.Errorf("the head of %d entries lacks the newest output", len(m.Head))
	}
	if r, ok := m.Log[1].(longrein.Reset); !ok || r.After != overhead+(longrein.View{Size: size}).Sum(m.Head) || r.After > 9_000 || r.Carried == 0 || r.Left == 0 {
		t.Errorf("recorded is %+v, want what the head takes, carries over and leaves", r)
	}
}

// Case 72: a full window in which no summary fits any more is followed by one that carries
// over what the notes do not cover, though that is more than the usual share.
func TestAFullWindowCarriesMoreOverRatherThanLoseIt(t *testing.T) {
	d := worked(t, 27)
	d.set.ContextWindow = 30_000
	d.covers(len(d.entries) - 2*15)
	if _, ok := d.s.summarizer(d.view(29_500), "test"); ok {
		t.Fatal("a summary would fit")
	}
	v := d.view(29_500)
	if _, ok := d.make(d.s.Decide(v)).(longrein.NewWindow); !ok {
		t.Fatal("no window begins")
	}
	v.Surveyed = true
	m, ok := d.s.Decide(v).(longrein.NewWindow)
	if !ok || !contains(m.Head, d.entries[len(d.entries)-2*15].Seq) {
		t.Errorf("the head of %d entries lacks work that no notes cover", len(m.Head))
	}
}

// A window that begins the plain way has its price told, and is probed as well: what the ledger has no room
// to show in it is added, and what has no room at all is said to be missing.
func TestAPlainWindowIsProbed(t *testing.T) {
	d := sat(t, Options{Fixed: true, Limits: limit.Set{"ledger-shown": 600}}, 1_000)
	d.set.ContextWindow = 30_000
	var steps []string
	for i := range 12 {
		steps = append(steps, fmt.Sprintf(`{"step":"open step %02d, %s","status":"pending"}`, i, strings.Repeat("y", 80)))
	}
	d.add(longrein.ToolCall{ID: "plan", Name: "update_plan", Args: `{"plan":[` + strings.Join(steps, ",") + `]}`},
		longrein.ToolOutput{CallID: "plan", Text: "noted", Status: longrein.OutputOK})
	for range 30 {
		d.reads(1_000)
	}
	for range 3 {
		d.note(longrein.Fork{Role: longrein.RoleSummarizer, State: longrein.ForkFailed})
	}
	m, ok := d.built("").(longrein.NewWindow)
	if !ok {
		t.Fatal("no window begins")
	}
	requested, probed := m.Log[0].(longrein.Reset), m.Log[2].(longrein.Reset)
	if requested.Phase != longrein.ResetRequested || requested.BreakEven == 0 {
		t.Errorf("first is recorded %+v, want what the window costs", requested)
	}
	shown := strings.Count(ledger.Shown(m.Head), "open step")
	if probed.Probes != 12 || len(probed.Repaired) == 0 || shown < probed.Passed+len(probed.Repaired) {
		t.Errorf("probed: %+v; %d open steps are shown", probed, shown)
	}
	if cut := m.Cut[len(m.Cut)-1]; cut.Name != limit.LedgerSize.Name || int(cut.Cut) != 12-shown {
		t.Errorf("cut is %+v, want the %d open steps that are not shown", cut, 12-shown)
	}
}
