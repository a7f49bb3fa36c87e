package turn

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/strategy/recent"
)

// TestLaws drives a machine at random, with crashes at any record, and checks
// what must always hold: requests extend each other within a window and can be
// rebuilt, calls and outputs pair, nothing that may have had an effect runs
// twice, every input is delivered once and answered, and a machine that has read
// the log's tail knows what the one that wrote it does.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(rt, Options{Strategy: recent.Strategy{}, Snapshots: true})
		w.glance, w.goesBack = func(Survey) Surveyed { return outsideNews(rt) }, true
		w.tell(Change{Settings: otherSettings(rt, w)})
		var inputs, acked []string
		for range rapid.IntRange(5, 80).Draw(rt, "steps") {
			play(rt, w, &inputs, &acked)
			if rapid.IntRange(0, 7).Draw(rt, "looked") == 0 {
				w.checkLoaded()
			}
		}
		settle(rt, w)
		w.verify()
		checkInputs(rt, w, inputs, acked)
		checkEnds(rt, w)

		w.log = w.log[:rapid.IntRange(2, len(w.log)).Draw(rt, "cut")]
		w.durable, w.bodies = 0, map[int][]byte{}
		w.crash(len(w.log))
		w.tell(Resume{})
		settle(rt, w)
		w.verify()
		checkEnds(rt, w)
	})
}

func play(rt *rapid.T, w *world, inputs, acked *[]string) {
	what := rapid.IntRange(0, 13).Draw(rt, "what")
	if rapid.IntRange(0, 7).Draw(rt, "torn") == 0 {
		w.tear = rapid.IntRange(0, 6).Draw(rt, "written")
	}
	switch what {
	case 0, 1:
		text := fmt.Sprintf("input %d;", len(*inputs))
		*inputs = append(*inputs, text)
		w.tell([]Message{Submit{text}, Steer{text}}[what])
		if !w.torn {
			*acked = append(*acked, text)
		}
	case 2:
		if rapid.IntRange(0, 2).Draw(rt, "really") == 0 {
			w.tell(Interrupt{})
		}
	case 3:
		w.crash(rapid.IntRange(0, len(w.log)).Draw(rt, "kept"))
	case 4:
		if len(w.asks) > 0 {
			w.breaks(broken(rt), say("half"))
		}
	case 5:
		w.tell(Change{Settings: otherSettings(rt, w)})
	case 6, 7, 8, 9:
		if len(w.asks) > 0 {
			w.reply(longrein.StopTools, someItems(rt, w)...)
		}
	case 10:
		goBack(rt, w, acked)
	default:
		if len(w.runs) > 0 {
			text := strings.Repeat("word ", rapid.IntRange(1, 900).Draw(rt, "words"))
			w.finish(rapid.IntRange(0, len(w.runs)-1).Draw(rt, "tool"), longrein.OutputOK, text)
		}
	}
	if rapid.Bool().Draw(rt, "surveyed") {
		w.survey()
		w.snap()
	}
	w.tear = -1
	if what == 3 || w.torn {
		w.tell(Resume{})
	}
}

// outsideNews is what a turn may find changed outside.
func outsideNews(rt *rapid.T) (s Surveyed) {
	if rapid.IntRange(0, 2).Draw(rt, "changed") == 0 {
		s.Changes = []longrein.Entry{{Item: longrein.NewFragment(longrein.TagEnvironment, "date: tomorrow")}}
	}
	if rapid.IntRange(0, 3).Draw(rt, "mentions") == 0 {
		s.Skills = []longrein.Entry{{Item: longrein.NewFragment(longrein.TagSkill, "how to")}}
	}
	return s
}

// goBack takes the thread back to any record at which no turn ran, or puts files
// back. A rollback shows what was seen there, and drops inputs that came later.
func goBack(rt *rapid.T, w *world, acked *[]string) {
	if !w.goesBack || w.m.Running() || !w.m.Resting() {
		return
	}
	if rapid.Bool().Draw(rt, "files") {
		w.tell(Undo{longrein.Undone{Turn: 1, Changed: []longrein.FileChange{{Path: "a", Op: longrein.FileModified}}}})
		return
	}
	to := rapid.IntRange(2, len(w.log)).Draw(rt, "to")
	old := w.loaded(w.log[:to])
	if old.Running() {
		return
	}
	before := w.m.pending
	w.back(int64(to), w.notesOf(old)...)
	for _, p := range before {
		if !slices.Contains(w.m.pending, p) {
			*acked = slices.DeleteFunc(*acked, func(text string) bool { return text == p.Text })
		}
	}
	if w.torn {
		return
	}
	if d := cmp.Diff(old.State().Entries(), w.m.State().Entries(), cmpopts.EquateEmpty()); d != "" {
		rt.Fatalf("taken back to record %d, the model sees something else:\n%s", to, d)
	}
}

