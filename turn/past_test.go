package turn

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/memory"
)

func (w *world) snapshots() (out []longrein.Snapshot) {
	for _, r := range w.log {
		if s, ok := r.Body.(longrein.Snapshot); ok {
			out = append(out, s)
		}
	}
	return out
}

// back takes the world to where it stood after record to, as a program does.
func (w *world) back(to int64, notes ...longrein.Document) {
	w.t.Helper()
	old := w.loaded(w.log[:to])
	w.tell(Rollback{Rollback: longrein.Rollback{To: to, Turns: 1}, Window: old.Checkpoint(), Notes: notes})
}

// notesOf returns what makes the notes of now those of an older machine.
func (w *world) notesOf(old *Machine) (out []longrein.Document) {
	type notes interface{ Notes() memory.Notes }
	then, ok := old.keeper.(notes)
	if !ok {
		return nil
	}
	now := w.m.keeper.(notes).Notes()
	for _, d := range then.Notes().Documents() {
		if had, ok := now.Get(d.Name); !ok || had.Text != d.Text {
			out = append(out, d)
		}
	}
	for _, d := range now.Documents() {
		if _, ok := then.Notes().Get(d.Name); !ok {
			out = append(out, longrein.Document{Name: d.Name, Deleted: true})
		}
	}
	return out
}

func TestFilesAreRememberedBeforeTheFirstChangeAndAtTheEnd(t *testing.T) {
	w := newWorld(t, Options{Snapshots: true})
	w.tell(Submit{"one"})
	w.survey()
	w.reply(longrein.StopTools, toolCall("a", "look"))
	w.finish(0, longrein.OutputOK, "ok")
	if len(w.snaps) != 0 {
		t.Fatal("a look is no change")
	}
	w.reply(longrein.StopTools, toolCall("b", "look"), toolCall("c", "do"), toolCall("d", "do"))
	if len(w.snaps) != 0 || len(w.runs) != 1 {
		t.Fatalf("%d snapshots, %d tools, while the look runs", len(w.snaps), len(w.runs))
	}
	w.finish(0, longrein.OutputOK, "ok")
	if len(w.snaps) != 1 || len(w.runs) != 0 {
		t.Fatalf("%d snapshots, %d tools, before the change", len(w.snaps), len(w.runs))
	}
	w.snap()
	w.finish(0, longrein.OutputOK, "ok")
	w.finish(0, longrein.OutputOK, "ok")
	w.reply(longrein.StopEnd, say("done"))
	if w.m.Resting() {
		t.Error("the turn is over before its snapshot is there")
	}
	w.snap()
	want := []longrein.Snapshot{{When: longrein.SnapshotBefore, Turn: 1, Tree: "ab"}, {When: longrein.SnapshotAfter, Turn: 1, Tree: "ab"}}
	if d := cmp.Diff(want, w.snapshots()); d != "" || !w.m.Resting() {
		t.Errorf("resting %v\n%s", w.m.Resting(), d)
	}
	w.verify()
}

func TestATurnThatOnlyLooksNeedsNoSnapshot(t *testing.T) {
	w := newWorld(t, Options{Snapshots: true})
	w.tell(Submit{"one"})
	w.survey()
	w.reply(longrein.StopEnd, say("hi"))
	if len(w.snaps) != 0 || !w.m.Resting() {
		t.Errorf("%d snapshots", len(w.snaps))
	}
}

func TestAnInterruptWhileFilesAreRememberedRunsNothing(t *testing.T) {
	w := newWorld(t, Options{Snapshots: true})
	w.tell(Submit{"one"})
	w.survey()
	w.reply(longrein.StopTools, toolCall("a", "do"))
	w.tell(Interrupt{})
	w.snap()
	w.snap()
	if len(w.runs) != 0 || !w.m.Resting() || w.m.ended != longrein.TurnInterrupted {
		t.Errorf("%d tools ran, resting %v, ended %q", len(w.runs), w.m.Resting(), w.m.ended)
	}
}

func TestARollbackShowsWhatWasThereThen(t *testing.T) {
	w := newWorld(t, Options{})
	for _, text := range []string{"one", "two"} {
		w.tell(Submit{text})
		w.survey()
		w.reply(longrein.StopEnd, say("answer to "+text))
	}
	to := int64(0)
	for _, r := range w.log {
		if b, ok := r.Body.(longrein.Input); ok && b.Text == "two" {
			to = r.Seq - 1
		}
	}
	total := w.m.total
	w.back(to, longrein.Document{Name: "a", Text: "b"})
	if got, want := w.spoken(), "one answer to one"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if w.m.turns != 2 || w.m.total != total || w.m.notes != 1 || w.m.Running() || w.m.Owed() {
		t.Errorf("turn %d, total %+v, notes %d, running %v", w.m.turns, w.m.total, w.m.notes, w.m.Running())
	}
	w.checkLoaded()
	again := w.m.last.Seq
	w.tell(Submit{"three"})
	w.reply(longrein.StopEnd, say("answer to three"))
	if got, want := w.spoken(), "one answer to one three answer to three"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	w.back(again - 3) // before the first rollback: the record, its window, the notes
	if got, want := w.spoken(), "one answer to one two answer to two"; got != want {
		t.Errorf("a rollback rolled back: got %q, want %q", got, want)
	}
	w.verify()
	w.checkLoaded()
}

