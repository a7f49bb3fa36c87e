package turn

import (
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"pgregory.net/rapid"
)

// TestLawsOfCompaction drives a machine that sums up at random, with crashes at
// any record. Beside what [TestLaws] checks: forks' requests extend the worker's,
// no user message leaves the context without a limit record, and a loaded machine's
// memory is that of the one that wrote the log.
func TestLawsOfCompaction(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := compacting(rt, nil)
		var inputs, acked []string
		for range rapid.IntRange(5, 80).Draw(rt, "steps") {
			if rapid.IntRange(0, 1).Draw(rt, "beside") > 0 && len(w.forks) > 0 {
				answerCompactor(rt, w)
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
		checkWords(rt, w)
	})
}

func answerCompactor(rt *rapid.T, w *world) {
	i := rapid.IntRange(0, len(w.forks)-1).Draw(rt, "fork")
	switch rapid.IntRange(0, 4).Draw(rt, "answer") {
	case 0:
		w.forkBreaks(i, broken(rt))
	case 1:
		w.forkSays(i, toolCall("n", "look"))
	case 2:
		w.forkSays(i)
	default:
		w.forkSays(i, say("a summary"))
	}
}

// checkWords fails when a message of the user has left the context, or a part of
// it, and no limit says so.
func checkWords(rt *rapid.T, w *world) {
	rt.Helper()
	said := map[int64]string{}
	for i, r := range w.log {
		switch b := r.Body.(type) {
		case longrein.Appended:
			if m, ok := b.Item.(longrein.Message); ok && m.Role == longrein.RoleUser {
				said[r.Seq] = m.Text
			}
		case longrein.Window:
			shown := map[int64]string{}
			for _, e := range b.Head {
				if m, ok := e.Item.(longrein.Message); ok && m.Role == longrein.RoleUser {
					shown[e.Seq] = m.Text
				}
			}
			for seq, text := range said {
				if shown[seq] != text && !saysLimit(w.log[i+1:]) {
					rt.Fatalf("window %d lacks message #%d %q, and no limit says so", b.N, seq, text)
				}
			}
			said = shown
		}
	}
}

// saysLimit reports whether limits that follow a window tell of user messages.
func saysLimit(log []longrein.Record) bool {
	for _, r := range log {
		h, ok := r.Body.(longrein.LimitHit)
		if !ok {
			return false
		}
		if strings.Contains(h.What, "user messages") {
			return true
		}
	}
	return false
}
