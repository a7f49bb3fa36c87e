package pack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/turn"
)

// BenchmarkStep measures a step's records and the question at its safe point, in a
// window that is large and not yet full.
func BenchmarkStep(b *testing.B) {
	th := begun(b, Options{}, 10_000_000)
	th.turns(8)
	th.tell(turn.Submit{Text: "request 9"})
	for range 500 {
		th.looks(4_000)
	}
	v := th.m.State().View(th.log[len(th.log)-1], false)
	seq := v.Last
	out := strings.Repeat("some words of a file\n", 200)
	b.ReportAllocs()
	for b.Loop() {
		seq += 4
		id := fmt.Sprint(seq)
		th.s.Note(longrein.Record{Seq: seq, Body: longrein.Asked{}})
		th.s.Note(longrein.Record{Seq: seq + 1, Body: longrein.Appended{Entry: longrein.Entry{Step: seq, Item: longrein.ToolCall{ID: id, Name: "look", Args: "{}"}}}})
		th.s.Note(longrein.Record{Seq: seq + 2, Body: longrein.Answered{Step: seq}})
		th.s.Note(longrein.Record{Seq: seq + 3, Body: longrein.Appended{Entry: longrein.Entry{Step: seq, Item: longrein.ToolOutput{CallID: id, Text: out, Status: longrein.OutputOK}}}})
		if _, ok := th.s.Decide(v).(longrein.CarryOn); !ok {
			b.Fatal("a new window")
		}
	}
}

// BenchmarkFold measures the head of a new window of 2,000 entries that is full:
// the worst case, in which previews, early folds and the newest work are tried.
func BenchmarkFold(b *testing.B) {
	th := begun(b, Options{}, 0)
	for range 8 {
		th.tell(turn.Submit{Text: "request"})
		for range 125 {
			th.looks(4_000)
		}
		th.reply(longrein.StopEnd, say("answer"))
	}
	th.tell(turn.Submit{Text: "request"})
	v := th.m.State().View(th.log[len(th.log)-1], false)
	v.Surveyed, v.Settings.ContextWindow = true, 20_000
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := th.s.Decide(v).(longrein.NewWindow); !ok {
			b.Fatal("no new window")
		}
	}
}
