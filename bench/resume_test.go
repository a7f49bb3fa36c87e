package bench

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/rollout"
	"github.com/longrein/longrein/turn"
)

// BenchmarkResume opens a long log for writing, loads the machine from its tail
// and makes the next request: all that resume does before it can send. One log
// has 10,000 turns and 100 MB, the other 1,000,000 records.
func BenchmarkResume(b *testing.B) {
	for _, c := range []struct {
		name          string
		turns, output int
	}{
		{"10,000 turns of 10 kB", 10_000, 10_000},
		{"1,000,000 records", 76_923, 300},
	} {
		b.Run(c.name, func(b *testing.B) {
			store := &rollout.Store{Root: b.TempDir()}
			id := longLog(b, store, c.turns, c.output)
			b.ReportAllocs()
			for b.Loop() {
				resume(b, store, id)
			}
			b.ReportMetric(size(b, store.Root)/1e6, "MB-log")
		})
	}
}

func resume(b *testing.B, store *rollout.Store, id string) {
	b.Helper()
	log, tail, err := store.Open(id)
	if err != nil {
		b.Fatal(err)
	}
	m := turn.New(turn.Options{})
	first := longrein.Record{Seq: 1, Body: tail.Thread}
	if err := m.Load(append([]longrein.Record{first}, tail.Records...)...); err != nil {
		b.Fatal(err)
	}
	if _, _, err := m.State().Request(); err != nil {
		b.Fatal(err)
	}
	if err := log.Close(); err != nil {
		b.Fatal(err)
	}
}

func size(b *testing.B, root string) float64 {
	b.Helper()
	total := int64(0)
	logs, err := filepath.Glob(filepath.Join(root, "threads", "*", "*", "*", "*.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	for _, path := range logs {
		info, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		total += info.Size()
	}
	return float64(total)
}

// longLog writes a thread of so many turns, each with a call whose output has so
// many bytes, in windows of about 600 kB.
func longLog(b *testing.B, store *rollout.Store, turns, output int) string {
	b.Helper()
	id := uuid.Must(uuid.NewV7()).String()
	log, err := store.Create(id)
	if err != nil {
		b.Fatal(err)
	}
	w := &writer{b: b, log: log, rnd: rand.New(rand.NewPCG(1, 2))}
	set := longrein.Settings{Provider: "p", Model: "m", Wire: longrein.WireResponses}
	w.add(longrein.Thread{ID: id, Format: longrein.LogFormat, Base: "Be good."}, set)
	each := max(600_000/(output+500), 1)
	for n := range turns {
		if n%each == 0 {
			w.add(longrein.Window{N: n/each + 1, Why: "full", Settings: set, Turns: n, Head: []longrein.Entry{
				{Item: longrein.Message{Role: longrein.RoleUser, Text: "the task"}},
			}})
		}
		w.turn(n+1, output)
	}
	if err := log.Close(); err != nil {
		b.Fatal(err)
	}
	return id
}

type writer struct {
	b   *testing.B
	log *rollout.Log
	rnd *rand.Rand
	seq int64
}

func (w *writer) add(bodies ...longrein.Body) {
	records, err := w.log.Append(time.Now(), false, bodies...)
	if err != nil {
		w.b.Fatal(err)
	}
	w.seq = records[len(records)-1].Seq
}

// turn is thirteen records: two requests, a call between them.
func (w *writer) turn(n, output int) {
	user := longrein.Message{Role: longrein.RoleUser, Text: fmt.Sprint("what about ", n, "?")}
	w.add(longrein.Input{Text: user.Text, Mode: longrein.InputSubmit})
	w.add(longrein.Turn{N: n, State: longrein.TurnStarted},
		longrein.Appended{Entry: longrein.Entry{Item: user}, Input: w.seq}, longrein.Asked{Turn: n, Window: 1, Hash: strings.Repeat("a", 64)})
	step, call := w.seq, fmt.Sprint("call_", n)
	entry := func(it longrein.Item) longrein.Appended {
		return longrein.Appended{Entry: longrein.Entry{Step: step, Item: it}}
	}
	usage := longrein.Usage{Input: 1000, Output: 10, Reported: true}
	w.add(entry(longrein.ToolCall{ID: call, Name: "exec_command", Args: `{"command":"cat file"}`}),
		longrein.Answered{Step: step, Usage: usage}, longrein.ToolRun{CallID: call, State: longrein.ToolStarted})
	w.add(entry(longrein.ToolOutput{CallID: call, Text: w.text(output), Status: longrein.OutputOK}),
		longrein.Asked{Turn: n, Window: 1, Hash: strings.Repeat("b", 64)})
	step = w.seq
	w.add(entry(longrein.Message{Role: longrein.RoleAssistant, Text: "It is so."}),
		longrein.Answered{Step: step, Usage: usage}, longrein.Turn{N: n, State: longrein.TurnEnded},
		longrein.Warning{Text: "the thirteenth record"})
}

// text has lines of random words, so that nothing repeats.
func (w *writer) text(n int) string {
	var t strings.Builder
	for t.Len() < n {
		fmt.Fprintf(&t, "%08x is a word of line %d\n", w.rnd.Uint32(), t.Len())
	}
	return t.String()
}
