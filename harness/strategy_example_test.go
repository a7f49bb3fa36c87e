package harness_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/harness"
)

// newestHalf is a strategy of one's own: when three quarters of the context window
// are full, a new window begins with the task and the newest half of the work.
type newestHalf struct{}

func (newestHalf) Name() string { return "newest-half" }

func (newestHalf) Decide(v longrein.View) longrein.Move {
	if !v.Refused && v.Tokens < v.Settings.ContextWindow*3/4 {
		return longrein.CarryOn{}
	}
	work := v.Entries[v.Fresh:] // without the initial context, which is made anew
	from := len(work) / 2
	for from < len(work) && work[from].Step == work[from-1].Step {
		from++ // calls and their outputs belong to one step and stay together
	}
	head := append([]longrein.Entry{work[0]}, work[from:]...) // work[0] is the task
	return longrein.NewWindow{Why: "three quarters are full", Head: head}
}

// A program keeps windows small in a way of its own. What the strategy leaves out
// is recorded by the harness, if the strategy does not say it itself.
func ExampleOptions_strategy() {
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	settings, err := config.Load(config.Options{
		Home: dir, Cwd: dir,
		Flags: []config.Flag{
			{Name: "-p", Value: "sim"},
			{Name: "-m", Value: "sim:count.sim"},
			{Name: "-c", Value: `models."sim:count.sim".context_window=12000`},
			{Name: "--sandbox", Value: "full"},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	const task = "repeat 30\nstep\ncall exec_command {\"command\": \"seq 1 500\"}\nend\nanswer counted\n"
	if err := os.WriteFile(dir+"/count.sim", []byte(task), 0o600); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	h := harness.New(harness.Options{
		Settings: settings, Cwd: dir, Version: "example",
		Strategy: func() longrein.Strategy { return newestHalf{} },
	})
	t, err := h.Start(ctx)
	if err != nil {
		log.Fatal(err)
	}
	events := t.Watch(ctx, 0)
	if err := t.Submit(ctx, "count"); err != nil {
		log.Fatal(err)
	}
	windows, cuts := 0, 0
	for e := range events {
		switch e.Type {
		case longrein.EventWindowStarted:
			windows++
		case longrein.EventLimitHit:
			cuts++
		}
		if e.Type == longrein.EventTurnCompleted || e.Type == longrein.EventTurnFailed {
			fmt.Println(e.Type)
			break
		}
	}
	fmt.Println("several windows:", windows > 1, "- each says what it left out:", cuts == windows-1)
	if err := t.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// turn.completed
	// several windows: true - each says what it left out: true
}
