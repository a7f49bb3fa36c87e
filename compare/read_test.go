package compare

import (
	"errors"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
)

func TestTurnsAreTakenOutOfRecords(t *testing.T) {
	s := newScript()
	s.ask("first")
	s.step("I look.", [2]string{"ls", "a.go"}, [2]string{"pwd", "/src"})
	s.steer("and quickly")
	s.end("done")
	s.ask("second")
	s.step("", [2]string{"rm -rf build", ""})
	s.add(longrein.Turn{N: 2, State: longrein.TurnInterrupted})
	got := s.session(t)
	type step struct {
		Items, Outputs int
		Steers         []string
		Took           time.Duration
	}
	var turns [][]step
	for _, turn := range got.Turns {
		var steps []step
		for _, st := range turn.Steps {
			one := step{Items: len(st.Items), Outputs: len(st.Outputs), Steers: st.Steers}
			for _, o := range st.Outputs {
				one.Took += o.Took.Round(50 * time.Millisecond)
			}
			steps = append(steps, one)
		}
		turns = append(turns, steps)
	}
	want := [][]step{
		{{Items: 3, Outputs: 2, Steers: []string{"and quickly"}, Took: 300 * time.Millisecond}, {Items: 1}},
		{{Items: 1, Outputs: 1, Took: 100 * time.Millisecond}},
	}
	if diff := cmp.Diff(want, turns); diff != "" {
		t.Errorf("steps, -want +got:\n%s", diff)
	}
	if got.Turns[0].Cut || !got.Turns[1].Cut || got.Turns[1].Wait < 29*time.Second {
		t.Errorf("cut %v and %v, wait %v", got.Turns[0].Cut, got.Turns[1].Cut, got.Turns[1].Wait)
	}
}

func TestWhatWindowsAndForksAddedIsNotReplayed(t *testing.T) {
	s := newScript()
	s.ask("go")
	s.step("one", [2]string{"ls", "x"})
	s.add(longrein.Fork{Role: longrein.RoleSummarizer, N: 1, State: longrein.ForkStarted})
	s.add(longrein.Beside{Fork: "summarizer-1", Body: longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleAssistant, Text: "NOTES DONE"}}}})
	s.add(longrein.Notes{By: "summarizer-1", Changed: []longrein.Document{{Name: longrein.MainDocument, Text: "noted"}}})
	s.add(longrein.Window{N: 2, Head: []longrein.Entry{{Item: longrein.Message{Role: longrein.RoleUser, Text: "go"}}}})
	s.add(longrein.Appended{Entry: longrein.Entry{Item: longrein.Fragment{Tag: longrein.TagRestored, Text: "again"}}})
	s.end("two")
	got := s.session(t)
	if got.Steps != 2 || len(got.Turns) != 1 || got.Inserted != 1 {
		t.Errorf("%d steps in %d turns, %d inserted; want 2, 1, 1", got.Steps, len(got.Turns), got.Inserted)
	}
	want := []Summary{{Step: 1, Documents: []longrein.Document{{Name: longrein.MainDocument, Text: "noted"}}}}
	if diff := cmp.Diff(want, got.Summaries); diff != "" {
		t.Errorf("summaries, -want +got:\n%s", diff)
	}
}

func TestAnAnswerThatWasNeverWholeIsNoStep(t *testing.T) {
	s := newScript()
	s.ask("go")
	step := s.add(longrein.Asked{Turn: 1, Window: 1})
	s.add(longrein.Appended{Entry: longrein.Entry{Step: step, Item: longrein.Message{Role: longrein.RoleAssistant, Text: "torn"}}})
	s.end("whole")
	if got := s.session(t); got.Steps != 1 {
		t.Errorf("%d steps, want the one that was whole", got.Steps)
	}
}

func TestASessionWithoutAnswersIsAnError(t *testing.T) {
	s := newScript()
	s.ask("go")
	if _, err := Read("x", s.all()); !errors.Is(err, errNoSteps) {
		t.Errorf("%v, want an error that says so", err)
	}
	lost := errors.New("the disk is gone")
	var broken iter.Seq2[longrein.Record, error] = func(yield func(longrein.Record, error) bool) { yield(longrein.Record{}, lost) }
	if _, err := Read("x", broken); !errors.Is(err, lost) {
		t.Errorf("%v, want the cause", err)
	}
}

func TestTheEstimateIsMeasuredAgainstTheProvider(t *testing.T) {
	s := newScript()
	s.ask("go")
	total := int64(500)
	for n := range 20 {
		text := source(n, 4_000)
		s.step("", [2]string{"cat", text})
		for i := range s.records {
			if a, ok := s.records[i].Body.(longrein.Answered); ok && !a.Usage.Reported {
				a.Usage = longrein.Usage{Input: total, Reported: true}
				s.records[i].Body = a
			}
		}
		total += 1_300
	}
	s.end("done")
	e := s.session(t).Estimate
	if e.Reported != 20 || e.Scale < 0.5 || e.Mean <= 0 || e.Mean > 0.2 || e.P95 < e.Mean/2 {
		t.Errorf("%+v", e)
	}
}

func TestChangesOfTheToolsAreNoted(t *testing.T) {
	s := newScript()
	s.ask("Go.")
	s.step("I look.", [2]string{"ls", "main.go"})
	fewer := longrein.Settings{Provider: "openai", Model: "gpt-5.4", Wire: longrein.WireResponses, Tools: sampleTools[:1]}
	s.add(longrein.Window{N: 2, Settings: fewer})
	s.add(longrein.Window{N: 3, Settings: fewer})
	s.end("Done.")
	var got [][3]int
	for _, d := range s.session(t).Tools {
		got = append(got, [3]int{d.Step, d.Window, len(d.Tools)})
	}
	if want := [][3]int{{1, 1, 2}, {2, 2, 1}}; !slices.Equal(got, want) {
		t.Errorf("step, window and number of tools: %v, want %v", got, want)
	}
}
