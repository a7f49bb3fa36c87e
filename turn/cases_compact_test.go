package turn

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/strategy/compact"
)

// compacting is a world that sums its context up, with an input that is out.
func compacting(t checker, limits limit.Set) *world {
	o := compact.Options{Limits: limits, Folder: "/notes"}
	w := keptWorld(t, Options{Stays: true, Limits: limits}, func() longrein.Strategy { return compact.New(o) })
	return w
}

func submitted(t checker, limits limit.Set) *world {
	w := compacting(t, limits)
	w.tell(Submit{Text: "the task: never touch main.go"})
	w.survey()
	return w
}

// step lets the worker make a call whose output has so many words.
func (w *world) step(words int) {
	w.t.Helper()
	w.reply(longrein.StopTools, toolCall("", "look"))
	w.finish(0, longrein.OutputOK, strings.Repeat("word ", words))
}

// fill makes steps until a compactor is asked.
func (w *world) fill() {
	w.t.Helper()
	for i := 0; len(w.forks) == 0; i++ {
		if i > 50 || len(w.asks) == 0 {
			w.t.Fatalf("no compactor after %d steps: %s", i, w.types(max(len(w.log)-20, 0)))
		}
		w.step(300)
	}
}

// compactions lists what is recorded of them.
func (w *world) compactions() []longrein.Compaction {
	var all []longrein.Compaction
	for _, r := range w.log {
		if c, ok := r.Body.(longrein.Compaction); ok {
			all = append(all, c)
		}
	}
	return all
}

func (w *world) wantStatus(want ...longrein.CompactionStatus) longrein.Compaction {
	w.t.Helper()
	all := w.compactions()
	var got []longrein.CompactionStatus
	for _, c := range all {
		got = append(got, c.Status)
	}
	if !slices.Equal(got, want) {
		w.t.Fatalf("compactions %v, want %v", got, want)
	}
	return all[len(all)-1]
}

// visible says in words what the next request holds after the initial context.
func (w *world) visible() string {
	var out []string
	for _, e := range w.m.old() {
		switch it := e.Item.(type) {
		case longrein.Message:
			out = append(out, string(it.Role)+": "+it.Text)
		case longrein.Fragment:
			out = append(out, string(it.Tag))
		default:
			out = append(out, longrein.Kind(it))
		}
	}
	return strings.Join(out, ", ")
}

func (w *world) wantSeen(want string) {
	w.t.Helper()
	if got := w.visible(); got != want {
		w.t.Fatalf("the model sees %s\nwant %s", got, want)
	}
}

// T1: auto_compact, snapshot_request_shape_mid_turn_continuation_compaction.
func TestAFullContextIsSummedUpBetweenTwoSteps(t *testing.T) {
	w := submitted(t, nil)
	w.fill()
	if len(w.asks) != 0 {
		t.Fatal("the worker does not wait")
	}
	if body := string(w.forks[0].Request.Body); !strings.Contains(body, `"name":"look"`) {
		t.Error("the compactor's request has no tools, so that it would miss the cache")
	}
	w.forkSays(0, say("all is well"))
	w.survey()
	w.wantSeen("user: the task: never touch main.go, ledger, compaction_summary")
	if len(w.asks) != 1 || !strings.Contains(string(w.asks[0].Request.Body), "all is well") {
		t.Error("the worker does not go on with the summary")
	}
	c := w.wantStatus(longrein.CompactionStarted, longrein.CompactionCompleted)
	if c.Reason != longrein.CompactionLimit || c.Phase != longrein.CompactionMidTurn || c.By != longrein.CompactedByModel || c.Summary != "all is well" {
		t.Errorf("recorded %+v", c)
	}
	w.verify()
}

// T1: multiple_auto_compact_per_task_runs_after_token_limit_hit.
func TestATurnIsSummedUpAsOftenAsItMust(t *testing.T) {
	w := submitted(t, nil)
	for i := range 3 {
		w.fill()
		w.forkSays(0, say(fmt.Sprint("summary ", i)))
		w.survey()
		w.wantSeen("user: the task: never touch main.go, ledger, compaction_summary")
	}
	if body := string(w.asks[0].Request.Body); strings.Contains(body, "summary 1") || !strings.Contains(body, "summary 2") {
		t.Error("the newest summary is not the only one")
	}
	w.verify()
}

