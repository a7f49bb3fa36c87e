package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
	"github.com/longrein/longrein/internal/testkit"
	"github.com/longrein/longrein/memory"
)

func TestWhatIsForgottenIsWhatTheNextHeadLacks(t *testing.T) {
	say := func(text string) longrein.Item { return longrein.Message{Role: longrein.RoleUser, Text: text} }
	fragment := func(tag longrein.Tag) longrein.Entry {
		return longrein.Entry{Item: longrein.Fragment{Tag: tag, Role: longrein.RoleUser, Text: "text"}}
	}
	settings := longrein.Settings{Model: "m", Wire: longrein.WireChat}
	var s assemble.State
	for _, r := range testkit.Records(
		longrein.Thread{ID: "t"},
		longrein.Window{N: 1, Settings: settings, Fresh: 1, Head: []longrein.Entry{fragment(longrein.TagEnvironment), fragment(longrein.TagNotes)}},
		longrein.Appended{Entry: longrein.Entry{Item: say("carried")}},
		longrein.Appended{Entry: longrein.Entry{Item: say("carried by an older program")}},
		longrein.Appended{Entry: longrein.Entry{Item: say("noted")}},
		longrein.Appended{Entry: longrein.Entry{Item: longrein.ToolCall{ID: "c", Name: "cat", Args: "{}"}}},
	) {
		if err := s.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	next := longrein.Window{N: 2, Why: "full", Fresh: 1, Head: []longrein.Entry{
		fragment(longrein.TagEnvironment), {Seq: 3, Item: say("carried")}, {Item: say("carried by an older program")},
	}}
	notes := memory.Notes{}.With(longrein.Notes{Version: 1, Changed: []longrein.Document{
		{Name: "MAIN.md", Text: "text", Sources: []longrein.Source{{Paragraph: "x", Seqs: []int64{5, 99}}}},
	}})
	got := swapOf(&s, next, notes)
	got.Before, got.Carried, got.Lost, got.Kinds = amount{}, amount{got.Carried.Items, 0}, amount{}, nil
	got.Renewed.Tokens = 0
	for i := range got.Items {
		got.Items[i].Tokens = 0
	}
	want := swap{Window: 2, Why: "full", Carried: amount{2, 0}, Renewed: amount{1, 0}, Items: []forgotten{
		{Seq: 5, Kind: "user message", Noted: true, Words: "user: noted"},
		{Seq: 6, Kind: "tool call", Words: "call cat {}"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
