package turn

import (
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
