package turn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

func TestOnlySoManyFilesOfAnUndoAreNamed(t *testing.T) {
	w := begun(t, Options{Limits: limit.Set{limit.UndoTold.Name: 2}})
	w.reply(longrein.StopEnd, say("done"))
	var changed []longrein.FileChange
	for i := range 5 {
		changed = append(changed, longrein.FileChange{Path: fmt.Sprintf("f%d", i), Op: longrein.FileModified})
	}
	w.tell(Undo{longrein.Undone{Turn: 1, From: "ab", To: "cd", Changed: changed}})
	w.tell(Submit{Text: "go on"})
	body := string(w.asks[0].Request.Body)
	if !strings.Contains(body, "modified f1") || strings.Contains(body, "modified f2") || !strings.Contains(body, "and 3 more") {
		t.Errorf("the model is told %s", body)
	}
}
