package turn

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/strategy/background"
	"pgregory.net/rapid"
)

// remembering is a world with background memory that wakes up often.
func remembering(t checker) *world {
	o := background.Options{Folder: "/notes", Fixed: true}
	return keptWorld(t, Options{Stays: true}, func() longrein.Strategy { return background.New(o) })
}

// TestLawsOfMemory drives a machine with background memory at random, with
// crashes at any record. Beside what [TestLaws] checks: forks' requests extend the
// worker's and can be rebuilt, no fork outlives its window, every boundary was
// covered by a summary that finished, the newest user input is never lost, and a
// loaded machine's memory is that of the one that wrote the log.
func TestLawsOfMemory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := remembering(rt)
		w.goesBack = true
		var inputs, acked []string
		for range rapid.IntRange(5, 80).Draw(rt, "steps") {
			if rapid.IntRange(0, 2).Draw(rt, "beside") > 0 && len(w.forks) > 0 {
				answerFork(rt, w)
			} else {
				play(rt, w, &inputs, &acked)
			}
			if rapid.IntRange(0, 15).Draw(rt, "asked for a window") == 0 {
				w.tell(Renew{})
				w.survey()
			}
			if rapid.IntRange(0, 7).Draw(rt, "looked") == 0 {
				w.checkMemory()
			}
		}
		settle(rt, w)
		w.verify()
		checkInputs(rt, w, inputs, acked)
		checkEnds(rt, w)
		checkForks(rt, w)
		checkTask(rt, w)
	})
}

// answerFork lets a fork say or do something, good or bad.
func answerFork(rt *rapid.T, w *world) {
	i := rapid.IntRange(0, len(w.forks)-1).Draw(rt, "fork")
	n := len(w.log)
	if rapid.IntRange(0, 3).Draw(rt, "edited") == 0 {
		w.edit = []longrein.Document{{Name: longrein.MainDocument, Text: fmt.Sprintf("the user's %d", n)}}
	}
	note := longrein.ToolCall{ID: "n", Name: "apply_patch", Args: fmt.Sprintf(
		`{"patch":"*** Begin Patch\n*** Add File: %s\n+noted at %d [#3]\n*** End Patch"}`,
		rapid.SampledFrom([]string{"MAIN.md", "topics/a.md", "TODO.md", "../x.md"}).Draw(rt, "document"), n)}
	switch rapid.IntRange(0, 6).Draw(rt, "answer") {
	case 0:
		w.forkBreaks(i, broken(rt))
	case 1:
		w.forkSays(i, say("Most is done with.\nRESET"))
	case 2:
		w.forkSays(i, say("CARRY ON"))
	case 3:
		w.forkSays(i, note)
	case 4:
		w.forkSays(i, say("NOTHING TO ADD"))
	default:
		w.forkSays(i, say("NOTES DONE"), note)
	}
}

// checkMemory fails when a machine that has read the log knows something else
// than the one that wrote it.
func (w *world) checkMemory() {
	w.t.Helper()
	if w.durable != len(w.log) {
		return
	}
	live := w.m.keeper.Keep()
	if loaded := w.loaded(tail(w.log)).keeper.Keep(); !bytes.Equal(live, loaded) {
		w.t.Fatalf("memory differs:\nlive   %s\nloaded %s", live, loaded)
	}
}

// checkForks fails when a fork has an effect after its end, or notes cover what no
// finished summary saw.
func checkForks(rt *rapid.T, w *world) {
	running, names := map[string]longrein.Fork{}, map[string]bool{}
	window := 0
	for _, r := range w.log {
		switch b := r.Body.(type) {
		case longrein.Window:
			if len(running) > 0 {
				rt.Fatalf("window %d begins while %v run", b.N, running)
			}
			window = b.N
		case longrein.Fork:
			if b.State == longrein.ForkStarted && names[b.Name()] {
				rt.Fatalf("record %d: there was a %s before", r.Seq, b.Name())
			}
			if b.State == longrein.ForkStarted {
				names[b.Name()] = true
				running[b.Name()] = b
			} else {
				delete(running, b.Name())
			}
		case longrein.Notes:
			f, ok := running[b.By]
			if strings.HasPrefix(b.By, "summarizer") && (!ok || f.Window != window || b.Boundary != f.From) {
				rt.Fatalf("record %d: notes by %s up to %d, which runs: %v", r.Seq, b.By, b.Boundary, ok)
			}
			for _, d := range b.Changed {
				if d.Name == longrein.TodoDocument || strings.Contains(d.Name, "..") {
					rt.Fatalf("record %d: the notes have a document %q", r.Seq, d.Name)
				}
			}
		case longrein.Verdict:
			if _, ok := running[b.Fork]; !ok || b.Window != window {
				rt.Fatalf("record %d: a verdict of %s on window %d, in window %d", r.Seq, b.Fork, b.Window, window)
			}
		}
	}
}

// checkTask fails when a window begins without the newest thing the user said.
func checkTask(rt *rapid.T, w *world) {
	newest := ""
	for _, r := range w.log {
		switch b := r.Body.(type) {
		case longrein.Appended:
			if b.Input != 0 {
				newest = b.Item.(longrein.Message).Text
			}
		case longrein.Rollback:
			newest = "" // it may have been taken back
		case longrein.Window:
			seen := newest == ""
			for _, e := range b.Head {
				m, ok := e.Item.(longrein.Message)
				seen = seen || ok && m.Text == newest
			}
			if !seen {
				rt.Fatalf("window %d (%s) begins without %q", b.N, b.Why, newest)
			}
		}
	}
}