func otherSettings(rt *rapid.T, w *world) longrein.Settings {
	set := w.m.State().Next
	set.Wire = rapid.SampledFrom([]longrein.Wire{longrein.WireResponses, longrein.WireChat, longrein.WireMessages}).Draw(rt, "wire")
	set.Model = rapid.SampledFrom([]string{"m-1", "m-2"}).Draw(rt, "model")
	set.ContextWindow = rapid.SampledFrom([]int{4000, 4000, 0, 50}).Draw(rt, "context window")
	set.MaxOutput = rapid.SampledFrom([]int{0, 0, 2500, 9000}).Draw(rt, "max output")
	return set
}

func broken(rt *rapid.T) error {
	return rapid.SampledFrom([]error{
		context.Canceled,
		&longrein.ModelError{Kind: longrein.ErrTooLong, Text: "too long"},
		&longrein.ModelError{Kind: longrein.ErrAuth, Text: "no"},
	}).Draw(rt, "error")
}

func someItems(rt *rapid.T, w *world) []longrein.Item {
	var items []longrein.Item
	if rapid.Bool().Draw(rt, "thinks") {
		set := w.m.State().Window.Settings
		items = append(items, longrein.Reasoning{Text: "hm", Wire: set.Wire, Model: set.Model, Raw: []byte(`{"type":"thinking"}`)})
	}
	if rapid.Bool().Draw(rt, "says") {
		items = append(items, say("working"))
	}
	for range rapid.IntRange(0, 4).Draw(rt, "calls") {
		items = append(items, toolCall(
			rapid.SampledFrom([]string{"", "x", "y"}).Draw(rt, "id"),
			rapid.SampledFrom([]string{"look", "do", "nonsense"}).Draw(rt, "tool")))
	}
	return items
}

// settle lets everything come to its end.
func settle(rt *rapid.T, w *world) {
	for i := 0; w.m.Running() || len(w.m.pending) > 0; i++ {
		if i > 1000 {
			rt.Fatalf("the turn does not come to an end: %s", w.types(max(len(w.log)-60, 0)))
		}
		w.survey()
		w.snap()
		switch {
		case len(w.runs) > 0:
			w.finish(0, longrein.OutputOK, "ok")
		case len(w.asks) > 0:
			w.reply(longrein.StopEnd, say("done"))
		case len(w.forks) > 0:
			w.forkSays(0, say("NOTES DONE"))
		case w.m.Running() || len(w.m.pending) > 0:
			w.tell(Resume{})
		}
	}
}

// checkInputs fails when an input that was taken did not become one item, or one
// that was cut off became several.
func checkInputs(rt *rapid.T, w *world, inputs, acked []string) {
	items := map[string]int{}
	for _, r := range w.log {
		if a, ok := r.Body.(longrein.Appended); ok && a.Input != 0 {
			items[a.Item.(longrein.Message).Text]++
		}
	}
	for _, text := range inputs {
		if n := items[text]; n > 1 || n == 0 && slices.Contains(acked, text) {
			rt.Fatalf("%q became %d items", text, n)
		}
	}
}

// checkEnds fails when a turn ended well though the model had not heard all, or
// had calls open.
func checkEnds(rt *rapid.T, w *world) {
	unheard := false
	for _, r := range w.log {
		switch b := r.Body.(type) {
		case longrein.Appended:
			unheard = unheard || !longrein.FromModel(b.Item)
		case longrein.Answered:
			unheard = b.Stop == longrein.StopInterrupted
		case longrein.Turn:
			if b.State == longrein.TurnEnded && unheard {
				rt.Fatalf("turn %d ended, record %d, before the model had answered to all it was told", b.N, r.Seq)
			}
		}
	}
}
