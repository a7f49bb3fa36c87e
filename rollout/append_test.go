package rollout

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/longrein/longrein"
)

// step is what a step of a thread appends at once, with a text of its own.
func step(r *rand.Rand) []longrein.Body {
	return []longrein.Body{
		item(1, longrein.ToolCall{ID: "call_1", Name: "read_file", Args: `{"path":"a.go"}`}),
		longrein.Answered{Step: 1, Usage: longrein.Usage{Input: 10, Output: 2, Reported: true}},
		item(1, longrein.Message{Role: longrein.RoleAssistant, Text: prose(r, 4000)}),
	}
}

// BenchmarkAppend writes the same bytes through a log and with nothing but a
// write and a sync, turn by turn, so that both meet the same disk.
func BenchmarkAppend(b *testing.B) {
	b.Run("durable", func(b *testing.B) { benchmarkAppend(b, true) })
	b.Run("not durable", func(b *testing.B) { benchmarkAppend(b, false) })
	b.Run("bare write and sync", benchmarkBare)
}

func benchmarkAppend(b *testing.B, durable bool) {
	l, _ := begin(b, store(b))
	r := rand.New(rand.NewPCG(1, 2))
	bodies := make([][]longrein.Body, 512)
	for i := range bodies {
		bodies[i] = step(r)
	}
	start, n := l.size, 0
	b.ReportAllocs()
	for b.Loop() {
		bodies[n%512][0] = item(1, longrein.Message{Role: longrein.RoleUser, Text: prose(r, 300)})
		if _, err := l.Append(noon, durable, bodies[n%512]...); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64(l.size-start)/float64(n), "bytes/append")
}

func benchmarkBare(b *testing.B) {
	f, err := system{}.open(filepath.Join(b.TempDir(), "log"), os.O_RDWR|os.O_CREATE)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	line := append(bytes.Repeat([]byte("x"), 4999), '\n')
	var off int64
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.WriteAt(line, off); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
		off += int64(len(line))
	}
}

// BenchmarkGroupCommit lets 64 threads of one process append small durable
// batches, beside 64 files that are only written and synced.
func BenchmarkGroupCommit(b *testing.B) {
	const threads, records = 64, 3
	b.Run("logs", func(b *testing.B) {
		s := store(b)
		var logs []*Log
		for range threads {
			l, _ := begin(b, s)
			logs = append(logs, l)
		}
		r := rand.New(rand.NewPCG(1, 2))
		parallel(b, threads, records, func(n int) error {
			_, err := logs[n].Append(noon, true, said("a"), said("b"), step(r)[1])
			return err
		})
	})
	b.Run("bare files", func(b *testing.B) {
		dir := b.TempDir()
		var files []file
		for n := range threads {
			f, err := system{}.open(filepath.Join(dir, string(rune('A'+n))), os.O_RDWR|os.O_CREATE)
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			files = append(files, f)
		}
		var offs [threads]int64
		line := append(bytes.Repeat([]byte("x"), 499), '\n')
		parallel(b, threads, 1, func(n int) error {
			_, err := files[n].WriteAt(line, offs[n])
			offs[n] += int64(len(line))
			if err == nil {
				err = files[n].Sync()
			}
			return err
		})
	})
}

// parallel calls do over and over, from as many goroutines, each for its own n.
func parallel(b *testing.B, goroutines, records int, do func(n int) error) {
	var wg sync.WaitGroup
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ReportAllocs()
	b.ResetTimer()
	for n := range goroutines {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if err := do(n); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N*records)/b.Elapsed().Seconds(), "records/s")
}
