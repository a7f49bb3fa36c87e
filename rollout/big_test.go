package rollout

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/longrein/longrein"
)

// prose returns n bytes of text that looks like source code and does not repeat.
func prose(r *rand.Rand, n int) string {
	words := strings.Fields("func return if err nil range := package import string bytes { } ( ) \"x\" // the log")
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, "%s %x ", words[r.IntN(len(words))], r.Uint32())
		if r.IntN(8) == 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()[:n]
}

// work appends a turn of one step that reads size bytes, and returns its entries.
func work(tb testing.TB, l *Log, r *rand.Rand, n, size int) []longrein.Entry {
	tb.Helper()
	id := fmt.Sprintf("call_%08x", r.Uint32())
	out := longrein.ToolOutput{CallID: id, Text: prose(r, size), Status: longrein.OutputOK}
	items := []longrein.Item{
		longrein.Message{Role: longrein.RoleUser, Text: prose(r, 200)},
		longrein.ToolCall{ID: id, Name: "read_file", Args: `{"path":"src/file.go"}`},
		out,
		longrein.Message{Role: longrein.RoleAssistant, Text: prose(r, 500)},
	}
	var entries []longrein.Entry
	for _, it := range items {
		entries = append(entries, longrein.Entry{Step: int64(n), Item: it})
	}
	_, err := l.Append(noon, false,
		longrein.Turn{N: n, State: longrein.TurnStarted},
		longrein.Appended{Entry: entries[0]},
		longrein.Asked{Turn: n, Window: 1, Model: "m", Hash: strings.Repeat("ab", 32), Bytes: 1, Tokens: 1},
		longrein.Appended{Entry: entries[1]},
		longrein.ToolRun{CallID: id, State: longrein.ToolStarted},
		longrein.ToolRun{CallID: id, State: longrein.ToolFinished, Output: &out},
		longrein.Appended{Entry: entries[2]},
		longrein.Answered{Step: int64(n), Usage: longrein.Usage{Input: 1000, Output: 20, Reported: true}, Millis: 12},
		longrein.Appended{Entry: entries[3]},
		longrein.Turn{N: n, State: longrein.TurnEnded},
	)
	if err != nil {
		tb.Fatal(err)
	}
	return entries
}

// bigLog writes a log of turns that read size bytes each. Windows grow to 600 KB,
// of which 40% are carried on.
func bigLog(tb testing.TB, s *Store, turns, size int) string {
	tb.Helper()
	const full = 600_000
	l, id := begin(tb, s)
	r := rand.New(rand.NewPCG(1, 2))
	var window []longrein.Entry
	held, windows := 0, 0
	for n := 1; n <= turns; n++ {
		window = append(window, work(tb, l, r, n, size)...)
		if held += size + 700; held < full {
			continue
		}
		window = window[len(window)*6/10:]
		held = held * 4 / 10
		windows++
		if _, err := l.Append(noon, false, longrein.Window{N: windows, Why: "full", Head: window}); err != nil {
			tb.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		tb.Fatal(err)
	}
	return id
}

func benchmarkTail(b *testing.B, turns, size int) {
	s := store(b)
	id := bigLog(b, s, turns, size)
	path, _ := s.path(id)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	var t *Tail
	b.ReportAllocs()
	for b.Loop() {
		if t, err = s.Tail(id); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(info.Size())/1e6, "MB/log")
	b.ReportMetric(float64(t.LastSeq), "records/log")
	b.ReportMetric(float64(len(t.Records)), "records/tail")
}

func BenchmarkTailOf10000Turns(b *testing.B)      { benchmarkTail(b, 10_000, 9_000) }
func BenchmarkTailOfAMillionRecords(b *testing.B) { benchmarkTail(b, 100_000, 400) }
