package assemble

import (
	"strings"
	"testing"

	"github.com/longrein/longrein"
)

func TestSizesAreThoseOfTheEntries(t *testing.T) {
	s := sizes{}
	long := longrein.Entry{Seq: 7, Item: longrein.ToolOutput{CallID: "c", Text: "many words of an output"}}
	short := longrein.Entry{Seq: 7, Item: longrein.ToolOutput{CallID: "c", Text: "many words"}}
	for range 2 {
		for _, e := range []longrein.Entry{long, short, {Item: long.Item}} {
			if got, want := s.of(e), Size(e); got != want {
				t.Errorf("%v has %d tokens, want %d", e, got, want)
			}
		}
	}
	if len(s) != 2 {
		t.Errorf("%d sizes are remembered, want those of the two with a record", len(s))
	}
}

// BenchmarkSizes is what a strategy pays to look at a window of 100,000 tokens
// again.
func BenchmarkSizes(b *testing.B) {
	s := sizes{}
	var entries []longrein.Entry
	for i := range 110 {
		entries = append(entries, longrein.Entry{Seq: int64(i + 1), Item: longrein.ToolOutput{CallID: "c", Text: strings.Repeat("some words of a file on port 4711\n", 100)}})
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, e := range entries {
			s.of(e)
		}
	}
}
