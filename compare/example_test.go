package compare_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/compare"
	"github.com/longrein/longrein/strategy/pack"
	"github.com/longrein/longrein/strategy/recent"
)

// Two strategies on one session, in a window that is too small for it.
func Example() {
	s, err := compare.Read("a long day", recorded)
	if err != nil {
		fmt.Println(err)
		return
	}
	profile, err := compare.ParseProfile("openai/gpt-5.4", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, strategy := range []longrein.Strategy{recent.Strategy{}, pack.New(pack.Options{})} {
		r, err := compare.Replay(context.Background(), s, compare.Options{Strategy: strategy, Profile: profile, Window: 20_000})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %d of %d steps, several windows: %v\n", r.Strategy, r.Steps, r.Recorded, r.Windows > 1)
	}
	// Output:
	// recent: 31 of 31 steps, several windows: true
	// pack: 31 of 31 steps, several windows: true
}

// recorded yields a session of one turn: thirty commands and a last word.
func recorded(yield func(longrein.Record, error) bool) {
	var seq int64
	add := func(b longrein.Body) int64 {
		seq++
		yield(longrein.Record{Seq: seq, Time: time.UnixMilli(1_800_000_000_000 + seq), Body: b}, nil)
		return seq
	}
	add(longrein.Thread{ID: "t", Format: longrein.LogFormat})
	add(longrein.Settings{Provider: "openai", Model: "gpt-5.4", Wire: longrein.WireResponses})
	add(longrein.Turn{N: 1, State: longrein.TurnStarted})
	in := add(longrein.Input{Text: "read it all"})
	add(longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: "read it all"}}, Input: in})
	for n := range 31 {
		step := add(longrein.Asked{Turn: 1})
		item := longrein.Item(longrein.Message{Role: longrein.RoleAssistant, Text: "That was all."})
		if n < 30 {
			item = longrein.ToolCall{ID: fmt.Sprint("c", n), Name: "exec_command", Args: `{"command":"cat next"}`}
		}
		add(longrein.Appended{Entry: longrein.Entry{Step: step, Item: item}})
		add(longrein.Answered{Step: step})
		if n < 30 {
			out := longrein.ToolOutput{CallID: fmt.Sprint("c", n), Text: strings.Repeat("word ", 800), Status: longrein.OutputOK}
			add(longrein.Appended{Entry: longrein.Entry{Step: step, Item: out}})
		}
	}
	add(longrein.Turn{N: 1, State: longrein.TurnEnded})
}
