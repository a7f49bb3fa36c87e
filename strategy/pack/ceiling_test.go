package pack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/turn"
)

// busy plays a turn with one output of so many bytes.
func (th *thread) busy(bytes int) {
	th.t.Helper()
	k := th.past() + 1
	th.tell(turn.Submit{Text: fmt.Sprintf("request %d", k)})
	th.looks(bytes)
	th.reply(longrein.StopEnd, say(fmt.Sprintf("answer %d", k)))
}

// outputs describes the tool outputs that the model sees: their turns, and whether
// each is a preview.
func (th *thread) outputs() (all []string) {
	for _, e := range th.entries() {
		if out, ok := e.Item.(longrein.ToolOutput); ok {
			what := "whole"
			if strings.Contains(out.Text, "is left out to make room") {
				what = "preview"
			}
			all = append(all, fmt.Sprintf("%d %s", th.s.turnAt(e.Seq), what))
		}
	}
	return all
}

// Example 33: a huge turn cannot overflow the window. The largest outputs of the
// oldest turns go first, and only as many as it takes.
func TestLargeOutputsOfOldTurnsMakeRoom(t *testing.T) {
	th := begun(t, Options{}, 40_000)
	th.tell(turn.Submit{Text: "request 1"})
	th.looks(2_000)
	th.looks(90_000)
	th.reply(longrein.StopEnd, say("answer 1"))
	th.busy(30_000)
	th.tell(turn.Submit{Text: "request 3"})
	th.looks(30_000)
	if got, want := fmt.Sprint(th.outputs()), "[1 whole 1 preview 2 whole 3 whole]"; got != want {
		t.Fatalf("the outputs are %v, want %v", got, want)
	}
	if got := th.m.State().Window.N; got != 2 {
		t.Errorf("window %d, want the second", got)
	}
	if got := th.hits(limit.OutputPreview); got != 1 {
		t.Errorf("%d limit records, want one for the turn", got)
	}
	if got := th.fragment(longrein.TagSummary); got != "" {
		t.Errorf("no turn needed to be folded, and there is a summary:\n%s", got)
	}
	if got := th.whole(); len(got) != 3 {
		t.Errorf("whole are %v, want all three turns", got)
	}
	th.restart()
	th.verify()
}

func TestAPreviewSaysWhereTheWholeIs(t *testing.T) {
	s := New(Options{})
	id := strings.Repeat("ab", 32)
	for name, tt := range map[string]struct {
		full *longrein.Blob
		want string
	}{
		"in the log alone": {nil, "[the first 400 of 9000 bytes of item #7; the rest is left out to make room: repeat the call if you need it]"},
		"in a blob":        {&longrein.Blob{ID: id, Bytes: 70_000}, `[the first 400 of 70000 bytes of item #7; the rest is left out to make room: read_output {"id":"` + id + `"} reads it]`},
	} {
		out := s.preview(longrein.Entry{Seq: 7, Item: longrein.ToolOutput{CallID: "c", Text: strings.Repeat("a line\n..", 1_000), Full: tt.full, Status: longrein.OutputFailed}})
		if _, note, _ := strings.Cut(out.Text, "\n["); "["+note[strings.LastIndex(note, "\n[")+1:] != tt.want && !strings.HasSuffix(out.Text, tt.want) {
			t.Errorf("%s: %q, want it to end with %q", name, out.Text, tt.want)
		}
		if out.CallID != "c" || out.Status != longrein.OutputFailed || out.Full != tt.full || len(tt.want) > noteSize {
			t.Errorf("%s: the output has changed: %+v", name, out)
		}
	}
}

// Where previews are not enough turns are folded early, as few as it takes; the
// next fold is where it would have been.
func TestTurnsAreFoldedEarlyWhereThatIsNotEnough(t *testing.T) {
	th := begun(t, Options{}, 40_000)
	for k := range 5 {
		th.tell(turn.Submit{Text: fmt.Sprintf("request %d", k+1)})
		th.reply(longrein.StopEnd, say(strings.Repeat("words ", 7_300)))
	}
	th.tell(turn.Submit{Text: "request 6"})
	f := th.s.folded(longrein.View{Entries: th.entries(), Fresh: 1})
	if f != 3 || th.m.State().Window.N < 2 {
		t.Errorf("%d turns are folded in window %d, want 3 in a new one", f, th.m.State().Window.N)
	}
	if got := th.hits(limit.RecentTurns); got == 0 {
		t.Error("there is no limit record of it")
	}
	th.restart()
	th.verify()
}

// One turn that is too large by itself keeps its newest work.
func TestAHugeTurnKeepsItsNewestWork(t *testing.T) {
	th := begun(t, Options{}, 20_000)
	th.turns(2)
	th.tell(turn.Submit{Text: "request 3"})
	for range 40 {
		th.looks(8_000)
	}
	th.reply(longrein.StopEnd, say("answer 3"))
	th.turns(1)
	if got := th.whole(); fmt.Sprint(got) != "[3 4]" {
		t.Errorf("the model sees the requests %v, want 3 and 4", got)
	}
	if got := th.fragment(longrein.TagSummary); !strings.Contains(got, "2. Asked: request 2\n") {
		t.Errorf("the summary lacks the turns before:\n%s", got)
	}
	if got := th.m.State().Tokens(); got > 18_000 {
		t.Errorf("%d tokens, want less than the ceiling", got)
	}
	if got := th.hits(limit.CarriedShare); got == 0 {
		t.Error("there is no limit record of it")
	}
	th.restart()
	th.verify()
}

func TestARefusedContextIsMadeSmallerUntilNothingIsLeft(t *testing.T) {
	th := begun(t, Options{NoCeiling: true}, 0)
	th.busy(30_000)
	th.busy(30_000)
	th.tell(turn.Submit{Text: "request 3"})
	for range 10 {
		if len(th.asks) == 0 {
			break
		}
		th.refused()
	}
	if th.m.Running() {
		t.Fatal("the turn goes on for ever")
	}
	if got := th.m.State().Window.N; got < 2 || got > 5 {
		t.Errorf("window %d, want a few tries", got)
	}
	th.turns(1)
	th.verify()
}

func TestWithoutACeilingTurnsAloneCount(t *testing.T) {
	th := begun(t, Options{NoCeiling: true}, 10_000)
	for range 4 {
		th.busy(20_000)
	}
	if got := th.m.State().Window.N; got != 1 {
		t.Errorf("window %d, want the first", got)
	}
}

func TestAUserCanFoldTurns(t *testing.T) {
	th := begun(t, Options{}, 1_000_000)
	th.turns(8)
	th.tell(turn.Renew{})
	if got := th.m.State().Window; got.N != 2 || !strings.Contains(got.Why, "user") {
		t.Errorf("window %d because %q, want the second, of the user", got.N, got.Why)
	}
	checkSummary(t, th.fragment(longrein.TagSummary), 0, 2)
	th.tell(turn.Renew{}) // there is nothing more to fold
	if got := th.m.State().Window.N; got != 2 || th.m.Running() {
		t.Errorf("window %d, want the second still", got)
	}
	th.turns(1)
	if got := th.m.State().Window.N; got != 2 {
		t.Errorf("window %d begins with a ninth turn, though seven are whole", got)
	}
	th.verify()
}
