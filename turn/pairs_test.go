package turn

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/longrein/longrein"
)

// TestWhole takes any items away from a window and checks that what is made whole
// is legal, keeps all that was paired, and is left alone when nothing is lost.
func TestWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var all, some []longrein.Entry
		for n := range rapid.IntRange(0, 8).Draw(rt, "steps") {
			step := int64(n + 1)
			calls := rapid.IntRange(0, 3).Draw(rt, "calls")
			for c := range calls {
				all = append(all, longrein.Entry{Step: step, Item: toolCall(fmt.Sprint(n, "/", c), "look")})
			}
			for c := range calls {
				all = append(all, longrein.Entry{Step: step, Item: longrein.ToolOutput{CallID: fmt.Sprint(n, "/", c), Text: "x"}})
			}
		}
		for _, e := range all {
			if rapid.IntRange(0, 3).Draw(rt, "lost") > 0 {
				some = append(some, e)
			}
		}
		kept, lost := whole(some)
		open := map[string]bool{}
		for _, e := range kept {
			switch it := e.Item.(type) {
			case longrein.ToolCall:
				open[it.ID] = true
			case longrein.ToolOutput:
				if !open[it.CallID] {
					rt.Fatalf("an output of %s without its call", it.CallID)
				}
				delete(open, it.CallID)
			}
		}
		if len(open) > 0 {
			rt.Fatalf("calls without outputs: %v", open)
		}
		if again, more := whole(kept); more != 0 || len(again) != len(kept) {
			rt.Fatalf("what is whole was mended again: %d", more)
		}
		if len(some) == len(all) && (lost != 0 || !reflect.DeepEqual(kept, all)) {
			rt.Fatal("a whole window was changed")
		}
	})
}

func TestAThreadWithALostOutputGoesOn(t *testing.T) {
	w := begun(t, Options{})
	w.reply(longrein.StopTools, toolCall("a", "look"))
	w.finish(0, longrein.OutputOK, "seen")
	w.reply(longrein.StopEnd, say("done"))
	w.log = slices.DeleteFunc(w.log, func(r longrein.Record) bool {
		a, ok := r.Body.(longrein.Appended)
		return ok && longrein.Kind(a.Item) == "tool_output"
	})
	w.durable = len(w.log)
	w.crash(len(w.log))
	w.tell(Submit{Text: "and now?"})
	w.survey()
	if len(w.asks) != 1 {
		t.Fatal("the thread does not go on")
	}
	w.checkPairs(w.m.State().Entries())
}

// parting keeps only outputs.
type parting struct{}

func (parting) Name() string { return "parting" }

func (parting) Decide(v longrein.View) longrein.Move {
	last := v.Entries[len(v.Entries)-1]
	if _, ok := last.Item.(longrein.ToolOutput); !ok {
		return longrein.CarryOn{}
	}
	return longrein.NewWindow{Why: "because", Head: []longrein.Entry{last}}
}

func TestAStrategyCannotPartACallFromItsOutput(t *testing.T) {
	w := begun(t, Options{Strategy: parting{}})
	w.reply(longrein.StopTools, toolCall("a", "look"))
	w.finish(0, longrein.OutputOK, "seen")
	w.survey()
	w.checkPairs(w.m.State().Entries())
}