// T1: a step that ends the turn is not followed by a compaction, the next turn
// begins with one (cases 23 and 25).
func TestATurnBeginsWithACompactionThatTheLastOneLeft(t *testing.T) {
	w := submitted(t, nil)
	w.step(300)
	w.reply(longrein.StopEnd, say(strings.Repeat("much ", 3200)))
	if len(w.forks) != 0 || !w.m.Resting() {
		t.Fatal("a context is summed up that nobody needs")
	}
	w.tell(Submit{Text: "more"})
	if len(w.forks) != 1 || len(w.asks) != 0 {
		t.Fatal("the turn does not begin with a compaction")
	}
	w.forkSays(0, say("so far"))
	w.survey()
	w.wantSeen("user: the task: never touch main.go, ledger, compaction_summary, user: more")
	if c := w.wantStatus(longrein.CompactionStarted, longrein.CompactionCompleted); c.Phase != longrein.CompactionPreTurn {
		t.Errorf("phase %s", c.Phase)
	}
	w.verify()
}

// T1: auto_compact_runs_after_resume_when_token_usage_is_over_limit.
func TestAThreadThatWasOpenedAgainIsSummedUp(t *testing.T) {
	w := submitted(t, nil)
	w.step(300)
	w.reply(longrein.StopEnd, say(strings.Repeat("much ", 3200)))
	w.crash(len(w.log))
	w.tell(Submit{Text: "more"})
	if len(w.forks) != 1 {
		t.Fatal("the opened thread is not summed up")
	}
}

// Case 26 and 27: what steers while the compactor runs comes after the summary.
func TestASteerIsNotLostInACompaction(t *testing.T) {
	w := submitted(t, nil)
	w.fill()
	w.tell(Steer{Text: "and hurry"})
	w.forkSays(0, say("so far"))
	w.survey()
	w.wantSeen("user: the task: never touch main.go, ledger, compaction_summary, user: and hurry")
	w.verify()
}

// T1: summarize_context_three_requests_and_instructions,
// manual_compact_twice_preserves_latest_user_messages.
func TestAUserHasTheContextSummedUp(t *testing.T) {
	w := submitted(t, nil)
	w.step(20)
	w.reply(longrein.StopEnd, say("the old answer"))
	for _, summary := range []string{"first summary", "second summary"} {
		w.tell(Renew{})
		w.forkSays(0, say(summary))
		w.survey()
		if !w.m.Resting() {
			t.Fatal("the thread does not come to rest")
		}
		w.tell(Submit{Text: "then " + summary})
		w.reply(longrein.StopEnd, say("ok"))
	}
	w.tell(Submit{Text: "last"})
	w.wantSeen("user: the task: never touch main.go, user: then first summary, ledger, compaction_summary, user: then second summary, assistant: ok, user: last")
	body := string(w.asks[0].Request.Body)
	if strings.Contains(body, "first summary\\n") || strings.Contains(body, "the old answer") {
		t.Error("an old answer or summary is still there")
	}
	if c := w.compactions()[1]; c.Reason != longrein.CompactionUser || c.Phase != longrein.CompactionStandalone {
		t.Errorf("recorded %+v", c)
	}
	w.verify()
}

// T1: manual_compact_retries_after_context_window_error; cases 48 and 49.
func TestWhatIsTooLongToBeSummedUpLosesItsOldestItems(t *testing.T) {
	w := submitted(t, nil)
	w.fill()
	tooLong := &longrein.ModelError{Kind: longrein.ErrTooLong, Text: "too long"}
	for want := range 3 {
		w.forkBreaks(0, tooLong)
		if len(w.forks) != 1 {
			t.Fatalf("no further try after %d refusals", want+1)
		}
		shared, own, _ := w.m.State().Branch(w.forks[0].Fork)
		if f, ok := own[0].Item.(longrein.Fragment); !ok || f.Tag != longrein.TagRole {
			t.Error("the instruction is not at the end")
		}
		w.checkPairs(shared)
	}
	w.forkSays(0, say("what was left"))
	w.survey()
	c := w.wantStatus(longrein.CompactionStarted, longrein.CompactionStarted, longrein.CompactionStarted, longrein.CompactionStarted, longrein.CompactionCompleted)
	if c.Unseen < 5 {
		t.Errorf("%d items unseen, want 1, 3 and 7 and the rest of their steps", c.Unseen)
	}
	w.wantSeen("user: the task: never touch main.go, ledger, compaction_summary")
	w.verify()
}