func TestARollbackLeavesSettingsAndForgetsWhatWasToBeShown(t *testing.T) {
	w := newWorld(t, Options{})
	w.tell(Submit{"one"})
	w.survey()
	w.reply(longrein.StopEnd, say("1"))
	to := w.m.last.Seq
	w.tell(Submit{"two"})
	w.reply(longrein.StopEnd, say("2"))
	set := w.m.state.Next
	set.MaxOutput += 7
	w.tell(Change{set})
	w.tell(Pin{longrein.Pinned{Seq: 1, Once: true, Item: say("seen")}})
	w.back(to)
	if got := w.m.state.Next.MaxOutput; got != set.MaxOutput {
		t.Errorf("settings went back: %d, want %d", got, set.MaxOutput)
	}
	if len(w.m.restore) > 0 {
		t.Error("an item is still to be shown")
	}
	w.checkLoaded()
}

func TestARollbackToBeforeTheFirstTurnBeginsAnew(t *testing.T) {
	w := newWorld(t, Options{})
	w.tell(Submit{"one"})
	w.survey()
	w.reply(longrein.StopEnd, say("1"))
	w.back(2)
	w.tell(Submit{"two"})
	if w.surveys != 1 {
		t.Fatal("no initial context is asked for")
	}
	w.survey()
	if got := w.spoken(); got != "two" {
		t.Errorf("got %q", got)
	}
	w.verify()
	w.checkLoaded()
}

func TestTheModelIsToldOfFilesThatWerePutBack(t *testing.T) {
	w := newWorld(t, Options{})
	w.tell(Submit{"one"})
	w.survey()
	w.reply(longrein.StopEnd, say("1"))
	w.tell(Undo{longrein.Undone{Turn: 1, From: "ab", To: "cd", Changed: []longrein.FileChange{{Path: "a.go", Op: longrein.FileModified}}}})
	w.tell(Submit{"two"})
	want := "one 1 <files_put_back The user put files back as they had been before turn 1. What you know of them may no longer be true; read them again.\nmodified a.go> two"
	if d := cmp.Diff(want, w.spoken()); d != "" {
		t.Error(d)
	}
	w.verify()
	w.checkLoaded()
}

func TestARedoIsToldAsOne(t *testing.T) {
	w := newWorld(t, Options{})
	got := w.m.tellUndone(longrein.Undone{Turn: 1, Redo: true, Changed: []longrein.FileChange{{Path: "a.go", Op: longrein.FileAdded}}})
	want := "The user took the undo back: files are again as they had been before it. What you know of them may no longer be true; read them again.\nadded a.go"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A turn that a crash cut off among its calls is undone before it goes on: no call
// may lose its output to what the model is told of that.
func TestWhatACrashCutOffIsAnsweredBeforeItIsUndone(t *testing.T) {
	w := newWorld(t, Options{})
	w.tell(Submit{"one"})
	w.survey()
	w.reply(longrein.StopTools, toolCall("a", "look"), toolCall("b", "do"), toolCall("c", "do"))
	w.finish(0, longrein.OutputOK, "seen")
	w.crash(len(w.log))
	w.tell(Undo{longrein.Undone{Turn: 1, Changed: []longrein.FileChange{{Path: "a.go", Op: longrein.FileModified}}}})
	w.checkLoaded()
	w.crash(len(w.log))
	w.tell(Resume{})
	want := []longrein.OutputStatus{longrein.OutputOK, longrein.OutputUnknown, longrein.OutputInterrupted}
	var got []longrein.OutputStatus
	for _, e := range w.m.state.Entries() {
		if o, ok := e.Item.(longrein.ToolOutput); ok {
			got = append(got, o.Status)
		}
	}
	if d := cmp.Diff(want, got); d != "" || len(w.asks) != 1 || len(w.runs) != 0 || w.m.state.Window.N != 1 {
		t.Errorf("%d requests, %d tools, window %d\n%s", len(w.asks), len(w.runs), w.m.state.Window.N, d)
	}
	w.verify()
}

func TestNothingIsTakenBackWhileATurnRuns(t *testing.T) {
	w := newWorld(t, Options{})
	w.tell(Submit{"one"})
	w.survey()
	n := len(w.log)
	w.back(2)
	w.tell(Undo{longrein.Undone{Turn: 1, Changed: []longrein.FileChange{{Path: "a"}}}})
	if d := cmp.Diff(n, len(w.log), cmpopts.EquateEmpty()); d != "" {
		t.Errorf("records were made:\n%s", w.types(n))
	}
}
