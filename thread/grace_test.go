package thread

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// A tool that does not end with its context cannot hold up the end of a program.
func TestClosingWaitsOnlySoLongForATool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.tools.run = func(context.Context, longrein.ToolCall) longrein.ToolResult {
			time.Sleep(time.Hour)
			return longrein.ToolResult{}
		}
		f.model.answers = append(f.model.answers, answers(call("a")))
		_ = f.Submit(t.Context(), "go")
		synctest.Wait()
		began := time.Now()
		_ = f.Close()
		if took, most := time.Since(began), (limit.Set{}).Duration(limit.StopGrace); took != most || !f.log.closed {
			t.Errorf("closing took %v and the log is closed: %v, want %v and closed", took, f.log.closed, most)
		}
		time.Sleep(time.Hour) // the tool ends some time
	})
}
