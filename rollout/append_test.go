package rollout

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/longrein/longrein"
)

// steps returns a function that makes what a step of a thread appends at once,
// with a text that was not there before.
func steps() func() []longrein.Body {
	text, n := prose(rand.New(rand.NewPCG(1, 2)), 4000), 0
	return func() []longrein.Body {
		n++
		return []longrein.Body{
			item(1, longrein.ToolCall{ID: "call_1", Name: "read_file", Args: `{"path":"a.go"}`}),
			longrein.Answered{Step: 1, Usage: longrein.Usage{Input: 10, Output: 2, Reported: true}},
			item(1, longrein.Message{Role: longrein.RoleAssistant, Text: fmt.Sprint(n, text)}),
		}
	}
}

// BenchmarkAppend writes without waiting for the disk.
func BenchmarkAppend(b *testing.B) {
	l, _ := begin(b, store(b))
	next := steps()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Append(noon, false, next()...); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDurableAppend appends a step, and then writes as many bytes with
// nothing but a write and a sync, in turn, so that both meet the same disk.
func BenchmarkDurableAppend(b *testing.B) {
	l, _ := begin(b, store(b))
	f, err := system{}.Open(filepath.Join(b.TempDir(), "bare"), os.O_RDWR|os.O_CREATE)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	next, blank := steps(), bytes.Repeat([]byte("x"), 8000)
	var logs, bare []time.Duration
	for b.Loop() {
		before, start := l.size, time.Now()
		if _, err := l.Append(noon, true, next()...); err != nil {
			b.Fatal(err)
		}
		logs = append(logs, time.Since(start))
		start = time.Now()
		if err := writeAndSync(f, blank[:l.size-before], before); err != nil {
			b.Fatal(err)
		}
		bare = append(bare, time.Since(start))
	}
	b.ReportMetric(float64(median(logs))/float64(time.Microsecond), "µs/append")
	b.ReportMetric(float64(median(bare))/float64(time.Microsecond), "µs/bare")
	b.ReportMetric(float64(median(logs))/float64(median(bare)), "times")
}

func writeAndSync(f DiskFile, p []byte, off int64) error {
	if _, err := f.WriteAt(p, off); err != nil {
		return err
	}
	return f.Sync()
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// BenchmarkGroupCommit lets 64 threads of one process append durably, three
// records at a time as a step does or one, beside 64 files that are only written
// and synced.
func BenchmarkGroupCommit(b *testing.B) {
	const threads = 64
	batch := []longrein.Body{said("a"), said("b"), longrein.Answered{Step: 1, Millis: 20}}
	for name, batch := range map[string][]longrein.Body{"steps": batch, "single records": batch[:1]} {
		b.Run(name, func(b *testing.B) {
			s := store(b)
			var logs []*Log
			for range threads {
				l, _ := begin(b, s)
				logs = append(logs, l)
			}
			parallel(b, threads, len(batch), func(n int) error {
				_, err := logs[n].Append(noon, true, batch...)
				return err
			})
		})
	}
	b.Run("bare files", func(b *testing.B) {
		var files []DiskFile
		for n := range threads {
			f, err := system{}.Open(filepath.Join(b.TempDir(), fmt.Sprint(n)), os.O_RDWR|os.O_CREATE)
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			files = append(files, f)
		}
		var offs [threads]int64
		line := append(bytes.Repeat([]byte("x"), 499), '\n')
		parallel(b, threads, 1, func(n int) error {
			defer func() { offs[n] += int64(len(line)) }()
			return writeAndSync(files[n], line, offs[n])
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
