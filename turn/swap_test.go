package turn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/strategy/background"
)

// BenchmarkSwap measures what a reset adds to a step: a window of 100,000 tokens
// ends and the next one begins, in the machine alone.
func BenchmarkSwap(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		w := swapping(b)
		b.StartTimer()
		w.finish(0, longrein.OutputOK, "seen") // asks for a survey
		w.survey()
		b.StopTimer()
		if w.m.State().Window.N != 2 {
			b.Fatalf("window %d: %s", w.m.State().Window.N, w.types(max(len(w.log)-30, 0)))
		}
		b.StartTimer()
	}
}

// swapping is a thread whose verdict and notes are in, at the last call of a step.
func swapping(t checker) *world {
	w := keptWorld(t, Options{}, func() longrein.Strategy {
		return background.New(background.Options{Fixed: true, Folder: "/notes"})
	})
	set := settings
	set.ContextWindow = 200_000
	w.tell(Change{Settings: set})
	w.tell(Submit{Text: "the task: never change the port"})
	w.survey()
	for i := 0; w.m.State().Tokens() < 100_000; i++ {
		w.reply(longrein.StopTools, longrein.ToolCall{Name: "exec_command", Args: fmt.Sprintf(`{"command":"cat files/%d.txt"}`, i)})
		w.summarize(i)
		w.finish(0, longrein.OutputOK, fmt.Sprintf("file %d, id a1b2c3d%d\n", i, i)+strings.Repeat("some words of a file on port 4711\n", 100))
	}
	w.reply(longrein.StopTools, toolCall("", "look"))
	w.summarize(0)
	w.forkSays(w.forkOf(longrein.RoleDecider), say("Most was read and is done with.\nRESET"))
	return w
}

// summarize ends the summarizer that runs, if one does.
func (w *world) summarize(i int) {
	for n, f := range w.forks {
		if strings.HasPrefix(f.Fork, string(longrein.RoleSummarizer)) {
			w.forkSays(n, addMain(fmt.Sprintf("noted at %d, %d", i, len(w.log)))...)
			return
		}
	}
}
