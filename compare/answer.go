package compare

import (
	"context"
	"fmt"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/memory"
)

// Answerer answers the forks of a replay.
type Answerer interface {
	// Answer returns what the fork's model says, and who that was, such as
	// "recorded". An error fails the fork, and ends the replay when ctx is over.
	Answer(ctx context.Context, a Asking) (reply Reply, err error)
}

// Asking is a fork's request with what it is made of.
type Asking struct {
	Fork    string // its name
	Role    longrein.ForkRole
	Request longrein.Request
	// Shared is what the fork has in common with the worker, and Own what follows:
	// its instruction, its answers, and the outputs of its calls.
	Shared, Own []longrein.Entry
	Notes       memory.Notes
	Boundary    int64 // the last record that the notes cover
	// Recorded is the newest summary of the recording that covers no more than
	// the worker has done, nil when there is none or an earlier fork has used it;
	// After is how many entries of Shared are from steps that it cannot know.
	Recorded *Summary
	After    int
}

// Reply is what a fork's model said.
type Reply struct {
	Items []longrein.Item
	Done  longrein.Finished
	By    string // who answered: [Recorded], [Extractive] or [Live]
}

// Who answers forks.
const (
	Recorded   = "recorded"   // a model, while the session was recorded
	Extractive = "extractive" // rules that pick sentences and values; no model
	Live       = "live"       // a real provider, now
)

// Offline answers forks without a model: with what the session recorded where
// that fits, and by rules otherwise.
type Offline struct{}

// Answer never fails.
func (Offline) Answer(_ context.Context, a Asking) (Reply, error) {
	r := Reply{By: Extractive}
	switch a.Role {
	case longrein.RoleSummarizer:
		r = summarize(a)
	case longrein.RoleDecider:
		r.Items = speak(decide(instruction(a.Own)))
	case longrein.RoleCompactor:
		text, by := sumUp(a)
		r.Items, r.By = speak(text), by
	default:
		r.Items = speak("Rules ask no questions and know no answers.")
	}
	r.Done.Stop = longrein.StopEnd
	if len(calls(r.Items)) > 0 {
		r.Done.Stop = longrein.StopTools
	}
	return r, nil
}

func speak(text string) []longrein.Item {
	return []longrein.Item{longrein.Message{Role: longrein.RoleAssistant, Text: text}}
}

// instruction is what made the fork another than the worker.
func instruction(own []longrein.Entry) string {
	for _, e := range own {
		if f, ok := e.Item.(longrein.Fragment); ok {
			return f.Text
		}
	}
	return ""
}

// due is the share of a context that rules find to be no longer needed at which
// the decider by rules asks for a new window, in percent.
const due = 50

// decide goes by what the rules have found and the instruction says.
func decide(instruction string) string {
	var stale, total int
	for line := range strings.Lines(instruction) {
		if _, err := fmt.Sscanf(line, "no longer needed, by rules: %d of %d tokens", &stale, &total); err == nil {
			break
		}
	}
	if total > 0 && stale*100 >= due*total {
		return fmt.Sprintf("By rules, %d of %d tokens are no longer needed.\nRESET", stale, total)
	}
	return fmt.Sprintf("By rules, only %d of %d tokens are no longer needed.\nCARRY ON", stale, total)
}

// Provider answers forks with a real model.
type Provider struct{ Model longrein.Model }

// Answer sends the fork's request and waits for what comes back.
func (p Provider) Answer(ctx context.Context, a Asking) (Reply, error) {
	r := Reply{By: Live}
	for e, err := range p.Model.Stream(ctx, a.Request) {
		if err != nil {
			return Reply{}, err
		}
		switch e := e.(type) {
		case longrein.ItemDone:
			r.Items = append(r.Items, e.Item)
		case longrein.Retrying:
			r.Items = nil
		case longrein.Finished:
			r.Done = e
		}
	}
	return r, nil
}