// T1: snapshot_request_shape_pre_turn_compaction_context_window_exceeded; case 50.
func TestWhatCannotBeSummedUpEndsTheTurnAndNotTheThread(t *testing.T) {
	w := submitted(t, nil)
	w.fill()
	for range 20 {
		if len(w.forks) == 0 {
			break
		}
		w.forkBreaks(0, &longrein.ModelError{Kind: longrein.ErrTooLong, Text: "too long"})
	}
	if w.m.Running() || ended(w) != string(longrein.TurnFailed) {
		t.Fatalf("the turn ended as %q", ended(w))
	}
	if all := w.compactions(); all[len(all)-1].Status != longrein.CompactionFailed {
		t.Errorf("recorded %+v", all[len(all)-1])
	}
	w.tell(Submit{Text: "try again"})
	w.forkSays(0, say("now it went"))
	w.survey()
	w.wantSeen("user: the task: never touch main.go, ledger, compaction_summary, user: try again")
	w.verify()
}

// Case 35: what the provider refuses is summed up, whatever was estimated.
func TestARefusedContextIsSummedUp(t *testing.T) {
	w := submitted(t, nil)
	w.step(300)
	w.step(300)
	w.step(300)
	w.breaks(&longrein.ModelError{Kind: longrein.ErrTooLong, Text: "too long"})
	if len(w.forks) != 1 {
		t.Fatal("no compactor")
	}
	w.forkSays(0, say("short"))
	w.survey()
	c := w.wantStatus(longrein.CompactionStarted, longrein.CompactionCompleted)
	if c.Reason != longrein.CompactionRefused || c.Unseen == 0 {
		t.Errorf("recorded %+v; what was refused cannot be sent with more", c)
	}
	w.wantSeen("user: the task: never touch main.go, ledger, compaction_summary")
}

// T2: auto_remote_compact_failure_stops_agent_loop, for the local way.
func TestAnErrorEndsTheTurnAndTheNextTriesAgain(t *testing.T) {
	w := submitted(t, nil)
	w.fill()
	w.forkBreaks(0, &longrein.ModelError{Kind: longrein.ErrAuth, Text: "no key"})
	if ended(w) != string(longrein.TurnFailed) || len(w.forks)+len(w.asks) != 0 {
		t.Fatalf("the turn ended as %q", ended(w))
	}
	w.wantStatus(longrein.CompactionStarted, longrein.CompactionFailed)
	w.tell(Resume{})
	if len(w.forks) != 1 {
		t.Error("the next turn does not try again")
	}
}

// Case 52: an interrupt ends it at once, and the context is as it was.
func TestAnInterruptEndsACompaction(t *testing.T) {
	w := submitted(t, nil)
	w.fill()
	before := len(w.m.old())
	w.tell(Interrupt{})
	if w.m.Running() || ended(w) != string(longrein.TurnInterrupted) || len(w.m.old()) != before+1 {
		t.Fatalf("the turn ended as %q with %d items, there were %d", ended(w), len(w.m.old()), before)
	}
	w.wantStatus(longrein.CompactionStarted, longrein.CompactionInterrupted)
	w.tell(Submit{Text: "go on"})
	if len(w.forks) != 2 { // the cancelled one still answers
		t.Error("the next turn does not begin with a compaction")
	}
}

// Case 53, ours: nothing is taken for a summary that is none.
func TestAnEmptySummaryIsSaidToBeEmpty(t *testing.T) {
	w := submitted(t, nil)
	w.fill()
	w.forkSays(0, longrein.Reasoning{Text: "hm"})
	w.survey()
	if body := string(w.asks[0].Request.Body); !strings.Contains(body, "wrote none") {
		t.Error("the empty summary is not named")
	}
}

func TestACompactorThatCallsToolsIsToldThatItNeedsNone(t *testing.T) {
	w := submitted(t, nil)
	w.fill()
	w.forkSays(0, toolCall("a", "look"))
	w.forkSays(0, say("sorry"))
	w.survey()
	if c := w.wantStatus(longrein.CompactionStarted, longrein.CompactionCompleted); c.Summary != "sorry" || len(w.runs) != 0 {
		t.Errorf("recorded %+v, %d calls run", c, len(w.runs))
	}
	w.verify()

	w.fill()
	for range 3 {
		w.forkSays(0, toolCall("a", "look"))
	}
	if ended(w) != string(longrein.TurnFailed) {
		t.Errorf("the turn ended as %q, want a failure: it only calls tools", ended(w))
	}
}
