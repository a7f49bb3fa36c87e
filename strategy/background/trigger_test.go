package background

import (
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// fixed is the policy that wakes both forks by growth alone.
var fixed = Options{Fixed: true, Folder: "/notes"}

// Cases 1 to 3: a wake-up is due after so much growth, and its level is where the
// next one counts from.
func TestGrowthWakesTheForks(t *testing.T) {
	d := sat(t, fixed, 1_000)
	d.wantStarted(1_000+3_839, "") // case 1
	m := d.at(1_000 + 3_840)       // case 2
	if got := started(m); got != "summarizer-1 decider-1" {
		t.Fatalf("%q is started, want both", got)
	}
	if m.(longrein.StartFork).Hold {
		t.Error("case 2: the worker has to wait")
	}
	d.asked(4_840)
	d.ends("summarizer-1", longrein.ForkFinished)
	d.ends("decider-1", longrein.ForkFinished)
	d.wantStarted(4_840+3_839, "") // case 3
	d.wantStarted(4_840+3_840, "summarizer-2 decider-2")
}

// Case 4: what grows by several intervals at once wakes the forks once.
func TestAJumpWakesTheForksOnce(t *testing.T) {
	d := sat(t, fixed, 1_000)
	d.wantStarted(31_000, "summarizer-1 decider-1")
	d.ends("summarizer-1", longrein.ForkFinished)
	d.ends("decider-1", longrein.ForkFinished)
	d.wantStarted(31_000, "")
	d.asked(31_000)
	d.wantStarted(31_000, "")
	d.wantStarted(34_839, "")
	d.wantStarted(34_840, "summarizer-2 decider-2")
}

// Case 5: a provider that counts otherwise moves no level down.
func TestAContextThatShrinksWakesNobody(t *testing.T) {
	d := sat(t, fixed, 27_000)
	d.wantStarted(10_000, "")
	d.asked(10_000)
	d.wantStarted(27_000+3_839, "")
	d.wantStarted(27_000+3_840, "summarizer-1 decider-1")
}

// The level is the provider's count of the request, where it gives one: what an
// estimate was wrong by is no growth.
func TestAWrongEstimateIsNoGrowth(t *testing.T) {
	d := sat(t, fixed, 1_000)
	d.note(longrein.Answered{Step: d.last, Usage: longrein.Usage{Input: 6_000, Reported: true}})
	d.wantStarted(6_000+3_839, "")
	d.wantStarted(6_000+3_840, "summarizer-1 decider-1")
	d.ends("summarizer-1", longrein.ForkFinished)
	d.ends("decider-1", longrein.ForkFinished)
	d.asked(20_000)
	d.note(longrein.Answered{Step: d.last, Usage: longrein.Usage{Input: 10_000, Reported: true}})
	d.wantStarted(10_000+3_839, "")
	d.wantStarted(10_000+3_840, "summarizer-2 decider-2")
}

// Case 7: without a context window that is known memory plans with the usual one.
func TestAnUnknownWindowIsTheUsualOne(t *testing.T) {
	d := sat(t, fixed, 1_000)
	d.set.ContextWindow = 0
	d.wantStarted(1_000+3_839, "")
	d.wantStarted(1_000+3_840, "summarizer-1 decider-1")
}

// Cases 11 and 73: a window's level begins at its own head, however large that is.
func TestALargeHeadWakesNobody(t *testing.T) {
	for _, head := range []int{6_400, 15_360} {
		d := sat(t, fixed, head)
		d.wantStarted(head, "")
		d.wantStarted(head+3_839, "")
		d.wantStarted(head+3_840, "summarizer-1 decider-1")
	}
}

// Case 12: a context over the window is a case for a reset, and no wake-up.
func TestAContextOverTheWindowIsNoWakeUp(t *testing.T) {
	d := sat(t, fixed, 1_000)
	if m, ok := d.at(140_000).(longrein.NewWindow); !ok {
		t.Errorf("got %#v, want a new window", m)
	}
}

// Cases 19 and 12: a fork that would not fit is not started, which is on record;
// when the window is nearly full a reset is asked for all the same.
func TestAForkThatWouldNotFitIsSkipped(t *testing.T) {
	d := sat(t, Options{Fixed: true, Limits: limit.Set{"fork-reserve": 50}}, 1_000)
	f, ok := logged[longrein.Fork](d.at(70_000))
	if !ok || f.State != longrein.ForkSkipped || !strings.HasPrefix(f.Why, "too large") {
		t.Errorf("got %+v, want a summarizer that is skipped as too large", f)
	}
	d.asked(70_000)
	r, ok := logged[longrein.Reset](d.at(100_000))
	if !ok || r.Phase != longrein.ResetRequested || r.By != longrein.ByHarness {
		t.Errorf("got %+v, want a reset that the harness asks for", r)
	}
}

// Cases 33 and 34: a trigger that finds a summarizer running starts none, says so
// and is used up; after its end the next trigger starts one.
func TestATriggerFindsASummarizerRunning(t *testing.T) {
	d := sat(t, fixed, 1_000)
	d.wantStarted(5_000, "summarizer-1 decider-1")
	d.asked(5_000)
	d.ends("decider-1", longrein.ForkFinished)
	for _, tokens := range []int{9_000, 13_000} {
		f, ok := logged[longrein.Fork](d.at(tokens))
		if !ok || f.State != longrein.ForkSkipped || f.Why != "summarizer-1 still runs" {
			t.Fatalf("at %d tokens: %+v, want it on record that summarizer-1 still runs", tokens, f)
		}
		d.asked(tokens)
	}
	d.ends("summarizer-1", longrein.ForkFinished)
	d.wantStarted(13_000, "")
	d.wantStarted(17_000, "summarizer-2 decider-2")
}

// Case 44: a trigger that finds a decider running starts no second one.
func TestATriggerFindsADeciderRunning(t *testing.T) {
	d := sat(t, fixed, 1_000)
	d.wantStarted(5_000, "summarizer-1 decider-1")
	d.asked(5_000)
	d.ends("summarizer-1", longrein.ForkFinished)
	d.wantStarted(9_000, "summarizer-2")
}

// Case 43: a decider that fails changes nothing, and the next trigger asks again.
func TestADeciderThatFailsIsAskedAgainLater(t *testing.T) {
	d := sat(t, fixed, 1_000)
	d.wantStarted(5_000, "summarizer-1 decider-1")
	d.asked(5_000)
	d.ends("decider-1", longrein.ForkFailed)
	d.ends("summarizer-1", longrein.ForkFinished)
	d.wantStarted(8_000, "")
	d.wantStarted(9_000, "summarizer-2 decider-2")
}

// Turns wake the forks in place of growth when that is wanted.
func TestTurnsWakeTheForks(t *testing.T) {
	d := sat(t, Options{Fixed: true, EveryTurns: 2}, 1_000)
	d.wantStarted(90_000, "")
	d.begin()
	d.wantStarted(90_000, "")
	d.begin()
	d.wantStarted(90_000, "summarizer-1 decider-1")
	d.asked(90_000)
	d.ends("summarizer-1", longrein.ForkFinished)
	d.ends("decider-1", longrein.ForkFinished)
	d.wantStarted(90_100, "")
	d.begin()
	d.wantStarted(90_100, "")
	d.begin()
	d.wantStarted(90_100, "summarizer-2 decider-2")
}

// Summaries that fail are tried again after one interval, and after twice as much
// with each further failure, but at least once in a quarter of the window.
func TestFailedSummariesAreTriedAgainLessAndLessOften(t *testing.T) {
	d := sat(t, Options{Fixed: true, Limits: limit.Set{"summary-tries": 10}}, 1_000)
	at := 1_000
	for n, wait := range []int{3_840, 3_840, 7_680, 15_360, 30_720, 32_000} {
		at += wait
		m := d.at(at - 1)
		if started(m) != "" {
			t.Fatalf("after %d failures %q is started at once", n, started(m))
		}
		if m = d.at(at); started(m) == "" {
			t.Fatalf("after %d failures nothing is started at %d tokens", n, at)
		}
		d.asked(at)
		for _, f := range d.s.live.forks {
			d.ends(f.Name(), longrein.ForkFailed)
		}
	}
}
