package harness

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
)

// firstRequest runs a turn with a simulated model. It returns what was asked and
// the environment that the model was told of.
func firstRequest(t *testing.T, h *Harness) (id, environment string, asked longrein.Asked) {
	t.Helper()
	th, err := h.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer th.Close()
	events := th.Watch(t.Context(), 0)
	if err := th.Submit(t.Context(), "hello"); err != nil {
		t.Fatal(err)
	}
	for e := range events {
		switch b := e.Payload.(type) {
		case longrein.Asked:
			asked = b
		case longrein.Window:
			for _, entry := range b.Head {
				if f, ok := entry.Item.(longrein.Fragment); ok && f.Tag == longrein.TagEnvironment {
					environment = f.Text
				}
			}
		}
		if e.Type == longrein.EventTurnCompleted || e.Type == longrein.EventTurnFailed {
			break
		}
	}
	return th.ID(), environment, asked
}

func TestTheWorkerIsToldOfNotesThatAreKept(t *testing.T) {
	for strategy, kept := range map[string]bool{"background": true, "pack": true, "recent": false} {
		h := with(t, nil, config.Flag{Name: "-m", Value: "sim:echo"}, config.Flag{Name: "--strategy", Value: strategy})
		id, environment, _ := firstRequest(t, h)
		line := "\nnotes: " + filepath.Join(h.Store().Root, "notes", id) + " ("
		if got := strings.Contains(environment, line); environment == "" || got != kept {
			t.Errorf("%s: the line is there: %v, want %v, in\n%s", strategy, got, kept, environment)
		}
	}
}

// Each request carries it, also those of tasks that need no memory.
func TestTheFirstRequestIsSmall(t *testing.T) {
	h := with(t, nil, config.Flag{Name: "-m", Value: "sim:echo"})
	_, _, asked := firstRequest(t, h)
	t.Logf("%d tokens", asked.Tokens)
	if asked.Tokens == 0 || asked.Tokens > 3_500 {
		t.Errorf("the first request has %d tokens", asked.Tokens)
	}
}