// asked has the worker make n steps whose outputs have so many words each.
func (w *world) works(n, words int) {
	w.t.Helper()
	for range n {
		w.survey()
		if len(w.asks) == 0 {
			w.t.Fatalf("the worker does not ask: %s", w.types(max(len(w.log)-20, 0)))
		}
		w.reply(longrein.StopTools, toolCall("", "look"))
		w.finish(0, longrein.OutputOK, strings.Repeat("word ", words))
	}
	w.survey()
}

// fork returns the index of the request of a role that is out.
func (w *world) forkOf(role longrein.ForkRole) int {
	w.t.Helper()
	for i, f := range w.forks {
		if strings.HasPrefix(f.Fork, string(role)) {
			return i
		}
	}
	w.t.Fatalf("no %s is asked: %s", role, w.types(max(len(w.log)-30, 0)))
	return -1
}

func addMain(text string) []longrein.Item {
	return []longrein.Item{
		say("NOTES DONE"),
		longrein.ToolCall{ID: "n", Name: "apply_patch", Args: fmt.Sprintf(`{"patch":"*** Begin Patch\n*** Add File: MAIN.md\n+%s\n*** End Patch"}`, text)},
	}
}

// windowed is a thread of memory in a window of 40,000 tokens, at work.
func windowed(t *testing.T, o background.Options) *world {
	t.Helper()
	w := keptWorld(t, Options{}, func() longrein.Strategy { return background.New(o) })
	set := settings
	set.ContextWindow = 40_000
	w.tell(Change{Settings: set})
	w.tell(Submit{Text: "the task"})
	w.survey()
	return w
}

func TestAResetCarriesOverWhatTheNotesDoNotCover(t *testing.T) {
	w := windowed(t, background.Options{Fixed: true, Folder: "/notes"})
	w.works(8, 900) // the forks wake with the first steps
	w.forkSays(w.forkOf(longrein.RoleSummarizer), addMain("the port is 4711")...)
	w.works(2, 900) // what the summarizer did not see
	w.forkSays(w.forkOf(longrein.RoleDecider), say("Most was read and is done with.\nRESET"))
	w.works(1, 10)
	w.forkSays(w.forkOf(longrein.RoleSummarizer), addMain("the port is 4711, of the server")...) // it was awaited
	w.works(1, 10)
	win := w.m.State().Window
	if win.N != 2 || !strings.Contains(win.Why, "decider-1") {
		t.Fatalf("window %d, because %q; want the second, of decider-1", win.N, win.Why)
	}
	head := fmt.Sprint(w.m.State().Entries())
	for _, want := range []string{"the task", "the port is 4711", "word word"} {
		if !strings.Contains(head, want) {
			t.Errorf("the new context lacks %q", want)
		}
	}
	if len(w.asks) != 1 || !w.m.Running() {
		t.Error("the worker does not go on by itself")
	}
	w.verify()
	w.checkMemory()
}

func TestTheWorkerNeverWaitsForMemoryUnlessTheWindowIsFull(t *testing.T) {
	w := windowed(t, background.Options{Fixed: true})
	for i := 0; len(w.asks) > 0 && i < 100; i++ {
		w.reply(longrein.StopTools, toolCall("", "look"))
		w.finish(0, longrein.OutputOK, strings.Repeat("word ", 900))
		w.survey()
	}
	if got := w.m.State().Tokens(); w.m.State().Window.N != 1 || got < 35_000 || w.m.Resting() {
		t.Fatalf("window %d with %d of 40,000 tokens: want the first, nearly full, and the worker waiting", w.m.State().Window.N, got)
	}
	for i := 0; len(w.asks) == 0 && i < 5; i++ { // the first one covers little
		w.forkSays(w.forkOf(longrein.RoleSummarizer), addMain(fmt.Sprintf("all of it, %d", i))...)
		w.survey()
	}
	if got := w.m.State().Window.N; got != 2 || len(w.asks) != 1 {
		t.Errorf("window %d with %d requests out, want the second, going on", got, len(w.asks))
	}
	w.verify()
}

func TestTheWorkGoesOnWhenEverySummaryFails(t *testing.T) {
	w := windowed(t, background.Options{Fixed: true})
	for range 200 {
		w.survey()
		for len(w.forks) > 0 {
			w.forkBreaks(0, context.DeadlineExceeded)
			w.survey()
		}
		if len(w.asks) == 0 {
			t.Fatalf("the worker does not go on: %s", w.types(max(len(w.log)-30, 0)))
		}
		w.reply(longrein.StopTools, toolCall("", "look"))
		if len(w.runs) > 0 {
			w.finish(0, longrein.OutputOK, strings.Repeat("word ", 300))
		}
	}
	warned := w.count(func(b longrein.Body) bool {
		h, ok := b.(longrein.LimitHit)
		return ok && h.Name == limit.SummaryTries.Name
	})
	if got := w.m.State().Window.N; got < 2 || warned == 0 {
		t.Errorf("window %d and %d warnings, want several windows and a warning", got, warned)
	}
	w.verify()
}
