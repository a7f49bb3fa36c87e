package turn

import (
	"strings"
	"testing"

	"github.com/longrein/longrein"
)

// Records are read outside of the loop; what the machine changes later must not
// be a part of them.
func TestARecordHasItsOwnOutput(t *testing.T) {
	w := begun(t, Options{})
	w.reply(longrein.StopTools, toolCall("a", "look"), toolCall("b", "look"))
	w.finish(1, longrein.OutputOK, "early")
	kept := w.log[len(w.log)-1].Body.(longrein.ToolRun)
	if kept.Output == nil || kept.Output == &w.m.call("b").output {
		t.Error("the record of an early output shares it with the machine")
	}
}

func TestACallThatRunsAgainHasTheSameKey(t *testing.T) {
	w := newWorld(t, Options{})
	w.tell(Submit{"one"})
	w.survey()
	w.reply(longrein.StopTools, toolCall("a", "look"), toolCall("b", "look"))
	first := []string{w.runs[0].Key, w.runs[1].Key}
	if first[0] == first[1] || !strings.HasPrefix(first[0], "t/") {
		t.Fatalf("got keys %v", first)
	}
	w.crash(len(w.log))
	w.tell(Resume{})
	if len(w.runs) != 2 || w.runs[0].Key != first[0] || w.runs[1].Key != first[1] {
		t.Errorf("after a crash %v, before %v", w.runs, first)
	}
}
